"""What a search returns, and when it ends."""

import dataclasses
import threading
from html import escape
from typing import NamedTuple

import numpy as np
import pytest
from toy_games import Pile, pile

import outplay
from bench.centre_game import centre_game
from outplay import Stopper, load, minimax, search
from outplay.errors import LimitError, OptionError, RuleError, RuleRaised, StateError, TooDeep
from outplay.rules.text import read_state
from outplay.search.result import Outcome

OVER, CHANCE = outplay.OVER, outplay.CHANCE


def test_the_pile_of_five_is_won_by_taking_two():
    found = search(pile(), depth=5)
    assert (found.move, found.value, found.proven, found.stopped_by) == (2, 1, True, "proof")


def test_values_are_player_0_s_whoever_moves():
    assert search(pile(), Pile(5, 1), depth=5).value == -1
    assert search(pile(), Pile(3, 1), depth=5).value == 1


def test_a_search_ends_by_depth_nodes_time_or_proof():
    game = load("connect-four")
    assert search(game, depth=4).stopped_by == "depth"
    assert search(game, nodes=5_000).stopped_by == "nodes"
    assert search(game, seconds=0.02).stopped_by == "time"
    assert search(game, read_state(game, "44444"), seconds=0.02, depth=3).stopped_by == "depth"
    assert search(load("tic-tac-toe"), seconds=60).stopped_by == "proof"


def test_a_node_limit_is_kept_to_the_node():
    for nodes in (1, 2, 77, 1_000, 12_345):
        assert search(centre_game, nodes=nodes).nodes == nodes
        assert search(centre_game, nodes=nodes, depth=12, only=("pruning",)).nodes == nodes


def test_a_result_is_always_there_and_always_legal():
    game = load("connect-four")
    for limits in ({"seconds": 0.001}, {"seconds": 1e-9}, {"nodes": 1}, {"nodes": 2}, {"nodes": 5}):
        for options in ({}, {"only": ()}, {"only": ("pruning",)}, {"threads": 2}, {"compiled": False}):
            found = search(game, **limits, **options)
            assert found.move in game.legal(game.start)
            assert len(found.candidates) == 7


def test_the_same_call_gives_the_same_result():
    game = load("pig:goal=20")
    one, other = (search(game, depth=6) for _ in range(2))
    assert dataclasses.replace(one, seconds=0, iterations=()) == dataclasses.replace(other, seconds=0, iterations=())


def test_a_result_is_frozen_and_explains_itself():
    found = search(load("connect-four"), depth=6)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.move = 1
    text = found.explain()
    for words in (
        "X should play",
        "Expected play:",
        "Candidates",
        "nodes in",
        "effective branching factor",
        "table hit rate",
    ):
        assert words in text
    assert "<svg" in found._repr_html_()
    assert escape(found.explain()) in found._repr_html_()


def test_candidates_are_every_root_move_once_in_order():
    game = load("connect-four")
    found = search(game, depth=6)
    assert [candidate.move for candidate in found.candidates] == game.legal(game.start)
    assert next(c for c in found.candidates if c.move == found.move).bound == "exact"


def test_at_a_chance_node_there_is_no_move_and_the_value_is_the_mean():
    game = load("pig:goal=20")
    state = read_state(game, "14,19,5,0,1")
    found = search(game, state, depth=2)
    assert found.move is None
    after = [search(game, game.play(state, face), depth=2).value for face in range(1, 7)]
    assert found.value == pytest.approx(sum(after) / 6)
    assert isinstance(found.line[0], Outcome)
    assert found.explain().startswith("Chance acts here")


def test_at_a_chance_node_the_candidates_are_the_outcomes_with_their_probabilities_and_values():
    game = load("pig:goal=20")
    state = read_state(game, "14,19,5,0,1")
    found = search(game, state, depth=2)
    assert {one.move: one.value for one in found.candidates} == pytest.approx(
        {face: search(game, game.play(state, face), depth=2).value for face in range(1, 7)}
    )
    assert {(one.probability, one.bound, one.best) for one in found.candidates} == {(1 / 6, "exact", False)}
    lines = found.explain().splitlines()
    place = lines.index("Outcomes, the likeliest first (to player 0):")
    assert lines[place + 6] == "  a 6  with probability 1/6: +1"
    assert found.to_dict()["candidates"][5] == {
        "move": 6, "move_name": "a 6", "value": 1.0, "bound": "exact", "depth": 2, "proven": False, "best": False,
        "probability": 1 / 6,
    }  # fmt: skip


def test_outcomes_of_a_search_without_a_single_depth_are_not_searched():
    game = load("pig:goal=20")
    found = search(game, read_state(game, "14,19,5,0,1"), nodes=1)
    assert [one.value for one in found.candidates] == [None] * 6
    assert "  not searched: a 1, a 2, a 3, a 4, a 5, a 6\n" in found.explain()


def test_a_line_marks_what_chance_chooses():
    found = search(load("pig:goal=20"), depth=3)
    kinds = [isinstance(choice, Outcome) for choice in found.line]
    assert kinds[:4] == [False, True, False, True]
    assert found.line[0] == found.move == 1
    assert found.named_line()[:2] == ["roll", "[a 1]"]


@pytest.mark.parametrize("chances", [lambda state: iter(()), lambda state: iter(((0, -0.5), (1, 1.5)))])
def test_the_oracle_refuses_wrong_probabilities(chances):
    game = load("pig:goal=20").replace(chances=chances)
    with pytest.raises(
        RuleError, match="chances of 'pig to 20' yields nothing, or probabilities that are not above 0 or do not sum"
    ):
        minimax(game, depth=2, compiled=False)


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: load("connect-four"), "table"),
        (lambda: load("connect-four"), "ordering"),
        (lambda: load("connect-four"), "deepening"),
        (lambda: load("connect-four"), "useful"),
        (lambda: load("connect-four"), "bounds"),
        (lambda: centre_game, "pruning"),
        (lambda: centre_game, "scout"),
        (lambda: load("pig:goal=20"), "star1"),
        (lambda: load("pig:goal=20"), "star2"),
    ],
)
def test_leaving_a_technique_out_changes_the_nodes_and_not_the_value(make, name):
    game = make()
    depth = 10 if game.useful else 6
    whole, partial = search(game, depth=depth), search(game, depth=depth, without=(name,))
    assert partial.nodes != whole.nodes
    assert partial.value == pytest.approx(whole.value, abs=1e-9)


def bounded(state):
    return (0, 1) if state.stones == 5 and state.player == 0 else (-1, 1)


def test_a_line_is_legal_where_bounds_hold_the_value_up():
    game = pile(bounds=bounded, score=lambda state: 0)
    found = search(game, depth=6, compiled=False)
    game.after(game.start, found.line)


def test_beside_a_proven_value_an_estimate_is_told_with_its_depth():
    found = search(outplay.tree("max(min(0, max(1, -1)), 1)").game, depth=1, compiled=False)
    assert found.proven
    assert [line.partition("  ")[2].split("  ")[-1] for line in found.explain().splitlines()[4:6]] == [
        "+1, proven",
        "0, at depth 1",
    ]


def test_progress_is_reported_after_each_depth():
    seen = []
    found = search(load("connect-four"), depth=6, progress=seen.append)
    assert [iteration.depth for iteration in seen] == [1, 2, 3, 4, 5, 6]
    assert tuple(seen) == found.iterations


def test_an_unproven_game_without_end_is_searched_until_the_stack_is_full():
    game = pile(start=Pile(10**6, 0), moves=lambda state: (1,))
    found = search(game, seconds=60, check=False)
    assert (found.stopped_by, found.depth, found.proven) == ("depth", 1024, False)


# Stopping


def stopped_by(act, **options):
    """Run a long search, and call *act* from another thread once it is more than 3 moves deep; return the result."""
    deep = threading.Event()

    def later():
        deep.wait()
        act()

    def progress(iteration):
        if iteration.depth > 3:
            deep.set()

    thread = threading.Thread(target=later)
    thread.start()
    found = search(load("connect-four"), seconds=600, progress=progress, **options)
    deep.set()
    thread.join()
    return found


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_from_another_thread_returns_what_was_found(threads):
    found = stopped_by(outplay.stop, threads=threads)
    assert found.stopped_by == "stop"
    assert found.depth > 3
    assert found.move == 4


def test_a_stopper_stops_its_own_search():
    stopper = Stopper()
    found = stopped_by(stopper.stop, stopper=stopper)
    assert found.stopped_by == "stop"


def test_a_stopper_used_beforehand_ends_the_search_at_once():
    stopper = Stopper()
    stopper.stop()
    found = search(load("connect-four"), seconds=60, stopper=stopper)
    assert (found.stopped_by, found.depth) == ("stop", 0)
    assert found.move in range(1, 8)


def test_one_stopper_stops_all_the_searches_that_it_was_handed_to():
    stopper, found = Stopper(), []
    game = load("connect-four")
    search(game, depth=1)
    long_one = threading.Thread(target=lambda: found.append(search(game, seconds=60, stopper=stopper)))
    long_one.start()
    search(game, seconds=0.05, stopper=stopper)  # ends by itself, and must not disarm the other
    stopper.stop()
    long_one.join(20)
    assert found[0].stopped_by == "stop"


def test_stop_counts_the_searches_that_run():
    assert outplay.stop() == 0


def test_an_interpreted_search_can_be_stopped_too():
    stopper = Stopper()
    threading.Timer(0.2, stopper.stop).start()
    assert search(load("connect-four"), seconds=60, compiled=False, stopper=stopper).stopped_by == "stop"


# What is refused


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({}, "a search needs a limit: give seconds, depth or nodes"),
        ({"seconds": -1}, "seconds=-1 is not a valid limit"),
        ({"seconds": 0}, "seconds=0 is not a valid limit"),
        ({"seconds": float("nan")}, "seconds=nan is not a valid limit"),
        ({"seconds": float("inf")}, "seconds=inf is too long; give at most"),
        ({"depth": 0}, "depth=0 is not a valid limit; it must be a whole number above 0"),
        ({"depth": 2.5}, "depth=2.5 is not a valid limit"),
        ({"depth": 5_000}, "depth=5000 is more than the stack holds"),
        ({"nodes": -7}, "nodes=-7 is not a valid limit"),
        ({"nodes": 10**30}, "is more than a search can count; leave it out for no limit"),
    ],
)
def test_a_missing_or_impossible_limit_is_refused(limits, words):
    with pytest.raises(LimitError) as raised:
        search(pile(), **limits)
    assert words in str(raised.value)
    assert isinstance(raised.value, ValueError)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"only": ("magic",)}, "there is no technique 'magic'; there are pruning, star1"),
        ({"without": "table"}, "take a tuple of names"),
        ({"opponent": "worst"}, "pile has no opponent 'worst'; it has best, random"),
        ({"opponent": 3}, 'a described opponent is "random", the name of a policy or a function of the state; got 3'),
        ({"threads": 0}, "threads=0 must be a whole number"),
        ({"table_mb": 0}, "table_mb=0 must lie above 0"),
    ],
)
def test_an_unknown_option_is_refused(options, words):
    with pytest.raises(OptionError) as raised:
        search(pile(), depth=1, **options)
    assert words in str(raised.value)


def test_a_finished_game_has_no_move_to_search_for():
    with pytest.raises(StateError, match="the game is over"):
        search(pile(), Pile(0, 0), depth=1)


def test_an_illegal_move_is_refused_with_those_that_are_open():
    with pytest.raises(outplay.OutplayError, match=r"3 is not a legal move here; legal moves: \[1, 2\]"):
        pile().after(Pile(5, 0), [3])


def many_moves(state):
    for move in range(20):
        yield move


def half_moves(state):
    yield 1.5


def no_moves(state):
    for move in range(0):
        yield move


def chance_at_three(state):
    return CHANCE if state.stones == 3 else OVER if state.stones <= 0 else state.player


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"moves": many_moves, "max_moves": 16}, "more than max_moves=16 moves in Pile(stones=5, player=0)"),
        ({"moves": no_moves}, "yields nothing in Pile(stones=5, player=0), and turn says that player 0 is to move"),
        ({"turn": chance_at_three}, "but the game has no chances"),
        ({"moves": half_moves}, "moves of 'pile' yields 1.5 in Pile(stones=5, player=0); a move is an int"),
        ({"moves": lambda state: 3}, "moves of 'pile' returns 3; it must yield ints"),
    ],
)
def test_a_rule_that_misbehaves_is_named_with_the_state(changes, words, compiled):
    with pytest.raises(RuleError) as raised:
        search(pile(**changes), depth=6, compiled=compiled, check=False)
    assert words in str(raised.value)


class Faulty(NamedTuple):
    """The pile, whose rules have one of many faults."""

    stones: int
    player: int
    fault: int


SOUND, NAN, INFINITE, LARGE, BLIND, UNEVEN, NEGATIVE, THIRD, RAISES, DIVIDES = range(10)


def too_few(stones):
    if stones < 3:
        raise ValueError("too few")
    return stones


def divided(stones):
    return 1 / stones


def faulty_turn(state):
    if state.stones == 3 and (state.fault == UNEVEN or state.fault == NEGATIVE):
        return CHANCE
    if state.stones > 0 and state.fault == THIRD:
        return 3 * state.player
    return OVER if state.stones <= 0 else state.player


def faulty_chances(state):
    yield 1, 0.5 if state.fault == UNEVEN else 1.5
    yield 2, 0.4 if state.fault == UNEVEN else -0.5


def faulty_play(state, move):
    stones = too_few(state.stones) if state.fault == RAISES else state.stones
    return Faulty(stones - move, 1 - state.player, state.fault)


def faulty_score(state):
    if state.fault == NAN:
        return float("nan")
    if state.fault == INFINITE:
        return -float("inf")
    if state.fault == LARGE:
        return 5.0
    if state.fault == DIVIDES:
        return divided(state.stones)
    return 1.0 if state.player == 1 else -1.0


def nan_for_two(state, move):
    return float("nan") if move == 2 else 1.0


faulty = pile(
    start=Faulty(5, 0, SOUND),
    turn=faulty_turn,
    chances=faulty_chances,
    play=faulty_play,
    score=faulty_score,
    estimate=lambda state: float("nan") if state.fault == BLIND else 0.0,
    rank=nan_for_two,
)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (NAN, "score of 'pile' is nan in Faulty(stones=0, player=1, fault=1); a score lies between low=-1 and high=1"),
        (INFINITE, "score of 'pile' is -inf"),
        (
            LARGE,
            "score of 'pile' is 5.0 in Faulty(stones=0, player=1, fault=3); a score lies between low=-1 and high=1: give the Game",
        ),
        (BLIND, "estimate of 'pile' is nan"),
        (UNEVEN, "yields [(1, 0.5), (2, 0.4)] in Faulty(stones=3, player=1, fault=5)"),
        (NEGATIVE, "must be above 0"),
        (THIRD, "turn of 'pile' is 3 in Faulty(stones=4, player=1, fault=7)"),
    ],
)
def test_a_rule_that_misbehaves_in_some_states_is_named_with_the_state(fault, words, compiled):
    with pytest.raises(RuleError) as raised:
        search(faulty, Faulty(5, 0, fault), depth=3 if fault == BLIND else 6, compiled=compiled, check=False)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("fault", "words", "compiled"),
    [
        (RAISES, "raised ValueError: too few (in too_few, line ", False),
        (DIVIDES, "raised ZeroDivisionError: division by zero (in divided, line ", False),
        (RAISES, f"too_few, line {too_few.__code__.co_firstlineno + 2}: raises ValueError: too few;", True),
        (DIVIDES, f"divided, line {divided.__code__.co_firstlineno + 1}: divides by zero;", True),
    ],
)
def test_a_rule_that_raises_is_named_with_its_line(fault, words, compiled):
    with pytest.raises(RuleRaised) as raised:
        search(faulty, Faulty(5, 0, fault), depth=6, compiled=compiled, check=False)
    assert words in str(raised.value)


def test_a_rank_that_is_no_number_comes_last_and_hides_no_move():
    for compiled in (True, False):
        found = search(faulty, depth=5, compiled=compiled, check=False)
        assert (found.move, found.value) == (2, 1)


def endless_chance(state):
    yield 0, 1.0


@pytest.mark.parametrize("compiled", [True, False])
def test_a_tree_deeper_than_the_stack_is_reported(compiled):
    game = pile(turn=lambda state: CHANCE, chances=endless_chance, play=lambda state, move: Pile(state.stones + 1, 0))
    with pytest.raises(TooDeep, match="deeper than the stack, which holds 1024 plies"):
        search(game, depth=3, compiled=compiled, check=False)


def test_a_deep_narrow_tree_within_the_stack_is_searched():
    game = pile(start=Pile(1_000, 0), moves=lambda state: (1,))
    assert search(game, depth=1_000).value == -1
    assert search(game, depth=1_000, compiled=False, only=("pruning",)).value == -1


def test_a_score_off_the_scale_is_left_alone_by_techniques_that_need_no_scale():
    game = pile(score=lambda state: 1000 if state.player == 1 else -1000)
    found = search(game, depth=5, only=("pruning", "table", "ordering"), check=False, compiled=False)
    assert found.value == 1000


class Cells(NamedTuple):
    cells: np.ndarray
    player: int


def test_an_array_index_out_of_range_raises_and_corrupts_nothing():
    def turn(state):
        return OVER if state.cells[0] >= 3 else state.player

    def play(state, move):
        cells = state.cells.copy()
        cells[0] += 1
        cells[move + 7 * cells[0]] = 1
        return Cells(cells, 1 - state.player)

    game = pile(start=Cells(np.zeros(9, np.int64), 0), turn=turn, moves=lambda state: (0, 1), play=play, score=lambda state: 0)
    for compiled in (True, False):
        with pytest.raises(RuleRaised, match="takes an item beyond the end" if compiled else "IndexError"):
            minimax(game, depth=4, compiled=compiled)


def test_only_games_are_searched():
    with pytest.raises(
        outplay.OutplayError, match=r"a search takes a Game, and got 'pig'; load\('pig'\) gives the one of that name"
    ):
        search("pig", depth=1)


def test_a_search_that_had_no_time_says_so_and_takes_the_move_that_ranks_highest():
    found = search(load("connect-four"), nodes=1)
    assert (found.move, found.depth) == (4, 0)
    assert "Nothing was searched" in found.explain()


def test_after_an_error_everything_goes_on():
    with pytest.raises(RuleError):
        search(pile(moves=no_moves), depth=2)
    assert search(pile(), depth=5).move == 2
