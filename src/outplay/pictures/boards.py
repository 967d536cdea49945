"""The board of a game without `draw`, made from the fields of its state: as a picture to click, and as text.

A square tuple or a rectangular array is a board; a shorter field is a row of numbers. To learn which player a value belongs
to, and on which cell a move is made, some moves are played and the changes observed.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from outplay.pictures.grid import FINGER, NOTHING, Look, clicks, drawn_cells, square_side
from outplay.pictures.pieces import PLAYERS
from outplay.pictures.scene import MARGIN, TOP, Frame, Scene
from outplay.pictures.shapes import centred, svg, words
from outplay.turns import CHANCE, OVER

if TYPE_CHECKING:
    from outplay.rules.game import Game

MOST_CELLS, MOST_SIDE = 400, 32  # limits for a board that is drawn
MOST_BOARDS = 6
STRIP = 16  # up to so many values are a row of numbers; more are a board
MOST_MOVES = 400  # if a state has more, none can be clicked
MOST_FILLED = 4  # cells that one move may fill
GAMES, PLIES, TRIED = (
    2,
    16,
    8,
)  # games that are played to learn the owners of values, their length, and the moves tried in each state

Places = tuple[int, ...]  # cells of a board
Target = tuple[str, Places]  # the field of a board, and cells of it


@dataclass(frozen=True)
class Block:
    """A field of a state that is drawn cell by cell."""

    name: str
    rows: int
    columns: int
    cells: tuple[int, ...]
    sure: bool  # whether the field itself has this shape
    strip: bool  # whether it is a row of numbers, in two lines if it is long
    yes_or_no: bool  # whether its values are bools


def blocks_of(state: Any) -> list[Block]:
    """Return the fields of *state* that are drawn cell by cell, in order."""
    found: list[Block] = []
    for name, value in zip(state._fields, state, strict=True):
        is_array = hasattr(value, "tolist") and getattr(value, "ndim", 0) > 0
        shape = tuple(value.shape) if is_array else (len(value),) if isinstance(value, tuple) else ()
        laid_out = _laid_out(shape)
        if laid_out is not None and len(found) < MOST_BOARDS:
            cells = tuple(map(int, value.ravel().tolist() if is_array else value))
            yes_or_no = is_array and value.dtype.kind == "b"
            sure = _sure(shape)
            strip = not sure and len(cells) <= STRIP
            found.append(Block(name.replace("_", " "), *laid_out, cells, sure, strip, yes_or_no))
    return found


def _laid_out(shape: tuple[int, ...]) -> tuple[int, int] | None:
    """Return the rows and columns of a board for values of that *shape*; None if it is not a board, or too large."""
    if len(shape) == 2:
        rows, columns = shape
    elif len(shape) == 1 and shape[0] > 1:
        rows, columns = _broken(shape[0])
    else:
        return None
    fits = 0 < rows <= MOST_SIDE and 0 < columns <= MOST_SIDE and rows * columns <= MOST_CELLS
    return (rows, columns) if fits else None


def _broken(number: int) -> tuple[int, int]:
    """Return rows and columns for *number* values: a square, a row, or a rectangle close to a square."""
    side = square_side(number)
    if side:
        return side, side
    if number <= STRIP:
        return (2, number // 2) if number > 8 and number % 2 == 0 else (1, number)
    columns = next(columns for columns in range(int(number**0.5) + 1, number + 1) if number % columns == 0)
    return (number // columns, columns) if columns <= 2.5 * number // columns else (-(-number // 8), 8)


def _sure(shape: tuple[int, ...]) -> bool:
    return bool(square_side(shape[0])) if len(shape) == 1 else min(shape) > 1


def has_board(game: "Game") -> bool:
    """Return whether a state of *game* has a field that is certainly a board, or nothing better to show than cells."""
    blocks = blocks_of(game.start)
    return any(block.sure for block in blocks) or (bool(blocks) and isinstance(game.show, BoardText))


# As text.


@dataclass(frozen=True, eq=False)
class BoardText:
    """The `show` of a game that has none: its boards as letters, and the other fields in a line below.

    *otherwise* writes a state without a board. No rule is called, so the text does not depend on correct rules.
    """

    start: Any
    otherwise: Callable[[Any], str]

    def __call__(self, state: Any) -> str:
        blocks = blocks_of(state)
        if not blocks and not any(map(is_huge, state)):
            return self.otherwise(state)
        first = {block.name: block for block in blocks_of(self.start)}
        parts = []
        for block in blocks:
            heading = [f"{block.name}:"] if len(blocks) > 1 else []
            parts.append("\n".join([*heading, _text(block, usual_marks(block, first.get(block.name, block)))]))
        rest = [f"{name} = {value_text(value)}" for name, value in _other_fields(state, blocks)]
        return "\n".join([*parts, *([", ".join(rest)] if rest else [])])


def _text(block: Block, marks: Mapping[int, str]) -> str:
    texts = [marks.get(value, str(value)) for value in block.cells]
    if not block.strip and 0 not in marks:
        texts = ["." if text == "0" else text for text in texts]
    width = max(map(len, texts))
    rows = (texts[first : first + block.columns] for first in range(0, len(texts), block.columns))
    return "\n".join(" ".join(text.rjust(width) for text in row) for row in rows)


def usual_marks(block: Block, start: Block) -> dict[int, str]:
    """Return a letter for each value if the values are the usual ones for empty, X and O; else nothing."""
    if block.yes_or_no:
        return {0: ".", 1: "#"}
    empty = start.cells[0] if len(set(start.cells)) == 1 else 0
    values = {*block.cells, *start.cells}
    for usual in ((0, 1, 2), (0, 1, -1), (-1, 0, 1)):
        if empty == usual[0] and values <= set(usual) and (values == {empty} or usual[1] in values) and not block.strip:
            return dict(zip(usual, ".XO", strict=True))
    return {}


def _other_fields(state: Any, blocks: Iterable[Block], left_out: Iterable[str] = ()) -> list[tuple[str, Any]]:
    """Return the names and values of the fields that are not boards."""
    skipped = {block.name for block in blocks} | set(left_out)
    found = []
    for name, value in zip(state._fields, state, strict=True):
        name = name.replace("_", " ")
        if name not in skipped:
            found.append((name, value))
    return found


def is_huge(value: Any) -> bool:
    """Return whether a field has too many values to read."""
    return _size(value) > MOST_CELLS


def _size(value: Any) -> int:
    return len(value) if isinstance(value, tuple) else int(getattr(value, "size", 1))


def value_text(value: Any) -> str:
    """Return the value of a field as text; if there are many values, the first ones."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if not isinstance(value, tuple) and not getattr(value, "ndim", 0):
        return str(value)
    first = value[:12] if isinstance(value, tuple) else value.ravel()[:12].tolist()
    return (" ".join(map(str, first)) or "none") + (f" … ({_size(value):,} values)" if _size(value) > 12 else "")


# What the rules show about the boards.


def _copied(state: Any) -> Any:
    """Return *state* with copies of its arrays: a rule may change them by mistake."""
    return type(state)(*(value.copy() if getattr(value, "ndim", 0) else value for value in state))


@dataclass(frozen=True)
class Known:
    """What playing a game has shown about its boards: for each field, the owner of each value, and the value of an empty cell."""

    owners: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    empty: Mapping[str, int] = field(default_factory=dict)
    mover: tuple[str, ...] = ()  # fields that hold the player to move
    dropped: tuple[str, ...] = ()  # boards whose moves are columns
    learned: bool = False  # whether games could be played; a board without owners then holds numbers


_known: "WeakKeyDictionary[Game, Known]" = WeakKeyDictionary()


def known_of(game: "Game") -> Known:
    """Return what some random games show about the boards of *game*; nothing if its rules fail."""
    if game not in _known:
        try:
            _known[game] = _Watcher(game).known()
        except Exception:  # in the user's rules: a search reports it
            _known[game] = Known()
    return _known[game]


class _Watcher:
    """Plays a game, and records which values appear and disappear with the moves of each player."""

    def __init__(self, game: "Game") -> None:
        self.game = game
        self.came: dict[str, dict[int, set[int]]] = {}  # by board and value: the players whose moves brought it
        self.went: dict[str, set[int]] = {}
        self.seen: set[int] = set()  # who has moved
        self.mover = {name for name, value in zip(game.start._fields, game.start, strict=True) if isinstance(value, int)}

    def known(self) -> Known:
        for seed in range(GAMES):
            self._play(random.Random(seed))
        owners, empty = {}, {}
        for block in blocks_of(self.game.start):
            whose = self._owners(block)
            if whose is not None:
                owners[block.name], empty[block.name] = whose
        mover = tuple(name.replace("_", " ") for name in self.mover) if self.seen == {0, 1} else ()
        known = Known(owners, empty, mover, learned=self.game.cost is None)  # the moves of a described player are chance's
        return replace(known, dropped=self._dropped(known))

    def _play(self, dice: random.Random) -> None:
        game, state = self.game, _copied(self.game.start)
        for _ in range(PLIES):
            who = game.turn(state)
            if who == OVER:
                return
            choices = [choice for choice, _ in game.choices(state)]
            if who != CHANCE:
                self.seen.add(who)
                self.mover = {name for name in self.mover if getattr(state, name) == who}
            for choice in choices if len(choices) <= TRIED else dice.sample(choices, TRIED):
                self._compare(state, game.state(game.play(_copied(state), choice)), who)
            state = game.state(game.play(_copied(state), dice.choice(choices)))

    def _compare(self, state: Any, after: Any, who: int) -> None:
        for old, new in zip(blocks_of(state), blocks_of(after), strict=True):
            came, went = self.came.setdefault(old.name, {}), self.went.setdefault(old.name, set())
            for before, now in zip(old.cells, new.cells, strict=True):
                if before != now:
                    came.setdefault(now, set()).add(who)
                    went.add(before)

    def _owners(self, block: Block) -> tuple[dict[int, int], int] | None:
        """Return the owner of each value of a board, and the value of an empty cell; None if the values are numbers."""
        came, went = self.came.get(block.name, {}), self.went.get(block.name, set())
        whose = {value: min(players) for value, players in came.items() if players in ({0}, {1})}
        nobody = (set(came) | went) - set(whose)
        if block.yes_or_no or set(whose.values()) != {0, 1} or len(nobody) > 1:
            return None
        empty = min(nobody, default=0)
        side = {value > 0: player for value, player in whose.items()}
        told = all(side[value > 0] == player for value, player in whose.items()) and len(side) == 2
        if told and empty == 0:  # the sign of a piece that has not moved yet shows its owner
            whose |= {value: side[value > 0] for value in block.cells if value}
        return whose, empty

    def _dropped(self, known: Known) -> tuple[str, ...]:
        """Return the boards on which the moves of the start are the columns, one move for each."""
        game, start = self.game, _copied(self.game.start)
        if game.turn(start) not in (0, 1):
            return ()
        targets = [_target(game, start, move, known) for move in game.legal(start)]
        names = {target[0] for target in targets if target}
        for block in blocks_of(start):
            if names == {block.name} and block.rows > 1:
                columns = [place % block.columns for target in targets if target for place in target[1]]
                if sorted(columns) == list(range(block.columns)) and len(targets) == block.columns:
                    return (block.name,)
        return ()


def targets_of(game: "Game", state: Any, known: Known) -> dict[int, Target]:
    """Return the cells of each move of *state*, for the moves that clicks can distinguish."""
    legal = game.legal(state) if game.turn(state) in (0, 1) else []
    if len(legal) > MOST_MOVES:
        return {}
    found = {move: _target(game, state, move, known) for move in legal}
    all_known = all(found.values())
    places = {move: {(name, place) for place in at} for move, target in found.items() if target for name, at in [target]}
    # Each click keeps only the moves that include the clicked cell.
    alone = [
        move for move, cells in places.items() if not any(cells <= others for other, others in places.items() if other != move)
    ]
    if not all_known or len(alone) < len(legal):
        alone = [move for move in alone if found[move] and found[move][0] in known.owners]  # type: ignore[index]
    return {move: target for move in alone if (target := found[move])}


def _target(game: "Game", state: Any, move: int, known: Known) -> Target | None:
    """Return the cells of a move, by the changes that it makes; None if the changes do not show them."""
    after = game.state(game.play(_copied(state), move))
    changes = []
    for old, new in zip(blocks_of(state), blocks_of(after), strict=True):
        changed = [place for place, (before, now) in enumerate(zip(old.cells, new.cells, strict=True)) if before != now]
        if changed:
            changes.append((old, new, changed))
    if len(changes) != 1:
        return None
    old, new, changed = changes[0]
    if old.name in known.owners:
        at = _piece_moved(old, new, changed, known.owners[old.name], known.empty[old.name], game.turn(state))
        if at:
            return old.name, at
    if len(changed) == 1:
        return old.name, (changed[0],)
    if len({(old.cells[place], new.cells[place]) for place in changed}) == 1 and len(changed) <= MOST_FILLED:
        return old.name, tuple(changed)  # a domino
    sown = [place for place in changed if new.cells[place] < old.cells[place]]  # seeds leave one pit for others
    return (old.name, (sown[0],)) if len(sown) == 1 and old.rows <= 2 and old.name not in known.owners else None


def _piece_moved(old: Block, new: Block, changed: list[int], owners: Mapping[int, int], empty: int, who: int) -> Places:
    """Return the cells on which a piece is placed, or the two cells between which it moves."""
    put = [place for place in changed if old.cells[place] == empty]
    lifted = [place for place in changed if owners.get(old.cells[place]) == who and new.cells[place] == empty]
    landed = [place for place in changed if owners.get(new.cells[place]) == who and owners.get(old.cells[place]) != who]
    if not lifted and 1 <= len(put) <= MOST_FILLED:
        return tuple(put)
    return (lifted[0], landed[0]) if len(lifted) == len(landed) == 1 else ()


# As a picture.


def board_svg(game: "Game", state: Any) -> str:
    """Return the picture of a state with a board: at the top the player to move, below it the boards and the other fields."""
    known, state = known_of(game), _copied(state)
    marks = "ox" if _piece(game, 0) == "O" else "xo"
    scene = Scene(game.name, game.players, game.turn, game.moves, game.score, marks)
    try:
        targets = targets_of(game, state, known)
        names = {move: str(game.name_move(state, move)) for move in targets}
        return _drawn(game, state, known, targets, names, scene.picture)
    except Exception:  # in the user's rules: the position is still drawn
        return _drawn(
            game, state, known, {}, {}, lambda _, *sizes_and_parts: svg(*sizes_and_parts[:2], game.name, *sizes_and_parts[2:])
        )


def _drawn(
    game: "Game", state: Any, known: Known, targets: Mapping[int, Target], names: Mapping[int, str], whole: Callable[..., str]
) -> str:
    blocks = blocks_of(state)
    start = {block.name: block for block in blocks_of(game.start)}
    most = 100 if len(blocks) == 1 else 64
    sizes = [Frame(block.rows, block.columns, least=FINGER, most=min(most, 64) if block.strip else most) for block in blocks]
    width = max(frame.width for frame in sizes)
    parts: list[str] = []
    y: float = TOP
    for block, size in zip(blocks, sizes, strict=True):
        if len(blocks) > 1 or block.strip:  # a row of numbers needs a name
            parts.append(words(MARGIN, y + 12, block.name, "faint", size=13, at="start"))
            y += 20
        frame = Frame(block.rows, block.columns, size.least, size.most, y, across=width)
        looks = _looks(game, block, start.get(block.name, block), known)
        parts += drawn_cells(frame, looks)
        here = {move: at for move, (name, at) in targets.items() if name == block.name}
        dropping = block.name in known.dropped
        parts += _names(frame, here, names, looks, dropping)
        free = {place for place, look in enumerate(looks) if look == NOTHING}
        if dropping:
            here = {move: _column(block, free, at[0]) for move, at in here.items()}
        parts += clicks(frame, here, free, names)
        y = frame.bottom + (30 if dropping else 8)
    rest = _other_fields(state, blocks, known.mover)
    parts += _fields(rest, width, y)
    return whole(state, width, y + 4 + 36 * _field_rows(rest), *parts)


def _looks(game: "Game", block: Block, start: Block, known: Known) -> list[Look]:
    """Return the look of each cell of a board: a piece of a player, or a number."""
    pieces: dict[int, Look] = {} if block.strip else {0: NOTHING}
    if block.name in known.owners:
        pieces = _pieces(game, known.owners[block.name], known.empty[block.name])
    elif block.yes_or_no or not known.learned:
        marks = {".": NOTHING, "#": Look("●"), "X": Look(_piece(game, 0), PLAYERS[0]), "O": Look(_piece(game, 1), PLAYERS[1])}
        pieces |= {value: marks[mark] for value, mark in usual_marks(block, start).items()}
    return [pieces.get(value) or Look(str(value), "faint" if value == 0 else "ink") for value in block.cells]


def _pieces(game: "Game", owners: Mapping[int, int], empty: int) -> dict[int, Look]:
    """Return the look of each value: the sign of its player, or a number if the player has several kinds of pieces."""
    looks = {empty: NOTHING}
    for player in (0, 1):
        values = [value for value, owner in owners.items() if owner == player]
        for value in values:
            looks[value] = Look(_piece(game, player) if len(values) == 1 else str(abs(value)), PLAYERS[player])
    return looks


def _piece(game: "Game", player: int) -> str:
    """Return the sign on the pieces of a player, so that colour is not the only difference."""
    named = tuple(name.upper() for name in game.players)
    return named[player] if named in (("X", "O"), ("O", "X")) else ("×", "○")[player]


def _names(
    frame: Frame, here: Mapping[int, Places], names: Mapping[int, str], looks: Sequence[Look], dropping: bool
) -> list[str]:
    """Return the short names of moves: below the columns if pieces are dropped, else in a corner of their cells."""
    parts = []
    for move, places in here.items():
        name, (row, column) = names[move], divmod(places[-1], frame.columns)
        if dropping and len(name) <= 6:
            parts.append(centred(frame.centre(0, column)[0], frame.bottom + 14, name, "faint", size=13))
        elif len(places) == 1 and looks[places[0]] == NOTHING and frame.cell >= 48 and 7 * len(name) < frame.cell - 16:
            x, y = frame.corner(row, column)
            parts.append(words(x + 0.12 * frame.cell, y + 0.06 * frame.cell + 14, name, "faint", size=12, at="start"))
    return parts


def _column(block: Block, free: set[int], landing: int) -> Places:
    """Return the cells of a column; the cell in which a piece lands is the last one."""
    column = range(landing % block.columns, len(block.cells), block.columns)
    return (*(place for place in column if place != landing), landing)


def _field_rows(rest: Sequence[tuple[str, Any]]) -> int:
    long = sum(_size(value) != 1 for _, value in rest)
    return long + -(-(len(rest) - long) // 3)


def _fields(rest: Sequence[tuple[str, Any]], width: float, top: float) -> list[str]:
    """Return the fields that are not boards, three in a row; a field with many values has a row of its own."""
    parts = []
    brief, long = [pair for pair in rest if _size(pair[1]) == 1], [pair for pair in rest if _size(pair[1]) != 1]
    third, rows = (width - 2 * MARGIN) / 3, -(-len(brief) // 3)
    placed = [(place % 3, place // 3, third, *pair) for place, pair in enumerate(brief)]
    placed += [(0, rows + place, 3 * third, *pair) for place, pair in enumerate(long)]
    for column, row, room, name, value in placed:
        x, y, text = MARGIN + column * third, top + 36 * row, value_text(value)
        parts.append(words(x, y + 12, name if len(name) <= 18 else name[:17] + "…", "faint", size=12, at="start"))
        parts.append(words(x, y + 29, text, size=min(15, 1.7 * room / len(text)), at="start"))
    return parts


# In words.


def board_legend(game: "Game") -> list[str]:
    """Return lines that say whose each letter of the text board is, and how moves number its cells; none if nothing is known."""
    if not isinstance(game.show, BoardText):  # a game with a text of its own explains it itself
        return []
    known, lines = known_of(game), []
    blocks = {block.name: block for block in blocks_of(game.start)}
    for name, owners in known.owners.items():
        block = blocks[name]
        marks = usual_marks(replace(block, cells=(known.empty[name], *owners)), block)
        whose = []
        for player in (0, 1):
            letters = [marks.get(value, str(value)) for value, owner in owners.items() if owner == player]
            whose.append(f"{', '.join(letters)} {'is' if len(letters) == 1 else 'are'} {game.players[player]}")
        lines.append(f"{f'{name}: ' if len(blocks) > 1 else ''}{', '.join(whose)}.")
    return [*lines, *_numbering(game, blocks, known)]


def _numbering(game: "Game", blocks: Mapping[str, Block], known: Known) -> list[str]:
    """Return how the moves of the start number cells or columns, in row order from 0 or from 1; nothing if they do not."""
    targets = targets_of(game, game.start, known)
    names = {name for name, _ in targets.values()}
    if len(names) != 1 or len(targets) < len(game.legal(game.start)):
        return []
    block = blocks[names.pop()]
    dropping = block.name in known.dropped
    where = {move: places[-1] % block.columns if dropping else places[-1] for move, (_, places) in targets.items()}
    for first in (0, 1):
        if any(game.name_move(game.start, move) != str(place + first) for move, place in where.items()):
            continue
        if dropping:
            return [f"Moves are columns, {first} to {block.columns - 1 + first} from the left."]
        if len(where) > 1:
            numbers = replace(block, cells=tuple(range(first, first + len(block.cells))), strip=True)
            return ["Moves are cells, numbered so:", _text(numbers, {})]
    return []
