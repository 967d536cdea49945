"""2048: slide all tiles to one side, equal ones merge, and a new one appears where chance wills. One player."""

import re
from itertools import pairwise
from random import Random
from typing import NamedTuple

import numpy as np

from outplay.errors import StateError
from outplay.games.pictures.game_2048 import painter
from outplay.rules.bits import count
from outplay.rules.game import CHANCE, OVER, Game

# A tile is 4 bits, the exponent of its number, 0 for an empty square; a row is 16 bits, its first square lowest. Two rows make
# an int:
#
#      upper    row 2 in bits 16 to 31 | row 1 in bits 0 to 15
#      lower    row 4                  | row 3
#
# A row alone tells what a slide makes of it: tables hold that for all 65,536 rows. Columns are the rows of the board transposed.
# A tile of 32,768 is the largest: two of these do not merge.

LEFT, RIGHT, UP, DOWN = 0, 1, 2, 3
MOVES = ("left", "right", "up", "down")
ROW = 0xFFFF
NIBBLES = 0x11111111
LARGEST = 15
HIGHEST = 4_000_000  # above every score: with all tiles merged and every new tile a 4, a game ends below that
SQUARES = [f"{'abcd'[square % 4]}{square // 4 + 1}" for square in range(16)]


class State(NamedTuple):
    upper: int  # rows 1 and 2
    lower: int  # rows 3 and 4
    coming: int  # tiles that chance places before the next move


def slid(row: list[int]) -> tuple[list[int], int]:
    """Return a row slid to its first square, and the sum of the tiles that merge."""
    tiles, made, gain = [tile for tile in row if tile], [], 0
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile < LARGEST:
            tiles.pop(0)
            tile += 1
            gain += 1 << tile
        made.append(tile)
    return made + [0] * (4 - len(made)), gain


def tiles_in(row: int) -> list[int]:
    return [row >> 4 * place & 15 for place in range(4)]


def packed(tiles: list[int]) -> int:
    return sum(tile << 4 * place for place, tile in enumerate(tiles))


def opinion(tiles: list[int]) -> float:
    """Return what a row or a column promises, in points: room, tiles that can merge, and an order that falls to one side."""
    room = tiles.count(0)
    kept = [tile for tile in tiles if tile]
    merges = sum(one == other for one, other in pairwise(kept))
    steps = [other**3.5 - one**3.5 for one, other in pairwise(tiles)]
    rises, falls = sum(step for step in steps if step > 0), -sum(step for step in steps if step < 0)
    return float(300 * room + 500 * merges - 0.6 * min(rises, falls) - 0.4 * sum(tile**3.2 for tile in tiles))


def _tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for each row: itself slid left, and slid right in the upper half; the sum of what merges; what it promises."""
    slides, gains = np.zeros(1 << 16, np.int64), np.zeros(1 << 16, np.int64)
    promises = np.zeros(1 << 16, np.float64)
    for row in range(1 << 16):
        tiles = tiles_in(row)
        left, gain = slid(tiles)
        right, _ = slid(tiles[::-1])
        slides[row] = packed(left) | packed(right[::-1]) << 16
        gains[row] = gain
        promises[row] = opinion(tiles)
    for table in (slides, gains, promises):
        table.setflags(write=False)  # then no search needs to see whether it has changed
    return slides, gains, promises


SLIDES, GAINS, PROMISES = _tables()


def transposed(upper, lower):
    """Return the board with rows and columns exchanged."""
    upper = upper & 0xF0F00F0F | (upper & 0x0000F0F0) << 12 | (upper & 0x0F0F0000) >> 12
    lower = lower & 0xF0F00F0F | (lower & 0x0000F0F0) << 12 | (lower & 0x0F0F0000) >> 12
    return upper & 0x00FF00FF | (lower & 0x00FF00FF) << 8, lower & 0xFF00FF00 | (upper & 0xFF00FF00) >> 8


def slide_rows(upper, lower, shift):
    """Return the board with its rows slid left, or right with a *shift* of 16."""
    one, two = int(SLIDES[upper & ROW]), int(SLIDES[upper >> 16])
    three, four = int(SLIDES[lower & ROW]), int(SLIDES[lower >> 16])
    return (
        one >> shift & ROW | (two >> shift & ROW) << 16,
        three >> shift & ROW | (four >> shift & ROW) << 16,
    )


def filled(half):
    """Return a bit for each of eight squares that holds a tile."""
    return (half | half >> 1 | half >> 2 | half >> 3) & NIBBLES


def largest(half):
    """Return a bit for each of eight squares that holds the largest tile, which does not merge."""
    return half & half >> 1 & half >> 2 & half >> 3 & NIBBLES


def movable(upper, lower):
    """Return whether a tile can slide: there is an empty square, or two equal tiles that merge are neighbours."""
    if filled(upper) & filled(lower) != NIBBLES:
        return True
    fixed_above, fixed_below = largest(upper), largest(lower)
    beside = (filled(upper ^ upper >> 4) | fixed_above) & (filled(lower ^ lower >> 4) | fixed_below) | 0x10001000
    first_to_third = filled(upper ^ (upper >> 16 | (lower & ROW) << 16)) | fixed_above
    third_to_last = filled(lower ^ lower >> 16) | fixed_below | 0x11110000
    return beside & first_to_third & third_to_last != NIBBLES


def game_2048() -> Game:
    """2048 for one player; the score is the sum of all merged tiles."""

    def turn(state):
        if state.coming > 0:
            return CHANCE
        return 0 if movable(state.upper, state.lower) else OVER

    def chances(state):
        """A new tile on any empty square, a 2 nine times of ten, else a 4."""
        empty_above, empty_below = NIBBLES & ~filled(state.upper), NIBBLES & ~filled(state.lower)
        each = 1 / (count(empty_above) + count(empty_below))
        for square in range(8):
            if empty_above >> 4 * square & 1:
                yield 2 * square, 0.9 * each
                yield 2 * square + 1, 0.1 * each
        for square in range(8):
            if empty_below >> 4 * square & 1:
                yield 2 * square + 16, 0.9 * each
                yield 2 * square + 17, 0.1 * each

    def moves(state):
        upper, lower = state.upper, state.lower
        if slide_rows(upper, lower, 0) != (upper, lower):
            yield LEFT
        if slide_rows(upper, lower, 16) != (upper, lower):
            yield RIGHT
        upper, lower = transposed(upper, lower)
        if slide_rows(upper, lower, 0) != (upper, lower):
            yield UP
        if slide_rows(upper, lower, 16) != (upper, lower):
            yield DOWN

    def play(state, choice):
        upper, lower, coming = state
        if coming > 0:
            square, tile = choice >> 1, 1 + (choice & 1)
            if square < 8:
                return State(upper | tile << 4 * square, lower, coming - 1)
            return State(upper, lower | tile << 4 * square - 32, coming - 1)
        if choice >= UP:
            upper, lower = transposed(upper, lower)
        upper, lower = slide_rows(upper, lower, (choice & 1) << 4)
        if choice >= UP:
            upper, lower = transposed(upper, lower)
        return State(upper, lower, 1)

    def reward(state, choice):
        """What merges pays its sum."""
        if state.coming > 0:
            return 0
        upper, lower = state.upper, state.lower
        if choice >= UP:
            upper, lower = transposed(upper, lower)
        return int(GAINS[upper & ROW] + GAINS[upper >> 16] + GAINS[lower & ROW] + GAINS[lower >> 16])

    def score(state):
        return 0

    def promise(upper, lower):
        return PROMISES[upper & ROW] + PROMISES[upper >> 16] + PROMISES[lower & ROW] + PROMISES[lower >> 16]

    def estimate(state):
        """What rows and columns promise; a game that goes on is worth more than one that ends."""
        across, down = transposed(state.upper, state.lower)
        return max(0.0, 40_000 + promise(state.upper, state.lower) + promise(across, down))

    def board_of(state):
        """Return the tiles by square, as numbers; 0 for an empty square."""
        tiles = [half >> 4 * square & 15 for half in (state.upper, state.lower) for square in range(8)]
        return [1 << tile if tile else 0 for tile in tiles]

    def show(state):
        tiles = board_of(state)
        rows = [" ".join(f"{tile or '.':>5}" for tile in tiles[first : first + 4]) for first in range(0, 16, 4)]
        return "\n".join(rows)

    def name_move(state, move):
        return MOVES[move]

    def read_move(state, text):
        """Read left, right, up or down, or their first letters."""
        said = text.strip().casefold()
        found = [move for move, name in enumerate(MOVES) if said and name.startswith(said)]
        if len(found) != 1:
            raise ValueError(f"{text.strip()!r} is no direction; write left, right, up or down")
        return found[0]

    def name_outcome(state, outcome):
        return f"{4 if outcome & 1 else 2} on {SQUARES[outcome >> 1]}"

    def write_state(state):
        """Write the rows with their tiles, 0 for an empty square, and how many tiles are coming if any: 0 2 0 0/.../0 0 4 0 +1."""
        tiles = board_of(state)
        rows = "/".join(" ".join(map(str, tiles[first : first + 4])) for first in range(0, 16, 4))
        return rows + (f" +{state.coming}" if state.coming else "")

    def read_state(text):
        """Read four rows of four tiles, 0 or . for an empty square; +1 at the end if a new tile is coming."""
        said, _, more = text.replace(",", " ").partition("+")
        rows = [row.replace(".", " 0 ").split() for row in said.split("/")]
        words = [word for row in rows for word in row]
        known = {"0": 0, **{str(1 << tile): tile for tile in range(1, LARGEST + 1)}}
        if [len(row) for row in rows] != [4] * 4 or not set(words) <= set(known):
            raise StateError(
                f"{text!r} is not a board of 2048; write four rows of four tiles, each 0 or a power of two up to 32768, "
                "such as 0 2 0 0/0 0 0 0/4 0 0 0/0 0 0 0"
            )
        if not re.fullmatch(r"\s*[12]?\s*", more) or (not more and not any(map(int, words))):
            raise StateError(f"{text!r}: write +1 or +2 at the end for tiles that are coming; a board without tiles needs +2")
        tiles = [known[word] for word in words]
        coming = int(more or 0)
        if tiles.count(0) < coming:
            raise StateError(f"{text!r}: there is no empty square for the tile that is coming")
        return State(packed_half(tiles[:8]), packed_half(tiles[8:]), coming)

    def packed_half(tiles):
        return sum(tile << 4 * square for square, tile in enumerate(tiles))

    def deal(dice: Random):
        """Return a board with two tiles, each a 2 nine times of ten."""
        tiles = [0] * 16
        for square in dice.sample(range(16), 2):
            tiles[square] = 1 if dice.random() < 0.9 else 2
        return State(packed_half(tiles[:8]), packed_half(tiles[8:]), 0)

    return Game(
        name="2048",
        start=State(0, 0, 2),
        turn=turn,
        moves=moves,
        chances=chances,
        play=play,
        reward=reward,
        score=score,
        estimate=estimate,
        show=show,
        draw=painter(turn, moves, board_of, MOVES),
        players=("player",),
        about=(
            "One player slides all tiles of a board of 4 by 4 to one side: left, right, up or down. Two equal tiles that meet merge into one "
            "tile with their sum. Each tile merges at most once a move, and the tiles nearest to that side merge first. A move must change the "
            "board. After each move a new tile appears on a random empty square: a 2 in nine of ten cases, otherwise a 4. A game begins "
            "with two tiles and ends when no move is left. The score is the sum of all merged tiles. Two tiles of 32,768 do not merge here."
        ),
        name_move=name_move,
        name_outcome=name_outcome,
        read_move=read_move,
        read_state=read_state,
        write_state=write_state,
        deal=deal,
        low=0,
        high=HIGHEST,
        max_moves=32,
    )
