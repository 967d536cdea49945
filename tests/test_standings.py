"""Standings: points, faults apart, ratings, the cross table, and solitaires."""

import json

import pytest

from outplay.arena.record import GameRecord, Step, Verdict
from outplay.arena.report_plots import elo_words
from outplay.arena.sprt import Sprt
from outplay.arena.standings import elo_text, tabulate, tournament_of
from outplay.arena.store import Effort, GameKey, Store, StoredGame
from outplay.errors import StoreError


def game(first, second, pair, score, *, verdict=Verdict.FINISHED, blamed=None, start="s"):
    key = GameKey("rules", first, second, pair, f"0/{pair}", "{}", start, ())
    return StoredGame(key, verdict, blamed, score, "", (Effort(5, 1.0, 0.5), Effort(4, 2.0, 1.0)))


def pair(first, second, number, one, two):
    """Return two games; *one* and *two* are the scores to the agent that begins."""
    return [game(first, second, number, one), game(second, first, number, two)]


def table(games, names="abc", **more):
    return tabulate("toy", list(names), list(names), games, total=len(games), **more)


@pytest.mark.parametrize("words", [elo_text, elo_words])
def test_a_rating_of_zero_has_no_sign(words):
    found = table([*pair("a", "b", 0, 1, -1), *pair("b", "c", 0, 1, -1)])
    assert [words(found[name])[0] for name in "abc"] == ["+", "0", "−"]


def test_points_and_ranks_follow_the_results():
    found = table([*pair("a", "b", 0, 1, -1), *pair("b", "c", 0, 1, 0), *pair("a", "c", 0, 1, -1)])
    assert found.agents == found.identities == ("a", "b", "c")
    assert (found["a"].wins, found["a"].rate, found["c"].draws) == (4, 1.0, 1)
    assert found["a"].elo > found["b"].elo > found["c"].elo
    assert found["b"].elo_low < found["b"].elo < found["b"].elo_high
    assert (found["a"].moves, found["a"].seconds, found["a"].longest) == (18, 6.0, 1.0)
    assert found.cross[0][1].points == 2
    assert found.cross[2][1].points == 0.5
    assert found.superiority[0][2] > 0.5 > found.superiority[2][0]
    with pytest.raises(KeyError, match="there are a, b, c"):
        found["d"]


def test_faults_count_as_losses_and_are_told_apart():
    lost = [game("a", "b", 0, -1.0, verdict=Verdict.CRASH, blamed=0), game("b", "a", 0, -1.0, verdict=Verdict.TIMEOUT, blamed=0)]
    found = table(lost, "ab")
    assert found["a"].faults == {"crash": 1}
    assert found["b"].faults == {"timeout": 1}
    assert (found["a"].gifts, found["a"].wins, found["a"].losses) == (1, 1, 1)
    assert found.cross[0][1].faults == found.cross[0][1].gifts == 1


def test_a_game_that_ends_by_an_error_of_the_rules_counts_for_nobody():
    found = table([*pair("a", "b", 0, 1, -1), game("a", "b", 1, None, verdict=Verdict.RULE)], "ab")
    assert (found.rule_errors, found.played, found["a"].games) == (1, 3, 2)
    assert "1 games ended by an error" not in str(found)
    assert "1 game ended by an error of the rules and counts for nobody" in str(found)


def test_an_agent_without_games_has_no_rating():
    found = table(pair("a", "b", 0, 1, -1), refused={"c": "no file"})
    assert found["c"].elo is None
    assert found["c"].refused == "no file"
    assert found.agents[-1] == "c"


def test_a_solitaire_has_means_instead_of_points():
    games = [
        game(one, one, number, score) for one, scores in (("a", [3, 5]), ("b", [7, 9])) for number, score in enumerate(scores)
    ]
    found = table(games, "ab", solitaire=True, scale=(0, 10))
    assert found.agents == ("b", "a")
    assert (found["a"].mean, found["a"].best, found["a"].worst) == (4, 5, 3)
    assert (found["a"].mean_low, found["a"].mean_high) == (0, 10)
    assert "mean score" in str(found)


def test_a_test_of_two_agents_stands_beneath_the_table():
    games = [one for number in range(40) for one in pair("a", "b", number, 1, -1)]
    found = table(games, "ab", sprt=Sprt(0, 100))
    assert found.sprt.verdict == 1
    assert "SPRT: accepted" in found.explain()


def test_it_is_told_as_text_as_json_and_in_a_notebook():
    found = table(pair("<a>", "b", 0, 1, -1), ["<a>", "b"])
    assert "&lt;a&gt;" in found._repr_html_()
    assert str(found).splitlines()[1].split()[:2] == ["rank", "agent"]
    assert json.loads(json.dumps(found.to_dict()))["standings"][0]["agent"] == "<a>"


def test_a_store_tells_where_its_tournament_stands(tmp_path):
    with Store(tmp_path / "t.store") as store:
        with pytest.raises(StoreError, match="says nothing about its tournament"):
            tournament_of(store)
        record = GameRecord(Verdict.FINISHED, None, 1.0, "s", (), (Step(0, 1),))
        keys = [GameKey("rules", "x", "y", number, "0", "{}", "s", ()) for number in range(3)]
        for key in keys:
            store.add(key, record)
        agents = [{"name": "a", "identity": "x"}, {"name": "b", "identity": "y"}]
        store.schedule([key.id for key in keys[:2]], game="toy", agents=agents, total=5, sprt=None)
        found = tournament_of(store)
    assert (found.played, found.total, found["a"].wins) == (2, 5, 2)


def test_agents_with_equal_results_share_a_rank_whatever_the_order_of_their_identities():
    def ranked(order):
        agents = {"zoe": "1", "ann": "2", "bob": "3", "cat": "4", "out": "5"}
        games = []
        for one in ("zoe", "ann", "bob"):
            games += pair(agents[one], agents["cat"], 0, 1, -1)
            games += [
                each for other in ("zoe", "ann", "bob") if other < one for each in pair(agents[one], agents[other], 0, 0, 0)
            ]
        found = tabulate("toy", order, [agents[name] for name in order], games, total=len(games), refused={"out": "no file"})
        return [(one["agent"], one["rank"]) for one in found.to_dict()["standings"]]

    expected = [("ann", 1), ("bob", 1), ("zoe", 1), ("cat", 4), ("out", 5)]
    assert ranked(["zoe", "ann", "bob", "cat", "out"]) == expected
    assert ranked(["out", "cat", "bob", "zoe", "ann"]) == expected
    solo = table([game(one, one, 0, score) for one, score in zip("cab", (7, 7, 3), strict=True)], "cab", solitaire=True)
    assert [(one.agent, one.rank) for one in solo.standings] == [("a", 1), ("c", 1), ("b", 3)]


def test_a_line_beneath_the_table_tells_the_faults_by_kind():
    lost = [game("a", "b", number, -1.0, verdict=Verdict.TIMEOUT, blamed=0) for number in range(2)]
    found = table([*lost, game("a", "b", 2, -1.0, verdict=Verdict.CRASH, blamed=0)], "ab")
    assert "a: 2 timeouts, 1 crash" in str(found).splitlines()
