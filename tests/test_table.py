"""The transposition table: torn entries are never believed, growing loses nothing, worth decides what stays."""

import numpy as np
import pytest

from outplay import load
from outplay.compile.engine import Engine
from outplay.rules.memory import Memory
from outplay.search import layout, table
from outplay.search.kernel import explore
from outplay.search.storage import Storage

KEY = 0x1234_5678_9ABC_DEF0


def filled(**changes):
    memory, ints = Memory(), Memory({layout.AGE: 3})
    entry = {"key": KEY, "value": 0.5, "kind": layout.LOWER, "proven": True, "depth": 7, "move": 4, **changes}
    table.store(memory, 0, entry["key"], entry["value"], entry["kind"], entry["proven"], entry["depth"], entry["move"], ints)
    return memory


def test_what_is_stored_is_found():
    memory = filled()
    at = table.find(memory, 0, KEY)
    meta = memory[at + 2]
    assert (table.kind_of(meta), table.proven_of(meta), table.depth_of(meta), table.move_of(meta)) == (layout.LOWER, True, 7, 4)
    assert table.value_of(memory[at + 1]) == 0.5
    assert table.find(memory, 0, KEY + 1) == -1


@pytest.mark.parametrize("word", [0, 1, 2])
def test_a_torn_entry_is_never_believed(word):
    """Two threads wrote at once, so one word is another entry's."""
    mine, other = filled(), filled(value=-3.25, depth=2, kind=layout.EXACT)
    torn = Memory({**mine, word: other[word]})
    assert table.find(torn, 0, KEY) == -1


def test_a_deeper_entry_of_this_age_outlives_a_shallow_one():
    memory, ints = Memory(), Memory({layout.AGE: 1})
    for key, depth in ((1, 9), (2, 3), (3, 5)):
        table.store(memory, 0, key, 0.0, layout.EXACT, False, depth, 0, ints)
    assert [table.find(memory, 0, key) >= 0 for key in (1, 2, 3)] == [True, False, True]


def test_an_older_entry_goes_first_however_deep():
    memory, ints = Memory(), Memory({layout.AGE: 1})
    table.store(memory, 0, 1, 0.0, layout.EXACT, False, 30, 0, ints)
    ints[layout.AGE] = 2
    for key in (2, 3):
        table.store(memory, 0, key, 0.0, layout.EXACT, False, 1, 0, ints)
    assert [table.find(memory, 0, key) >= 0 for key in (1, 2, 3)] == [False, True, True]


def test_a_proven_value_is_not_overwritten_by_an_estimate():
    memory = filled(kind=layout.EXACT, value=1.0)
    table.store(memory, 0, KEY, 0.25, layout.EXACT, False, 9, 0, Memory({layout.AGE: 4}))
    assert table.value_of(memory[table.find(memory, 0, KEY) + 1]) == 1.0


@pytest.mark.parametrize("compiled", [True, False])
def test_growing_keeps_every_entry(compiled):
    storage = Storage(Engine(load("tic-tac-toe"), explore, "searched", compiled=compiled), 8)
    keys = [int(key) for key in np.random.default_rng(1).integers(-(2**63), 2**63, 500)]
    ints = Memory({layout.AGE: 1})
    for key in keys:
        table.store(storage.memory, (key & storage.buckets - 1) * table.BUCKET, key, key % 7, layout.EXACT, False, 1, 0, ints)
    before = [key for key in keys if table.find(storage.memory, (key & storage.buckets - 1) * table.BUCKET, key) >= 0]
    buckets = storage.buckets
    storage.grow(10 * buckets)
    assert storage.buckets > buckets
    assert len(before) > 400
    for key in before:
        at = table.find(storage.memory, (key & storage.buckets - 1) * table.BUCKET, key)
        assert table.value_of(int(storage.memory[at + 1])) == key % 7


def test_the_bound_on_memory_is_kept():
    storage = Storage(Engine(load("tic-tac-toe"), explore, "searched"), 3)
    storage.grow(10**9)
    assert storage.memory.nbytes == 2 << 20  # the largest power of two within three
