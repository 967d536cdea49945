"""Tournaments: every game once, the same luck for all, and nothing that an agent or a worker does stops the others."""

import os
import signal

import pytest
from toy_games import pile

from outplay import Interrupted, PolicyAgent, RandomAgent, Stopper
from outplay.arena import worker_pool
from outplay.arena.entrants import entrants
from outplay.arena.fixture_player import MOST_OPEN
from outplay.arena.isolation import tiers
from outplay.arena.schedule import swiss_round
from outplay.arena.standings import tournament_of
from outplay.arena.store import Store
from outplay.arena.tournament import tournament
from outplay.errors import LimitError, OptionError, StoreError, UnknownGame

FIRST = "def choose(game, state):\n    return game.legal(state)[0]\n"
LAST = "def choose(game, state):\n    return game.legal(state)[-1]\n"
MIDDLE = "def choose(game, state):\n    legal = game.legal(state)\n    return legal[len(legal) // 2]\n"


@pytest.fixture
def files(tmp_path):
    for name, text in (("first", FIRST), ("last", LAST), ("middle", MIDDLE)):
        (tmp_path / f"{name}.py").write_text(text)
    return [str(tmp_path / f"{name}.py") for name in ("first", "last", "middle")]


def what(store):
    """Return all that the store says of its games, but for the time that moves took."""
    return {game.id: (game.key, record.verdict, record.blamed, record.score, record.choices) for game, record in store.records()}


def played_of(file):
    with Store(file, readonly=True) as store:
        return what(store)


def test_every_two_agents_play_and_the_store_tells_the_same(files, tmp_path):
    file = tmp_path / "t.store"
    found = tournament("tic-tac-toe", files, games=6, store=file, trusted=True)
    assert (found.played, found.total) == (18, 18)
    assert {one.games for one in found.standings} == {12}
    assert sorted(found.agents) == ["first", "last", "middle"]
    with Store(file, readonly=True) as store:
        assert tournament_of(store) == found
        assert store.problems() == []
        keys = [game.key for game in store.games()]
    assert len({key.opening for key in keys}) == 3  # each pair has an opening of its own, and all pairings share them
    assert len({(key.pair, key.luck, key.opening) for key in keys}) == 3


def test_only_what_is_new_is_played_when_an_agent_is_added_or_changed(files, tmp_path):
    file, heard = tmp_path / "t.store", []
    tournament("tic-tac-toe", files[:2], games=4, store=file, trusted=True)
    with pytest.raises(StoreError, match="has 4 games already; resume to go on with it"):
        tournament("tic-tac-toe", files, games=4, store=file, trusted=True)
    options = {"games": 4, "store": file, "trusted": True, "resume": True, "progress": heard.append}
    assert tournament("tic-tac-toe", files, **options).played == 12
    assert heard[-1].fresh == 8
    (tmp_path / "last.py").write_text(MIDDLE + "# changed\n")
    assert tournament("tic-tac-toe", files, **options).played == 12
    assert heard[-1].fresh == 8
    starts = []
    tournament("tic-tac-toe", files, **options, begun=starts.append)
    assert (starts[0].known, starts[0].notes) == (
        12,
        ("8 games in the store belong to other agents, rules or settings, and do not count",),
    )
    before = len(heard)
    again = tournament("tic-tac-toe", files, **options)
    assert (len(heard), again.played) == (before, 12)  # nothing new


def test_workers_play_the_same_games_and_their_death_changes_nothing(files, tmp_path, monkeypatch):
    alone, together = tmp_path / "alone.store", tmp_path / "together.store"
    tournament("tic-tac-toe", [*files, "random"], games=20, seed=1, store=alone, trusted=True)
    killed = []

    def kill(found):
        if not killed and found.played > 10:
            pool = next(iter(pools))
            killed.append(pool.processes[0])
            os.kill(killed[0], signal.SIGKILL)

    pools = []
    monkeypatch.setattr(worker_pool.WorkerPool, "__init__", _noting(worker_pool.WorkerPool.__init__, pools))
    monkeypatch.setattr(worker_pool, "LARGEST_BATCH", 4)
    tournament("tic-tac-toe", [*files, "random"], games=20, seed=1, store=together, trusted=True, jobs=2, progress=kill)
    assert killed
    assert played_of(together) == played_of(alone)


def _noting(init, pools):
    def noted(self, *arguments):
        init(self, *arguments)
        pools.append(self)

    return noted


def test_an_agent_that_ends_its_worker_is_blamed_and_the_others_play_on(files, tmp_path):
    (tmp_path / "leaves.py").write_text("import os\ndef choose(state):\n    os._exit(3)\n")
    found = tournament("tic-tac-toe", [files[0], str(tmp_path / "leaves.py")], games=2, trusted=True, jobs=2)
    assert found["leaves"].faults == {"crash": 2}
    assert found["first"].gifts == 2


def test_a_worker_that_hangs_is_replaced_and_the_agent_blamed(files, tmp_path, monkeypatch):
    """A call into C that does not return: only the end of the process ends it."""
    (tmp_path / "hangs.py").write_text("import re\ndef choose(state):\n    return re.match('(a*)*$', 'a' * 60 + 'b')\n")
    doing = worker_pool.Worker.doing
    # The clock of the watch is turned forward by a minute: the worker hangs, and the test need not wait for it.
    monkeypatch.setattr(worker_pool.Worker, "doing", lambda self: (*doing(self)[:2], doing(self)[2] - 60))
    options = {"games": 2, "trusted": True, "jobs": 2, "control": "move=0.5"}
    found = tournament("tic-tac-toe", [files[0], str(tmp_path / "hangs.py")], **options)
    assert found["hangs"].faults == {"timeout": 2}


def test_an_agent_that_cannot_start_is_named_before_the_first_game_and_plays_none(files, tmp_path):
    (tmp_path / "broken.py").write_text("def choose(state:\n")
    (tmp_path / "empty.py").write_text("")
    starts = []
    found = tournament(
        "tic-tac-toe", [str(tmp_path / "broken.py"), *files[:2], str(tmp_path / "empty.py")], games=2, trusted=True,
        begun=lambda start: starts.append((start, start.known)),
    )  # fmt: skip
    refused = {one.name: one.refused for one in starts[0][0].entrants if one.refused}
    assert set(refused) == {"broken", "empty"}
    assert "line 1" in refused["broken"]
    assert found.played == 2
    assert (found["broken"].games, found["broken"].refused) == (0, refused["broken"])
    assert "empty could not start and played no game: " in str(found)
    with pytest.raises(OptionError, match=r"needs 2 agents that can start; broken: "):
        tournament("tic-tac-toe", [str(tmp_path / "broken.py"), files[0]], trusted=True)


def test_agents_that_fail_during_a_game_lose_that_game_and_not_the_tournament(files, tmp_path):
    (tmp_path / "raises.py").write_text("def choose(state):\n    raise ValueError('oh')\n")
    (tmp_path / "cheats.py").write_text("def choose(state):\n    return 99\n")
    found = tournament("tic-tac-toe", [files[0], str(tmp_path / "raises.py"), str(tmp_path / "cheats.py")], games=2, trusted=True)
    assert found["first"].wins == 4
    assert found["raises"].faults == {"crash": 3}  # the seat that moves first fails first
    assert found["cheats"].faults == {"illegal move": 3}


@pytest.mark.parametrize(
    ("agents", "options", "error", "words"),
    [
        (["nobody.py", "random"], {}, OptionError, "there is no agent file 'nobody.py'; name Python files"),
        (["random", "magic"], {}, OptionError, "there is no agent 'magic' for tic-tac-toe"),
        (["random"], {}, OptionError, "needs 2 agents"),
        (["random", "random"], {"games": 0}, OptionError, "games=0 must be a whole number"),
        (["random", "random"], {"seconds": -1}, LimitError, "seconds=-1 is not a valid limit; it must be a number above 0"),
        (["random", "random"], {"schedule": "cup"}, OptionError, "there is no schedule 'cup'; there are round-robin, gauntlet, swiss"),
        (["random", "random"], {"schedule": "gauntlet", "challengers": 2}, OptionError, "leave nobody to play against"),
        (["random"] * 3, {"sprt": "0,10"}, OptionError, "sprt tests one agent against another"),
        (["random", "random"], {"preset": "blitz"}, OptionError, "there is no preset 'blitz'; there are contest, ladder"),
        (["random", "random"], {"control": "move=-1"}, LimitError, "must be a number above 0"),
        (["random", "random"], {"resume": True}, OptionError, "nothing to resume without a store"),
        (["random", "random"], {"trusted": True, "untrusted": True}, OptionError, "trusted or untrusted, not both"),
        (["random", "random"], {"names": ["a", "a"]}, OptionError, "two agents are called 'a'"),
        (["random", RandomAgent("b")], {"jobs": 2}, OptionError, "is an object, which stays in this process"),
        (["random", "random"], {"openings": ["XXXOO...."]}, OptionError, "opening 1 of the list.*is a game that is over"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused_before_the_first_game(agents, options, error, words):
    with pytest.raises(error, match=words):
        tournament("tic-tac-toe", agents, **options)


def test_a_game_is_named_or_given():
    with pytest.raises(UnknownGame, match="there is no game 'tick'"):
        tournament("tick", ["random", "random"])
    with pytest.raises(OptionError, match="is not named by a text, so other processes cannot load it"):
        tournament(pile(), ["random", "random"], jobs=2)
    found = tournament(pile(), [PolicyAgent(lambda state: 1, "one"), RandomAgent()], games=4)
    assert found.game == "pile"
    assert found.played == 4


def test_names_tell_agents_apart(tmp_path):
    for folder in ("ann", "bob"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "agent.py").write_text(FIRST)
    texts = [str(tmp_path / "ann" / "agent.py"), f"{tmp_path / 'bob' / 'agent.py'}:choose", "random", "random"]
    assert [one.name for one in entrants(texts)] == ["ann/agent", "bob/agent", "random", "random #2"]
    assert entrants(texts, ["x"])[0].name == "x"
    found = tournament("tic-tac-toe", texts, games=2, trusted=True)
    assert len(set(found.identities)) == 4  # the same contents twice: two players all the same
    assert found.played == 12


def test_a_gauntlet_leaves_the_others_alone(files):
    found = tournament("tic-tac-toe", ["random", *files], schedule="gauntlet", games=2, trusted=True)
    assert found.played == 6
    assert found["random"].games == 6


def test_a_swiss_system_pairs_agents_with_similar_points_and_resumes(tmp_path):
    agents, file = ["search:depth=3", "search:depth=1", "random", "random", "random"], tmp_path / "t.store"
    found = tournament("tic-tac-toe", agents, schedule="swiss", rounds=3, games=2, seed=1, store=file)
    assert (found.played, found.total) == (12, 12)  # five agents: two pairings and a bye in each round
    assert sum(cell.games > 2 for row in found.cross for cell in row) == 0  # nobody meets twice
    with Store(file) as store:
        ids = sorted(store.ids())
        with store._database:
            store._database.executemany("DELETE FROM games WHERE id = ?", [(name,) for name in ids[::3]])
    again = tournament("tic-tac-toe", agents, schedule="swiss", rounds=3, games=2, seed=1, store=file, resume=True)
    assert sorted(played_of(file)) == ids
    assert [one.agent for one in again.standings] == [one.agent for one in found.standings]


def test_a_sequential_test_ends_the_tournament_when_it_is_decided(files, tmp_path):
    file = tmp_path / "t.store"
    options = {"games": 2000, "sprt": "0,200", "seed": 1, "store": file}
    found = tournament("tic-tac-toe", ["search:depth=3", "random"], **options)
    assert found.sprt.verdict == 1
    assert found.played == found.total == 2 * sum(found.sprt.counts) < 200
    assert tournament("tic-tac-toe", ["search:depth=3", "random"], **options, resume=True) == found


def test_a_solitaire_is_played_by_each_alone_from_the_same_starts():
    found = tournament("2048", ["random", "random"], games=3)
    assert found.solitaire
    assert (found.played, found.standings[0].games) == (6, 3)
    one, other = found.standings
    assert (one.mean, one.best) == (other.mean, other.best)  # the same starts, the same luck
    assert one.mean_low < one.mean < one.mean_high


def test_a_tournament_that_is_stopped_keeps_what_it_has(files, tmp_path):
    file, stopper = tmp_path / "t.store", Stopper()

    def stop(found):
        if found.played > 20:
            stopper.stop()

    with pytest.raises(Interrupted, match="keeps its games; resume to go on") as raised:
        tournament("tic-tac-toe", files, games=400, store=file, trusted=True, progress=stop, stopper=stopper)
    assert 20 < raised.value.result.played < 1200
    with Store(file, readonly=True) as store:
        assert store.problems() == []
        assert len(store.ids()) == raised.value.result.played


def test_more_agents_than_stay_open_play_all_the_same(tmp_path):
    found = tournament("tic-tac-toe", ["random"] * (MOST_OPEN + 2), games=2)
    assert found.played == (MOST_OPEN + 2) * (MOST_OPEN + 1)


def test_openings_may_be_listed(tmp_path):
    file = tmp_path / "t.store"
    tournament("tic-tac-toe", ["random", "random"], games=6, openings=["X...O....", "....X...O"], store=file)
    with Store(file, readonly=True) as store:
        assert [game.key.start for game in store.games()] == [
            text for start in ("X../.O./...", ".../.X./..O", "X../.O./...") for text in (start, start)
        ]


def test_untrusted_agents_are_refused_where_they_cannot_be_isolated_and_others_are_warned_of(files, monkeypatch):
    monkeypatch.setattr(tiers, "problem", lambda tier: "this is a test")
    with pytest.raises(OptionError, match="untrusted agents cannot be isolated here"):
        tournament("tic-tac-toe", files[:2], untrusted=True)
    with pytest.raises(OptionError, match="tier L of isolation does not work here"):
        tournament("tic-tac-toe", files[:2], tier="L")
    starts = []
    found = tournament("tic-tac-toe", files[:2], games=2, begun=starts.append)
    assert starts[0].isolation.startswith("tier none: agents are processes that nothing confines")
    assert (found.played, found["first"].fault_count) == (2, 0)


def test_a_store_is_not_resumed_with_another_game_or_without_some_of_its_agents(files, tmp_path):
    file, heard = tmp_path / "t.store", []
    options = {"games": 2, "store": file, "trusted": True, "resume": True}
    tournament("tic-tac-toe", files, **options)
    with pytest.raises(StoreError, match="t.store is a tournament of tic-tac-toe, not of nim; name another file"):
        tournament("nim", files, **options)
    with pytest.raises(StoreError, match=r"also has last, middle, and would lose them; name every agent .* --drop"):
        tournament("tic-tac-toe", [files[0], "random"], **options)
    with Store(file, readonly=True) as store:
        assert sorted(tournament_of(store).agents) == ["first", "last", "middle"]  # the table is what it was
    found = tournament("tic-tac-toe", [files[0], "random"], **options, drop=True, begun=heard.append)
    assert (sorted(found.agents), found.played) == (["first", "random"], 2)
    assert "6 games in the store belong to other agents" in heard[0].notes[-1]
    with Store(file, readonly=True) as store:
        assert len(list(store.records())) == 8


def test_a_sequential_test_without_a_number_of_games_goes_on_until_it_is_decided(monkeypatch):
    monkeypatch.setattr("outplay.arena.tournament.FIRST_TESTED", 2)  # pairs: so that it needs several parts
    heard = []
    found = tournament("tic-tac-toe", ["search:depth=3", "random"], sprt="0,50", seed=1, begun=heard.append)
    assert found.sprt.verdict == 1
    assert found.played == found.total > 20
    assert "until it is decided, for 100,000 games at most" in heard[0].notes[-1]
    short = tournament("tic-tac-toe", ["search:depth=3", "random"], sprt="0,50", seed=1, games=10)
    assert (short.played, short.total) == (10, 10)
    assert "no verdict yet" in str(short)
    assert "it stopped at its limit of 10 games; --resume --games 100 goes on" in str(short)


def test_an_odd_number_of_games_is_said_to_be_played_as_pairs():
    heard = []
    assert tournament("tic-tac-toe", ["random", "random"], games=3, seed=1, begun=heard.append).played == 4
    assert heard[0].notes == ("games come in pairs, with seats exchanged: every two agents play 4 games, not 3",)


@pytest.mark.parametrize("agents", [["random", "search:dpth=1"], ["random"]])
def test_what_is_refused_leaves_no_store_behind(agents, tmp_path):
    with pytest.raises(OptionError):
        tournament("tic-tac-toe", agents, store=tmp_path / "t.store")
    assert list(tmp_path.iterdir()) == []


def test_byes_of_a_swiss_system_are_spread_evenly():
    byes = []
    for _ in range(10):
        byes.append(swiss_round([3.0, 2.0, 1.0], [], byes, [0, 1, 2])[1])
    assert sorted(byes.count(agent) for agent in range(3)) == [3, 3, 4]
