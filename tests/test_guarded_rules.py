"""Compiled rules raise, with their line, where machine arithmetic would differ from Python's. One game has all the cases."""

import inspect
import math
from typing import NamedTuple

import numba
import numpy as np
import pytest

from outplay import OVER, Game, minimax, solve
from outplay.compile.rule_compiler import rule_compiler
from outplay.errors import CompileError, RuleRaised, StateError


class State(NamedTuple):
    case: int
    moved: int  # 0 at the start; 1 at the end, where the cases go wrong
    items: tuple


FULL = (1 << 62) - 1
EDGE = (1 << 20) - 1

WRONG = {  # each case with the line that must be named, and the words
    1: ("1 << moved + 62", "needs more than 63 bits; compiled ints have 63 and a sign: mask after a left shift"),
    2: ("1 << moved + 69", "needs more than 63 bits"),
    3: ("8 << -moved", "shifts by a negative number; test for that case first"),
    4: ("8 >> -moved", "shifts by a negative number"),
    5: ("2**-moved", "raises an int to a negative power; write a power of a float"),
    6: ("3 ** (39 + moved)", "needs more than 63 bits"),
    7: ("FULL * (2 + moved)", "needs more than 63 bits"),
    8: ("large + moved", "needs more than 63 bits"),
    9: ("-large - 1 - moved", "needs more than 63 bits"),
    10: ("found = rare", "uses rare before it has a value; give it one on every path"),
    11: ("cells[0] = 127 + moved", "writes a number into an array of int8, which cannot hold it; give the array a larger type"),
    12: ("bytes_[0] - bytes_[1]", "an int from an unsigned array falls below 0"),
    13: ("items[moved + 2]", "takes an item beyond the end of a tuple or array; see whether an index is one too large"),
    14: ("cells[moved + 1]", "takes an item beyond the end"),
    15: ("cells[-moved - 2]", "takes an item beyond the end"),
    16: ("5 // (1 - moved)", "divides by zero; test for that case first"),
    17: ("5 % (1 - moved)", "divides by zero"),
    18: ("5 / (1 - moved)", "divides by zero"),
    19: ("math.sqrt(-moved)", "takes a root, a logarithm or a power that has no value"),
    20: ("int(1e18 * (1 + 9 * moved))", "needs more than 63 bits"),
    21: ("(large << moved) & ~EDGE", "needs more than 63 bits"),
    22: ("for step in range(0, 3, 1 - moved)", "raises ValueError: range() arg 3 must not be zero; see why, in that line"),
    24: ("tried = large * (1 + moved)", "needs more than 63 bits"),
    25: ("large * (1 + moved) & mask", "needs more than 63 bits"),
    26: ("large * (1 + moved) & moved - 9", "needs more than 63 bits"),
    23: ('raise ValueError("not yet")', "raises ValueError: not yet; see why, in that line"),
    60: ("sum((large, moved))", "needs more than 63 bits"),
    61: ("abs(-large - moved)", "needs more than 63 bits"),
    62: ("-(-large - moved)", "needs more than 63 bits"),
    63: ("(-large - moved) // -moved", "needs more than 63 bits"),
    64: ("items[large * 2 + 2 * moved]", "needs more than 63 bits"),
    65: ("moved << large * 2 + 5 * moved", "needs more than 63 bits"),
    66: (
        "np.sum(cells + cells)",
        "an int outgrows int8, the type that it has in NumPy; give the array a larger type, such as int64",
    ),
    67: ("np.max(cells * 2 * moved)", "an int outgrows int8"),
    68: ("cells[0] + cells[0]", "an int outgrows int8"),
    69: ("total += weight", "an int outgrows int8"),
    70: ("pow(3, 39 + moved)", "needs more than 63 bits"),
    71: ("if ~(moved > 0)", "~ of a bool is -1 or -2 in Python, which both count as true; write not instead of ~"),
    72: ("np.sum(bytes_) - 5 * moved", "an int from an unsigned array falls below 0"),
    73: ("np.int8(127 + moved)", "an int outgrows int8"),
    74: ("math.floor(large - moved)", "needs more than 63 bits"),
    75: ("abs(cells[1])", "an int outgrows int8"),
    76: ("divmod(-large - moved, -moved)", "needs more than 63 bits"),
    77: ("cells += cells", "an int outgrows int8"),
    78: ("sum(WEIGHTS)", "an int outgrows int8"),
    79: ("if ~bytes_[0] < 0", "an int from an unsigned array falls below 0"),
    100: ("large << 7 & min(moved, -moved)", "needs more than 63 bits"),
    101: ("large * 3 | 5) & min(moved, -2)", "needs more than 63 bits"),
    102: ("np.uint8(1 - moved) - 1", "an int outgrows uint8"),
    103: ("line[1:] += line[:-1]", "changes an array by another part of itself, such as board[1:] += board[:-1]; copy that part"),
    104: ("line += line[::-1]", "changes an array by another part of itself"),
    105: ("np.add(line[:-1], 1, line[1:])", "changes an array by another part of itself"),
    106: ("chosen[0] * (10 * moved)", "an int outgrows int8"),
    107: ("joined[1] + 100", "an int outgrows int8"),
    108: ("BONUS + 100 * moved", "an int outgrows int8"),
    109: ("BONUSES[moved][0] + 100", "an int outgrows int8"),
    110: ("bonus + 100 * moved", "an int outgrows int8"),
    111: ("np.array([200 * moved, 0], np.int8)", "writes a number into an array of int8, which cannot hold it"),
    112: ("np.full(2, 200 * moved, np.int8)", "writes a number into an array of int8, which cannot hold it"),
    113: ("cells.fill(200 * moved)", "writes a number into an array of int8, which cannot hold it"),
    114: ("cells[1] = 128.0 * moved", "writes a number into an array of int8, which cannot hold it"),
    115: ("np.array(((1, 2), (3, -129 * moved)), np.int8)", "writes a number into an array of int8"),
    116: ("cells[:] = (moved, 128 * moved)", "writes a number into an array of int8"),
    117: ("np.full_like(cells, fill_value=128.5 * moved)", "writes a number into an array of int8"),
    118: ("round(reals[0], 1)", "rounds a number differently than NumPy does; write round(float(number), digits)"),
    119: ("rounded_here(64.45", "rounds a number differently than NumPy does"),
    121: ("grown.append(number)", "makes lists, tuples and arrays of more than 64 MB in one call; make fewer of them"),
    122: ("doubled += doubled", "makes lists, tuples and arrays of more than 64 MB in one call"),
    120: ("np.int64([1e19][0] * moved)", "needs more than 63 bits"),
    123: ("math.gcd(0, -large - moved)", "needs more than 63 bits"),
}
IN_MOVES = {30: ("5 // state.items[0]", "divides by zero"), 31: ("SQUARES[state.case - 28]", "takes an item beyond the end")}
SQUARES = np.zeros(3, np.int8)
WEIGHTS = np.array([100, 20, 8], np.int8)
BONUS, BONUSES = np.int8(100), ((np.int8(1), 2), (np.int8(100), 3))
RIGHT = (*range(40, 51), *range(80, 90), *range(130, 137))  # cases that must stay as they are


def masked(bits, mask):
    return bits << 7 & mask


def rounded_here(number):
    return 1 if round(number, 1) > 64.46 else 2


def worth(case, moved, items):
    found = 0
    large = (1 << 62) + FULL + 0 * moved  # 2 ** 63 - 1
    cells, bytes_ = np.zeros(2, np.int8), np.zeros(2, np.uint8)
    if case == 1:
        found = 1 << moved + 62
    elif case == 2:
        found = 1 << moved + 69
    elif case == 3:
        found = 8 << -moved
    elif case == 4:
        found = 8 >> -moved
    elif case == 5:
        found = 2**-moved
    elif case == 6:
        found = 3 ** (39 + moved)
    elif case == 7:
        found = FULL * (2 + moved)
    elif case == 8:
        found = large + moved
    elif case == 9:
        found = -large - 1 - moved
    elif case == 10:
        if moved == 0:
            rare = 5
        found = rare
    elif case == 11:
        cells[0] = 127 + moved
        found = cells[0]
    elif case == 12:
        bytes_[1] = moved
        found = 1 if bytes_[0] - bytes_[1] < 0 else 2
    elif case == 13:
        found = items[moved + 2]
    elif case == 14:
        found = cells[moved + 1]
    elif case == 15:
        found = cells[-moved - 2]
    elif case == 16:
        found = 5 // (1 - moved)
    elif case == 17:
        found = 5 % (1 - moved)
    elif case == 18:
        found = 1 if 5 / (1 - moved) > 2 else 0
    elif case == 19:
        found = 1 if math.sqrt(-moved) < 1 else 0
    elif case == 20:
        found = int(1e18 * (1 + 9 * moved))
    elif case == 21:
        found = (large << moved) & ~EDGE
    elif case == 22:
        for step in range(0, 3, 1 - moved):
            found += step
    elif case == 23:
        raise ValueError("not yet")
    elif case == 24:
        try:
            tried = large * (1 + moved)
        except Exception:
            tried = -7
        found = 1 if tried > 0 else -1
    elif case == 25:
        mask = -1 if moved else 0
        found = large * (1 + moved) & mask
    elif case == 26:
        found = large * (1 + moved) & moved - 9
    elif case == 60:
        found = sum((large, moved))
    elif case == 61:
        found = abs(-large - moved)
    elif case == 62:
        found = -(-large - moved)
    elif case == 63:
        found = (-large - moved) // -moved
    elif case == 64:
        found = items[large * 2 + 2 * moved]
    elif case == 65:
        found = moved << large * 2 + 5 * moved
    elif case == 66:
        cells[0] = 100 * moved
        found = np.sum(cells + cells)
    elif case == 67:
        cells[0] = 100 * moved
        found = np.max(cells * 2 * moved)
    elif case == 68:
        cells[0] = 100 * moved
        found = cells[0] + cells[0]
    elif case == 69:
        total = 0
        for weight in WEIGHTS:
            total += weight
        found = total * moved
    elif case == 70:
        found = pow(3, 39 + moved)
    elif case == 71:
        found = 1 if ~(moved > 0) else 2
    elif case == 72:
        found = 1 if np.sum(bytes_) - 5 * moved < 0 else 2
    elif case == 73:
        found = np.int8(127 + moved)
    elif case == 74:
        found = math.floor(large - moved)
    elif case == 75:
        cells[1] = -127 - moved
        found = abs(cells[1])
    elif case == 76:
        found = divmod(-large - moved, -moved)[0]
    elif case == 77:
        cells[0] = 100 * moved
        cells += cells
        found = cells[0]
    elif case == 78:
        found = sum(WEIGHTS)
    elif case == 79:
        found = 1 if ~bytes_[0] < 0 else 2
    elif case == 80:
        found = 1 if large < 9223372036854775808.0 * moved else 2
    elif case == 81:
        found = 1 if (1 << 53) + moved == 9007199254740992.0 * moved else 2
    elif case == 82:
        found = sum(items) + sum((moved, True)) + sum([moved, 3])
    elif case == 83:
        found = np.sum(cells + moved) + np.max(-cells * 3)
    elif case == 84:
        found = 1 if ~np.any(cells > moved) else 2
    elif case == 85:
        found = 1 if 9007199254740992.0 * moved >= (1 << 53) + moved else 2
    elif case == 86:
        found = (-large - moved) // moved + divmod(-large, moved + 1)[1] + abs(-large)
    elif case == 87:
        found = ~bytes_[0] & 15
    elif case == 88:
        found = cells[moved * 4 - 4] + items[moved * 2 - moved] + (moved << moved * 3 + 2)
    elif case == 89:
        found = int(10 * round(64.35 + moved / 10, moved)) + int(1000 * round(10.915, 2))
    elif case >= 100:
        found = worth_of_arrays(case, moved, large)
    elif case == 50:
        found = large * 3 & (1 << 20 + moved) - 1
    elif case == 40:
        found = large << 7 & FULL  # it wraps, and the mask takes the low bits
    elif case == 41:
        found = large * 77 + large & EDGE
    elif case == 42:
        found = moved << 100 + moved & FULL
    elif case == 43:
        found = (large >> 200) - (-large >> 64 + moved)
    elif case == 44:
        found = (large << 1 & large << 2 | large << 3) & EDGE
    elif case == 45:
        found = 3 ** (38 + moved)
    elif case == 46:
        found = items[-moved] + items[moved]
    elif case == 47:
        hit = False
        for place in range(5 * moved):
            if place == 3:
                last, hit = place, True
        found = last if hit else -1
    elif case == 48:
        try:
            found = 7 // (1 - moved)
        except Exception:
            found = 9
    elif case == 49:
        grown = 1
        for _ in range(70):
            grown = (grown << 1 | 1) & FULL
        found = grown
    return found


def worth_of_arrays(case, moved, large):
    found = 0
    cells, bytes_, reals = np.zeros(2, np.int8), np.zeros(2, np.uint8), np.zeros(2)
    line = np.arange(4)
    cells[0], reals[0] = 100 * moved, 64.45 * moved
    if case == 100:
        found = large << 7 & min(moved, -moved)
    elif case == 101:
        for number in range(2):
            found += (large * 3 | 5) & min(moved, -2) if number else 0
    elif case == 102:
        found = 1 if np.uint8(1 - moved) - 1 > 200 else 2
    elif case == 103:
        line[1:] += line[:-1]
        found = line[3]
    elif case == 104:
        line += line[::-1]
        found = line[3]
    elif case == 105:
        np.add(line[:-1], 1, line[1:])
        found = line[3]
    elif case == 106:
        chosen = np.where(cells > 0, cells, cells)
        found = chosen[0] * (10 * moved)
    elif case == 107:
        joined = np.concatenate((bytes_.astype(np.int8), cells))[1:]
        found = joined[1] + 100
    elif case == 108:
        found = BONUS + 100 * moved
    elif case == 109:
        found = BONUSES[moved][0] + 100
    elif case == 110:
        for bonus in (BONUS, np.int8(moved)):
            found = bonus + 100 * moved
    elif case == 111:
        found = np.array([200 * moved, 0], np.int8)[0]
    elif case == 112:
        found = np.full(2, 200 * moved, np.int8)[0]
    elif case == 113:
        cells.fill(200 * moved)
        found = cells[0]
    elif case == 114:
        cells[1] = 128.0 * moved
        found = cells[1]
    elif case == 115:
        found = np.array(((1, 2), (3, -129 * moved)), np.int8)[1, 1]
    elif case == 116:
        cells[:] = (moved, 128 * moved)
        found = cells[1]
    elif case == 117:
        found = np.full_like(cells, fill_value=128.5 * moved)[0]
    elif case == 118:
        found = 1 if round(reals[0], 1) > 64.46 else 2
    elif case == 119:
        found = rounded_here(64.45 * moved)
    elif case == 120:
        found = np.int64([1e19][0] * moved)
    elif case == 121:
        grown = [0]
        for number in range(10_000_000):
            grown.append(number)
        found = len(grown)
    elif case == 122:
        doubled = [moved]
        while doubled[0] >= 0:
            doubled += doubled
        found = len(doubled)
    elif case == 123:
        found = math.gcd(0, -large - moved)
    elif case == 130:
        found = masked(large, (~moved) & EDGE) + masked(7, ~moved) + masked(moved, -moved)
    elif case == 131:
        blocked = ~(moved << 3)
        found = masked(large, EDGE & blocked) + (large * 5 & max(moved, 7)) + (moved * 9 & min(moved, -8))
    elif case == 132:
        line += line
        line[1:] = line[:-1]
        line[:2] += line[2:]
        line[:-1] += line[1:].copy()
        found = line[0] * 1000 + line[1] * 100 + line[2] * 10 + line[3]
    elif case == 133:
        cells[1] = -128.9 * moved
        found = np.array([127 * moved, 0], np.int8)[0] + np.full(2, -128 * moved, np.int8)[1] - cells[1]
    elif case == 134:
        found = int(10 * round(float(reals[0]), 1)) + int(10 * round(reals[0] + 0.01, 1))
    elif case == 135:
        found = int(BONUS + 27 * moved) + BONUSES[0][1] * 100 + BONUSES[moved][1] * 100
    elif case == 136:
        found = len(str(moved + 41)) + len(str(-moved))
    return found


def turn(state):
    return OVER if state.moved else 0


def moves(state):
    if state.case == 30 and 5 // state.items[0] > 9:
        yield 2
    if state.case == 31 and SQUARES[state.case - 28] > 9:
        yield 3
    yield 1


def play(state, move):
    return State(state.case, move, state.items)


def score(state):
    return float(worth(state.case, state.moved, state.items))


def key(state):
    return (state.case * 2 + state.moved) * 4611686018427387847  # a key may wrap


GAME = Game(
    name="cases",
    start=State(0, 0, (0, 1, 2)),
    turn=turn,
    moves=moves,
    play=play,
    score=score,
    key=key,
    low=-1e20,
    high=1e20,
)


def line_of(text):
    lines = [
        number
        for rule in (worth, worth_of_arrays, rounded_here, moves)
        for number, line in enumerate(*inspect.getsourcelines(rule))
        if text in line
    ]
    assert len(lines) == 1
    return lines[0]


@pytest.mark.parametrize("case", WRONG)
def test_what_would_differ_raises_with_its_line(case):
    text, words = WRONG[case]
    with pytest.raises(RuleRaised) as raised:
        solve(GAME, State(case, 0, (0, 1, 2)), check=False)
    head, _, sentence = str(raised.value).partition("\n")
    assert head == "'cases' cannot be searched"
    if case == 119:
        text = "round(number, 1)"
    rule = "worth" if case < 100 else "rounded_here" if case == 119 else "worth_of_arrays"
    assert sentence.startswith(f"  {rule}, line {line_of(text)}: ")
    assert words in sentence


@pytest.mark.parametrize("case", IN_MOVES)
def test_a_rule_that_yields_is_guarded_too(case):
    text, words = IN_MOVES[case]
    before = State(case, 0, (0, 1, 2))
    with pytest.raises(RuleRaised) as raised:
        solve(GAME, before, check=False)
    assert f"moves, line {line_of(text)}: {words}" in str(raised.value)


def test_an_int_that_only_a_constant_mask_cuts_is_not_guarded():
    def cut(board):
        return board << 7 & FULL

    def raises(board):
        return board << 7

    for function, guarded in ((cut, False), (raises, True)):
        compiled = numba.njit(pipeline_class=rule_compiler())(function)
        compiled(5)
        (text,) = compiled.inspect_llvm().values()
        assert ("outplay_exit" in text) == guarded


def test_an_int_that_wraps_before_a_yield_is_told_after_it():
    def moves(state):
        shifted, mask = state.items[0] << 62, state.items[1]
        yield 0
        if shifted & mask:
            yield 1

    game = GAME.replace(moves=moves, key=None, score=lambda state: 0)
    with pytest.raises(RuleRaised, match=r"moves, line \d+: an int needs more than 63 bits"):
        solve(game, State(0, 0, (4, -1, 0)), check=False)


def test_floats_of_less_than_64_bits_are_refused():
    small = np.float32(16777216.0)

    def score(state):
        return 1.0 if small + state.moved == small else 0.0

    with pytest.raises(CompileError, match=r"score, line \d+: computes with floats of less than 64 bits, .* use float64"):
        minimax(GAME.replace(score=score), depth=2)


def test_the_text_of_a_float_is_refused():
    def score(state):
        return 1.0 if str(state.moved / 2) == "0.5" else 0.0

    with pytest.raises(CompileError, match=r"score, line \d+: str\(...\): text means something else, or nothing, when compiled"):
        minimax(GAME.replace(score=score), depth=2)


class Flags(NamedTuple):
    moved: int
    won: bool


def test_a_bool_field_takes_no_int_but_0_and_1():
    def play(state, move):
        return Flags(1, move)

    def score(state):
        return 1.0 if state.won == 2 else 0.0

    def game(*moves):
        return Game(name="flags", start=Flags(0, False), turn=turn, moves=lambda state: moves, play=play, score=score)

    assert minimax(game(1), depth=2).value == 0.0
    with pytest.raises(RuleRaised, match=r"play, line \d+: the field 'won' is a bool in the game's start, and gets an int"):
        minimax(game(2), depth=2)
    with pytest.raises(StateError, match="'won' is a bool in the game's start, and holds 2 here; write an int in the start"):
        game(2).state(Flags(1, 2))


def test_one_of_several_functions_without_a_name_is_told_by_its_rule():
    game = GAME.replace(
        turn=lambda state: OVER if state.moved else 0,
        moves=lambda state: (1,),
        key=None,
        score=lambda state: 1 // (state.moved - 1),
    )
    with pytest.raises(RuleRaised, match=r"\n  score, line \d+: divides by zero; test for that case first"):
        minimax(game, State(0, 0, (0, 1, 2)), depth=2)


def test_a_local_may_have_a_value_only_on_the_paths_that_use_it():
    def kept(state):
        total = 0
        for number in range(3 + state.moved):
            if number % 2 == 0:
                before = number
            else:
                total += before + 1
        return total / 10

    game = GAME.replace(score=kept, key=None)
    found = [minimax(game, State(0, 0, (0, 1, 2)), depth=2, compiled=compiled).value for compiled in (True, False)]
    assert found == [0.4, 0.4]


def test_a_local_that_is_used_above_its_first_value_is_told():
    def kept(state):
        total = 0
        for number in range(3):
            if number > 0:
                total += before  # noqa: F821
            before = number  # noqa: F841
        return total / 10

    with pytest.raises(
        CompileError, match=r"kept, line \d+: before is used above the line that gives it a value; give it one first"
    ):
        minimax(GAME.replace(score=kept), depth=2)


@pytest.mark.parametrize("case", RIGHT)
def test_ints_may_wrap_where_only_their_low_bits_are_used(case):
    state = State(case, 0, (0, 1, 2))
    assert solve(GAME, state, check=False).value == solve(GAME, state, check=False, compiled=False).value
