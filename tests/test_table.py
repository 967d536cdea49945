"""The transposition table: torn entries are never believed, growing loses nothing, worth decides what stays."""

import numpy as np
import pytest

from outplay import load
from outplay.compile.engine import Engine
from outplay.rules.bits import bits_of, real_of
from outplay.rules.memory import Memory
from outplay.runtime.growing_table import BUCKET
from outplay.search import layout, table
from outplay.search.kernel import explore
from outplay.search.table import Storage

KEY = 0x1234_5678_9ABC_DEF0


def put(memory, bucket=0, *, key=KEY, value=0.5, kind=layout.LOWER, proven=False, depth=7, move=4, age=3):
    table.store(memory, bucket, key, bits_of(value), kind, proven, depth, move, age)
    return memory


def held(memory, key, bucket=0):
    """Return the value that the table holds for *key*, or None."""
    at = table.find(memory, bucket, key)
    check, bits, meta = (int(memory[at + word]) for word in range(3))
    return real_of(bits) if check ^ bits ^ meta == key and meta != 0 else None


def test_what_is_stored_is_found():
    memory = put(Memory(), proven=True)
    meta = memory[table.find(memory, 0, KEY) + 2]
    assert (meta & table.BOUND_BITS, meta & table.PROVEN) == (layout.LOWER, table.PROVEN)
    assert (meta >> table.DEPTH & table.DEEPEST, meta >> table.MOVE & table.MOST_MOVES, meta >> table.AGED) == (7, 4, 3)
    assert held(memory, KEY) == 0.5
    assert held(memory, KEY + 1) is None
    assert held(Memory(), 0) is None  # zeros are no entry, not even of key 0


@pytest.mark.parametrize("word", [0, 1, 2])
def test_a_torn_entry_is_never_believed(word):
    """Two threads wrote at once, so one word is another entry's."""
    mine, other = put(Memory()), put(Memory(), value=-3.25, depth=2, kind=layout.EXACT)
    assert held(Memory({**mine, word: other[word]}), KEY) is None


def test_a_deeper_entry_of_this_age_outlives_a_shallow_one():
    memory = Memory()
    for key, depth in ((1, 9), (2, 3), (3, 5)):
        put(memory, key=key, depth=depth)
    assert [held(memory, key) is not None for key in (1, 2, 3)] == [True, False, True]


def test_an_older_entry_goes_first_however_deep():
    memory = put(Memory(), key=1, depth=30, age=1)
    for key in (2, 3):
        put(memory, key=key, depth=1, age=2)
    assert [held(memory, key) is not None for key in (1, 2, 3)] == [False, True, True]


def test_a_proven_value_is_not_overwritten_by_an_estimate():
    memory = put(Memory(), kind=layout.EXACT, value=1.0, proven=True)
    put(memory, kind=layout.EXACT, value=0.25, depth=9, age=4)
    assert held(memory, KEY) == 1.0


@pytest.mark.parametrize("compiled", [True, False])
def test_growing_keeps_every_entry(compiled):
    storage = Storage(Engine(load("tic-tac-toe"), explore, "searched", compiled=compiled), 8)
    keys = [int(key) for key in np.random.default_rng(1).integers(-(2**63), 2**63, 500)]

    def bucket(key):
        return (key & storage.buckets - 1) * BUCKET

    for key in keys:
        put(storage.memory, bucket(key), key=key, value=key % 7)
    before, buckets = [key for key in keys if held(storage.memory, key, bucket(key)) is not None], storage.buckets
    storage.grow(10 * buckets)
    assert storage.buckets > buckets
    assert len(before) > 400
    assert all(held(storage.memory, key, bucket(key)) == key % 7 for key in before)


def test_the_bound_on_memory_is_kept():
    storage = Storage(Engine(load("tic-tac-toe"), explore, "searched"), 3)
    storage.grow(10**9)
    assert storage.memory.nbytes == 2 << 20  # the largest power of two within three


def test_a_table_does_not_grow_when_there_is_no_time_for_it():
    storage = Storage(Engine(load("tic-tac-toe"), explore, "searched"), 64)
    storage.grow(10**9, seconds=0.01)
    assert storage.memory.nbytes <= 1 << 20


def test_a_search_without_deepening_makes_a_table_for_the_states_that_its_depth_can_reach():
    from outplay import Searcher
    from outplay.search.driver import expected_width

    few, many = Searcher(load("tic-tac-toe"), without=["deepening"], compiled=False), load("connect-four")
    few.search(depth=3)
    ((_, _, storage),) = few._known.values()
    assert storage.buckets < 1 << 12
    assert expected_width(few.game, few.game.start, 2, 1 << 21) == 18 * 16
    assert expected_width(many, many.start, 12, 1 << 21) == 1 << 21
    pig = load("pig")
    assert expected_width(pig, pig.start, 2, 1 << 21) >= 6 * 4  # six outcomes of the die, too
    assert expected_width(load("tic-tac-toe").replace(moves=lambda state: 1 / 0), load("tic-tac-toe").start, 2, 99) == 99
