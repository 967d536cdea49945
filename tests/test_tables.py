"""Tables of every state: counted right, valued right, in words where they cannot be made."""

import random
import subprocess
import sys
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from random_game import random_game
from random_game import start as random_start
from toy_games import Heaps, Pile, Rows, array_nim, pile, tuple_nim

from outplay import CHANCE, OVER, Game, load, minimax, search
from outplay.compile.engine import Engine
from outplay.errors import GameError, OptionError, RuleError, RuleRaised, StateError, TooLarge
from outplay.solve.solution import Entry
from outplay.solve.solve import solve
from outplay.solve.states import forward, unfold
from outplay.solve.states.packing import learnt

DICE = random.Random(3)


def plain_values(game, state, known):
    """The value and the distance of *state* and of all after it, by the plain definition."""
    if state not in known:
        who = game.turn(state)
        if who == OVER:
            known[state] = float(game.score(state)), 0
        else:
            after = [plain_values(game, game.play(state, move), known) for move in game.moves(state)]
            value = (max if who == 0 else min)(value for value, _ in after)
            lengths = [distance for found, distance in after if found == value and distance is not None]
            ahead = who == (0 if value > 0 else 1)
            known[state] = value, None if value == 0 else (min if ahead else max)(lengths) + 1
    return known[state][0], None if known[state][0] == 0 else known[state][1]


@pytest.fixture(scope="module")
def tic_tac_toe():
    return solve(load("tic-tac-toe"), check=False)


@pytest.fixture(scope="module")
def small_board():
    return solve(load("connect-four:columns=4,rows=4"), check=False)


def positions(game, number):
    """Some states of *game* that are not over, by random play."""
    found = []
    while len(found) < number:
        path = [game.start]
        while (who := game.turn(path[-1])) != OVER:
            choices = [outcome for outcome, _ in game.chances(path[-1])] if who == CHANCE else list(game.moves(path[-1]))
            path.append(game.state(game.play(path[-1], DICE.choice(choices))))
        found.append(DICE.choice(path[:-1]))
    return found


def test_tic_tac_toe_has_5478_states(tic_tac_toe):
    assert tic_tac_toe.states == 5_478
    assert tic_tac_toe.counts == (1, 9, 72, 252, 756, 1_260, 1_520, 1_140, 390, 78)
    assert (tic_tac_toe.value, tic_tac_toe.distance, tic_tac_toe.method) == (0, None, "table")
    assert tic_tac_toe.moves == tuple(range(1, 10))


@pytest.mark.parametrize("compiled", [True, False])
def test_every_value_and_distance_of_tic_tac_toe_follows_from_the_rules(compiled):
    game = load("tic-tac-toe")
    solution = solve(game, compiled=compiled)
    known = {}
    plain_values(game, game.start, known)
    assert len(known) == solution.states
    for state, (value, distance) in known.items():
        entry = solution[state]
        assert (entry.value, entry.distance) == (value, None if value == 0 else distance)
        if game.turn(state) != OVER:
            after = {move: plain_values(game, game.play(state, move), known) for move in game.moves(state)}
            nearest = None if value == 0 else distance - 1
            assert entry.moves == tuple(move for move, found in after.items() if found == (value, nearest))
    assert solution[game.after(game.start, (1, 4, 2, 5, 3))] == Entry(1.0, (), 0)


@pytest.mark.parametrize(
    ("columns", "rows", "states", "value"),  # of the counts: Böck 2025, who confirms Tromp; of the values: Steininger
    [
        (1, 1, 2, 0),
        (2, 4, 179, 0),
        (4, 2, 741, 0),
        (3, 4, 6_000, 0),
        (4, 4, 161_029, 0),
        pytest.param(4, 5, 1_706_255, 0, marks=pytest.mark.fuzz),
        (5, 4, 3_945_711, 0),
    ],
)
def test_connect_four_on_small_boards_is_counted_and_valued_as_published(columns, rows, states, value):
    game = load(f"connect-four:columns={columns},rows={rows}")
    solution = solve(game, compiled=states > 10_000, check=False)  # compiling takes longer than a small board
    assert (solution.states, solution.value, solution.method) == (states, value, "table")


def test_moves_of_connect_four_come_with_value_and_distance():
    solution = solve(load("connect-four:columns=4,rows=3,line=3"), compiled=False)
    assert solution.value > 0
    moves = solution.candidates
    assert [move.move for move in moves if move.best] == list(solution.moves)
    assert {move.distance for move in moves if move.best} == {solution.distance}
    state, left = solution.state, solution.distance
    while solution.game.turn(state) != OVER:  # the best moves of both lead to the end in just that many moves
        state = solution.game.play(state, DICE.choice(solution[state].moves))
        left -= 1
        assert solution[state].distance == left
    assert solution.game.score(state) == solution.value


@pytest.mark.parametrize(("name", "compiled"), [("connect-four:columns=4,rows=4", True), ("coin-tic-tac-toe", False)])
def test_search_run_to_proof_agrees_with_the_table(name, compiled):
    game = load(name)
    solution = solve(game)
    for state in positions(game, 25):
        found = search(game, state, depth=20, compiled=compiled)
        assert found.proven
        assert found.value == pytest.approx(solution[state].value, abs=1e-12)
        assert found.move is None or found.move in solution[state].moves or solution[state].distance is not None


@pytest.mark.parametrize("lucky", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_random_trees_have_the_values_that_search_proves(seed, lucky):
    start = random_start(seed, lucky=lucky, length=9)
    solutions = [solve(random_game, start, compiled=compiled) for compiled in (True, False)]
    assert solutions[0].states == solutions[1].states
    for state in positions(random_game.replace(start=start), 10):
        value = search(random_game, state, depth=9, compiled=False).value
        for solution in solutions:
            assert solution[state].value == pytest.approx(value, abs=1e-12)


def test_a_game_whose_lines_meet_at_different_depths_is_no_layered_one():
    solution = solve(pile(start=Pile(30, 0)))
    assert (solution.method, solution.value, solution.distance, solution.states) == ("table", -1, 20, 60)
    for stones in range(31):
        for player in range(2):
            state = Pile(stones, player)
            if state in solution:
                lost = stones % 3 == 0
                assert solution[state].value == ((-1 if lost else 1) if player == 0 else (1 if lost else -1))


class Spot(NamedTuple):
    place: int
    player: int


def ring(length=7):
    """Player 0 wants off at place 0, player 1 at the other end; each may step down, up, or stand still."""

    def turn(state):
        return OVER if state.place in (0, length) else state.player

    def moves(state):
        yield -1
        yield 0
        yield 1

    def play(state, move):
        return Spot(state.place + (move if state.player == 0 else -move), 1 - state.player)

    def score(state):
        return 1 if state.place == 0 else -1

    return Game(name="ring", start=Spot(length // 2, 0), turn=turn, moves=moves, play=play, score=score)


@pytest.mark.parametrize("compiled", [True, False])
def test_where_states_repeat_play_without_end_has_its_worth(compiled):
    game = ring()
    solution = solve(game, compiled=compiled)
    assert (solution.method, solution.value, solution.distance, solution.proper) == ("cycles", 0, None, False)
    assert solution[Spot(1, 0)] == Entry(1.0, (-1,), 1)
    assert solution[Spot(6, 1)] == Entry(-1.0, (-1,), 1)
    assert solution[Spot(6, 0)] == Entry(0.0, (-1,), None)
    glad = solve(game, endless=0.5, compiled=compiled)
    assert glad.value == 0.5
    assert solve(game, method="cycles").value == 0


def test_a_table_of_a_game_with_cycles_is_refused_by_name():
    with pytest.raises(OptionError, match="states of 'ring' can repeat.*method=\"cycles\""):
        solve(ring(), method="table")


class Tower(NamedTuple):
    height: int
    player: int
    thrown: bool


def tower(goal=4):
    """Throw or pass; a coin takes the tower up or down. Who brings it to the goal wins; states repeat, and chance acts."""

    def turn(state):
        return OVER if abs(state.height) == goal else CHANCE if state.thrown else state.player

    def moves(state):
        yield 1
        yield 0

    def chances(state):
        yield 1, 0.75
        yield -1, 0.25

    def play(state, choice):
        if state.thrown:
            return Tower(state.height + (choice if state.player == 0 else -choice), 1 - state.player, False)
        return Tower(state.height, state.player if choice else 1 - state.player, bool(choice))

    def score(state):
        return 1 if state.height > 0 else -1

    return Game(name="tower", start=Tower(0, 0, False), turn=turn, moves=moves, chances=chances, play=play, score=score)


@pytest.mark.parametrize("compiled", [True, False])
def test_where_states_repeat_by_chance_values_come_with_an_error_bound(compiled):
    game = tower()
    solution = solve(game, accuracy=1e-8, compiled=compiled)
    assert solution.method == "cycles"
    values = {Tower(height, player, thrown): 0.0 for height in range(-4, 5) for player in range(2) for thrown in (False, True)}
    who = {state: game.turn(state) for state in values}
    after = {
        state: [game.play(state, choice) for choice in ((1, -1) if who[state] == CHANCE else (1, 0))]
        for state in values
        if who[state] != OVER
    }
    for _ in range(3000):
        for state in values:
            found = [values[child] for child in after.get(state, ())]
            values[state] = (
                game.score(state)
                if who[state] == OVER
                else 0.75 * found[0] + 0.25 * found[1]
                if who[state] == CHANCE
                else max(found)
                if who[state] == 0
                else min(found)
            )
    assert solution.value == pytest.approx(values[game.start], abs=solution.error + 1e-6)
    assert solution[Tower(3, 0, False)].moves == (1,)


def test_a_state_that_cannot_be_reached_is_not_in_the_table(tic_tac_toe):
    game = tic_tac_toe.game
    beyond = game.start._replace(crosses=7)
    assert beyond not in tic_tac_toe
    assert game.start in tic_tac_toe
    with pytest.raises(StateError, match="cannot be reached from the state that was solved.*solve from it"):
        tic_tac_toe[beyond]
    with pytest.raises(StateError, match="must be an int"):
        tic_tac_toe[game.start._replace(crosses="three")]


def test_a_table_from_a_later_state_holds_what_follows_it(small_board):
    game = small_board.game
    later = game.after(game.start, (1, 2, 1, 2, 3))
    solution = solve(game, later)
    assert solution.states < small_board.states
    assert solution[later] == small_board[later] == Entry(solution.value, solution.moves, solution.distance)


def test_a_state_that_is_over_is_its_own_table():
    game = load("tic-tac-toe")
    over = game.after(game.start, (1, 4, 2, 5, 3))
    solution = solve(game, over)
    assert (solution.value, solution.moves, solution.distance, solution.states) == (1, (), 0, 1)
    assert solution[over].candidates == ()


def test_outcomes_of_chance_are_listed_and_none_is_best():
    game = load("coin-tic-tac-toe")
    solution = solve(game)
    assert game.turn(game.start) == CHANCE
    assert (solution.moves, solution.distance) == ((), None)
    outcomes = solution.candidates
    assert [outcome.move for outcome in outcomes] == [outcome for outcome, _ in game.chances(game.start)]
    assert not any(outcome.best for outcome in outcomes)
    mean = sum(chance * found.value for (_, chance), found in zip(game.chances(game.start), outcomes, strict=True))
    assert solution.value == pytest.approx(mean, abs=1e-15)


def test_two_threads_find_what_one_finds(small_board):
    two = solve(small_board.game, threads=2)
    assert two.counts == small_board.counts
    for mine, theirs in zip(two.table.rows, small_board.table.rows, strict=True):
        assert (mine.keys == theirs.keys).all()
        assert (mine.codes == theirs.codes).all()


def test_a_layer_may_take_many_small_steps(small_board, monkeypatch):
    monkeypatch.setattr(unfold, "CHILDREN", 100)  # so that the room for children runs out within a chunk
    monkeypatch.setattr(forward, "BLOCK", 300)
    monkeypatch.setattr(forward, "SWEEP", 5_000)
    monkeypatch.setattr(forward, "SMALL", 0)
    stepwise = solve(small_board.game, threads=2)
    for mine, theirs in zip(stepwise.table.rows, small_board.table.rows, strict=True):
        assert (mine.keys == theirs.keys).all()
        assert (mine.codes == theirs.codes).all()


def test_progress_says_first_how_many_states_fit_and_then_how_far_it_is():
    seen = []
    solve(load("connect-four:columns=4,rows=4"), memory_mb=1024, progress=seen.append)
    assert (seen[0].phase, seen[0].total) == ("memory", (1 << 30) // 24)
    assert [report.phase for report in seen if report.phase == "states"]
    assert (seen[-1].phase, seen[-1].done, seen[-1].total, seen[-1].states) == ("values", 161_029, 161_029, 161_029)


def test_a_table_that_does_not_fit_is_refused_as_soon_as_that_shows():
    with pytest.raises(TooLarge, match=r"has [\d,]+ states and more, and their table needs more than 20 MB: .*memory_mb"):
        solve(load("connect-four:columns=5,rows=4"), method="table", memory_mb=20)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "magic"}, "method='magic' is unknown; there are proof, table, cycles"),
        ({"threads": 0}, "threads=0 must be a whole number"),
        ({"memory_mb": 0}, "memory_mb=0 must be above 0"),
        ({"endless": 2}, "endless=2 must lie between low=-1 and high=1"),
        ({"accuracy": 0}, "accuracy=0 must be above 0"),
        ({"method": "proof", "file": "x"}, "a proof makes no table"),
    ],
)
def test_impossible_options_are_refused(options, words):
    with pytest.raises(OptionError, match=words):
        solve(load("tic-tac-toe"), **options)


def test_an_interpreted_solve_does_not_need_numba():
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from outplay import load\n"
        "from outplay.solve.solve import solve\n"
        "assert 'numpy' not in sys.modules\n"
        "print(solve(load('tic-tac-toe'), compiled=False).states)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "5478"


def test_a_name_is_no_game():
    with pytest.raises(
        GameError, match=r"solve takes a Game, and got 'tic-tac-toe'; load\('tic-tac-toe'\) gives the one of that name"
    ):
        solve("tic-tac-toe")


class Faulty(NamedTuple):
    """A game that is over after two moves, unless its fault comes up before."""

    fault: int
    left: int


SCORE, TURN, MOVES, MANY, CHANCES, NEGATIVE = range(6)


def faulty():
    def turn(state):
        if state.left == 0:
            return OVER
        return (
            CHANCE
            if state.fault in (CHANCES, NEGATIVE) and state.left == 1
            else 7
            if state.fault == TURN and state.left == 1
            else 0
        )

    def moves(state):
        for move in range(0 if state.fault == MOVES and state.left == 1 else 9 if state.fault == MANY else 2):
            yield move

    def chances(state):
        yield 0, 0.5
        yield 1, 0.25 if state.fault == CHANCES else 1.0
        yield 2, 0.25 if state.fault == CHANCES else -0.5
        if state.fault == CHANCES:
            yield 3, 0.25

    def play(state, choice):
        return Faulty(state.fault, state.left - 1)

    def score(state):
        return 3 if state.fault == SCORE else 0

    start = Faulty(SCORE, 2)
    return Game(name="faulty", start=start, turn=turn, moves=moves, chances=chances, play=play, score=score, max_moves=8)


FAULTS = {
    SCORE: r"score of 'faulty' is 3 in Faulty\(fault=0, left=0\); a score lies between low=-1 and high=1",
    TURN: r"turn of 'faulty' is 7 in Faulty\(fault=1, left=1\); it must return 0, 1, CHANCE or OVER",
    MOVES: r"moves \(or useful\) of 'faulty' yields nothing in Faulty\(fault=2, left=1\)",
    MANY: r"more than max_moves=8 moves or outcomes in Faulty\(fault=3, left=2\); give the Game a larger max_moves",
    CHANCES: r"in Faulty\(fault=4, left=1\); probabilities must be above 0 and sum to 1; these sum to 1.25",
    NEGATIVE: r"in Faulty\(fault=5, left=1\); probabilities must be above 0 and sum to 1; these sum to 1",
}


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("fault", FAULTS)
def test_rules_at_fault_are_reported_with_the_state(fault, compiled):
    with pytest.raises(RuleError, match=FAULTS[fault]):
        solve(faulty(), Faulty(fault, 2), compiled=compiled, check=False)


@pytest.mark.parametrize("compiled", [True, False])
def test_chance_in_a_game_without_chances_is_reported(compiled):
    with pytest.raises(RuleError, match=r"returns CHANCE in Faulty\(fault=4, left=1\), but the game has no chances"):
        solve(faulty().replace(chances=None), Faulty(CHANCES, 2), compiled=compiled, check=False)


@pytest.mark.parametrize("make", [pile, faulty], ids=["pile", "layers"])
def test_rules_that_do_not_say_the_same_twice_are_reported(make):
    game, counted = make(), []

    def play(state, move):
        after = game.play(state, move)
        return after._replace(**{after._fields[0]: 99}) if counted else after

    def count(report):
        if report.phase in ("graph", "values"):
            counted.append(report)

    state = game.start if make is pile else Faulty(9, 2)
    with pytest.raises(
        RuleError, match="the rules led to a state that they had not led to before; turn, moves, chances and play"
    ):
        solve(game.replace(play=play), state, compiled=False, check=False, progress=count)


def test_a_rule_that_raises_is_reported():
    def play(state, move):
        return Pile(state.stones - move // (state.stones - 3), 1 - state.player)

    with pytest.raises(RuleRaised, match=r"a rule of 'pile' raised ZeroDivisionError.*in play, line \d+ of test_tables.py"):
        solve(pile(play=play), compiled=False, check=False)
    with pytest.raises(RuleRaised, match=r"play, line \d+: divides by zero; test for that case first"):
        solve(pile(play=play), check=False)


def test_play_without_end_is_worth_what_is_nearest_to_0_on_the_scale():
    game = pile(score=lambda state: 9 if state.player == 1 else 5, low=5, high=9)
    assert solve(game, compiled=False).value == 9


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"memory_mb": float("inf")}, "memory_mb=inf must be above 0"),
        ({"memory_mb": "x"}, "memory_mb='x' must be above 0"),
        ({"endless": "x"}, "endless='x' must lie between"),
        ({"accuracy": "x"}, "accuracy='x' must be above 0"),
    ],
)
def test_options_that_are_no_numbers_are_refused(options, words):
    with pytest.raises(OptionError, match=words):
        solve(pile(), **options)


def growing_heaps(after):
    """A game whose play makes another array of its heaps, by *after*."""

    def play(state, move):
        return Heaps(after(state.heaps), not state.first_moves)

    return array_nim(1, 2, 1).replace(play=play, name="growing")


def longer(heaps):
    return np.zeros(heaps.size + 1, np.int8)


def shorter(heaps):
    return heaps[1:].copy()


def test_an_array_that_changes_its_shape_is_refused_before_it_is_written_anywhere():
    for after, size, ways in ((longer, 4, (solve, search)), (shorter, 2, (minimax,))):
        game = growing_heaps(after)
        for way in ways:
            limits = {solve: {"threads": 1, "check": False}, search: {"depth": 4, "check": False}, minimax: {"depth": 4}}[way]
            with pytest.raises(RuleError, match=r"play gives the field 'heaps' another shape.* of shape \(3,\); keep the shape"):
                way(game, **limits)
            with pytest.raises(RuleError, match=rf"play gives the field 'heaps' another shape, \({size},\), than in the start"):
                way(game, compiled=way is not minimax, **limits)


def test_a_tuple_that_changes_its_length_is_refused_interpreted_too():
    game = tuple_nim(1, 2, 1).replace(play=lambda state, move: Rows((0, 0), 1 - state.player))
    with pytest.raises(RuleError, match="play gives the field 'heaps' another shape, 2 items, than in the start"):
        solve(game, threads=1, compiled=False, check=False)


@pytest.mark.parametrize(("number", "threads"), [(1, 1), (70_000, 1), (9_000, 16), (200_000, 2), (3_000_000, 16)])
def test_threads_take_smaller_shares_at_the_end_so_that_all_finish_together(number, threads):
    chunk, left, shares = unfold.chunk_for(threads), number, []
    while left:
        shares.append(unfold.share(left, chunk, threads))
        left -= shares[-1]
    assert max(shares) <= chunk
    assert min(shares[:-1], default=number) >= min(unfold.LEAST, number)
    assert sorted(shares, reverse=True) == shares
    if threads > 1 and number > threads * unfold.LEAST:
        assert shares[-1] <= unfold.LEAST
    assert 1 <= unfold.threads_for(number, threads) <= threads


def test_workers_memory_is_used_again_until_the_packing_changes():
    engine, packing = Engine(pile(), unfold.unfold, compiled=False), learnt(pile(), pile().start)
    pool = unfold.UnfolderPool(engine, pile().start, chunk=64)
    first = pool.take(packing, 1)
    assert pool.take(packing, 3)[0] is first[0]
    assert pool.take(replace(packing), 1)[0] is not first[0]
