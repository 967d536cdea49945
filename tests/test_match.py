"""Matches: paired seats, seeds, and what is made of them."""

from random import Random

import pytest
from toy_games import Pile, coin, pile
from typer.testing import CliRunner

from outplay import CHANCE, PolicyAgent, RandomAgent, SearchAgent, load
from outplay.agents.named import agent
from outplay.arena.match import Match, Played, match
from outplay.arena.opening import opened, plies_to_differ, would_replay
from outplay.arena.player import AgentPlayer, Fault
from outplay.arena.referee import GameRun
from outplay.arena.reproduce.extended import _words
from outplay.cli.main import app
from outplay.errors import LimitError, OptionError, RuleError


def takes_one(state):
    return 1


def takes_nine(state):
    return 9


def takes_either(state):
    yield 1, 1.0


def test_a_match_refuses_a_chance_node_without_outcomes_and_wrong_probabilities():
    for chances, words in (
        (lambda state: iter(()), r"chances of 'coin' yields nothing in .*; yield every outcome with its probability"),
        (lambda state: iter(((0, -0.5), (1, 1.5))), r"yields \[\(0, -0\.5\), \(1, 1\.5\)\] in .*; probabilities must be above 0"),
    ):
        with pytest.raises(RuleError, match=words):
            match(coin().replace(chances=chances), "random", "random", games=2)


@pytest.mark.parametrize("seed", [None, 1.5, "x", True])
def test_a_match_refuses_a_seed_that_is_not_a_whole_number(seed):
    with pytest.raises(OptionError, match="must be a whole number: it says which starts and dice are drawn"):
        match(pile(), "random", "random", seed=seed)


def test_a_search_beats_chance_from_both_seats():
    found = match(load("tic-tac-toe"), SearchAgent(depth=9), RandomAgent(), games=10, seed=1)
    assert found.losses == 0
    assert found.wins >= 8
    assert [game.seat for game in found.played] == [0, 1] * 5


def test_the_same_seed_plays_the_same_match_and_another_another():
    game = load("connect-four:columns=4,rows=4")
    one, same, other = (match(game, RandomAgent(), RandomAgent(), games=8, seed=seed) for seed in (3, 3, 4))
    assert one == same
    assert one != other


def test_pairs_share_their_start_and_their_dice():
    """Two agents that are alike mirror each other exactly: every pair cancels out."""
    found = match(load("pig:goal=10"), RandomAgent("a"), RandomAgent("b"), games=20, seed=2, opening=3)
    assert [one.score for one in found.played[::2]] == [other.score for other in found.played[1::2]]
    assert found.rate == (0.5, 0.0)


def test_the_interval_is_that_of_the_pairs():
    played = tuple(Played(score, number % 2, 5) for number, score in enumerate([1, -1, 1, 1, -1, -1, 1, -1]))
    found = Match("toy", "a", "b", played)
    assert (found.wins, found.draws, found.losses) == (6, 0, 2)  # seat 1 turns the score round
    assert found.rate[0] == 0.75
    assert found.rate[1] == pytest.approx(3.182446 * 0.28868 / 2, abs=1e-4)  # Student's t of four pairs
    assert "6 won, 0 drawn, 2 lost; 75.0% of the points (95 %: 29.1% to 100.0%)" in str(found)


def test_agents_are_read_by_name():
    game = pile(policies={"timid": takes_one})
    assert agent("random", game) == RandomAgent()
    assert agent("timid", game) == PolicyAgent(takes_one, "timid")
    assert agent("search:depth=5,opponent=random", game) == SearchAgent(
        depth=5, opponent="random", name="search:depth=5,opponent=random"
    )
    assert agent("search:nodes=9,opponent=timid", game).opponent is takes_one
    assert agent("search", game, seconds=0.5).seconds == 0.5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("magic", "there is no agent 'magic' for pile; there are search, mcts, random, solved, timid, FILE.py, FILE.py:function"),
        ("search:speed=3", "'speed=3' is not an option of a search"),
        ("search:depth=x", "'x' is not a whole number"),
        ("search:depth=2,opponent=house", "pile has no opponent 'house'"),
    ],
)
def test_an_agent_that_cannot_be_read_is_refused(text, words):
    with pytest.raises(OptionError) as raised:
        agent(text, pile(policies={"timid": takes_one}))
    assert words in str(raised.value)


def test_a_search_without_a_limit_is_refused_at_once():
    with pytest.raises(LimitError):
        agent("search", pile())


def play_out(game, *agents):
    """Play a game; return the score to player 0 and the number of moves."""
    run = GameRun(game, [AgentPlayer(one) for one in agents], start=game.start, luck="1")
    return run.score(), len(run.steps)


class Liar(RandomAgent):
    def choose(self, game, state, clock, dice, *, stopper=None, progress=None):
        return 9


def test_policies_play_and_an_illegal_move_is_named():
    game = pile(start=Pile(4, 0))
    assert play_out(game, PolicyAgent(takes_one), PolicyAgent(takes_either)) == (-1.0, 4)
    with pytest.raises(Fault, match=r"the policy 'nine' of 'pile' chooses 9 in .*, which is not legal; legal moves: \[1, 2\]"):
        play_out(game, PolicyAgent(takes_nine, "nine"), RandomAgent())
    with pytest.raises(Fault, match="liar plays 9, which is not legal"):
        play_out(game, Liar("liar"), RandomAgent())


class Raises(RandomAgent):
    def choose(self, game, state, clock, dice, *, stopper=None, progress=None):
        raise ZeroDivisionError("oh")


def test_a_fault_ends_the_game_and_not_the_match_and_is_counted_apart():
    found = match(pile(start=Pile(4, 0)), Liar("liar"), RandomAgent(), games=6)
    assert (found.wins, found.losses, found.faults) == (0, 6, (6, 0))
    assert found.to_dict()["faults"] == [6, 0]
    assert "liar lost 6 games by a fault (6 by illegal move), first: liar plays 9, which is not legal in" in str(found)
    both = match(pile(start=Pile(4, 0)), Raises("raises"), PolicyAgent(takes_nine, "nine"), games=2)
    assert both.faults == (1, 1)  # whoever moves first
    assert (both.played[0].fault, both.played[0].fault_by, both.played[1].fault) == ("crash", 0, "illegal move")
    assert "ZeroDivisionError: oh" in str(both)


def test_a_fault_in_a_solitaire_is_the_worst_score():
    found = match(load("2048"), Raises("raises"), games=2)
    assert (found.series[0].faults, found.series[0].mean[0]) == (2, load("2048").low)
    assert "raises lost 2 games by a fault (2 by crash)" in str(found)


@pytest.mark.parametrize("opening", [0, 5])
@pytest.mark.parametrize("player", [RandomAgent(), PolicyAgent(takes_one)])
def test_a_game_that_never_says_over_is_reported_whoever_plays(player, opening):
    game = pile(turn=lambda state: state.player, moves=lambda state: range(1, min(2, state.stones) + 1))
    with pytest.raises(RuleError, match=r"moves.* of 'pile' yields nothing in Pile\(stones=0.*turn must return OVER there"):
        match(game, player, player, games=1, opening=opening)


def test_a_game_whose_states_come_back_is_drawn():
    game = pile(play=lambda state, move: Pile(state.stones, 1 - state.player))
    assert play_out(game, RandomAgent(), RandomAgent()) == (0.0, 4)  # the start for the third time


def test_a_game_without_end_is_reported():
    game = pile(play=lambda state, move: Pile(state.stones + 1, 1 - state.player))
    with pytest.raises(RuleError, match="did not end within 100,000 plies"):
        play_out(game, RandomAgent(), RandomAgent())


def test_impossible_matches_are_refused():
    with pytest.raises(OptionError, match="one game or more"):
        match(pile(), RandomAgent(), RandomAgent(), games=0)
    with pytest.raises(LimitError, match="seconds=-1.0 is not a valid limit"):
        CliRunner().invoke(app, ["match", "tic-tac-toe", "random", "random", "--seconds", "-1"], catch_exceptions=False)
    with pytest.raises(LimitError, match="seconds=-1 is not a valid limit; it must be a number above 0"):
        match(pile(), RandomAgent(), RandomAgent(), seconds=-1)
    with pytest.raises(OptionError, match="always end a game"):
        match(pile(), RandomAgent(), RandomAgent(), games=2, opening=50)


def test_a_game_may_deal_its_starts():
    game = pile(deal=lambda dice: Pile(dice.randint(1, 50), 0))
    found = match(game, PolicyAgent(takes_one), PolicyAgent(takes_one), games=6, seed=1)
    assert len({one.moves for one in found.played[::2]}) > 1
    assert [one.moves for one in found.played[::2]] == [one.moves for one in found.played[1::2]]


def test_an_odd_game_counts_once_and_few_games_have_no_interval():
    found = match(load("tic-tac-toe"), RandomAgent(), RandomAgent("other"), games=3, seed=1)
    assert found.rate[0] == pytest.approx((found.wins + found.draws / 2) / 3)
    assert str(found).endswith("(too few games for an interval)")
    even = Match("toy", "a", "b", (Played(2, 0, 5), Played(2, 1, 5)))
    assert "mean margin 0.00 (too few" in str(even)
    assert _words(even) == "1 of 2 won, margin 0"
    assert "1 game: " in str(match(load("tic-tac-toe"), RandomAgent(), RandomAgent("other"), games=1))


# Openings, and games that repeat


def weighted(state):
    yield 0, 0.9
    yield 1, 0.1


def lucky_pile():
    """A pile of ten whose first stone chance takes, or leaves with a probability of nine tenths."""
    return pile(
        start=Pile(10, -1),
        turn=lambda state: CHANCE if state.player < 0 else state.player,
        chances=weighted,
        play=lambda state, choice: Pile(state.stones - choice, abs(state.player) - 1 if state.player < 0 else 1 - state.player),
    )


def test_an_opening_draws_outcomes_of_chance_by_their_probabilities():
    game = lucky_pile()
    drawn = [opened(game, game.start, 1, Random(number))[1][0] for number in range(2000)]
    assert 120 < sum(drawn) < 280  # of 2,000 at 0.1: 200, and six standard deviations are 80


def test_agents_without_luck_open_randomly_where_they_would_replay_one_game():
    game = load("connect-four:columns=4,rows=4")
    found = match(game, SearchAgent(depth=2, name="two"), SearchAgent(depth=1, name="one"), games=20, seed=1)
    assert found.opening == 3  # 4 columns: 40 positions to choose from take three plies
    assert found.distinct > 10
    assert all(len(game.choices) == game.moves + 3 for game in found.played)
    assert "Each start has 3 random plies, and both agents play it from both seats: one that is already won favours" in str(found)
    assert [one.choices[:3] for one in found.played[::2]] == [one.choices[:3] for one in found.played[1::2]]


def test_an_opening_of_none_is_obeyed_and_games_that_repeat_claim_no_interval():
    game = pile(start=Pile(9, 0))
    found = match(game, PolicyAgent(takes_one, "a"), PolicyAgent(takes_two, "b"), games=20, opening=0)
    assert (found.opening, found.distinct) == (0, 2)
    assert found.rate == (0.5, float("inf"))
    assert str(found) == (
        "pile: a against b, 20 games: 10 won, 0 drawn, 10 lost; 50.0% of the points; mean margin 0.00 "
        "(no interval: the games repeat). 2 of 20 games are distinct"
    )


def takes_two(state):
    return 2 if state.stones > 1 else 1


def test_games_that_all_come_out_alike_claim_no_interval():
    played = tuple(Played(1 - 2 * (number % 2), number % 2, 5, choices=(number,)) for number in range(8))
    assert str(Match("toy", "a", "b", played)).endswith(
        "100.0% of the points; mean margin +1.00 (no interval: every pair of games came out alike)"
    )


@pytest.mark.parametrize(
    ("game", "agents", "start", "replays"),
    [
        (pile(), (PolicyAgent(takes_one), PolicyAgent(takes_two)), None, True),
        (pile(), (PolicyAgent(takes_one), SearchAgent(seconds=0.1)), Pile(4, 0), True),
        (pile(), (PolicyAgent(takes_one), RandomAgent()), None, False),
        (pile(), (PolicyAgent(takes_one), PolicyAgent(takes_either)), None, False),
        (lucky_pile(), (PolicyAgent(takes_one), PolicyAgent(takes_two)), None, False),
        (pile(deal=lambda dice: Pile(dice.randint(1, 9), 0)), (PolicyAgent(takes_one), PolicyAgent(takes_two)), None, False),
        (pile(deal=lambda dice: Pile(dice.randint(1, 9), 0)), (PolicyAgent(takes_one), PolicyAgent(takes_two)), Pile(4, 0), True),
    ],
)
def test_games_would_be_replayed_only_where_nothing_is_drawn(game, agents, start, replays):
    assert would_replay(game, agents, start) is replays


def test_a_pair_alone_and_a_game_too_short_to_differ_are_not_opened():
    assert match(pile(), PolicyAgent(takes_one), PolicyAgent(takes_two), games=2).opening == 0
    assert plies_to_differ(pile(start=Pile(1, 0)), Pile(1, 0), 10) == 0
    assert plies_to_differ(pile(), Pile(9, 0), 1) == 3  # four positions: 6, 5, 4 and 3 stones
    assert plies_to_differ(pile(), Pile(9, 0), 50) == 4  # 40 are never to be had; five are the most


def test_games_from_different_deals_are_distinct():
    game = pile(deal=lambda dice: Pile(6 + dice.randrange(2), 0))
    found = match(game, PolicyAgent(takes_two), PolicyAgent(takes_two), games=12, seed=1)
    assert found.opening == 0
    assert found.distinct == 4  # each from both seats
    assert {one.start for one in found.played} == {"Pile(stones=6, player=0)", "Pile(stones=7, player=0)"}


def test_a_match_says_where_its_starts_decided_more_than_the_agents():
    won, lost = ((Played(score, seat, 1) for seat in (0, 1)) for score in (1.0, -1.0))
    found = Match("toy", "a", "b", (*won, *lost, Played(1.0, 0, 1), Played(-1.0, 1, 1)), opening=2)
    assert str(found).endswith("In 2 of 3 pairs the same seat won both games: there the start decided, more than the agents")
    assert "pairs the same seat" not in str(Match("toy", "a", "b", found.played[4:] * 2, opening=2))
