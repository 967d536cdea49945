"""A state becomes a key and a state again, whatever its fields are, and no two states have one key."""

import random
from typing import NamedTuple

import numpy as np
import pytest
from toy_games import array_nim, coin, tuple_nim

from outplay import OVER, Game, load
from outplay.compile.engine import Engine
from outplay.errors import TooLarge
from outplay.rules.bits import mix, unmix
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.memory import Memory
from outplay.solve.solve import solve
from outplay.solve.states.packing import Extent, Packing, learnt, words_of
from outplay.solve.states.repack import bits_in, repacked

DICE = random.Random(5)
WIDE = (0, 1, -1, (1 << 63) - 1, -1 << 63, 12345678901234567, -987654321)


def extents_of(rows):
    found = [Extent.of(word) for word in rows[0]]
    for row in rows[1:]:
        found = [known.joined(Extent.of(word)) for known, word in zip(found, row, strict=True)]
    return found


def test_mixing_is_undone_compiled_as_interpreted():
    def there_and_back(game, state, word):
        return unmix(mix(0, word))

    engine = Engine(load("tic-tac-toe"), there_and_back)
    for word in (*WIDE, *(DICE.getrandbits(64) - (1 << 63) for _ in range(200))):
        assert unmix(mix(0, word)) == word
        assert engine.run(load("tic-tac-toe").start, word) == word


@pytest.mark.parametrize(
    "rows",
    [
        [[0, 0, 7], [3, -5, 7], [1, 2, 7]],
        [[0], [(1 << 63) - 1], [-1 << 63]],
        [[1 << 40, 1 << 50, 3], [1 << 41, 1 << 51, 5], [1 << 42 | 1, 1 << 52 | 1, 9]],
        [[-1 << 63, 1], [0, 2], [1 << 62, 5]],
        [[5, 5]],
    ],
    ids=["spans", "a full word", "bits that vary", "the sign varies", "nothing varies"],
)
def test_words_become_a_key_and_words_again(rows):
    packing = Packing.over(extents_of(rows), "game")
    keys = [packing.key(row) for row in rows]
    assert [packing.unpacked(key) for key in keys] == rows
    assert len(set(keys)) == len(rows)
    for compiled in (True, False):
        same = repacked(np.array(keys, np.int64), packing, packing, compiled=compiled)
        assert same.tolist() == sorted(keys)


def test_words_that_never_vary_take_no_bits_and_others_as_few_as_they_can():
    spans = Packing.over([Extent(7, 7, 7, 7), Extent(-3, 4, 0xFF, 0)], "game")
    assert (spans.bits, spans.words) == (3, ((7, 0), (-3, 7)))
    far_apart = [1 << 3, 1 << 3 | 1 << 60]
    bits = Packing.over([*extents_of([[word] for word in far_apart]), *extents_of([[0], [1 << 30]])], "game")
    assert bits.bits == 2
    assert bits.key([1 << 3, 0]) != bits.key([1 << 3 | 1 << 60, 0])


def test_a_state_outside_what_was_seen_has_no_key():
    packing = Packing.over(extents_of([[0, 1 << 62], [6, 1 << 62]]), "game")
    assert packing.key([7, 1 << 62]) is not None  # three bits hold it as well
    assert packing.key([8, 1 << 62]) is None
    assert packing.key([-1, 1 << 62]) is None
    assert packing.key([0, 0]) is None


def test_a_wider_packing_keeps_every_state():
    rows = [[place, -place] for place in range(100)]
    packing = Packing.over(extents_of(rows[:10]), "game")
    wider = packing.widened(extents_of(rows[50:]), "game")
    assert [wider.unpacked(wider.key(row)) for row in rows] == rows
    before = np.array([packing.key(row) for row in rows[:10]], np.int64)
    for compiled in (True, False):
        after = repacked(before, packing, wider, compiled=compiled)
        assert after.tolist() == sorted(wider.key(row) for row in rows[:10])
        packed = [unmix(key) & (1 << 64) - 1 for key in after.tolist()]
        some, every = bits_in(after, compiled=compiled)
        assert (some, every) == (_any(packed), _all(packed))


def _any(words):
    found = 0
    for word in words:
        found |= word
    return found


def _all(words):
    found = (1 << 64) - 1
    for word in words:
        found &= word
    return found


class Mixed(NamedTuple):
    board: np.ndarray
    marks: np.ndarray
    pair: tuple[int, int]
    share: float
    ready: bool
    count: int


def test_every_kind_of_field_is_written_as_words_and_read_again_compiled_as_interpreted():
    start = Mixed(np.array([[1, -2], [3, 4]], np.int8), np.array([True, False]), (5, -6), 0.75, True, -(1 << 63))
    game = load("tic-tac-toe")
    mixed = Game(
        name="mixed",
        start=start,
        turn=lambda state: OVER,
        moves=game.moves,
        play=lambda state, move: state,
        score=lambda state: 0,
    )
    words = words_of(InterpretedRules(mixed), 11, start)
    assert words == [1, -2, 3, 4, 1, 0, 5, -6, 0x3FE8000000000000, 1, -(1 << 63)]
    again = InterpretedRules(mixed).load_state(Memory(enumerate(words)), 0)
    assert repr(again) == repr(start)

    def through_words(game, state, ints):
        for word in range(11):
            ints[20 + word] = ints[word]
        game.store_state(game.load_state(ints, 20), ints, 40)
        return 0

    engine = Engine(mixed, through_words)
    memory = engine.memory(60)
    memory[:11] = words
    engine.run(mixed.start, memory)
    assert memory[40:51].tolist() == words
    negative_zero = start._replace(share=-0.0)
    assert words_of(InterpretedRules(mixed), 11, negative_zero) == words_of(
        InterpretedRules(mixed), 11, start._replace(share=0.0)
    )


class Walk(NamedTuple):
    step: int
    far: int
    low: int
    player: int


def lonely(length=24):
    """One way of many leads far: random games never go there, and what they see is too narrow for it."""

    def turn(state):
        return OVER if state.step == length else state.player

    def moves(state):
        yield 0
        yield 1

    def play(state, move):
        on_the_way = move == 1 and state.far == state.step
        far = state.far + 1 if on_the_way else state.far
        low = state.low
        if state.far == state.step == length - 1:
            far, low = (1 << 40, -(1 << 20)) if move == 1 else (length, -7)
        return Walk(state.step + 1, far, low, 1 - state.player)

    def score(state):
        return 1 if state.far > length else 0

    return Game(name="lonely", start=Walk(0, 0, 0, 0), turn=turn, moves=moves, play=play, score=score)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_packing_grows_when_the_game_leaves_what_random_games_saw(compiled):
    game = lonely()
    narrow = learnt(game, game.start)
    assert narrow.key(words_of(InterpretedRules(game), 4, Walk(24, 1 << 40, -(1 << 20), 0))) is None
    solution = solve(game, compiled=compiled)
    assert solution.counts == tuple(range(1, 26))
    assert solution[Walk(24, 1 << 40, -(1 << 20), 0)].value == 1
    assert solution[Walk(23, 23, 0, 1)].value == 0
    assert solution[Walk(23, 23, 0, 1)].moves == (0,)


@pytest.mark.parametrize("make", [array_nim, tuple_nim])
def test_arrays_and_tuples_are_solved_compiled_as_interpreted(make):
    game = make(3, 2, 2)
    compiled, interpreted = solve(game), solve(game, compiled=False)
    assert (
        (compiled.states, compiled.value, compiled.moves)
        == (interpreted.states, interpreted.value, interpreted.moves)
        == (64, 1, (3,))
    )


def test_a_state_of_more_than_64_bits_is_refused_with_the_remedy():
    with pytest.raises(TooLarge, match=r"'coin' takes \d+ bits in a table, and a key has 64.*method=\"proof\""):
        solve(coin(), method="table")
