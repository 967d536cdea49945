"""Every solvable game: at random positions a search run to proof says what the table says."""

from random import Random

import pytest

from outplay import CHANCE, OVER, load, search, solve
from outplay.solve.proof.prover import Prover

# Small enough for a table, and without cycles: every position can be searched to its end.
ENDING = (
    "blacksin:cards=6",
    "chomp:rows=3,columns=4",
    "coin-tic-tac-toe",
    "connect-four:columns=4,rows=4",
    "domineering:rows=4,columns=4",
    "dots-and-boxes",
    "extended-connect-four:rows=2,columns=4,pops=1",
    "hidden-blacksin:cards=6",
    "kalah:houses=3,seeds=2",
    "nim:heaps=3-4-5",
    "number-scrabble",
    "othello:size=4",
    "tic-tac-toe",
)


# `make fuzz` searches these too: their rules are like others' here, and to compile them takes long.
LEFT_OUT = ("chomp:rows=3,columns=4", "coin-tic-tac-toe", "extended-connect-four:rows=2,columns=4,pops=1", "othello:size=4")

# Of the others, few positions are left from any state: to compile a search would take longer than it does interpreted.
# `make fuzz` compiles them too. Compiled rules are those that are interpreted, as `check` says of every game in test_games.py.
COMPILED = ("connect-four:columns=4,rows=4", "tic-tac-toe")


def random_positions(game, number, seed=0):
    """Yield positions, not over, from random games."""
    dice = Random(seed)
    while number:
        state = game.start
        passed = []
        while game.turn(state) != OVER and len(passed) < 200:
            passed.append(state)
            choices = [outcome for outcome, _ in game.chances(state)] if game.turn(state) == CHANCE else game.legal(state)
            state = game.state(game.play(state, dice.choice(choices)))
        yield dice.choice(passed)
        number -= 1


@pytest.mark.parametrize(
    ("name", "compiled"),
    [
        pytest.param(name, compiled, marks=pytest.mark.fuzz if name in LEFT_OUT or compiled != (name in COMPILED) else ())
        for name in ENDING
        for compiled in (True, False)
    ],
)
def test_a_search_run_to_proof_agrees_with_the_table(name, compiled):
    game = load(name)
    solution = solve(game, compiled=compiled, check=False)
    assert solution.method == "table"
    prover = None if game.chances else Prover(game, compiled=compiled)
    for state in random_positions(game, 40):
        found = search(game, state, depth=1000, without=("deepening",), compiled=compiled, check=False)
        known = solution[state]
        assert found.proven
        assert found.value == pytest.approx(known.value, abs=1e-12)
        if prover is not None:
            assert prover.value(state) == known.value
        if found.move is not None:
            by_move = {candidate.move: candidate for candidate in solution[state].candidates}
            assert by_move[found.move].value == pytest.approx(known.value, abs=1e-12)
            assert {move for move, candidate in by_move.items() if candidate.best} == set(known.moves)


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.fuzz)])
def test_a_forced_win_in_a_game_with_cycles_is_found_by_a_search_as_deep_as_the_table_says(compiled):
    game = load("three-mens-morris")
    solution = solve(game)
    assert solution.method == "cycles"
    seen = 0
    for state in random_positions(game, 150):
        known = solution[state]
        if known.distance is not None and known.distance <= 8:
            found, sooner = (
                search(game, state, depth=depth, compiled=compiled) for depth in (known.distance, known.distance - 1 or 1)
            )
            assert found.value == known.value
            assert known.distance == 1 or sooner.value != known.value
            seen += 1
    assert seen > 20


@pytest.mark.parametrize(
    ("goal", "probability"), [(2, 0.857142857143), (5, 0.797047970480), (10, 0.709424322598), (20, 0.615558549805)]
)
def test_pig_is_won_by_the_first_player_as_often_as_is_known(goal, probability):
    """By the method of Neller & Presser 2004, who give 0.5306 for a goal of 100."""
    solution = solve(load(f"pig:goal={goal}"), compiled=goal == 20)  # the others have few states
    assert solution.method == "cycles"
    assert (solution.value + 1) / 2 == pytest.approx(probability, abs=solution.error + 1e-12)
    assert solution.error <= 1e-9
