"""Values of graphs: by hand, and against plain definitions on random graphs, with and without cycles and chance."""

import itertools
import random

import numpy as np
import pytest

from outplay.rules.game import CHANCE, OVER
from outplay.solve.values import iteration
from outplay.solve.values.components import strong_components
from outplay.solve.values.graph import Graph, solve_graph


def graph_of(nodes):
    """Return the graph of *nodes*: each a score, or (who, children), a child of chance being (child, probability)."""
    first, successors, probabilities, who, scores = [0], [], [], [], []
    for node in nodes:
        over = not isinstance(node, tuple)
        acting, children = (OVER, []) if over else node
        pairs = [child if acting == CHANCE else (child, 0.0) for child in children]
        successors += [child for child, _ in pairs]
        probabilities += [probability for _, probability in pairs]
        first.append(len(successors))
        who.append(acting)
        scores.append(float(node) if over else 0.0)
    return Graph(
        np.array(first, np.int64),
        np.array(successors, np.int32),
        np.array(probabilities, np.float64) if CHANCE in who else None,
        np.array(who, np.int8),
        np.array(scores, np.float64),
    )


def solved(nodes, *, endless=0.0, compiled=True, accuracy=1e-12):
    """Solve *nodes*, whose scores lie within -10 and 10."""
    return solve_graph(graph_of(nodes), low=-10, high=10, endless=endless, compiled=compiled, accuracy=accuracy)


# By hand.


def test_who_can_leave_a_loop_leaves_it_for_a_win():
    found = solved([(0, [1, 2]), (1, [0]), 1])
    assert found.values.tolist() == [1, 1, 1]
    assert found.distances.tolist() == [1, 2, 0]
    assert found.cyclic


def test_nobody_leaves_a_loop_to_lose():
    found = solved([(0, [1, 2]), (1, [0, 3]), -1, 1])
    assert found.values.tolist() == [0, 0, -1, 1]
    assert found.distances.tolist() == [-1, -1, 0, 0]
    assert not found.proper


def test_repetition_may_be_worth_more_than_the_best_end():
    found = solved([(0, [0, 1]), 1], endless=2)
    assert found.values.tolist() == [2, 1]
    assert found.distances.tolist() == [-1, 0]


def test_the_loser_delays_and_the_winner_hastens():
    #  0: player 0 wins by 1 in three moves (1 delays by 3), or by 2 in five (2 delays by 4, which may go round)
    nodes = [(0, [2, 1]), (1, [3, 5]), (1, [4]), (0, [5, 0]), (0, [6]), 1, (1, [7]), (0, [5])]
    found = solved(nodes)
    assert set(found.values) == {1}
    assert found.distances.tolist() == [3, 2, 4, 1, 3, 0, 2, 1]


def test_the_player_ahead_prefers_the_higher_score_to_the_shorter_way():
    found = solved([(0, [3, 1]), (1, [2]), (0, [4, 0]), 1, 2])
    assert found.values.tolist() == [2, 2, 2, 1, 2]
    assert found.distances.tolist() == [3, 2, 1, 0, 0]


def test_a_move_that_gives_up_value_does_not_count_as_a_delay():
    #  player 1 at 0 loses by 1 at once, or by 2 after a long time
    found = solved([(1, [1, 2]), 1, (0, [3]), (1, [4]), 2])
    assert (found.values[0], found.distances[0]) == (1, 1)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_coin_tossed_until_heads_is_a_geometric_series(compiled):
    #  The players toss in turn; who has heads first wins: 2/3 - 1/3.
    nodes = [(0, [1]), (CHANCE, [(4, 0.5), (2, 0.5)]), (1, [3]), (CHANCE, [(5, 0.5), (0, 0.5)]), 1, -1]
    found = solved(nodes, compiled=compiled)
    assert found.values == pytest.approx([1 / 3, 1 / 3, -1 / 3, -1 / 3, 1, -1], abs=1e-12)
    assert found.proper
    assert found.cyclic
    assert found.error <= 1e-12
    assert found.distances.tolist() == [-1, -1, -1, -1, 0, 0]


def test_a_die_that_only_repeats_itself_is_endless_with_nobody_to_choose():
    found = solved([(CHANCE, [(0, 0.5), (1, 0.5)]), (CHANCE, [(1, 1.0)]), 1], endless=-3)
    assert found.values == pytest.approx([-3, -3, 1], abs=1e-11)
    assert not found.proper


def test_a_chain_of_dice_that_repeat_themselves_is_within_the_accuracy():
    nodes = [(CHANCE, [(place, 0.9), (place + 1, 0.1)]) for place in range(200)] + [(CHANCE, [(200, 0.5), (201, 0.5)]), 1]
    found = solved([*nodes[:100], (CHANCE, [(100, 0.9), (101, 0.05), (202, 0.05)]), *nodes[101:], -1], accuracy=1e-6)
    assert found.error <= 1e-6
    assert found.values[0] == pytest.approx(0, abs=1e-6)


def test_chance_without_a_cycle_is_a_mean():
    found = solved([(CHANCE, [(1, 0.25), (2, 0.75)]), (0, [2, 3]), 1, 5])
    assert found.values.tolist() == [2, 5, 1, 5]
    assert (found.cyclic, found.proper, found.error, found.lower) == (False, True, 0.0, None)
    assert found.distances.tolist() == [-1, -1, 0, 0]


def test_a_gamble_whose_gain_comes_late_is_not_taken():
    #  At 0 player 1 waits or gambles; the gamble costs 1/3 in the end, though it gains 1/3 at first.
    nodes = [(1, [0, 1]), (CHANCE, [(3, 1 / 3), (2, 2 / 3)]), (CHANCE, [(2, 0.9), (4, 0.1)]), -1, 1]
    found = solved(nodes)
    assert found.values == pytest.approx([0, 1 / 3, 1, -1, 1], abs=1e-9)
    assert found.error <= 1e-9
    assert not found.proper


def test_components_come_children_first():
    nodes = [(0, [1]), (0, [2]), (0, [1, 3]), (0, [4, 5]), (0, [3]), 0]
    graph = graph_of(nodes)
    members, bounds, component = strong_components(graph.first, graph.successors)
    parts = [set(members[begin:end].tolist()) for begin, end in itertools.pairwise(bounds)]
    assert parts == [{5}, {3, 4}, {1, 2}, {0}]
    assert component.tolist() == [3, 2, 2, 1, 1, 0]


# Against plain definitions, on random graphs.


def random_nodes(dice, *, cycles, chance, size=9, scores=(-2, -1, 0, 1, 2)):
    """Return random nodes for `graph_of`; without *cycles* every edge leads to a higher number."""
    number = dice.randint(2, size)
    nodes = []
    for place in range(number):
        onward = range(number) if cycles else range(place + 1, number)
        if not onward or dice.random() < 0.25:
            nodes.append(dice.choice(scores))
            continue
        children = [dice.choice(onward) for _ in range(dice.choice((1, 2, 2, 3)))]
        if chance and dice.random() < 0.4:
            weights = [dice.randint(1, 3) for _ in children]
            nodes.append((CHANCE, [(child, weight / sum(weights)) for child, weight in zip(children, weights, strict=True)]))
        else:
            nodes.append((dice.randint(0, 1), children))
    return nodes


def values_after(nodes, endless, moves):
    """Return the values if play is broken off after so many *moves*, and then worth *endless*."""
    values = [endless if isinstance(node, tuple) else node for node in nodes]
    for _ in range(moves):
        values = [
            node
            if not isinstance(node, tuple)
            else sum(probability * values[child] for child, probability in node[1])
            if node[0] == CHANCE
            else (max, min)[node[0]](values[child] for child in node[1])
            for node in nodes
        ]
    return values


def plain_distance(nodes, values, endless, state):
    """Return within how many moves the end is forced when value is never given up; -1 if it is not."""
    if not isinstance(nodes[state], tuple):
        return 0

    def ends(state, moves):
        if not isinstance(nodes[state], tuple) or moves == 0:
            return not isinstance(nodes[state], tuple)
        who, children = nodes[state]
        kept = [ends(child, moves - 1) for child in children if values[child] == values[state]]
        return any(kept) if (values[state] > endless) == (who == 0) else all(kept)

    if values[state] == endless:
        return -1
    return next(moves for moves in itertools.count(1) if ends(state, moves))


@pytest.mark.parametrize("cycles", [False, True])
def test_values_and_distances_without_chance_are_those_of_their_definition(cycles):
    dice = random.Random(1)
    cyclic = 0
    for number in range(400):
        nodes = random_nodes(dice, cycles=cycles, chance=False)
        endless = dice.choice((0, 0, 1, -1.5))
        found = solved(nodes, endless=endless, compiled=number % 8 > 0)
        cyclic += found.cyclic
        values = values_after(nodes, endless, len(nodes))
        assert found.values.tolist() == values, nodes
        assert found.distances.tolist() == [plain_distance(nodes, values, endless, state) for state in range(len(nodes))], nodes
    assert cyclic > 200 if cycles else cyclic == 0


def test_values_with_chance_and_without_cycles_are_exact():
    dice = random.Random(2)
    for number in range(200):
        nodes = random_nodes(dice, cycles=False, chance=True)
        found = solved(nodes, compiled=number % 8 > 0)
        assert found.values == pytest.approx(values_after(nodes, 0, len(nodes)), abs=1e-14)
        assert not found.cyclic


def chain_values(nodes, endless, choice):
    """Return the values if every player's state s leads to choice[s] alone: linear equations."""
    number = len(nodes)
    edges = np.zeros((number, number))
    for state, node in enumerate(nodes):
        if isinstance(node, tuple):
            for child, probability in node[1] if node[0] == CHANCE else [(choice[state], 1.0)]:
                edges[state, child] += probability
    over = np.array([not isinstance(node, tuple) for node in nodes])
    ends = over.copy()
    for _ in range(number):
        ends = ends | (edges @ ends > 0)
    values = np.array([endless if isinstance(node, tuple) else node for node in nodes], float)
    inner = ends & ~over
    if inner.any():
        known = edges[np.ix_(inner, ~inner)] @ values[~inner]
        values[inner] = np.linalg.solve(np.eye(inner.sum()) - edges[np.ix_(inner, inner)], known)
    return values


def values_of_all_strategies(nodes, endless):
    """Return for each state the best that player 0 can do if player 1 does his best against it: fixed choices suffice."""

    def plans(player):
        own = [state for state, node in enumerate(nodes) if isinstance(node, tuple) and node[0] == player]
        return [dict(zip(own, plan, strict=True)) for plan in itertools.product(*(sorted({*nodes[state][1]}) for state in own))]

    answers = plans(1)
    return np.max(
        [np.min([chain_values(nodes, endless, mine | yours) for yours in answers], axis=0) for mine in plans(0)], axis=0
    )


def random_stochastic_cycles(dice, number, **options):
    """Return so many random graphs with cycles and chance that have choices, and few enough to try them all."""
    found = []
    while len(found) < number:
        nodes = random_nodes(dice, cycles=True, chance=True, **options)
        plans = np.prod([len({*node[1]}) for node in nodes if isinstance(node, tuple) and node[0] != CHANCE])
        if 4 <= plans <= 200 and any(isinstance(node, tuple) and node[0] == CHANCE for node in nodes):
            found.append(nodes)
    return found


def check_bounds(nodes, endless, found, *, closed):
    values = values_of_all_strategies(nodes, endless)
    if found.cyclic:
        assert (found.lower <= values + 1e-9).all(), nodes
        assert (found.upper >= values - 1e-9).all(), nodes
        assert found.error == pytest.approx(np.max(np.abs(found.upper - found.lower)), abs=0)
    if closed or found.proper:
        assert found.error <= 1e-9, nodes
        assert found.values == pytest.approx(values, abs=1e-9), nodes


def test_stochastic_cycles_agree_with_trying_every_strategy():
    dice = random.Random(3)
    for number, nodes in enumerate(random_stochastic_cycles(dice, 300)):
        endless = dice.choice((0, 0.5, -1))
        check_bounds(nodes, endless, solved(nodes, endless=endless, compiled=number % 8 > 0), closed=False)


@pytest.mark.parametrize("scores", [(0, 1, 2), (-2, -1, 0)])
def test_bounds_close_where_endless_play_is_the_worst_or_the_best(scores):
    for nodes in random_stochastic_cycles(random.Random(4), 150, scores=scores):
        check_bounds(nodes, 0, solved(nodes), closed=True)


@pytest.mark.parametrize("player", [0, 1])
def test_bounds_close_where_one_side_alone_has_choices(player):
    for nodes in random_stochastic_cycles(random.Random(5), 150):
        nodes = [(player, node[1]) if isinstance(node, tuple) and node[0] != CHANCE else node for node in nodes]
        check_bounds(nodes, 0, solved(nodes), closed=True)


def test_proper_means_that_every_play_ends():
    dice = random.Random(6)
    proper = 0
    for nodes in random_stochastic_cycles(dice, 400):
        found = solved(nodes)
        stays = set(range(len(nodes)))
        for _ in nodes:
            stays = {
                state
                for state in stays
                if isinstance(nodes[state], tuple)
                and (
                    all(child in stays for child, _ in nodes[state][1])
                    if nodes[state][0] == CHANCE
                    else any(child in stays for child in nodes[state][1])
                )
            }
        assert found.proper == (not stays)
        proper += found.proper
    assert 20 < proper < 380


def test_interpreted_equals_compiled():
    dice = random.Random(7)
    for cycles, chance in itertools.product((False, True), (False, True)):
        for _ in range(25):
            nodes = random_nodes(dice, cycles=cycles, chance=chance, size=20)
            fast, slow = solved(nodes), solved(nodes, compiled=False)
            assert fast.values.tobytes() == slow.values.tobytes()
            assert fast.distances.tobytes() == slow.distances.tobytes()
            assert (fast.error, fast.proper, fast.cyclic) == (slow.error, slow.proper, slow.cyclic)


def test_iteration_that_is_broken_off_goes_on_where_it_was(monkeypatch):
    cases = random_stochastic_cycles(random.Random(8), 50)
    whole = [solved(nodes) for nodes in cases]
    monkeypatch.setattr(iteration, "VISITS", 3)
    for nodes, before in zip(cases, whole, strict=True):
        assert solved(nodes).values == pytest.approx(before.values, abs=1e-12)


# Pig.


def pig_nodes(goal):
    """Return Pig to *goal* as nodes: points, points of the other, pot, player; who can win by holding must."""
    numbers, nodes, todo = {}, [], []

    def number(state):
        if state not in numbers:
            numbers[state] = len(nodes)
            nodes.append(None)
            todo.append(state)
        return numbers[state]

    number((0, 0, 0, 0, False))
    while todo:
        state = todo.pop()
        mine, yours, pot, player, rolling = state
        if mine + pot >= goal:
            node = 1 - 2 * player
        elif rolling:
            faces = [number((yours, mine, 0, 1 - player, False))]
            faces += [number((mine, yours, pot + face, player, False)) for face in range(2, 7)]
            node = (CHANCE, [(child, 1 / 6) for child in faces])
        else:
            choices = [number((mine, yours, pot, player, True))]
            choices += [number((yours, mine + pot, 0, 1 - player, False))] if pot else []
            node = (player, choices)
        nodes[numbers[state]] = node
    return nodes


@pytest.mark.parametrize(("goal", "wins"), [(2, 0.857142857143), (5, 0.797047970480), (10, 0.709424322598), (20, 0.615558549805)])
def test_pig_is_won_by_the_first_player_as_often_as_is_known(goal, wins):
    # After Neller and Presser, Optimal Play of the Dice Game Pig, 2004.
    found = solved(pig_nodes(goal))
    assert (found.values[0] + 1) / 2 == pytest.approx(wins, abs=1e-11)
    assert found.proper
    assert found.cyclic
    assert found.error < 1e-12
