"""A value for every move."""

import threading
from functools import cache
from typing import NamedTuple

import pytest
from random_game import State as RandomState
from random_game import random_game
from test_search import DIVIDES, Faulty, faulty
from toy_games import hexapawn

from outplay import CHANCE, OVER, Game, Stopper, analyse, load, minimax, search
from outplay.compile.engine import Engine
from outplay.errors import LimitError, RuleError, RuleRaised, StateError
from outplay.rules.text import read_state


@pytest.mark.parametrize("seed", range(8))
def test_every_move_has_the_value_that_minimax_gives_it(seed):
    state = RandomState(seed, bool(seed % 2), 8, 0, 0, 0)
    found = analyse(random_game, state, depth=4, compiled=False)
    for move in found.candidates:
        after = random_game.play(state, move.move)
        assert move.value == pytest.approx(minimax(random_game, after, depth=3, compiled=False).value)
    assert found.value == pytest.approx(search(random_game, state, depth=4, compiled=False).value)


def test_compiled_and_interpreted_agree():
    game = load("tic-tac-toe")
    state = read_state(game, "X...O....")
    interpreted, compiled = (analyse(game, state, depth=9, compiled=way) for way in (False, True))
    assert interpreted.candidates == compiled.candidates
    assert compiled.proven
    assert compiled.stopped_by == "proof"


def test_outcomes_are_analysed_where_chance_acts():
    found = analyse(load("coin-tic-tac-toe"), depth=9, compiled=False)
    assert found.move is None
    assert found.value == 0.5
    assert [(move.name, move.probability, move.value) for move in found.candidates] == [
        ("tails", 0.5, 0.25),
        ("heads", 0.5, 0.75),
    ]


def test_progress_comes_after_each_move_and_then_after_each_depth():
    told = []
    analyse(load("kalah"), depth=3, compiled=False, progress=told.append)
    assert sum(move.value is not None for move in told[0].candidates) == 1
    assert [each.depth for each in told[-3:]] == [1, 2, 3]
    assert all(each.stopped_by == "" for each in told)


def test_an_analysis_ends_by_nodes_and_when_told_to():
    found = analyse(load("kalah"), nodes=5_000, compiled=False)
    assert found.stopped_by == "nodes"
    assert found.nodes <= 5_000
    stopper = Stopper()
    found = analyse(
        load("kalah"), depth=30, compiled=False, stopper=stopper, progress=lambda each: each.depth == 2 and stopper.stop()
    )
    assert found.stopped_by == "stop"
    assert found.depth == 2


def test_an_analysis_that_ends_between_two_depths_compares_values_of_one_depth():
    between = 0
    for seed in range(8):
        state = RandomState(seed, bool(seed % 2), 9, 0, 0, 0)
        for nodes in range(40, 240, 25):
            found = analyse(random_game, state, nodes=nodes, compiled=False)
            if found.depth == 0 or found.proven:
                continue
            between += 1
            whole = analyse(random_game, state, depth=found.depth, compiled=False)
            for move, then in zip(found.candidates, whole.candidates, strict=True):
                assert move.proven or (move.value, move.depth, move.line) == (then.value, found.depth, then.line)
            if all(move.proven == then.proven for move, then in zip(found.candidates, whole.candidates, strict=True)):
                assert (found.move, found.value) == (whole.move, whole.value)
    assert between > 20


def test_an_analysis_is_explained_best_first():
    found = analyse(load("coin-tic-tac-toe"), read_state(load("coin-tic-tac-toe"), "....h"), depth=9, compiled=False)
    lines = found.explain().splitlines()
    assert lines[0] == "Moves, the best first (to O):"
    assert lines[1].split(",")[0].split() == ["3", "+0.7500"]
    assert "<svg" in found._repr_html_()


def test_of_equal_moves_the_one_that_the_game_ranks_highest_is_best():
    game = load("connect-four")
    assert analyse(game, depth=2, compiled=False).move == search(game, depth=2, compiled=False).move


def test_a_random_opponent_is_an_expectation():
    game = load("tic-tac-toe")
    state = read_state(game, "XO..X.O..")
    found = analyse(game, state, depth=9, opponent="random", compiled=False)
    result = search(game, state, depth=9, opponent="random", compiled=False)
    assert found.value == pytest.approx(result.value)
    assert found.move == result.move
    assert found.named_line(found.candidates[0])


def test_an_analysis_needs_a_limit_and_a_game_that_goes_on():
    with pytest.raises(LimitError, match="needs a limit"):
        analyse(load("nim"))
    with pytest.raises(StateError, match="the game is over"):
        analyse(load("tic-tac-toe"), read_state(load("tic-tac-toe"), "XXXOO...."), depth=1)


class Step(NamedTuple):
    number: int


def fails(*_):
    raise ZeroDivisionError("by zero")


def two_steps(**changes):
    rules = {
        "turn": lambda state: OVER if state.number > 1 else 0,
        "moves": lambda state: [0, 1],
        "chances": lambda state: [(0, 0.5), (1, 0.5)],
        "play": lambda state, choice: Step(state.number + 1),
        "score": lambda state: 0.0,
    }
    return Game(name="steps", start=Step(0), **{**rules, **changes})


def over_at_once(state):
    return OVER if state.number else 0


def chance_at_once(state):
    return OVER if state.number else CHANCE


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"moves": lambda state: []}, "yields nothing in Step"),
        ({"turn": over_at_once, "score": fails}, "ZeroDivisionError: by zero .in fails, line"),
        ({"turn": over_at_once, "score": lambda state: 7.0}, "score of 'steps' is 7.0"),
        ({"turn": chance_at_once, "chances": fails}, "ZeroDivisionError: by zero"),
        ({"turn": chance_at_once, "chances": lambda state: [(0, 0.5), (1, 0.6)]}, "these sum to 1.1"),
        ({"turn": chance_at_once, "chances": lambda state: []}, "chances of .* yields nothing in"),
        ({"turn": chance_at_once, "chances": None}, "but the game has no chances"),
        ({"estimate": fails}, "ZeroDivisionError: by zero"),
        ({"estimate": lambda state: 9.0}, "estimate of 'steps' is 9.0"),
    ],
)
def test_rules_at_fault_at_the_root_are_reported_as_in_a_search(changes, message):
    with pytest.raises(RuleError, match=message):
        analyse(two_steps(**changes), depth=1, compiled=False, check=False)


def test_names_are_asked_for_when_somebody_reads_them():
    found = analyse(two_steps(name_move=fails), depth=1, compiled=False)
    with pytest.raises(RuleError, match="ZeroDivisionError: by zero .in fails, line"):
        found.explain()


def test_a_compiled_rule_that_raises_is_named_with_its_line():
    with pytest.raises(RuleRaised, match=r"divided, line \d+: divides by zero; test for that case first"):
        analyse(faulty, Faulty(5, 0, DIVIDES), depth=6, check=False)


@pytest.mark.parametrize("nodes", range(1, 60))
def test_no_more_nodes_are_visited_than_allowed(nodes):
    found = analyse(random_game, RandomState(3, True, 8, 0, 0, 0), nodes=nodes, compiled=False)
    assert found.nodes <= nodes
    assert found.proven or found.stopped_by == "nodes"


def test_a_tick_that_raises_ends_the_analysis():
    running = threading.active_count()
    with pytest.raises(RuntimeError, match="gone"):
        analyse(load("kalah"), seconds=60, compiled=False, tick=lambda nodes, seconds: raised(RuntimeError("gone")))
    assert threading.active_count() == running


def raised(error):
    raise error


def test_many_moves_take_no_more_memory_than_one(monkeypatch):
    asked = []
    memory = Engine.memory
    monkeypatch.setattr(Engine, "memory", lambda engine, words: asked.append(words) or memory(engine, words))
    for number in (1, 300):
        analyse(two_steps(moves=lambda state, number=number: range(number)), depth=2, compiled=False)
    one, many = asked[: len(asked) // 2], asked[len(asked) // 2 :]
    assert one == many


def test_proven_moves_say_how_many_moves_they_take():
    @cache
    def end(state):
        """Who wins, and in how many moves: the winner hurries, and the loser does not."""
        if hexapawn.turn(state) == OVER:
            return hexapawn.score(state), 0
        after = [end(hexapawn.play(state, move)) for move in hexapawn.legal(state)]
        sign = 1 - 2 * state.player
        won = [moves for value, moves in after if value == sign]
        return (sign, 1 + min(won)) if won else (-sign, 1 + max(moves for _, moves in after))

    for moves in ([], [57], [67], [57, 12], [67, 4, 76]):
        state = hexapawn.after(hexapawn.start, moves)
        found = analyse(hexapawn, state, depth=20, compiled=False)
        assert {move.move: (move.value, move.distance) for move in found.candidates} == {
            move: (value, 1 + moves) for move in hexapawn.legal(state) for value, moves in [end(hexapawn.play(state, move))]
        }
    assert all(move.distance is None for move in analyse(hexapawn, depth=2, compiled=False).candidates)
