"""A network: tuples of cells, with a weight for each combination of their codes. Its value is the sum of the weights.

It may also have hidden units, which see each cell alone; see `hidden_layer.py`.
"""

import copy
import mmap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from outplay.compile import network_kernel as layout
from outplay.compile.learned_estimate import LearnedEstimate
from outplay.learn.cells import Cell, Term
from outplay.learn.symmetries import Permutation
from outplay.rules.game import Game

PHASES = 6  # who acts (chance, 0 or 1), and on whose turn
PART_BITS = 6  # bits of a word that are looked up at once
LANES = 16  # a number of lanes is a multiple of this
NEVER = -1.0  # the number of visits of a row that does not learn
RESERVED = 16  # weights at the beginning that stay 0: lanes without a tuple lead there
HUGE_PAGE = 1 << 21
LINE = 16  # floats of a cache line


@dataclass(frozen=True)
class Scale:
    """How scores become values; see `valued` in `network_kernel.py`."""

    low: float
    high: float
    emphasis: float = 0.0
    least: float = 1.0
    most: float = 1.0


@dataclass(frozen=True)
class Shape:
    """A network without its weights: what it looks at, and how."""

    cells: tuple[Cell, ...]
    tuples: tuple[tuple[int, ...], ...]
    symmetries: tuple[Permutation, ...]  # of cells; the identity first
    phases: tuple[int, ...]  # those that were learned
    side: int  # the word that says whose turn it is, or -1
    flip: Permutation | None  # how words change places when the players do; None if the players are not alike
    words: int
    scale: Scale
    ahead: tuple[int, ...] = ()  # phases in which dice may just have been rolled: the value is that after the best move
    units: int = 0  # hidden units, a multiple of 16
    inputs: tuple[int, ...] = ()  # the cells that hidden units look at
    span: float = 1.0  # the value of hidden units whose outputs add up to 1

    @property
    def sets(self) -> tuple[int, ...]:
        """The phases that have weights of their own: with a flip, those of player 0 alone."""
        return tuple(sorted({self.canonical(phase) for phase in self.phases}))

    def canonical(self, phase: int) -> int:
        """Return the phase as which *phase* is seen: with a flip, player 1 is seen as player 0."""
        if self.flip is None or not phase & 1:
            return phase
        return {1: 0, 3: 4, 5: 2}[phase]

    def sizes(self, chosen: Sequence[int]) -> tuple[int, ...]:
        """Return how many codes each cell of a tuple has."""
        return tuple(self.cells[place].size for place in chosen)

    @property
    def weights(self) -> int:
        """How many weights of tuples there are."""
        return RESERVED + len(self.sets) * sum(int(np.prod(self.sizes(chosen))) for chosen in self.tuples)

    @property
    def all_weights(self) -> int:
        """How many weights there are, those of hidden units included."""
        return self.weights + self.hidden_weights

    @property
    def lanes(self) -> list[tuple[tuple[int, ...], int]]:
        """The cells that each lane looks at, with the number of their tuple: a tuple and its images share weights."""
        found = []
        for number, chosen in enumerate(self.tuples):
            images = dict.fromkeys(tuple(symmetry[place] for place in chosen) for symmetry in self.symmetries)
            found += [(image, number) for image in images]
        return found

    @property
    def input_offsets(self) -> list[int]:
        """The first hidden weight of each input; behind the last one, those of the outputs begin."""
        found = [0]
        for size in self.sizes(self.inputs):
            found.append(found[-1] + len(self.sets) * size * self.units)
        return found

    @property
    def hidden_weights(self) -> int:
        """How many hidden weights there are."""
        return self.input_offsets[-1] + self.units

    @property
    def rows(self) -> int:
        """How many rows of hidden weights there are; the last one is that of the outputs."""
        return self.hidden_weights // self.units if self.units else 0

    @property
    def offsets(self) -> list[int]:
        """The first weight of each tuple."""
        found, place = [], RESERVED
        for chosen in self.tuples:
            found.append(place)
            place += len(self.sets) * int(np.prod(self.sizes(chosen)))
        return found


class Network:
    """A shape with its weights and their trust: for each weight, the sum of its errors and the sum of their sizes."""

    def __init__(self, game: Game, shape: Shape) -> None:
        self.shape = shape
        # In a state that no game reaches, two boards may overlap. An index may then lie beyond its tuple, but never beyond this room.
        room = shape.weights + max((int(np.prod(shape.sizes(chosen))) for chosen in shape.tuples), default=0)
        self.weights, self.trust = floats(room), floats(2 * room)
        self.hidden = aligned_floats(shape.hidden_weights + shape.units)  # an index beyond its input leads one row further
        self.visits = np.zeros(shape.rows + 1)  # float64: in float32, a count stops growing at 2 ** 24
        for number, place in enumerate(shape.inputs):
            if shape.cells[place].kind in ("square", "digit"):
                self.input_visits(number)[:, 0] = NEVER
        self.table, self.net = _tables(game, shape)
        self._write_addresses()

    def _write_addresses(self) -> None:
        self.net[layout.WEIGHTS_AT] = self.weights.ctypes.data
        self.net[layout.TRUST_AT] = self.trust.ctypes.data
        self.net[layout.TABLE_AT] = self.table.ctypes.data
        self.net[layout.UNITS_AT] = self.hidden.ctypes.data
        self.net[layout.VISITS_AT] = self.visits.ctypes.data

    def with_arrays(self, weights: Any, trust: Any, hidden: Any, visits: Any) -> "Network":
        """Return this network with other arrays, at least as long; it shares the shape and the table."""
        made = copy.copy(self)
        made.weights, made.trust, made.hidden, made.visits, made.net = weights, trust, hidden, visits, self.net.copy()
        made._write_addresses()
        return made

    @property
    def arrays(self) -> tuple[Any, Any, Any, Any, Any]:
        """What the network's block points to."""
        return self.weights, self.trust, self.table, self.hidden, self.visits

    def estimate(self, game: Game, base: Callable[[Any], float] | None) -> LearnedEstimate:
        """Return the network as an estimate of *game*, upon *base*."""
        return LearnedEstimate(game, self.net, self.arrays, base)

    def grown(self, game: Game, shape: Shape) -> "Network":
        """Return the network in a larger *shape*; a new code begins with the weights of the nearest old one."""
        made = Network(game, shape)
        for number, chosen in enumerate(shape.tuples):
            old_sizes, sizes = self.shape.sizes(chosen), shape.sizes(chosen)
            nearest = [_nearest(self.shape.cells[place], shape.cells[place]) for place in chosen]
            grid = np.ix_(np.arange(len(shape.sets)), *nearest[::-1])
            for width, source, target in ((1, self.weights, made.weights), (2, self.trust, made.trust)):
                first, new_first = self.shape.offsets[number] * width, shape.offsets[number] * width
                length, new_length = (width * len(shape.sets) * int(np.prod(each)) for each in (old_sizes, sizes))
                held = source[first : first + length].reshape(len(shape.sets), *old_sizes[::-1], width)
                target[new_first : new_first + new_length] = held[grid].ravel()
        for number, place in enumerate(shape.inputs):
            nearest = _nearest(self.shape.cells[place], shape.cells[place])
            made.input_rows(number)[:] = self.input_rows(number)[:, nearest]
            made.input_visits(number)[:] = self.input_visits(number)[:, nearest]
        made.outputs[:] = self.outputs
        made.visits[made.shape.rows - 1 :] = self.visits[self.shape.rows - 1 :]
        return made

    def input_rows(self, number: int) -> Any:
        """Return the hidden weights of an input, by its number: for each set of phases and each code, a weight for each unit."""
        shape, first = self.shape, self.shape.input_offsets
        sizes = len(shape.sets), shape.cells[shape.inputs[number]].size, shape.units
        return self.hidden[first[number] : first[number + 1]].reshape(sizes)

    def input_visits(self, number: int) -> Any:
        """Return how often the rows of an input have learned, for each set of phases and each code."""
        shape, first = self.shape, self.shape.input_offsets
        units = shape.units
        sizes = len(shape.sets), shape.cells[shape.inputs[number]].size
        return self.visits[first[number] // units : first[number + 1] // units].reshape(sizes)

    @property
    def outputs(self) -> Any:
        """How much each hidden unit adds to the value."""
        shape = self.shape
        return self.hidden[shape.hidden_weights - shape.units : shape.hidden_weights]

    def copy(self, game: Game) -> "Network":
        """Return a network with a copy of the weights."""
        made = Network(game, self.shape)
        made.weights[:] = self.weights
        made.trust[:] = self.trust
        made.hidden[:] = self.hidden
        made.visits[:] = self.visits
        return made

    @property
    def learned(self) -> int:
        """How many weights were ever changed."""
        return int(np.count_nonzero(self.trust[1::2]))

    @property
    def resumable(self) -> bool:
        """Whether it has what further learning needs, besides the weights."""
        return bool(self.trust.any()) or not self.weights.any()


def floats(number: int) -> Any:
    """Return *number* float32, all 0. A large array lies in huge pages, for which the processor finds addresses faster."""
    size = 4 * number
    if size < HUGE_PAGE or not hasattr(mmap, "MADV_HUGEPAGE"):
        return np.zeros(number, np.float32)
    # Private: most systems give no huge pages to memory that processes could share, which is what mmap makes otherwise.
    held = mmap.mmap(-1, -(-size // HUGE_PAGE) * HUGE_PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    held.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(held, np.float32, number)


def aligned_floats(number: int) -> Any:
    """Return *number* float32, all 0, from the beginning of a cache line on."""
    room = np.zeros(number + LINE, np.float32)
    return room[-room.ctypes.data // 4 % LINE :][:number]


def _nearest(old: Cell, new: Cell) -> Any:
    """Return for each code of the cell *new* the code that the cell *old* has in the same state, or the nearest one."""
    (term,) = new.terms if len(new.terms) == 1 else (None,)
    if old == new or term is None:
        return np.arange(new.size)
    words = [0] * (term.word + 1)
    found = []
    for code in range(new.size):
        written = new.written(words, code)
        found.append(old.code(words if written is None else written))
    return np.array(found)


@dataclass
class _Part:
    """Bits of a word that are looked up at once, or a whole word."""

    first: Term
    bits: int
    terms: set[tuple[int, int, int, int, bool]]

    @property
    def rows(self) -> int:
        return (self.first.mask >> self.first.shift) + 1 if self.first.clamped else 1 << self.bits


def _parts(cells: Sequence[Cell]) -> list[_Part]:
    parts: list[_Part] = []
    terms = {term.identity: term for cell in cells for term in cell.terms}
    for identity in sorted(terms):
        term = terms[identity]
        bits, last = term.mask.bit_length(), parts[-1] if parts else None
        if last and not term.clamped and not last.first.clamped and last.first.word == term.word:
            reach = term.shift + bits - last.first.shift
            if reach <= PART_BITS or term.shift + bits <= last.first.shift + last.bits:
                last.bits = max(last.bits, reach)
                last.terms.add(identity)
                continue
        parts.append(_Part(term, bits, {identity}))
    return parts


def _tables(game: Game, shape: Shape) -> tuple[Any, Any]:
    """Return the table of rows, and the network's block without the addresses."""
    lane_list, offsets, parts = shape.lanes, shape.offsets, _parts(shape.cells)
    summed = -(-len(lane_list) // LANES) * LANES
    lanes = summed + -(-len(shape.inputs) // LANES) * LANES
    # By lane: the cells with the stride of each, and where the weights begin in each set of phases.
    looks = [(lane, chosen, _strides(shape.sizes(shape.tuples[number]), 1)) for lane, (chosen, number) in enumerate(lane_list)]
    looks += [(summed + number, (place,), [shape.units]) for number, place in enumerate(shape.inputs)]
    net = np.zeros(layout.HEADER + 2 * layout.CHUNK * (len(parts) + 1), np.int64)
    tables, row = [], 0
    for number, part in enumerate(parts):
        table = np.zeros((part.rows, lanes), np.int64)
        for lane, chosen, strides in looks:
            for place, stride in zip(chosen, strides, strict=True):
                for term in shape.cells[place].terms:
                    if term.identity in part.terms:
                        rows = np.arange(part.rows)
                        if not term.clamped:
                            rows = rows >> term.shift - part.first.shift & term.mask
                        table[:, lane] += np.array(term.codes)[rows] * stride
        mask = part.first.mask if part.first.clamped else part.rows - 1
        for flipped in (0, 1):
            word = part.first.word if not flipped or shape.flip is None else shape.flip[part.first.word]
            place = layout.HEADER + layout.CHUNK * (number + flipped * (len(parts) + 1))
            net[place : place + layout.CHUNK] = (word, part.first.base, part.first.shift, mask, part.first.clamped, row)
        tables.append(table)
        row += table.size
    tables.append(_phase_table(shape, lane_list, offsets, lanes, summed))
    for place in (layout.HEADER + layout.CHUNK * len(parts), layout.HEADER + layout.CHUNK * (2 * len(parts) + 1)):
        net[place : place + layout.CHUNK] = (shape.words, 0, 0, PHASES - 1, True, row)
    rows_at = layout.STATE + shape.words + 1
    net[layout.LANES], net[layout.USED], net[layout.PARTS], net[layout.WORDS] = lanes, len(lane_list), len(parts) + 1, shape.words
    net[layout.SUMMED], net[layout.UNITS], net[layout.INPUTS] = summed, shape.units, len(shape.inputs)
    net[layout.OUTPUTS] = shape.input_offsets[-1]
    net[layout.SIDE], net[layout.FLIPS] = shape.side, int(shape.flip is not None)
    net[layout.PHASES] = sum(1 << phase for phase in shape.phases if phase not in shape.ahead)
    net[layout.ROWS], net[layout.MOVES], net[layout.MAX_MOVES] = rows_at, rows_at + len(parts) + 1, game.max_moves
    reals = net.view(np.float64)
    reals[layout.LOW], reals[layout.HIGH], reals[layout.SPAN] = shape.scale.low, shape.scale.high, shape.span
    reals[layout.EMPHASIS], reals[layout.LEAST], reals[layout.MOST] = shape.scale.emphasis, shape.scale.least, shape.scale.most
    return np.concatenate([table.ravel() for table in tables]).astype(np.int32), net


def _strides(sizes: Sequence[int], stride: int) -> list[int]:
    """Return by how much an index grows with the code of each cell, if it grows by *stride* with that of the first."""
    found = []
    for size in sizes:
        found.append(stride)
        stride *= size
    return found


def _phase_table(shape: Shape, lane_list: list[tuple[tuple[int, ...], int]], offsets: list[int], lanes: int, summed: int) -> Any:
    """Return the rows of the phases: the first weight of each lane. A phase that was not learned is seen as the nearest one."""
    table = np.zeros((PHASES, lanes), np.int64)
    for phase in range(PHASES):
        canonical = shape.canonical(phase)
        nearest = min(shape.sets, key=lambda known: (known != canonical, known & 1 != canonical & 1, known))
        for lane, (_, number) in enumerate(lane_list):
            size = int(np.prod(shape.sizes(shape.tuples[number])))
            table[phase, lane] = offsets[number] + shape.sets.index(nearest) * size
        for number, size in enumerate(shape.sizes(shape.inputs)):
            table[phase, summed + number] = shape.input_offsets[number] + shape.sets.index(nearest) * size * shape.units
    return table
