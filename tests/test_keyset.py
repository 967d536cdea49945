"""Sorted sets of keys: made of keys with repetitions, looked up, joined and parted."""

import random

import numpy as np
import pytest

from outplay.solve.states.keyset import EMPTY, PARTS, Directory, Run, Scratch, merged, part_of, without

DICE = random.Random(8)
LOWEST = -1 << 63
BOTH = pytest.mark.parametrize("compiled", [True, False])


def array(keys):
    return np.array(keys, np.int64)


def some_keys(number):
    keys = [DICE.randrange(LOWEST, EMPTY + 1) for _ in range(number)]
    return [*keys, EMPTY, LOWEST, EMPTY - 1, 0, -1]


@BOTH
def test_keys_of_several_runs_come_out_in_order_and_once(compiled):
    keys = some_keys(500)
    runs = [Run.of(array([DICE.choice(keys) for _ in range(700)]), compiled=compiled) for _ in range(3)]
    runs.append(Run.sorted(array(sorted(keys[::2]))))
    scratch = Scratch()
    parts = [part_of(runs, part, scratch, compiled=compiled) for part in range(PARTS)]
    expected = np.unique(np.concatenate([run.keys for run in runs]))
    assert np.concatenate(parts).tolist() == expected.tolist()


@BOTH
def test_keys_that_crowd_together_are_sorted_all_the_same(compiled):
    keys = [*range(1000), *range(500, 1500), EMPTY]
    DICE.shuffle(keys)
    run = Run.of(array(keys), compiled=compiled)
    scratch = Scratch()
    parts = [part_of([run], part, scratch, compiled=compiled).tolist() for part in range(PARTS)]
    assert [key for part in parts for key in part] == [*range(1500), EMPTY]


@BOTH
@pytest.mark.parametrize(("number", "threads"), [(0, 1), (1, 1), (7, 3), (300, 1), (2000, 3)])
def test_every_key_is_found_where_it_stands_and_no_other(number, threads, compiled):
    keys = np.unique(array(some_keys(number)))
    directory = Directory(keys, threads=threads, compiled=compiled)
    assert directory.places(keys[::-1]).tolist() == list(range(len(keys)))[::-1]
    assert directory.places(array([])).tolist() == []
    for other in (1, EMPTY - 2, LOWEST + 1, int(keys[len(keys) // 2]) + 1):
        if other not in keys.tolist():
            with pytest.raises(KeyError):
                directory.places(array([int(keys[0]), other]))


def test_sets_are_joined_and_parted():
    for _ in range(20):
        one = {DICE.randrange(60) for _ in range(DICE.randrange(1, 30))}
        other = {DICE.randrange(60) for _ in range(DICE.randrange(30))}
        left = without(array(sorted(one)), array(sorted(other)))
        assert left.tolist() == sorted(one - other)
        assert merged(array(sorted(other)), left).tolist() == sorted(one | other)
