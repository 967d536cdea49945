"""Proofs: exact values by null windows, equal to the oracle's, however small the table and however many the threads."""

import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_game import random_game, start
from toy_games import array_nim, pile

from outplay import load, minimax, solve, stop
from outplay.errors import Interrupted, OptionError, RuleError, StateError, TooDeep
from outplay.rules.text import read_state
from outplay.solve.proof import table
from outplay.solve.proof.kernel import between
from outplay.solve.proof.prove import prove
from outplay.solve.proof.prover import NotWhole, Prover

DATA = Path(__file__).parent / "data"
DETERMINISTIC = random_game.replace(chances=None)

seeds = st.integers(min_value=-(2**62), max_value=2**62)


def examples(number):
    return settings(max_examples=number, suppress_health_check=list(HealthCheck), database=None)


@pytest.fixture(scope="module")
def four():
    return Prover(load("connect-four"))


@pytest.mark.parametrize("line", (DATA / "connect_four.txt").read_text().splitlines(), ids=lambda line: line.split()[0])
def test_connect_four_positions_are_proven_to_be_worth_what_is_known(line, four):
    columns, score = line.split()
    state = read_state(four.game, columns)
    four.clear()
    assert four.value(state) == int(score) * (1 if four.game.turn(state) == 0 else -1)


@pytest.mark.parametrize("options", [{}, {"table_mb": 0.0005}, {"threads": 2}, {"threads": 3, "table_mb": 0.0005}], ids=str)
def test_random_trees_have_the_oracle_s_value(options):
    prover = Prover(DETERMINISTIC, **options)

    @examples(300)
    @given(seeds, st.integers(1, 9))
    def agrees(seed, length):
        state = start(seed, lucky=False, length=length)
        told = minimax(DETERMINISTIC, state, depth=length).value
        assert prover.value(state) == told
        assert prover.exceeds(state, int(told) - 1)
        assert not prover.exceeds(state, int(told))

    agrees()


def test_interpreted_and_compiled_visit_the_same_nodes():
    game = load("tic-tac-toe")
    compiled, interpreted = Prover(game), Prover(game, compiled=False)
    for text in ("X../.O./...", "X.O/.X./...", "XO./.X./O.."):
        state = read_state(game, text)
        compiled.clear()
        interpreted.clear()
        assert compiled.value(state) == interpreted.value(state)
        assert compiled.nodes == interpreted.nodes


@pytest.mark.parametrize("compiled", [True, False])
def test_a_table_that_grows_keeps_what_it_knows(monkeypatch, compiled):
    monkeypatch.setattr(table, "SMALL", 4)
    monkeypatch.setattr(table, "NODES_A_BUCKET", 100)
    game = load("connect-four:columns=4,rows=4") if compiled else load("tic-tac-toe")
    prover = Prover(game, compiled=compiled)
    monkeypatch.setattr(prover, "_brief", False)
    assert prover.value(game.start) == 0
    assert prover.storage.buckets > 4
    visited = prover.nodes
    assert prover.value(game.start) == 0
    assert prover.nodes - visited < visited / 10


def test_clearing_makes_a_proof_as_long_as_the_first(four):
    state = read_state(four.game, "5554224333234511764415115")
    four.clear()
    four.value(state)
    first = four.nodes
    four.clear()
    assert four.nodes == 0
    four.value(state)
    assert four.nodes == first


@pytest.mark.parametrize(("low", "high"), [(-21, 21), (-1, 1), (0, 1), (-1, 0), (3, 9), (-9, -3), (-1, 5), (0, 40)])
def test_every_window_has_a_threshold_inside(low, high):
    assert low <= between(low, high) < high


@pytest.mark.parametrize(
    ("name", "text"),
    [("othello:size=4", "OX../XXX./.XO./..../O"), ("kalah:houses=3,seeds=2", ""), ("dots-and-boxes", ""), ("domineering:rows=4,columns=4", ""),
     ("chomp:rows=3,columns=4", ""), ("nim:heaps=3-4-5", ""), ("number-scrabble", ""), ("tic-tac-toe", "X../.O./...")],
)  # fmt: skip
def test_a_proof_agrees_with_a_table_and_its_move_keeps_the_value(name, text):
    game = load(name)
    state = read_state(game, text) if text else game.start
    found = prove(game, state, threads=1)
    told = solve(game, state, check=False)
    assert found.value == told.value
    assert told[game.play(state, found.moves[0])].value == found.value


def test_arrays_and_other_players_turns_are_proven_too():
    game = array_nim(1, 2, 3)
    assert prove(game, game.start).value == -1
    after = game.play(game.start, game.legal(game.start)[0])
    assert prove(game, after).value == -1


def test_chance_and_fractions_are_proven_by_search():
    game = load("coin-tic-tac-toe")
    assert prove(game, game.start, compiled=False).value == pytest.approx(0.5)
    halves = pile(score=lambda state: 0.5 if state.player == 1 else -0.5)
    assert prove(halves, halves.start, compiled=False).value == 0.5
    with pytest.raises(NotWhole, match="has scores with fractions"):
        Prover(halves, compiled=False).value(halves.start)
    with pytest.raises(NotWhole, match="has chance in it"):
        Prover(game)


@pytest.mark.parametrize("width", [40_000.0, float("inf")])
def test_bounds_beyond_the_scale_change_nothing(width):
    game = DETERMINISTIC.replace(bounds=lambda state: (-width, width))
    prover = Prover(game, compiled=False)
    for seed in range(30):
        state = start(seed, lucky=False, length=5)
        assert prover.value(state) == minimax(DETERMINISTIC, state, depth=5).value


@pytest.mark.parametrize("changes", [{"low": -0.5, "high": 0.5}, {"bounds": lambda state: (-0.5, 0.5)}])
def test_a_fraction_is_not_passed_over_by_a_scale_or_bounds_of_fractions(changes):
    game = pile(score=lambda state: 0.5 if state.player == 1 else -0.5, **changes)
    assert [prove(game, game.start._replace(stones=stones), compiled=False).value for stones in (3, 4, 5)] == [-0.5, 0.5, 0.5]


def test_bounds_that_lie_are_named():
    game = pile(bounds=lambda state: (1, 1) if state.stones == 3 else (-1, 1), start=pile().start._replace(stones=3))
    with pytest.raises(RuleError, match="bounds or useful of 'pile' promise 1 in .*, which no move keeps"):
        prove(game, game.start, compiled=False)


def test_a_proof_refuses_what_cannot_be_proven():
    game = load("tic-tac-toe")
    with pytest.raises(StateError, match="the game is over, and there is nothing to prove"):
        prove(game, read_state(game, "XXX/OO./..."))
    with pytest.raises(OptionError, match="threads=0 must be a whole number"):
        Prover(game, threads=0)
    with pytest.raises(OptionError, match="table_mb=0 must lie above 0"):
        Prover(game, table_mb=0)


def endless_play(state, move):
    return type(state)(state.stones, 1 - state.player)


def test_a_proof_without_end_is_reported():
    game = pile(play=endless_play)
    with pytest.raises(TooDeep, match='goes on for more than 1024 plies, perhaps for ever.*method="cycles"'):
        prove(game, game.start)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"score": lambda state: 7}, "score of 'pile' is 7 in Pile.stones=0"),
        ({"moves": lambda state: iter(()) if state.stones < 3 else iter((1, 2))}, "yields nothing in Pile.stones=2"),
        ({"max_moves": 1}, "more than max_moves=1"),
        ({"turn": lambda state: 5 if state.stones < 2 else 0}, "turn of 'pile' is 5"),
    ],
)
def test_a_proof_names_the_rule_that_misbehaves(changes, words):
    game = pile(**changes)
    with pytest.raises(RuleError, match=words):
        prove(game, game.start, compiled="score" in changes)


def test_a_proof_can_be_stopped_from_another_thread():
    game, ended = load("connect-four"), threading.Event()

    def stop_again_and_again():  # the proof may not have begun
        while not ended.wait(0.05):
            stop()

    thread = threading.Thread(target=stop_again_and_again)
    thread.start()
    try:
        with pytest.raises(Interrupted, match="the value lies between -?[0-9]+ and [0-9]+"):
            prove(game, game.start)
    finally:
        ended.set()
        thread.join()
