"""Limits of any size, memory that runs out, and rules that raise: a search ends well, and leaves nothing behind."""

import gc
import time
import weakref
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from random_game import random_game, start

from outplay import Game, Stopper, analyse, load, search
from outplay.compile.engine import Engine
from outplay.errors import LimitError, OutplayError
from outplay.runtime import clock as clock_module
from outplay.runtime.growing_table import BUCKET, PIECE
from outplay.runtime.limits import Limits
from outplay.search import analyst as analyst_module
from outplay.search.driver import Driver
from outplay.search.kernel import explore
from outplay.search.table import SMALLEST
from outplay.search.table import Storage as SearchStorage
from outplay.solve.proof import prover as prover_module
from outplay.solve.proof.kernel import exceeds
from outplay.solve.proof.prover import Prover
from outplay.solve.proof.table import Storage as ProofStorage

NAN, INFINITY = float("nan"), float("inf")


@pytest.mark.parametrize(
    "limit",
    [
        {"seconds": 1e12},
        {"seconds": 10**400},
        {"seconds": INFINITY},
        {"seconds": NAN},
        {"seconds": True},
        {"seconds": Decimal(1)},
        {"seconds": "1"},
        {"seconds": -1},
        {"seconds": np.float32("inf")},
        {"seconds": np.float64("nan")},
        {"depth": 10**400},
        {"depth": True},
        {"depth": 2.0},
        {"depth": np.float64(2)},
        {"nodes": 10**400},
        {"nodes": 1 << 63},
        {"nodes": False},
        {"nodes": NAN},
        {"nodes": Decimal(5)},
    ],
    ids=lambda limit: str(limit)[:30],
)
@pytest.mark.parametrize("verb", [search, analyse])
def test_a_limit_that_is_none_is_a_clear_error(verb, limit):
    with pytest.raises(LimitError, match=rf"^{next(iter(limit))}=.{{1,60}} is "):
        verb(random_game, compiled=False, **limit)


@pytest.mark.parametrize(
    "limit",
    [
        {"seconds": 3.2e9},
        {"seconds": Fraction(10**9)},
        {"seconds": np.float32(1e9)},
        {"seconds": np.int64(10**9)},
        {"nodes": 1 << 62},
        {"nodes": np.int32(10**9)},
        {"depth": np.int8(9)},
        {"depth": 1024},
    ],
    ids=str,
)
@pytest.mark.parametrize("compiled", [False, True])
def test_a_limit_far_away_is_no_trouble(limit, compiled):
    game = load("tic-tac-toe")
    state = game.after(game.start, [1, 2, 3, 4])
    found = search(game, state, compiled=compiled, **limit)
    assert (found.proven, found.stopped_by) == (True, "proof")
    assert analyse(game, state, compiled=compiled, **limit).proven


def test_a_limit_is_kept_as_a_plain_number():
    limits = Limits(np.float32(1), np.int8(2), np.int64(3))
    assert [type(limit) for limit in (limits.seconds, limits.depth, limits.nodes)] == [float, int, int]


@pytest.fixture
def scarce(monkeypatch):
    """A machine that has no memory for a larger table."""
    plain = Engine.memory

    def memory(engine, words):
        if words & (words - 1) == 0 and words > SMALLEST * BUCKET:
            raise MemoryError
        return plain(engine, words)

    monkeypatch.setattr(Engine, "memory", memory)


def test_a_search_goes_on_with_the_table_it_has(scarce):
    state = start(3, lucky=False, length=40)
    found = search(random_game, state, nodes=60_000, compiled=False)
    assert found.depth > 3
    assert (
        found.nodes == search(random_game, state, nodes=60_000, table_mb=SMALLEST * BUCKET * 8 / (1 << 20), compiled=False).nodes
    )


@pytest.mark.parametrize("compiled", [False, True])
def test_a_table_that_cannot_grow_keeps_what_it_knows(compiled, monkeypatch):
    engine = Engine(random_game, explore, "searched", compiled=compiled)
    storage = SearchStorage(engine, 64)
    storage.memory[0], storage.memory[2] = 7, 9
    before = storage.memory
    monkeypatch.setattr(Engine, "memory", _no_memory)
    storage.grow(1 << 16)
    assert (storage.memory is before, storage.buckets) == (True, SMALLEST)
    storage.grow(1 << 16)  # it does not ask again
    assert storage.buckets == SMALLEST


@pytest.mark.parametrize("compiled", [False, True])
def test_a_stopped_search_does_not_wait_for_its_table_to_grow(compiled):
    storage = SearchStorage(Engine(random_game, explore, "searched", compiled=compiled), 64)
    storage.memory[0], storage.memory[2] = 7, 9
    stopper, before = Stopper(), storage.memory
    stopper.stop()
    storage.grow(1 << 16, stopper=stopper)
    assert (storage.memory is before, storage.buckets) == (True, SMALLEST)
    storage.grow(1 << 16)
    assert storage.buckets == 1 << 16


@pytest.mark.parametrize("compiled", [False, True])
def test_a_table_of_several_pieces_keeps_all_entries_when_it_grows(compiled):
    storage = SearchStorage(Engine(random_game, explore, "searched", compiled=compiled), 64)
    storage.grow(4 * PIECE)
    for bucket in range(0, 4 * PIECE, 4097):
        key, value, meta = bucket + (3 << 40), 5, 9  # the key chooses its bucket
        for word, content in enumerate((key ^ value ^ meta, value, meta)):
            storage.memory[bucket * BUCKET + word] = content
    storage.grow(8 * PIECE)
    assert storage.buckets == 8 * PIECE
    for bucket in range(0, 4 * PIECE, 4097):
        place = (bucket + (3 << 40)) % (8 * PIECE) * BUCKET
        assert [storage.memory[place + word] for word in (1, 2)] == [5, 9]


@pytest.mark.parametrize("compiled", [False, True])
def test_a_proof_s_table_that_cannot_grow_keeps_what_it_knows(compiled, monkeypatch):
    engine = Engine(load("tic-tac-toe"), exceeds, "count", compiled=compiled)
    storage = ProofStorage(engine, 64)
    before, buckets = storage.memory, storage.buckets
    monkeypatch.setattr(Engine, "memory", _no_memory)
    storage.grow()
    assert (storage.memory is before, storage.buckets) == (True, buckets)
    assert storage.patience > 1 << 60


def test_a_proof_comes_to_its_value_without_more_memory(monkeypatch):
    game = load("tic-tac-toe")
    prover = Prover(game, compiled=False)
    monkeypatch.setattr(ProofStorage, "patience", 200)
    monkeypatch.setattr(prover_module, "BRIEF_NODES", 10)
    monkeypatch.setattr(ProofStorage, "aligned", _no_memory)
    assert prover.value(game.start) == 0


def _no_memory(*_):
    raise MemoryError


class Wide(NamedTuple):
    ply: int
    spot: int


MOVES = 3000


def wide_game(asked):
    """A game of many moves, two from each player, that notes the states whose moves it is asked for."""

    def moves(state):
        asked.append(state)
        return iter(range(MOVES))

    return Game(
        name="wide",
        start=Wide(0, 0),
        turn=lambda state: state.ply % 2 if state.ply < 4 else -2,
        moves=moves,
        play=lambda state, move: Wide(state.ply + 1, (7 * state.spot + move) % 99),
        score=lambda state: state.spot % 3 - 1,
        max_moves=MOVES,
    )


def test_an_analysis_prepares_nothing_for_moves_that_it_does_not_search():
    asked = []
    found = analyse(wide_game(asked), depth=1, compiled=False, check=False)
    assert len(found.candidates) == MOVES
    assert all(move.value is not None for move in found.candidates)
    assert {state.ply for state in asked} == {0}


@pytest.mark.parametrize("ticks", [1, 100, MOVES + 100, 2 * MOVES - 100])
def test_an_analysis_out_of_time_returns_what_it_has(monkeypatch, ticks):
    clock = iter(range(0, 10**12, 1_000_000))  # each look takes a millisecond
    monkeypatch.setattr(analyst_module, "now", lambda: next(clock))
    monkeypatch.setattr(clock_module, "now", lambda: 0)
    found = analyse(wide_game([]), seconds=ticks / 1000, compiled=False)
    assert (found.stopped_by, len(found.candidates), found.depth) == ("time", MOVES, 0)
    searched = sum(move.value is not None for move in found.candidates)
    assert searched == max(ticks - MOVES - 1, 0)


def test_an_analysis_that_ends_at_once_names_every_move():
    found = analyse(wide_game([]), nodes=1, compiled=False)
    assert (found.stopped_by, len(found.candidates)) == ("nodes", MOVES)
    assert all(move.value is None for move in found.candidates)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_rule_that_raises_leaves_no_memory_behind(monkeypatch, threads):
    drivers, plain = [], Driver.__init__

    def noted(driver, *arguments, **options):
        drivers.append(weakref.ref(driver))
        plain(driver, *arguments, **options)

    def broken(state):
        raise ValueError("a broken rule")

    monkeypatch.setattr(Driver, "__init__", noted)
    gc.collect()
    gc.disable()
    try:
        raised = False
        try:
            search(
                random_game.replace(score=broken),
                start(1, lucky=False, length=3),
                depth=5,
                threads=threads,
                compiled=False,
                check=False,
            )
        except OutplayError:
            raised = True
        until = time.monotonic() + 120
        while drivers[0]() is not None and time.monotonic() < until:
            time.sleep(0.01)  # the thread that ran the search lets go of it a little later
        assert raised
        assert drivers[0]() is None
    finally:
        gc.enable()
