"""Tournaments as the server tells them: only stores that were named, only what is asked for, whatever a store says."""

from pathlib import Path

import pytest
from processes import outplay
from tournaments import START, round_robin_store
from web_server import running_server

from outplay.arena.store import Store
from outplay.errors import StoreError
from outplay.web import limits, messages
from outplay.web.answers import Standings, Unchanged
from outplay.web.messages import Pairing, Record
from outplay.web.tournaments import Tournaments


def standings(shown, **more):
    return shown.standings(messages.Standings(id=1, **more))


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """Return a tournament of three agents as a server shows it, looked at whenever it is asked for."""
    monkeypatch.setattr("outplay.web.tournaments.OFTEN", 0.0)
    monkeypatch.setattr("outplay.web.tournaments.SHARE", 0.0)
    round_robin_store(tmp_path / "a.store", ["anna", "berta", "clara"], 60).close()
    return Tournaments([tmp_path / "a.store"])


def test_only_stores_that_were_named_are_shown(shown, tmp_path):
    round_robin_store(tmp_path / "b.store", ["anna", "berta"], 1).close()
    assert shown.labels == ["a.store"]
    for name in ("b.store", str(tmp_path / "b.store"), str(tmp_path / "a.store"), "../a.store", ""):
        with pytest.raises(
            StoreError, match=r"this page has no tournament .*; it has a.store. A store is given where the server"
        ):
            standings(shown, store=name)
        with pytest.raises(StoreError, match="this page has no tournament"):
            shown.record(Record(id=1, store=name, played="a"))
    with pytest.raises(StoreError, match="there is no store"):
        Tournaments([tmp_path / "c.store"])
    with pytest.raises(StoreError, match="cannot be opened as the store of a tournament"):
        Tournaments([__file__])


def test_standings_are_sent_once_for_each_version(shown):
    first = standings(shown, store="a.store")
    assert isinstance(first, Standings)
    assert [row.agent for row in first.rows] == ["anna", "berta", "clara"]
    assert first.game == "Tic-tac-toe"
    assert first.cross[0][1] == [120, 0, 0, 0, 0]
    assert isinstance(standings(shown, store="a.store", version=first.version), Unchanged)
    assert isinstance(standings(shown, store="a.store", version="another"), Standings)


def test_games_come_in_pages(shown):
    asked = {"id": 1, "store": "a.store", "one": "[anna]", "other": "[clara]"}
    first = shown.pairing(Pairing(**asked))
    rest = shown.pairing(Pairing(**asked, offset=limits.LISTED_GAMES))
    assert (first.total, len(first.games), len(rest.games)) == (120, limits.LISTED_GAMES, 20)
    assert len({game.id for game in (*first.games, *rest.games)}) == 120
    assert shown.pairing(Pairing(id=1, store="a.store", one="[anna]", other="[nobody]")).total == 0


def test_a_game_is_a_position_of_another_room(shown):
    (game, *_) = shown.pairing(Pairing(id=1, store="a.store", one="[anna]", other="[clara]")).games
    found = shown.record(Record(id=1, store="a.store", played=game.id))
    assert (found.game, found.start, found.choices, found.note) == ("tic-tac-toe", "", [1, 4, 2, 5, 3], "")
    assert (found.keys, found.agents, found.result) == (["[anna]", "[clara]"], ["anna", "clara"], 1.0)
    with pytest.raises(StoreError, match="there is no game"):
        shown.record(Record(id=1, store="a.store", played="zzz"))


def test_a_game_that_the_page_does_not_have_names_the_file(shown, tmp_path):
    path = tmp_path / "a.store"
    with Store(path) as store:
        store.describe(game="games/mine.py", title="dash")
        name = next(iter(store.ids()))
    found = shown.record(Record(id=1, store="a.store", played=name))
    assert found.game == ""
    assert standings(shown, store="a.store").game == "dash"  # as the game calls itself
    assert "outplay web mine.py --tournament a.store" in found.note
    shown.know(shown._registry, {"mine.py": Path("games/mine.py").absolute()})
    assert shown.record(Record(id=1, store="a.store", played=name)).game == "mine.py"
    assert shown.record(Record(id=1, store="a.store", played=name)).start == START  # only the rules could shorten it


def test_rules_that_have_changed_are_said(shown, tmp_path):
    with Store(tmp_path / "a.store") as store:
        store.describe(game="connect-four")
        name = next(iter(store.ids()))
    assert "The rules of connect-four are not those" in shown.record(Record(id=1, store="a.store", played=name)).note


@pytest.mark.parametrize("agents", ["nonsense", [1, 2], [{"name": "anna"}], {"a": 1}, [{"name": 3, "identity": "[anna]"}]])
def test_a_store_that_says_nonsense_is_an_error_and_nothing_worse(shown, tmp_path, agents):
    with Store(tmp_path / "a.store") as store:
        store.describe(agents=agents)
    with pytest.raises(StoreError, match="a.store"):
        standings(shown, store="a.store")


def test_a_server_tells_its_pages_which_tournaments_it_has_and_bounds_what_they_ask(tmp_path):
    round_robin_store(tmp_path / "class.store", ["anna", "berta"], 1).close()
    with running_server(tournaments=[str(tmp_path / "class.store")]) as server:
        assert 'export const TOURNAMENTS = ["class.store"];' in server.get("/page/js/constants.js").text
        with server.page() as page:
            assert page.ask(do="standings", store="class.store")["played"] == 2
            assert page.ask(do="standings", store="x" * 5000)["code"] == "malformed"
            assert page.ask(do="standings", store="other")["code"] == "store-error"
            assert page.ask(do="pairing", store="class.store", one="a", other="b", offset=-1)["code"] == "malformed"
            assert page.ask(do="record", store="class.store", played="x" * 50)["code"] == "malformed"


def test_the_command_line_says_that_a_store_is_not_there(tmp_path):
    found = outplay("web", "--no-open", "--port", 0, "--tournament", "none.store", cwd=tmp_path)
    assert found.returncode == 2
    assert "there is no store 'none.store'; name a file that outplay tournament wrote" in found.stderr
