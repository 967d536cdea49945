"""A recorded search: the same search, and everything that it did."""

import math

import pytest
from random_game import State as RandomState
from random_game import random_game

from outplay import CHANCE, OVER, load, minimax, search, trace, tree
from outplay.errors import LimitError, OptionError, RuleRaised
from outplay.rules.text import read_state
from outplay.search.record import recorded

LATE = "XO..X.O.."  # X to move, five squares open


def late():
    game = load("tic-tac-toe")
    return game, read_state(game, LATE)


def paths(found, pass_number=-1):
    """Every node of a pass by the choices that lead to it."""
    root = found.passes[pass_number].root
    named = {root: ()}
    for node in found.nodes[root + 1 :]:
        if node.parent in named:
            named[node.index] = (*named[node.parent], node.choice)
    return {named[index]: found.nodes[index] for index in named}


def brute_force(game, state):
    """Minimax values of the whole tree, and from them by definition: each node's window, and the list of pruned nodes.

    A max node's window below is what its ancestors have for sure: alpha, the best value of a max ancestor's earlier
    children; beta, the least value of a min ancestor's. A child is pruned once alpha has reached beta.
    """
    values, windows, pruned = {}, {}, []

    def value_of(state, path):
        who = game.turn(state)
        below = [value_of(game.play(state, move), (*path, move)) for move in game.moves(state)] if who != OVER else []
        values[path] = game.score(state) if who == OVER else max(below) if who == 0 else min(below)
        return values[path]

    def follow(state, path, alpha, beta):
        windows[path] = (alpha, beta)
        who = game.turn(state)
        if who == OVER:
            return
        for move in game.moves(state):
            if alpha >= beta:
                pruned.append((*path, move))
                continue
            follow(game.play(state, move), (*path, move), alpha, beta)
            if who == 0:
                alpha = max(alpha, values[(*path, move)])
            else:
                beta = min(beta, values[(*path, move)])

    value_of(state, ())
    follow(state, (), -math.inf, math.inf)
    return values, windows, pruned


def test_alpha_beta_of_tic_tac_toe_cuts_exactly_where_brute_force_says():
    game, state = late()
    values, windows, pruned = brute_force(game, state)
    nodes = paths(trace(game, state, depth=9, only=("pruning",)))
    assert len(pruned) > 10
    assert sorted(path for path, node in nodes.items() if node.why == "never") == sorted(pruned)
    visited = {path: node for path, node in nodes.items() if node.visited}
    assert set(visited) == set(windows)
    for path, node in visited.items():
        assert node.window == windows[path]
        cut = any(pruned_path[:-1] == path for pruned_path in pruned)
        assert (node.why in ("alpha cut", "beta cut")) == cut
        if cut:
            assert node.why == ("beta cut" if node.kind == "max" else "alpha cut")
        truth = values[path]
        assert {"exact": node.value == truth, "at least": node.value <= truth, "at most": node.value >= truth}[node.bound]


def test_the_plain_search_visits_the_whole_tree_and_cuts_nothing():
    game, state = late()
    values, _, _ = brute_force(game, state)
    nodes = paths(trace(game, state, depth=9, only=()))
    assert {path: node.value for path, node in nodes.items()} == values
    assert {node.why for node in nodes.values()} == {"searched", "over"}


@pytest.mark.parametrize("only", [(), ("pruning",), ("pruning", "ordering"), ("pruning", "star1", "star2"), ("table",), None])
@pytest.mark.parametrize("seed", range(6))
def test_a_trace_is_the_same_search(seed, only):
    state = RandomState(seed, bool(seed % 2), 8, 0, 0, 0)
    found = trace(random_game, state, depth=4, only=only)
    plain = search(random_game, state, depth=4, only=only, nodes=10_000, compiled=False)
    same = ("move", "value", "line", "depth", "nodes", "proven", "stopped_by", "candidates", "probes", "hits")
    assert all(getattr(found.result, part) == getattr(plain, part) for part in same)
    assert sum(node.visited and node.note != "again" for node in found.nodes) == plain.nodes
    assert sum(found.counts.values()) == len(found.nodes)


@pytest.mark.parametrize(
    "only", [("pruning",), ("pruning", "ordering"), ("pruning", "star1"), ("pruning", "star1", "star2", "scout")]
)
@pytest.mark.parametrize("seed", range(6))
def test_every_node_s_claim_is_true_and_exact_where_its_children_make_it_so(seed, only):
    found = trace(random_game, RandomState(seed, bool(seed % 2), 8, 0, 0, 0), depth=3, only=only)
    for node in found.nodes:
        if not node.visited or node.note == "probe":
            continue
        truth = minimax(random_game, node.state, depth=node.depth, compiled=False).value if node.kind != "leaf" else node.value
        near = math.isclose(node.value, truth, abs_tol=1e-9)
        assert near or {"exact": False, "at least": node.value <= truth, "at most": node.value >= truth}[node.bound]
        last = {found.nodes[child].choice: found.nodes[child] for child in node.children}
        if node.children and all(child.visited and child.bound == "exact" and child.note != "probe" for child in last.values()):
            assert node.bound == "exact"


@pytest.mark.parametrize("only", [(), ("pruning",), ("pruning", "ordering", "table", "star1", "star2", "scout"), None])
@pytest.mark.parametrize("seed", range(4))
def test_each_visit_says_what_it_leaves_of_its_parents_window(seed, only):
    found = trace(random_game, RandomState(seed, bool(seed % 2), 8, 0, 0, 0), depth=4, only=only)
    for parent in found.nodes:
        if parent.kind not in ("max", "min") or not parent.visited:
            continue
        left = parent.inner
        for child in (found.nodes[index] for index in parent.children if found.nodes[index].visited):
            alpha, beta = child.window
            near, best = (0, max) if parent.kind == "max" else (1, min)
            assert (alpha, beta)[near] == pytest.approx(left[near])  # a child is searched within what is left
            if child.note != "scout":
                assert (alpha, beta) == left
            if child.after is None:  # a scout that found more is followed by a second visit
                assert child.note == "scout"
                continue
            expected = (best(left[0], child.value), left[1]) if near == 0 else (left[0], best(left[1], child.value))
            assert child.after == (expected if only is None or "pruning" in only else left)
            left = child.after


def test_the_textbook_s_last_node_is_worth_exactly_two():
    root, first, *_ = trace(tree("max(min(3, 12, 8), min(2, 4, 6), min(14, 5, 2))").game, depth=2, only=("pruning",)).nodes
    assert (root.window, root.inner, root.after) == ((-math.inf, math.inf), (-math.inf, math.inf), None)
    assert first.after == (3, math.inf)
    nodes = paths(trace(tree("max(min(3, 12, 8), min(2, 4, 6), min(14, 5, 2))").game, only=("pruning",), depth=2))
    assert [(nodes[(move,)].value, nodes[(move,)].bound) for move in range(3)] == [(3, "exact"), (2, "at most"), (2, "exact")]


def test_best_play_takes_one_choice_of_a_player_and_every_outcome_of_chance():
    found = trace(load("coin-tic-tac-toe"), depth=6, only=("pruning",))
    root = found.passes[-1].root
    for node in found.nodes[root:]:
        children = [found.nodes[child] for child in node.children]
        if node.best and children:
            on = [child for child in children if child.best]
            assert len(on) == (len({child.choice for child in children}) if node.kind == "chance" else 1)
            assert node.kind == "chance" or on[0].value == node.value
        elif not node.best:
            assert not any(child.best for child in children)


def test_the_nodes_hang_together():
    found = trace(load("coin-tic-tac-toe"), depth=6)
    for node in found.nodes:
        assert found.nodes[node.index] is node
        assert node.parent < node.index
        assert all(found.nodes[child].parent == node.index for child in node.children)
        if node.visited:
            assert node.left is not None
            assert node.entered <= node.left
            assert all(node.entered < found.nodes[child].entered <= found.nodes[child].left < node.left
                       for child in node.children if found.nodes[child].visited)  # fmt: skip
    steps = sorted(step for node in found.nodes if node.visited for step in {node.entered, node.left})
    assert steps == list(range(len(steps)))


@pytest.mark.parametrize(
    ("text", "path", "why"),
    [
        ("max(3, 12, 8)", (), "best cut"),  # 12 is the highest score that there is
        ("min(3, 1, 8)", (), "best cut"),
        ("max(4, min(5, 0, 12))", (1,), "alpha cut"),  # the lowest, but max has 4: so low it need not be
        ("max(min(3, 12), min(14, max(14, 2)), min(1, 2))", (1, 1), "best cut"),  # no less than min has
        ("min(5, max(12, 3), max(1, 0))", (1,), "beta cut"),  # the highest, but min has 5
        ("max(3, 12, 8, 13)", (), "searched"),
    ],
)
def test_a_cut_where_nothing_can_be_better_is_no_alternative_of_the_other_players(text, path, why):
    found = trace(tree(text).game, depth=3, only=("pruning", "bounds"))
    node = paths(found)[path]
    assert (node.why, node.bound) == (why, "exact")
    assert "best cut" not in trace(tree(text).game, depth=3, only=("pruning",)).counts


def test_a_root_that_wins_is_a_best_cut_in_every_pass_and_drawing():
    game, state = late()
    found = trace(game, state, depth=9, only=("pruning", "bounds"))
    assert (found.nodes[0].why, found.nodes[0].value) == ("best cut", 1)
    for drawing in (found.text(), found.dot(), found.mermaid(), found.svg()):
        assert drawing.count("best cut") >= found.counts["best cut"] == 4


def test_the_best_line_is_marked_from_the_root_down():
    game, state = late()
    found = trace(game, state, depth=9, only=("pruning",))
    marked = [node for node in found.nodes if node.best]
    assert [node.choice for node in marked[1:]] == list(found.result.line)
    assert [node.parent for node in marked[1:]] == [node.index for node in marked[:-1]]


def test_star1_cuts_an_outcome_that_cannot_matter():
    # After the first move is worth 2, the mean of -10 and at most 10 is at most 0: the second outcome is never looked at.
    typed = tree("max(chance(1/2: 2, 1/2: 2), chance(1/2: -10, 1/2: 10))")
    nodes = paths(trace(typed.game, depth=3, only=("pruning", "star1")))
    assert (nodes[1,].why, nodes[1,].bound) == ("star1 cut", "at most")
    assert nodes[1, 1].why == "never"
    assert nodes[1, 0].window == (-6.0, math.inf)  # 2 = -6/2 + 10/2: below -6 the mean cannot reach 2
    assert nodes[1, 1].probability == 0.5
    without = paths(trace(typed.game, depth=3, only=("pruning",)))
    assert without[1,].why == "searched"
    assert without[1, 1].value == 10


def test_star2_asks_for_first_moves_alone():
    game = load("coin-tic-tac-toe")
    found = trace(game, depth=6)
    probes = [node for node in found.nodes if node.note == "probe"]
    assert probes
    assert found.counts["star2 cut"] > 0
    assert all(found.nodes[node.parent].kind == "chance" for node in probes)


def test_scouts_that_find_more_search_again():
    found = trace(load("kalah"), depth=4)
    again = [node for node in found.nodes if node.note == "again"]
    for node in again:
        before = [found.nodes[child] for child in found.nodes[node.parent].children if child < node.index]
        assert before[-1].choice == node.choice
        assert before[-1].note == "scout"


def test_table_hits_and_what_the_rules_prove_end_a_node():
    found = trace(load("connect-four:columns=4,rows=4"), depth=8)
    assert found.counts["table"] > 0
    assert found.counts["bounds"] > 0
    assert all(not node.children for node in found.nodes if node.why in ("table", "bounds"))


def test_moves_that_are_not_useful_are_left_out():
    found = trace(load("connect-four"), read_state(load("connect-four"), "121"), depth=4, only=("useful",))
    left_out = [node for node in found.nodes if node.why == "left out"]
    assert left_out
    game = load("connect-four")
    for node in left_out:
        assert node.choice not in list(game.useful(found.nodes[node.parent].state))


def outcomes_of(found, node):
    return {choice for choice, _ in found.result.game.chances(node.state)}


@pytest.mark.parametrize("seed", range(40))
def test_a_cut_leaves_something_out_that_would_have_been_searched(seed):
    found = trace(random_game, RandomState(seed, True, 8, 0, 0, 0), depth=5)
    for node in found.nodes:
        children = [found.nodes[child] for child in node.children]
        if node.why in ("alpha cut", "beta cut", "best cut"):
            assert any(child.why == "never" for child in children)
        if node.why == "searched":
            assert not any(child.why == "never" for child in children)
        if node.kind == "chance" and node.why in ("searched", "star1 cut"):
            settled = {child.choice for child in children if child.visited and (child.note != "probe" or child.bound == "exact")}
            assert (node.why == "searched") == (settled == outcomes_of(found, node))


@pytest.mark.parametrize("rule", ["name_move", "play"])
def test_a_rule_that_raises_after_the_search_is_named_all_the_same(rule):
    # The cut leaves out the last move, which is played only to be drawn.
    typed = tree("max(min(3, 12), min(2, 4))").game

    def raising(state, choice):
        if rule == "name_move" or (state.node, choice) == (2, 1):
            raise ZeroDivisionError("by zero")
        return typed.play(state, choice)

    words = r"ZeroDivisionError: by zero \(in raising, line \d+ of test_trace.py\)" if rule == "name_move" else "divides by zero"
    with pytest.raises(RuleRaised, match=words):
        trace(typed.replace(**{rule: raising}), depth=2, only=("pruning",))


def test_a_bound_on_nodes_is_kept_and_said():
    found = trace(load("tic-tac-toe"), depth=9, nodes=500, only=("pruning",))
    assert found.unfinished
    assert sum(node.visited for node in found.nodes) == found.result.nodes == 500
    assert found.counts["stopped"] == sum(node.left is None for node in found.nodes if node.visited) > 0
    assert "bound on nodes" in found.title
    assert not trace(load("coin-tic-tac-toe"), depth=9).unfinished


def test_deepening_has_a_pass_for_each_depth():
    found = trace(load("kalah"), depth=3, only=("pruning", "deepening"))
    assert [each.depth for each in found.passes][-1] == 3
    assert {each.depth for each in found.passes} == {1, 2, 3}
    assert all(found.nodes[each.root].window == (each.alpha, each.beta) for each in found.passes)


def test_a_modelled_opponent_makes_chance_nodes():
    game, state = late()
    found = trace(game, state, depth=9, opponent="random", only=())
    assert {node.kind for node in found.nodes} == {"max", "chance", "leaf"}
    reply = next(node for node in found.nodes if node.probability is not None)
    assert reply.probability == pytest.approx(1 / 4)
    assert reply.name == game.name_move(found.nodes[reply.parent].state, reply.choice)


def test_a_trace_from_a_chance_state_names_outcomes():
    found = trace(load("coin-tic-tac-toe"), depth=9, only=())
    assert found.nodes[0].kind == "chance"
    assert [found.nodes[child].name for child in found.nodes[0].children] == ["tails", "heads"]
    assert load("coin-tic-tac-toe").turn(found.nodes[0].state) == CHANCE


def test_a_trace_is_drawn():
    game, state = late()
    found = trace(game, state, depth=9, only=("pruning",))
    assert found._repr_svg_().startswith("<svg")
    drawn = found.tree(pictures=True)
    assert drawn.picture.startswith("<svg")
    assert sum(1 for _ in walked(drawn)) == len(found.nodes)
    with pytest.raises(OptionError, match="there is no pass 7; there are 1"):
        found.tree(7)


def walked(node):
    yield node
    for child in node.children:
        yield from walked(child)


def test_recording_leaves_the_kernel_as_it_is():
    from outplay.search import kernel

    copy = recorded()
    assert copy.__code__ is kernel.explore.__code__
    assert copy.__globals__["RECORDING"]
    assert not kernel.RECORDING
    assert copy.__globals__["explore"] is copy


def test_a_trace_needs_sensible_bounds():
    with pytest.raises(LimitError, match="nodes=0 is not a valid limit"):
        trace(load("nim"), nodes=0)
    with pytest.raises(OptionError, match="there is no technique 'magic'"):
        trace(load("nim"), only=("magic",))
