"""What a learner sees of a state: cells, each a small int, found by watching play.

The words of a state (`store_state`) say little by themselves: one int may be a board with a bit for each square, digits side by
side, or a plain number. How words change from one state to the next tells which: a move changes few squares, and a number
by little.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from outplay.learn.watching import Watched
from outplay.rules.game import CHANCE

WIDE = 48  # a word with a smaller range of values is taken as a number
LONGEST = 16  # bits of the widest digit that is tried
FINE, COARSE = 64, 8  # most codes of a number's cell; one with at least 2 * COARSE values has a cell of each kind
MOST_CELLS = 512
ROUGHLY = " roughly"  # how the name of a number in COARSE codes ends
WORD_BITS = 63  # of a board
PLANE, MOST_PLANES = 6, 6  # fewer squares do not show that a board counts in binary; a number of more planes has no cell
CARRIED = 0.45  # the share of changes of a higher plane with a change of the lower plane the other way
COUNTED = " counted"  # how the name of a count of squares ends
TOO_FAR = 1 << 62  # differences within a larger range may not fit into a machine word

Kind = Literal["number", "digit", "square", "count"]


@dataclass(frozen=True)
class Term:
    """What one word adds to a cell: the code of some of its bits, or of the whole word between *base* and *base* + *mask*.

    The code of value v is codes[v >> shift] of a whole word, and codes[v] of some bits.
    """

    word: int
    base: int
    shift: int
    mask: int
    clamped: bool
    codes: tuple[int, ...]

    @property
    def identity(self) -> tuple[int, int, int, int, bool]:
        """The part of the state that it reads."""
        return self.word, self.base, self.shift, self.mask, self.clamped

    def row(self, words: Sequence[int]) -> int:
        """Return the index into `codes` for a state of these *words*."""
        if self.clamped:
            return min(max(words[self.word], self.base), self.base + self.mask) - self.base >> self.shift
        return words[self.word] >> self.shift & self.mask


@dataclass(frozen=True)
class Cell:
    """A small int, from 0 to size - 1, as a sum of terms."""

    name: str
    size: int
    terms: tuple[Term, ...]
    kind: Kind
    group: str  # cells of a group are squares of one board, or numbers of one field
    nested: bool = False  # of two boards: the first lies within the second

    def code(self, words: Sequence[int]) -> int:
        """Return the cell's code in a state of these *words*."""
        return sum(term.codes[term.row(words)] for term in self.terms)

    def codes(self, words: Any) -> Any:
        """Return the cell's codes in many states; *words* has a row for each."""
        total = np.zeros(len(words), np.int64)
        for term in self.terms:
            column = words[:, term.word]
            if term.clamped:
                rows = np.clip(column, term.base, term.base + term.mask) - term.base >> term.shift
            else:
                rows = column >> term.shift & term.mask
            total += np.array(term.codes)[rows]
        return total

    def written(self, words: Sequence[int], code: int) -> list[int] | None:
        """Return *words*, changed so that the cell has this *code*; None if that is not possible."""
        if self.kind == "count":
            return None
        changed = list(words)
        if self.kind == "digit" and len(self.terms) > 1:
            for term in self.terms:
                changed[term.word] = changed[term.word] & ~(1 << term.shift) | bool(code & term.codes[1]) << term.shift
            return changed
        if len(self.terms) == 1:
            term = self.terms[0]
            if code not in term.codes:
                return None
            row = term.codes.index(code)
            if term.clamped:
                changed[term.word] = term.base + (row << term.shift)
            else:
                changed[term.word] = changed[term.word] & ~(term.mask << term.shift) | row << term.shift
            return changed
        bits = {0: (0, 0), 1: (0, 1), 2: (1, 1)} if self.nested else {0: (0, 0), 1: (1, 0), 2: (0, 1)}
        for term, bit in zip(self.terms, bits[code], strict=True):
            changed[term.word] = changed[term.word] & ~(1 << term.shift) | bit << term.shift
        return changed

    @property
    def rough(self) -> bool:
        """Whether another cell describes the same number in more detail."""
        return self.name.endswith(ROUGHLY)

    def grown(self, low: int, high: int) -> "Cell":
        """Return the cell with room for values from *low* to *high*: those of the word for a number, of the digit for a digit."""
        (term,) = self.terms
        if self.kind == "digit":
            return replace(self, size=high + 1, terms=(replace(term, codes=_up_to(high, term.mask)),))
        low, high = min(low, term.base), max(high, term.base + term.mask)
        return number_cell(self.name, self.group, term.word, low, high, COARSE if self.rough else FINE)


def _up_to(top: int, mask: int) -> tuple[int, ...]:
    return tuple(min(value, top) for value in range(mask + 1))


def number_cell(name: str, group: str, word: int, low: int, high: int, most: int) -> Cell:
    """Return the cell of a whole word with values from *low* to *high*, in at most *most* codes of the same width."""
    shift = 0
    while (high - low >> shift) + 1 > most:
        shift += 1
    size = (high - low >> shift) + 1
    return Cell(name, size, (Term(word, low, shift, high - low, True, tuple(range(size))),), "number", group)


@dataclass(frozen=True)
class Sight:
    """The cells of a state; *side*, the word that says whose turn it is, or -1; and sentences about what is left out."""

    cells: tuple[Cell, ...]
    side: int
    left_out: tuple[str, ...]


def find_cells(watched: Watched, names: Sequence[str], *, given: bool = False) -> Sight:
    """Return the cells of the *watched* states, whose words have these *names*; *given*: the words are cells already."""
    words, left_out = watched.words, list[str]()
    side = side_word(watched)
    cells: list[Cell] = []
    boards: list[tuple[int, list[int]]] = []
    lows, highs = words.min(0).tolist(), words.max(0).tolist()
    wide = [] if given else [word for word in range(words.shape[1]) if highs[word] - lows[word] >= WIDE and lows[word] >= 0]
    for word, (low, high) in enumerate(zip(lows, highs, strict=True)):
        name, group = names[word], names[word].split("[")[0]
        if word == side or low == high:
            continue
        if high - low >= TOO_FAR:
            left_out.append(f"{name}, which ranges from {low} to {high}")
            continue
        width = _digit_width(watched, word, wide, high.bit_length()) if word in wide else 0
        if width == 1:
            boards.append((word, [bit for bit in range(high.bit_length()) if np.ptp(words[:, word] >> bit & 1)]))
        elif 1 < width < high.bit_length():
            cells += _digits(words[:, word], word, name, width, high.bit_length())
        else:
            cells.append(number_cell(name, group, word, low, high, FINE))
            if high - low >= 2 * COARSE:
                cells.append(number_cell(name + ROUGHLY, group + ROUGHLY, word, low, high, COARSE))
    planes, boards = _planes(watched, boards, names)
    cells += planes
    cells += _squares(boards, words, names)
    if len(cells) > MOST_CELLS:
        left_out.append(
            f"{len(cells) - MOST_CELLS} of its {len(cells)} cells, from {cells[MOST_CELLS].name} on: a learner sees {MOST_CELLS}"
        )
        cells = cells[:MOST_CELLS]
    return Sight(tuple(cells), side, tuple(left_out))


def clocks(watched: Watched) -> set[int]:
    """Return the words that change by the same amount in every move: they only count moves."""
    later = np.flatnonzero(watched.before >= 0)
    changes = watched.words[later] - watched.words[watched.before[later]]
    return {word for word in range(changes.shape[1]) if len(later) and np.ptp(changes[:, word]) == 0 and changes[0, word] != 0}


def side_word(watched: Watched) -> int:
    """Return the word that equals the player to move in every state of a player; -1 if there is none."""
    players = watched.acting >= 0
    if not players.any() or not (watched.acting[players] == 1).any():
        return -1
    for word in range(watched.words.shape[1]):
        column = watched.words[:, word]
        if column.min() == 0 and column.max() == 1 and (column[players] == watched.acting[players]).all():
            return word
    return -1


def _digit_width(watched: Watched, word: int, wide: list[int], bits: int) -> int:
    """Return the width of the digits of *word*, in bits: 1 for a board, all its bits for a plain number.

    The cost of a width is the cost to describe how the digits change from one state to the next. The cheapest width wins; a board
    also wins if it costs up to a tenth more.
    """
    later = np.flatnonzero(watched.before >= 0)
    now, then = watched.words[later, word], watched.before[later]
    # Words of the two players may swap when the turn passes. If one board lies within another, compare with their difference, too.
    rivals = [rival for rival in wide if rival == word or abs(int(watched.words[:, rival].max()).bit_length() - bits) <= 2]
    earlier = [watched.words[then, rival] for rival in rivals]
    earlier += [one ^ other for one in earlier for other in earlier if one is not other and not (one & ~other).any()]
    costs = {}
    for width in sorted({*range(1, min(bits, LONGEST) + 1), bits}):
        costs[width] = float(np.min([_cost(before, now, width, bits) for before in earlier], axis=0).mean())
    best = min(costs, key=lambda width: costs[width])
    return 1 if costs[1] < 1.1 * costs[best] else best


def _cost(before: Any, now: Any, width: int, bits: int) -> Any:
    """Return the cost to describe the words *now* by those *before*: which digits changed, and by how much."""
    total = np.zeros(len(now))
    for shift in range(0, bits, width):
        mask = (1 << min(width, bits - shift)) - 1
        change = np.abs((before >> shift & mask) - (now >> shift & mask))
        total += np.where(change > 0, 4 + np.log2(np.maximum(change, 1)), 0)
    return total


def _digits(column: Any, word: int, name: str, width: int, bits: int) -> list[Cell]:
    """Return a cell for each digit of a word; a digit of up to 4 bits has room for every value."""
    cells, top = [], int(max((column >> shift & (1 << width) - 1).max() for shift in range(0, bits, width)))
    for place, shift in enumerate(range(0, bits, width)):
        mask = (1 << width) - 1
        if (column >> shift & mask).max() == 0:
            continue
        highest = mask if width <= 4 else top
        term = Term(word, 0, shift, mask, False, _up_to(highest, mask))
        cells.append(Cell(f"{name}[{place}]", highest + 1, (term,), "digit", name))
    return cells


def _planes(
    watched: Watched, boards: list[tuple[int, list[int]]], names: Sequence[str]
) -> tuple[list[Cell], list[tuple[int, list[int]]]]:
    """Return cells of several bits for boards that count in binary, and the other boards.

    A board may have several planes: ones, twos and so on of a number on each square, side by side in a word or in several words.
    When such a number grows or shrinks by one, a bit of a higher plane often changes one way, and the bit of the same square in
    the plane below the other way. No other pair of bits at the same distance does so.
    """
    alone = [board for board in boards if not any(_partners(watched.words, board, other) for other in boards)]
    if not alone:
        return [], boards
    rises, falls = _changes(watched, [word for word, _ in alone])
    # By a bit of a higher plane: how often it carries, and the bit of the same square in the next lower plane.
    below: dict[tuple[int, int], tuple[float, int, int]] = {}
    for low_word, low_bits in alone:
        for word, bits in alone:
            for distance in range(1 - WORD_BITS, WORD_BITS):
                pairs = [(bit, bit + distance) for bit in low_bits if bit + distance in bits]
                if len(pairs) < PLANE or (word == low_word and distance == 0):
                    continue
                ours, theirs = [bit for bit, _ in pairs], [bit for _, bit in pairs]
                carried = (rises[word][:, theirs] & falls[low_word][:, ours]).sum(0)
                carried += (falls[word][:, theirs] & rises[low_word][:, ours]).sum(0)
                changed = (rises[word][:, theirs] | falls[word][:, theirs]).sum(0)
                share = float(carried.sum() / max(changed.sum(), 1))
                if share >= CARRIED:
                    for (bit, other), often in zip(pairs, changed.tolist(), strict=True):
                        if often and share > below.get((word, other), (0.0, 0, 0))[0]:
                            below[word, other] = (share, low_word, bit)
    return _chained(below, alone, boards, names)


def _chained(
    below: dict[tuple[int, int], tuple[float, int, int]], alone: list[tuple[int, list[int]]], boards: list[tuple[int, list[int]]],
    names: Sequence[str],
) -> tuple[list[Cell], list[tuple[int, list[int]]]]:  # fmt: skip
    """Return the cells of planes, where *below* maps a bit to the bit of the same square in the next lower plane.

    All squares of a board have the same planes: the most that several of its squares show.
    """
    higher = {(word, bit): place for place, (_, word, bit) in below.items()}
    cells, used = list[Cell](), set[tuple[int, int]]()
    for word, bits in alone:
        steps = Counter[tuple[tuple[int, int], ...]]()
        for bit in bits:
            place, way = (word, bit), list[tuple[int, int]]()
            while place in higher and (word, bit) not in below and len(way) < MOST_PLANES:
                place = higher[place]
                way.append((place[0], place[1] - bit))
                steps[tuple(way)] += 1
        ways = [shown for shown, times in steps.items() if times >= PLANE]
        most = max(ways, key=lambda shown: (len(shown), steps[shown]), default=())
        for bit in bits if most else ():
            chain = [(word, bit), *((part, bit + distance) for part, distance in most)]
            if (word, bit) in below or used & set(chain) or not all(0 <= at < WORD_BITS for _, at in chain):
                continue
            terms = tuple(Term(part, 0, at, 1, False, (0, 1 << plane)) for plane, (part, at) in enumerate(chain))
            cells.append(Cell(f"{names[word]} #{bit}", 1 << len(chain), terms, "digit", f"{names[word]} in planes"))
            used.update(chain)
    left = [(word, [bit for bit in bits if (word, bit) not in used]) for word, bits in boards]
    return cells, [(word, bits) for word, bits in left if bits]


def _changes(watched: Watched, words: Sequence[int]) -> tuple[dict[int, Any], dict[int, Any]]:
    """Return for each of the *words* which bits are set from one state to a later one, and which are cleared.

    It compares the states before and after a player's move, where words of the two players may swap, and states two moves apart.
    """
    later = _by_moves(watched)
    playing, number = np.flatnonzero(watched.acting >= 0), np.cumsum(watched.before < 0)
    same = number[playing[2:]] == number[playing[:-2]]  # two states of one game
    first, second = playing[:-2][same], playing[2:][same]
    places = np.arange(WORD_BITS)
    rises, falls = {}, {}
    for word in words:
        now = watched.words[later, word]
        rivals = [watched.words[watched.before[later], rival] for rival in words]
        before = min(rivals, key=lambda rival: int(((now ^ rival)[:, None] >> places & 1).sum()))
        now = np.concatenate([now, watched.words[second, word]])
        before = np.concatenate([before, watched.words[first, word]])
        rises[word] = (now & ~before)[:, None] >> places & 1 == 1
        falls[word] = (before & ~now)[:, None] >> places & 1 == 1
    return rises, falls


def _partners(words: Any, one: tuple[int, list[int]], other: tuple[int, list[int]]) -> bool:
    """Return whether two boards share cells: they have about the same squares, and never overlap or lie one within the other."""
    if one[0] == other[0] or len(set(one[1]) ^ set(other[1])) > 2:
        return False
    here, there = words[:, one[0]], words[:, other[0]]
    return not (here & there).any() or not (here & ~there).any() or not (there & ~here).any()


def _squares(boards: list[tuple[int, list[int]]], words: Any, names: Sequence[str]) -> list[Cell]:
    """Return a cell for each square. Two boards share cells if they never overlap, or if one lies within the other."""
    cells, done = list[Cell](), set[int]()
    for index, (word, bits) in enumerate(boards):
        if word in done:
            continue
        read, nested = [word], False
        for other, other_bits in boards[index + 1 :]:
            one, two = words[:, word], words[:, other]
            if other in done or len(set(bits) ^ set(other_bits)) > 2:
                continue
            if not (one & two).any():
                read = [word, other]
            elif not (one & ~two).any():
                read, nested = [word, other], True
            elif not (two & ~one).any():
                read, nested = [other, word], True
            if len(read) == 2:
                bits = sorted({*bits, *other_bits})
                break
        done.update(read)
        name = " and ".join(names[part] for part in read)
        for bit in bits:
            codes = [(0, 1), (0, 1 if nested else 2)]
            terms = tuple(Term(part, 0, bit, 1, False, code) for part, code in zip(read, codes, strict=False))
            cells.append(Cell(f"{name} @{bit}", 1 + len(read), terms, "square", name, nested))
    return cells


def counts(cells: Sequence[Cell], names: Sequence[str]) -> list[Cell]:
    """Return a cell for each board: how many of its squares are taken, or the sum of what stands there in planes.

    No other cell sees a board as a whole.
    """
    boards: dict[str, dict[Any, Term]] = {}
    for cell in cells:
        if cell.kind == "square":
            for term in cell.terms:
                boards.setdefault(names[term.word], {})[term.identity] = replace(term, codes=(0, 1))
        elif cell.kind == "digit" and len(cell.terms) > 1:
            boards.setdefault(cell.group, {}).update({term.identity: term for term in cell.terms})
    made = []
    for name, found in boards.items():
        terms = tuple(found[identity] for identity in sorted(found))
        size = 1 + sum(term.codes[1] for term in terms)
        made.append(Cell(name + COUNTED, size, terms, "count", name + COUNTED))
    return made


def whereabouts(watched: Watched, cells: Sequence[Cell]) -> list[int]:
    """Return for each cell the cell that holds the same thing after a player's move. It differs if the words of the players swap.

    Boards and fields swap as a whole: the group of cells whose codes after a move are mostly those of this group before it.
    """
    codes, moved = np.stack([cell.codes(watched.words) for cell in cells], axis=1), _by_moves(watched)
    now, then = codes[moved], codes[watched.before[moved]]
    groups: dict[str, list[int]] = {}
    for place, cell in enumerate(cells):
        groups.setdefault(cell.group, []).append(place)
    found = list(range(len(cells)))
    for own in groups.values() if len(moved) else ():
        sizes = [cells[place].size for place in own]
        alike = [own, *(other for other in groups.values() if [cells[place].size for place in other] == sizes)]
        best = max(alike, key=lambda other: float((now[:, other] == then[:, own]).mean()))  # itself, if another is no better
        for place, after in zip(own, best, strict=True):
            found[place] = after
    return found if sorted(found) == list(range(len(cells))) else list(range(len(cells)))


def _by_moves(watched: Watched) -> Any:
    """Return the places of states that a player's move led to."""
    later = np.flatnonzero(watched.before >= 0)
    return later[watched.acting[watched.before[later]] != CHANCE]


def changed_together(watched: Watched, cells: Sequence[Cell], after: Sequence[int]) -> Any:
    """Return a matrix: how often two cells change in the same move; *after*: see `whereabouts`. Moves that change many are left out."""
    codes = np.stack([cell.codes(watched.words) for cell in cells], axis=1)
    later = _by_moves(watched)
    changes = codes[later][:, list(after)] != codes[watched.before[later]]
    matrix = np.zeros((len(cells), len(cells)))
    for row in changes[changes.sum(1) <= 10]:
        group = np.flatnonzero(row)
        if len(group) > 1:
            matrix[np.ix_(group, group)] += 1 / (len(group) - 1)
    np.fill_diagonal(matrix, 0)
    return matrix
