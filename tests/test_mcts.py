"""Monte Carlo tree search: proven and right on random trees, converging where it is not proven, deterministic, and honest."""

import itertools
import json
import math
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_game import random_game, scaled, start
from reward_game import fractional_rewards
from toy_games import Pile, array_nim, coin, hexapawn, pile, tuple_nim
from typer.testing import CliRunner

from outplay import (
    CHANCE,
    OVER,
    Game,
    Interrupted,
    SearchAgent,
    Searcher,
    Stopper,
    load,
    match,
    minimax,
    playouts,
    search,
    trace,
    tree,
)
from outplay.agents.agent import Clock
from outplay.agents.named import agent
from outplay.cli.main import app
from outplay.errors import LimitError, OptionError, RuleError, RuleRaised
from outplay.runtime import meter
from outplay.search.montecarlo import tree_kernel, tree_layout
from outplay.search.montecarlo.tree import Tree
from outplay.search.montecarlo.tree_driver import TreeDriver

seeds = st.integers(min_value=-(2**62), max_value=2**62)
ENOUGH = 500_000  # simulations that settle every tree here
SURE = (
    "max(5, min(4, max(9, 1), max(7, 2)), min(max(9, 2), max(3, 8)))"  # a leaf is known at once, and better than most of the rest
)


def examples(number):
    return settings(max_examples=number, suppress_health_check=list(HealthCheck), database=None)


def assert_proven(game, state, **options):
    """The search is proven, and its value and its move are the oracle's."""

    def oracle(state):
        return minimax(game, state, depth=state.length, compiled=options.get("compiled", True)).value

    told = oracle(state)
    found = search(game, state, method="mcts", simulations=ENOUGH, **options)
    near = 1e-9 * max(1.0, game.high)
    assert found.proven
    assert found.stopped_by == "proof"
    assert abs(found.value - told) <= near
    game.after(state, found.line)  # every choice in it is legal
    if found.move is not None:
        paid = game.reward(state, found.move) if game.reward is not None else 0.0
        after = oracle(game.play(state, found.move))
        assert abs(paid + after - told) <= near
    for candidate in found.candidates:
        if candidate.proven:
            value = oracle(game.play(state, candidate.move))
            paid = game.reward(state, candidate.move) if game.reward is not None else 0.0
            assert abs(candidate.value - value - paid) <= near
    return found


@examples(500)
@given(seeds, st.booleans(), st.integers(1, 7), st.integers(1, 2))
def test_enough_simulations_prove_the_oracle_s_value(seed, lucky, length, threads):
    assert_proven(random_game, start(seed, lucky=lucky, length=length), threads=threads, seed=seed)


@examples(150)
@given(seeds, st.booleans(), st.integers(1, 5), st.sampled_from(["playout", "estimate", "mix"]))
def test_whatever_leaves_are_valued_by_the_proof_is_the_oracle_s(seed, lucky, length, leaves):
    assert_proven(random_game, start(seed, lucky=lucky, length=length), leaves=leaves, compiled=False, check=False)


@examples(80)
@given(seeds, st.booleans(), st.integers(1, 5))
def test_plain_ucb1_without_rank_bounds_and_useful_proves_it_too(seed, lucky, length):
    plain = random_game.replace(rank=None, bounds=None, useful=None)
    assert_proven(plain, start(seed, lucky=lucky, length=length), compiled=False, check=False)


@examples(80)
@given(seeds, st.booleans(), st.integers(1, 5))
def test_rewards_are_added_on_the_way(seed, lucky, length):
    assert_proven(fractional_rewards, start(seed, lucky=lucky, length=length), compiled=False, check=False)


@pytest.mark.parametrize("factor", [1e-9, 1e5, 1e8, 1e306])
def test_any_scale_will_do(factor):
    game = scaled(factor)
    for seed in range(15):
        assert_proven(game, start(seed * 7919, lucky=True, length=4), compiled=False, check=False)
    unproven = search(game, start(7919, lucky=True, length=9), method="mcts", simulations=60, compiled=False, check=False)
    assert all(math.isfinite(one.value) for one in unproven.candidates if one.value is not None)


@pytest.mark.parametrize("game", [tuple_nim(1, 2, 2), array_nim(2, 1), hexapawn, coin()], ids=lambda game: game.name)
def test_games_with_every_kind_of_field_are_proven(game):
    found = search(game, method="mcts", simulations=ENOUGH, compiled=False, check=False)
    assert found.proven
    assert found.value == pytest.approx(minimax(game, depth=20, compiled=False).value)


def test_interpreted_and_compiled_search_alike():
    for lucky in (False, True):
        for leaves in ("playout", "estimate", "mix"):
            state = start(5, lucky=lucky, length=9)
            options = {"method": "mcts", "simulations": 150, "seed": 3, "leaves": leaves}
            one, other = (search(random_game, state, compiled=compiled, **options) for compiled in (True, False))
            assert (one.value, one.move, one.line, one.nodes) == (other.value, other.move, other.line, other.nodes)
            assert one.candidates == other.candidates


def test_the_same_seed_finds_the_same_again_and_another_one_something_else():
    state = start(11, lucky=True, length=12)
    found = [search(random_game, state, method="mcts", simulations=300, seed=seed) for seed in (1, 1, 2)]
    assert found[0].candidates == found[1].candidates
    assert found[0].nodes == found[1].nodes
    assert found[0].candidates != found[2].candidates


class Lottery(NamedTuple):
    ticket: int  # 0: not chosen yet
    drawn: bool
    lucky: bool
    scratched: int  # 0: not yet; 1: a blank; 2: a prize


TICKETS = {1: (4, 0.25), 2: (10, 0.04), 3: (2, 0.45)}  # prizes and their probabilities: 1, 0.4 and 0.9 on average


def lottery(numbers):
    """Choose a ticket; one of many numbers is drawn, and where it is a lucky one, a second draw decides."""

    def turn(state):
        return OVER if state.scratched else 0 if state.ticket == 0 else CHANCE

    def moves(state):
        for ticket in (1, 2, 3):
            yield ticket

    def chances(state):
        if state.drawn:
            yield 1, 0.5
            yield 2, 0.5
        else:
            likely = 0.5 if state.ticket == 1 else 0.08 if state.ticket == 2 else 0.9
            for number in range(numbers):
                yield number, likely / numbers
                yield -1 - number, (1 - likely) / numbers

    def play(state, choice):
        if state.ticket == 0:
            return Lottery(choice, False, False, 0)
        if state.drawn:
            return Lottery(state.ticket, True, state.lucky, choice)
        return Lottery(state.ticket, True, choice >= 0, 0)

    def score(state):
        return (4 if state.ticket == 1 else 10 if state.ticket == 2 else 2) if state.lucky and state.scratched == 2 else 0

    return Game(
        name="lottery", start=Lottery(0, False, False, 0), turn=turn, moves=moves, chances=chances, play=play, score=score,
        low=0, high=10, max_moves=2 * numbers + 1,
    )  # fmt: skip


def test_chance_nodes_with_many_outcomes_are_widened_and_proven_in_the_end():
    game = lottery(40)
    early = search(game, method="mcts", simulations=60, compiled=False, check=False)
    assert not early.proven
    late = search(game, method="mcts", simulations=20_000, compiled=False, check=False)
    assert late.proven
    assert (late.move, late.value) == (1, pytest.approx(1.0))


def test_means_converge_to_the_expected_values():
    """Outcomes are a sample by probability until all are open; by Hoeffding's bound a mean of n results within [0, 10] is off by
    more than 10 * sqrt(ln(2 / 0.001) / 2n) once in 1,000 times. The seed is fixed."""
    found = search(lottery(400), method="mcts", simulations=2500, seed=1, compiled=False, check=False, leaves="playout")
    for candidate in found.candidates:
        prize, probability = TICKETS[candidate.move]
        assert candidate.visits > 100
        if not candidate.proven:
            assert abs(candidate.value - prize * probability) < prize * math.sqrt(math.log(2 / 0.001) / (2 * candidate.visits))
    assert sum(candidate.visits for candidate in found.candidates) >= 2500


@pytest.mark.parametrize("seed", range(6))
def test_the_mean_comes_closer_to_the_value_the_longer_it_searches(seed):
    """Unproven trees: the error of the root's value, over random trees, shrinks to less than half from 50 to 1,000 simulations."""
    errors = {50: 0.0, 1000: 0.0}
    for number in range(20):
        state = start(1000 * seed + number, lucky=True, length=10)
        told = minimax(random_game, state, depth=10).value
        for simulations in errors:
            found = search(random_game, state, method="mcts", simulations=simulations, seed=seed)
            errors[simulations] += abs(found.value - told)
    assert errors[1000] < errors[50] / 2


def test_a_result_tells_visits_means_and_intervals():
    found = search(load("tic-tac-toe"), method="mcts", simulations=400, compiled=False, check=False)
    assert (found.method, found.simulations, found.stopped_by) == ("mcts", 400, "simulations")
    best = next(one for one in found.candidates if one.best)
    assert best.move == found.move == found.line[0]
    assert best.bound == "mean"
    assert best.interval[0] < best.value == found.value < best.interval[1]
    assert best.visits == max(one.visits for one in found.candidates)
    assert sum(one.visits for one in found.candidates) >= 399
    text = found.explain()
    assert "That is a mean of simulations: the search ended because the simulations were used up." in text
    assert "400 simulations, " in text
    assert (
        "In brackets: the 95 % interval of the mean, as if simulations were independent, cut off at proven bounds. The true value may lie outside.\n"
        in text
    )
    data = json.loads(json.dumps(found.to_dict()))
    assert (data["method"], data["simulations"]) == ("mcts", 400)
    assert data["candidates"][0]["visits"] > 0
    assert found._repr_html_()


def test_a_win_in_one_is_seen_at_once_and_proven():
    game = load("tic-tac-toe")
    found = search(game, game.read_state("XX.OO...."), method="mcts", simulations=5, compiled=False, check=False)
    assert (found.move, found.value, found.proven, found.stopped_by) == (game.read_move(found.state, "3"), 1.0, True, "proof")


def test_a_state_of_chance_has_outcomes_and_no_move():
    game = coin()
    state = game.play(game.start, 10)
    found = search(game, state, method="mcts", simulations=50, compiled=False, check=False)
    assert (found.move, found.value, found.proven) == (None, pytest.approx(0.2), True)
    assert [(one.move, one.probability) for one in found.candidates] == [(1, 0.6), (0, 0.4)]
    assert "Chance acts here" in found.explain()


def test_an_opponent_is_a_part_of_the_game_here_too():
    state = start(8, lucky=False, length=6)
    told = search(random_game, state, depth=6, opponent="random", compiled=False)
    found = search(random_game, state, method="mcts", simulations=ENOUGH, opponent="random", compiled=False)
    assert found.proven
    assert found.value == pytest.approx(told.value)


def test_a_depth_caps_the_tree():
    found = search(load("tic-tac-toe"), method="mcts", simulations=500, depth=2, compiled=False, check=False)
    assert found.depth == 2
    assert not found.proven


def test_no_time_gives_a_legal_move():
    found = search(load("tic-tac-toe"), method="mcts", nodes=1, compiled=False, check=False)
    assert found.move in load("tic-tac-toe").legal(load("tic-tac-toe").start)
    assert (found.simulations, found.stopped_by) == (0, "nodes")
    assert "Nothing was searched: the limit was reached before the first move was. It is merely legal." in found.explain()


def test_a_tree_that_is_full_grows_no_further_and_says_so():
    game = load("tic-tac-toe")
    found = search(game, method="mcts", simulations=3000, table_mb=0.001, compiled=False, check=False)
    assert found.simulations == 3000
    assert len(found.notes) == 1
    assert found.notes[0].startswith("The tree filled its memory")
    assert found.notes[0] in found.explain()
    assert found.move in game.legal(game.start)


def test_playouts_that_are_cut_are_reported():
    endless = pile(turn=lambda state: state.player, play=lambda state, move: state, max_moves=2)
    found = search(endless, method="mcts", simulations=3, compiled=False, check=False)
    assert found.value == 0.0
    assert "3 playouts were cut at 2,000 plies and counted as 0, or the score next to it." in found.explain()


def test_progress_is_told_as_simulations_double():
    told = []
    search(load("tic-tac-toe"), method="mcts", simulations=600, compiled=False, check=False, progress=told.append)
    assert [one.simulations for one in told] == [128, 256, 512, 600]
    assert all(one.nodes and one.line for one in told)


def test_a_stopper_and_the_time_end_a_search():
    stopper = Stopper()
    stopper.stop()
    found = search(load("tic-tac-toe"), method="mcts", seconds=600, compiled=False, check=False, stopper=stopper)
    assert found.stopped_by == "stop"
    # The tree stays unproven for want of memory.
    assert search(load("kalah"), method="mcts", seconds=0.05, compiled=False, check=False).stopped_by == "time"


def test_ctrl_c_carries_the_result_so_far(monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("outplay.runtime.overdue.SearchWatch.look", stop)
    with pytest.raises(Interrupted) as raised:
        search(load("kalah"), method="mcts", seconds=600, compiled=False, check=False)
    assert raised.value.result.simulations > 0


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"method": "magic", "depth": 1}, OptionError, "method='magic' is unknown; a search is by alpha-beta or mcts"),
        ({"method": "mcts"}, LimitError, "a search needs a limit: give seconds, depth or nodes"),
        ({"method": "mcts", "depth": 3}, LimitError, "a depth caps the tree of a Monte Carlo search and does not end it"),
        (
            {"method": "mcts", "simulations": 0},
            LimitError,
            "simulations=0 is not a valid limit; it must be a whole number above 0",
        ),
        ({"method": "mcts", "simulations": 1.5}, LimitError, "simulations=1.5 is not a valid limit"),
        ({"simulations": 10}, LimitError, 'simulations limit a Monte Carlo tree search; give method="mcts" too'),
        ({"depth": 2, "seed": 3}, OptionError, "leaves, exploration and seed belong to Monte Carlo tree search"),
        ({"method": "mcts", "nodes": 9, "only": ("table",)}, OptionError, "only and without name techniques of alpha-beta"),
        (
            {"method": "mcts", "nodes": 9, "leaves": "guess"},
            OptionError,
            "leaves='guess' is unknown; a leaf is valued by playout",
        ),
        ({"method": "mcts", "nodes": 9, "leaves": "mix"}, OptionError, "leaves='mix' needs an estimate, and 'pile' has none"),
        ({"method": "mcts", "nodes": 9, "exploration": -1}, OptionError, "exploration=-1 must be a number from 0 up"),
        ({"method": "mcts", "nodes": 9, "seed": 1.5}, OptionError, "seed=1.5 must be a whole number"),
        ({"method": "mcts", "nodes": 9, "table_mb": 0}, OptionError, "table_mb=0 must lie above 0"),
    ],
)
def test_bad_input_is_refused_in_words(options, error, words):
    with pytest.raises(error) as raised:
        search(pile(), compiled=False, check=False, **options)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (coin().replace(chances=lambda state: iter(())), "chances of 'coin' yields nothing in"),
        (coin().replace(chances=lambda state: iter(((1, 1.5), (0, -0.5)))), "probabilities must be above 0 and sum to 1"),
        (coin().replace(chances=None), "returns CHANCE in Fortune(wealth=0.0, bet="),
        (pile(turn=lambda state: 7 if state.stones == 2 else pile().turn(state)), "turn of 'pile' is 7 in"),
        (pile(score=lambda state: 3), "score of 'pile' is 3 in"),
        (pile(moves=lambda state: iter(() if state.stones == 3 else (1,))), "yields nothing in"),
        (pile(estimate=lambda state: 7), "estimate of 'pile' is 7 in"),
        (pile(reward=lambda state, move: 5), "reward of 'pile' is 5 for"),
        (pile(reward=lambda state, move: math.inf), "reward of 'pile' is inf for"),
        (
            pile(start=Pile(90, 0), moves=lambda state: iter((1,)), reward=lambda state, move: 3 * (state.stones == 9)),
            "reward of 'pile' is 3 for 1 in Pile(stones=9, player=1)",
        ),
    ],
)
def test_a_wrong_rule_is_named_with_its_state(game, words):
    with pytest.raises(RuleError) as raised:
        search(game, method="mcts", simulations=50, leaves="mix" if game.estimate else None, compiled=False, check=False)
    assert words in str(raised.value)


def test_a_rule_that_raises_in_compiled_code_is_named_with_its_line():
    def turn(state):
        return OVER if state.stones <= 0 else state.player // (0 if state.stones == 1 else 1)

    with pytest.raises(RuleRaised, match=r"turn, line \d+: divides by zero"):
        search(pile(turn=turn), method="mcts", simulations=500, check=False)


def test_a_playout_s_total_beyond_the_scale_is_an_error():
    with pytest.raises(RuleError, match="reward of 'pile' is 1 for .* takes the total beyond low=-1 and high=1"):
        playouts(pile(reward=lambda state, move: 1), number=20, compiled=False, check=False)


# The tree is kept from move to move.


def test_a_searcher_keeps_its_tree_from_move_to_move():
    game = load("tic-tac-toe")
    searcher = Searcher(game, method="mcts", compiled=False, check=False)
    first = searcher.search(simulations=800)
    state = game.after(game.start, first.line[:2])
    known = searcher.search(state, nodes=1)
    assert sum(one.visits for one in known.candidates) > 30  # though nothing new was simulated
    assert known.simulations == 0
    searcher.clear()
    assert sum(one.visits for one in searcher.search(state, nodes=1).candidates) == 0


@pytest.mark.parametrize("compiled", [False, True])
def test_threads_that_share_a_tree_lose_no_visit(compiled):
    """Threads add their results to busy nodes in batches, and each takes records for itself: at the end all is counted."""
    simulations = 20_000 if compiled else 1_000
    searcher = Searcher(random_game, method="mcts", compiled=compiled, check=False, threads=3, seed=2)
    found = searcher.search(start(3, lucky=False, length=60), simulations=simulations)
    assert found.simulations == simulations
    ((_, _, tree),) = searcher._trees.values()
    todo, nodes = [tree.branch(tree.root)], 0
    assert todo[0].visits == simulations > tree_kernel.BUSY_VISITS
    while todo:
        node = todo.pop()
        nodes += 1
        assert tree.memory[node.record * tree_layout.RECORD + tree_layout.VISITS] == node.visits  # none is on its way
        children = tree.children(node)
        if not any(child.settled for child in children):  # one that is and is the best is counted once more
            assert sum(child.visits for child in children) <= node.visits
        todo += [child for child in children if child.visits]
    assert nodes > 100


@pytest.mark.parametrize("threads", [1, 2])
def test_while_a_search_reports_no_rule_seems_to_run(threads, monkeypatch):
    """Else the watch for rules that never return would blame one for a slow report."""
    busy, report = [], TreeDriver._report

    def watched(driver, *arguments):
        busy.append(int(driver.crew.memories[0][meter.BUSY]))
        report(driver, *arguments)

    monkeypatch.setattr(TreeDriver, "_report", watched)
    seen = []
    state = start(3, lucky=False, length=60)
    search(
        random_game,
        state,
        method="mcts",
        simulations=600,
        seed=2,
        compiled=False,
        check=False,
        threads=threads,
        progress=seen.append,
    )
    assert busy == [0] * len(seen)
    assert [one.simulations for one in seen] == sorted(one.simulations for one in seen)
    assert seen[-1].simulations == 600
    if threads == 1:
        assert [one.simulations for one in seen] == [128, 256, 512, 600]


@pytest.mark.parametrize("compiled", [False, True])
def test_a_new_root_in_a_tree_that_is_moved_together_is_the_same_tree(compiled, monkeypatch):
    state = start(21, lucky=True, length=12)
    searcher = Searcher(random_game, method="mcts", compiled=compiled, check=False)
    searcher.search(state, simulations=400)
    ((_, _, tree),) = searcher._trees.values()

    def unfolded(record):
        one = tree.branch(record)
        return (
            one.choice,
            one.visits,
            one.mean,
            one.lower,
            one.upper,
            one.prior,
            [unfolded(child.record) for child in tree.children(one)],
        )

    child = max(tree.children(tree.branch(tree.root)), key=lambda one: one.visits)
    before = unfolded(child.record)
    tree.root = child.record
    tree._compact()
    assert tree.root == tree_layout.FIRST
    assert unfolded(tree.root) == before
    assert int(tree.memory[tree_layout.NEXT]) == tree_layout.FIRST + counted(before)


def counted(unfolded):
    return 1 + sum(counted(child) for child in unfolded[-1])


def test_a_kept_tree_proves_the_oracle_s_values_along_a_game():
    proven = 0
    for seed in range(10):
        state = start(seed, lucky=True, length=7)
        searcher = Searcher(random_game, method="mcts", compiled=False, check=False, table_mb=0.02, seed=seed)
        while random_game.turn(state) != OVER:
            found = searcher.search(state, simulations=1000)
            told = minimax(random_game, state, depth=7).value
            if found.proven:
                proven += 1
                assert found.value == pytest.approx(told, abs=1e-9)
            choices = [choice for choice, _ in random_game.choices(state)]
            state = random_game.play(state, choices[seed % len(choices)] if found.move is None else found.move)
    assert proven > 10


def test_rewards_paid_before_do_not_count_after_a_move():
    for seed in range(15):
        state = start(seed, lucky=False, length=6)
        searcher = Searcher(fractional_rewards, method="mcts", compiled=False, check=False)
        while fractional_rewards.turn(state) != OVER:
            found = searcher.search(state, simulations=5000)
            assert found.proven
            assert found.value == pytest.approx(minimax(fractional_rewards, state, depth=6).value, abs=1e-9)
            state = fractional_rewards.play(state, found.move)


def test_an_analysis_is_by_alpha_beta():
    with pytest.raises(OptionError, match="an analysis is by alpha-beta; use a Searcher without method"):
        Searcher(pile(), method="mcts", compiled=False, check=False).analyse(depth=2)


def test_the_memory_of_a_tree_is_bounded():
    from outplay.compile.engine import Engine
    from outplay.search.montecarlo.tree_kernel import grow

    tree = Tree(Engine(load("tic-tac-toe"), grow, compiled=False), 1.0)
    assert tree.capacity == (1 << 20) // 64


# A trace: selection, expansion, playout and back-up, step by step.


def test_a_trace_records_the_same_search():
    game = load("coin-tic-tac-toe")
    recorded = trace(game, method="mcts", simulations=40, seed=2)
    found = search(game, method="mcts", simulations=40, seed=2, compiled=False, check=False)
    assert recorded.result.candidates == found.candidates
    assert len(recorded.simulations) == 40
    assert recorded.result.nodes == found.nodes


def test_every_simulation_of_a_trace_follows_from_the_one_before():
    game = load("coin-tic-tac-toe")
    recorded = trace(game, method="mcts", simulations=60, seed=5)
    known, born = {}, 1
    for simulation in recorded.simulations:
        assert simulation.path[0] == 0
        for above, below in itertools.pairwise(simulation.path):
            assert recorded.nodes[below].parent == above
        for index in simulation.expanded:
            assert recorded.nodes[index].born == simulation.number
            assert recorded.nodes[index].parent in simulation.path
        born += len(simulation.expanded)
        for index in simulation.path:
            before = known[index].visits if index in known else 0
            assert simulation.changes[index].visits == before + 1
        state = recorded.nodes[simulation.leaf].state
        if simulation.playout:
            end = game.after(state, simulation.playout)
            assert (game.turn(end), float(game.score(end))) == (OVER, simulation.result)
        known |= simulation.changes
        assert recorded.figures(simulation.number) == known
    assert born == len(recorded.nodes)


@pytest.mark.parametrize(
    ("name", "choices", "leaves"),
    [
        ("coin-tic-tac-toe", (), None),  # UCB1 and chance
        ("tic-tac-toe", (5, 1, 6, 4, 7), "playout"),  # UCB1, and soon proven
        ("connect-four:columns=4,rows=4", (2, 2), "playout"),  # PUCT
        ("pig:goal=12", (), "mix"),
        (SURE, (), "playout"),
    ],
)
def test_every_step_of_a_recorded_path_follows_from_its_numbers(name, choices, leaves):
    game = tree(name).game if name == SURE else load(name)
    recorded = trace(game, game.after(game.start, choices), method="mcts", simulations=120, seed=3, leaves=leaves)
    known, settled = {}, 0
    for simulation in recorded.simulations:
        assert [selection.node for selection in simulation.selections] == list(simulation.path[:-1])
        assert [selection.chosen for selection in simulation.selections] == list(simulation.path[1:])
        for selection in simulation.selections:
            kind = recorded.nodes[selection.node].kind
            options = {option.index: option for option in selection.options}
            chosen = options[selection.chosen]
            for option in selection.options:
                assert option.visits == (known[option.index].visits if option.index in known else 0)
            assert chosen.standing in ("open", "untried")
            if kind == "chance":
                continue
            best = max if kind == "max" else min
            if chosen.standing == "open":
                assert not any(option.standing == "untried" for option in selection.options)
                assert chosen.score == best(option.score for option in selection.options if option.standing == "open")
            proven = [option.score for option in selection.options if option.standing == "proven"]
            better = bool(proven) and chosen.score is not None and best(best(proven), chosen.score) == best(proven)
            assert (selection.settled is not None) == better
            settled += better
        known |= simulation.changes
    assert recorded.line[0] == 0
    assert [recorded.nodes[index].choice for index in recorded.line[1:]] == list(recorded.result.line)
    assert settled or name != SURE


def test_what_is_backed_up_makes_the_means():
    game = load("coin-tic-tac-toe")
    recorded = trace(game, method="mcts", simulations=80, seed=1)
    told = {}
    for simulation in recorded.simulations:
        for index, value in zip(simulation.path, simulation.backed_up, strict=True):
            told.setdefault(index, []).append(value)
    assert len(told[0]) == len(recorded.simulations)
    for index, values in told.items():
        known = recorded.figures()[index]
        if len(values) == known.visits:  # a proven move is told its own value where another one is looked at instead
            assert known.mean == pytest.approx(min(max(sum(values) / len(values), known.lower), known.upper))


def test_a_trace_is_drawn_and_told_at_every_step():
    game = load("tic-tac-toe")
    recorded = trace(game, game.read_state("XOXOXO.X."), method="mcts", simulations=10, leaves="playout")
    assert recorded.result.proven
    assert "Expansion: the root gets 2 children." in recorded.explain(0)
    assert recorded.text(0).startswith("\N{BLACK DOWN-POINTING TRIANGLE}")
    assert "new" in recorded.text(0)
    assert recorded.svg().startswith("<svg")
    assert recorded._repr_svg_().startswith("<svg")
    assert repr(recorded) == f"<TreeTrace of tic-tac-toe, {len(recorded.simulations)} simulations>"
    with pytest.raises(OptionError, match="there is no simulation 99; there are"):
        recorded.text(99)
    with pytest.raises(LimitError, match="simulations limit a Monte Carlo tree search"):
        trace(game, depth=2, simulations=5)
    with pytest.raises(OptionError, match="method='magic' is unknown"):
        trace(game, depth=2, method="magic")


def test_a_trace_tells_nodes_of_one_name_apart():
    recorded = trace(load("coin-tic-tac-toe"), method="mcts", simulations=60, leaves="playout")
    told = {}
    for simulation in recorded.simulations:
        if simulation.expanded:
            where = recorded.explain(simulation.number).partition("Expansion: ")[2].partition(" gets ")[0]
            told.setdefault(where, set()).add(recorded.nodes[simulation.expanded[0]].parent)
    assert all(len(nodes) == 1 for nodes in told.values())
    names = [recorded.nodes[node].name for nodes in told.values() for node in nodes]
    assert len(set(names)) < len(names)


# Agents and the command line.


def test_agents_are_named():
    game = load("tic-tac-toe")
    named = agent("mcts:simulations=200,leaves=playout,seed=4", game)
    assert isinstance(named, SearchAgent)
    assert (named.method, named.simulations, named.leaves, named.seed, named.deterministic) == ("mcts", 200, "playout", 4, True)
    assert agent("mcts", game, seconds=0.5).seconds == 0.5
    for text, words in [
        ("mcts:magic=3", "'magic=3' is not an option of a Monte Carlo search; the options are seconds, depth, nodes"),
        ("search:simulations=3", "'simulations=3' is not an option of a search"),
        ("mcts:simulations=x", "'simulations=x': 'x' is not a whole number"),
        ("mcts:leaves=x,nodes=3", "leaves='x' is unknown"),
    ]:
        with pytest.raises(OptionError) as raised:
            agent(text, game)
        assert words in str(raised.value)


def test_an_agent_draws_its_luck_from_the_dice_and_says_why():
    from random import Random

    game = load("tic-tac-toe")
    player = SearchAgent(method="mcts", simulations=150, compiled=False)
    one, same, other = ((player.prepare(game), player.choose(game, game.start, Clock(), Random(seed)))[1] for seed in (1, 1, 2))
    assert (one.value, one.line) == (same.value, same.line)
    assert one.value != other.value
    assert one.why == "150 simulations"


def test_it_plays_tic_tac_toe_without_losing():
    player = SearchAgent(method="mcts", simulations=400, compiled=False)
    found = match(load("tic-tac-toe"), player, "random", games=6, seed=1, opening=0)
    assert (found.losses, found.wins >= 4) == (0, True)


def test_the_command_line_searches_by_simulations():
    shown = CliRunner().invoke(app, ["best", "tic-tac-toe", "--method", "mcts", "--simulations", "300", "--verbose"])
    assert shown.exit_code == 0
    assert "128 simulations, value " in shown.output
    assert "300 simulations, " in shown.output
    printed = CliRunner().invoke(app, ["best", "tic-tac-toe", "--method", "mcts", "--nodes", "3000", "--leaves", "mix", "--json"])
    data = json.loads(printed.output)
    assert (data["method"], data["stopped_by"]) == ("mcts", "nodes")
    assert all("visits" in one for one in data["candidates"])
