"""The page's server: what it answers, whom it refuses, and that nothing is left behind."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest
from rich.console import Console
from web_server import TOKEN, Page, Running, raw, running_server, wait_until
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from outplay.cli.web import run_web
from outplay.errors import OptionError, OutplayError, UnknownGame
from outplay.solve.progress import Progress
from outplay.web import limits, work
from outplay.web.app import PAGE
from outplay.web.limits import MESSAGE_BYTES, POSITIONS, Caps
from outplay.web.messages import written
from outplay.web.offered import Offered
from outplay.web.outbox import Outbox
from outplay.web.server import Server

OWN_GAME = """
from typing import NamedTuple
from outplay import OVER, Game

class State(NamedTuple):
    stones: int
    player: int

def turn(state):
    return state.player if state.stones else OVER

def moves(state):
    for take in (1, 2, 3):
        if take <= state.stones:
            yield take

def play(state, take):
    return State(state.stones - take, 1 - state.player)

def score(state):
    return 3 if state.player else -3

def show(state):
    if state.stones < 0:
        raise ValueError("no stones to show")
    return "o" * state.stones

game = Game(name="pile", show=show, start=State(7, 0), turn=turn, moves=moves, play=play, score=score, low=-3, high=3)
"""

ILL_GAME = """
import time
from typing import NamedTuple
from outplay import OVER, Game

released = False  # by the test, at its end

class State(NamedTuple):
    ill: int
    stones: int
    player: int

def turn(state):
    while state.ill == 1 and not released:
        time.sleep(0.01)
    return state.player if state.stones else OVER

def moves(state):
    if state.ill == 3:
        raise ValueError("x" * 1_000_000)
    yield 1

def play(state, take):
    return State(state.ill, state.stones - take, 1 - state.player)

def score(state):
    return 1 if state.player else -1

def show(state):
    if state.ill == 2:
        exit(2)
    return "\\ud800" if state.ill == 4 else "o" * state.stones

game = Game(name="ill", show=show, start=State(0, 3, 0), turn=turn, moves=moves, play=play, score=score)
"""

WON = [1, 4, 2, 5, 3]  # tic-tac-toe: X has the top row


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    file = tmp_path_factory.mktemp("games") / "mypile.py"
    file.write_text(OWN_GAME)
    with running_server([str(file)]) as running:
        yield running


@pytest.fixture
def ill_server(tmp_path):
    (tmp_path / "ill.py").write_text(ILL_GAME)
    caps = Caps(rules_seconds=0.3, stop_seconds=0.3, turn=0.3, compile_seconds=0.3)
    with running_server([str(tmp_path / "ill.py")], caps=caps) as running:
        yield running
        sys.modules["outplay_file_ill"].released = True  # type: ignore[attr-defined]
        wait_until(lambda: not running.service.jobs.lost)


@pytest.fixture
def page(server):
    with server.page() as page:
        yield page


# What is answered.


def test_the_games_are_listed_with_what_a_page_needs_to_offer_them(page: Page):
    answer = page.ask("games")
    games = {game["name"]: game for game in answer["games"]}
    assert games["connect-four"]["title"] == "Connect Four"
    assert [parameter["name"] for parameter in games["connect-four"]["parameters"]] == ["columns", "rows", "line"]
    assert games["connect-four"]["parameters"][0]["default"] == "7"
    assert games["pig"]["chance"]
    assert not games["tic-tac-toe"]["chance"]
    assert games["blacksin"]["deals"]
    assert games["blacksin"]["policies"] == ["house"]
    assert games["tic-tac-toe"]["players"] == ["X", "O"]
    assert games["mypile.py"] == {
        "name": "mypile.py",
        "title": "pile",
        "about": "",
        "parameters": [],
        "chance": False,
        "policies": [],
        "players": ["player 0", "player 1"],
        "own": True,
        "deals": False,
    }
    assert answer["limits"]["seconds"] == 600


def test_a_view_shows_the_position_and_what_can_be_chosen(page: Page):
    view = page.ask("view", game="tic-tac-toe", choices=[5, 1])
    assert view["event"] == "view"
    assert view["title"] == "Tic-tac-toe"
    assert view["turn"] == 0
    assert view["score"] is None
    assert view["result"] == ""
    assert view["svg"].startswith("<svg")
    assert [choice["choice"] for choice in view["choices"]] == [2, 3, 4, 6, 7, 8, 9]
    assert [(step["turn"], step["choice"]) for step in view["past"]] == [(0, 5), (1, 1)]
    assert page.ask("view", game="tic-tac-toe", start=view["state"])["state"] == view["state"]


def test_a_view_of_a_game_that_is_over_says_who_has_won(page: Page):
    view = page.ask("view", game="tic-tac-toe", choices=WON)
    assert (view["turn"], view["choices"], view["score"], view["result"]) == (-2, [], 1, "X wins")


def test_a_win_by_a_margin_says_the_margin(page: Page):
    choices: list[int] = []
    while (view := page.ask("view", game="dots-and-boxes:rows=1,columns=1", choices=choices))["turn"] != -2:
        choices.append(view["choices"][0]["choice"])
    assert re.fullmatch(r".+ wins by 1", view["result"])


def test_a_score_of_the_users_own_game_is_said_as_it_is(page: Page):
    assert page.ask("view", game="mypile.py", choices=[3, 3, 1])["result"] == "player 0 wins, with a score of +3"


def test_a_view_where_chance_acts_has_probabilities(page: Page):
    view = page.ask("view", game="pig", choices=[1])
    assert view["turn"] == -1
    assert [choice["probability"] for choice in view["choices"]] == [pytest.approx(1 / 6)] * 6


def test_a_rule_that_goes_wrong_is_an_error_that_says_where(page: Page):
    assert (
        page.ask("view", game="mypile.py", start="-1,0")["message"]
        == "ValueError: no stones to show (in show, line 25 of mypile.py)"
    )


def test_chance_that_a_game_does_not_have_is_an_error_that_says_so(page: Page):
    assert "the game has no chances; give the Game chances" in page.ask("view", game="mypile.py", start="7,-1")["message"]


def test_a_rule_that_exits_or_says_too_much_harms_nobody(ill_server: Running):
    with ill_server.page() as page:
        assert page.ask("view", game="ill.py", start="2,3,0")["message"] == "a rule raised SystemExit: 2"
        assert len(page.ask("view", game="ill.py", start="3,3,0")["message"]) == 2000
        half_a_letter = page.ask("view", game="ill.py", start="4,3,0")
        assert (half_a_letter["event"], half_a_letter["done"]) == ("error", True)
        assert half_a_letter["message"].startswith("this cannot be sent to the page: 'utf-8' codec can't encode")
        assert page.ask("view", game="pig")["event"] == "view"


def test_what_cannot_be_sent_is_an_error_that_says_so():
    for value in ("\ud800", "x" * limits.ANSWER_BYTES, object()):
        answer = json.loads(written({"id": 7, "event": "view", "text": value}))
        assert (answer["id"], answer["event"], answer["done"]) == (7, "error", True)
    assert json.loads(written({"id": 7, "event": "view", "value": float("inf")}))["value"] is None


def test_many_positions_are_drawn_at_once(page: Page):
    positions = [{"game": "tic-tac-toe", "choices": WON[:count]} for count in range(5)] + [{"game": "pig"}]
    views = page.ask("views", positions=positions)["views"]
    assert [view["state"] for view in views[:2]] == [
        page.ask("view", game="tic-tac-toe", choices=WON[:n])["state"] for n in (0, 1)
    ]
    assert all(view["svg"].startswith("<svg") for view in views)


def test_a_deal_is_a_start_that_can_be_viewed(page: Page):
    start = page.ask("deal", game="blacksin")["start"]
    assert page.ask("view", game="blacksin", start=start)["turn"] in (0, 1)
    assert page.ask("deal", game="tic-tac-toe")["start"] == ""


def test_a_state_typed_in_comes_back_as_the_game_writes_it(page: Page):
    answer = page.ask("read", game="connect-four", text="44")
    assert answer["start"] == "......./......./......./......./...O.../...X..."
    assert page.ask("read", game="connect-four", text="99")["event"] == "error"


def test_a_roll_is_one_of_the_outcomes(page: Page):
    assert page.ask("roll", game="pig", choices=[1])["choice"] in range(1, 7)
    assert "nothing to roll" in page.ask("roll", game="pig")["message"]


def test_agents_move(page: Page):
    best = page.ask("move", game="tic-tac-toe", choices=[1, 4, 2, 5], agent="search:depth=3")
    assert (best["event"], best["choice"], best["value"], best["proven"]) == ("moved", 3, 1, True)
    assert page.ask("move", game="tic-tac-toe", agent="random")["choice"] in range(1, 10)
    start = page.ask("deal", game="blacksin")["start"]
    assert page.ask("move", game="blacksin", start=start, agent="house")["event"] == "moved"


def test_a_solved_game_is_played_from_its_table_and_a_large_one_is_refused(page: Page):
    moved = page.ask("move", game="mypile.py", agent="solved")
    assert (moved["choice"], moved["value"], moved["proven"]) == (3, 3, True)
    assert "solved" in page.ask("move", game="connect-four", agent="solved")["message"]


def test_a_solve_can_be_stopped(server: Running, page: Page, monkeypatch):
    def endless(*_, progress, **__):
        while True:
            progress(Progress("states", 1, None, 1, 1.0, None))
            time.sleep(0.01)

    monkeypatch.setattr(work, "solve", endless)
    number = page.send("move", game="chomp", agent="solved")
    assert page.event()["event"] == "solving"
    page.send("stop", of=number)
    assert list(page.events(number))[-1]["event"] == "stopped"
    wait_until(lambda: server.jobs == 0)


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        ("solved:/etc/passwd", "is for the command line"),
        ("search:threads=64", "one thread"),
        ("person", "there is no agent"),
    ],
)
def test_an_agent_that_a_page_may_not_have_is_refused(page: Page, agent, why):
    assert why in page.ask("move", game="tic-tac-toe", agent=agent)["message"]


def test_nobody_moves_where_no_player_is_to_move(page: Page):
    assert "no player is to move" in page.ask("move", game="tic-tac-toe", choices=WON, agent="random")["message"]


def test_an_analysis_gives_every_move_its_value(page: Page):
    events = list(page.events(page.send("analyse", game="tic-tac-toe", choices=[1, 2], seconds=5)))
    last = events[-1]
    assert (last["event"], last["done"], last["stopped_by"], last["proven"], last["value"]) == (
        "analysis",
        True,
        "proof",
        True,
        1,
    )
    assert last["best"] in {move["choice"] for move in last["moves"] if move["value"] == 1}
    assert [move["choice"] for move in last["moves"]] == [3, 4, 5, 6, 7, 8, 9]
    assert all(not event["done"] for event in events[:-1] if event["event"] == "analysis")


def test_an_analysis_goes_on_until_it_is_stopped(page: Page):
    number = page.send("analyse", game="connect-four", seconds=600)
    seen = set()
    for event in page.events(number):
        seen.add(event["event"])
        if {"analysis", "tick"} <= seen:
            break
    page.send("stop", of=number)
    last = list(page.events(number))[-1]
    assert (last["event"], last["done"], last["stopped_by"]) == ("analysis", True, "stop")
    assert last["rate"] > 0


def test_a_newer_analysis_takes_the_place_of_the_older(server: Running, page: Page):
    first = page.send("analyse", game="connect-four", seconds=600)
    second = page.send("analyse", game="connect-four", choices=[4], seconds=600)
    ended = next(event for event in iter(page.event, None) if event["id"] == first and event.get("done"))
    assert ended.get("stopped_by", "stop") == "stop"
    page.send("stop", of=second)
    list(page.events(second))
    wait_until(lambda: server.jobs == 0)


def test_a_graph_has_a_point_for_every_position_of_the_game(page: Page):
    events = list(page.events(page.send("graph", game="tic-tac-toe", choices=WON, seconds=0.05)))
    assert [event["ply"] for event in events if event["event"] == "point"] == list(range(6))
    assert [event["value"] for event in events if event["event"] == "point"][-2:] == [1, 1]
    assert events[-1]["event"] == "done"


def test_a_trace_lists_every_node_under_its_parent(page: Page):
    found = page.ask("trace", game="tic-tac-toe", choices=[1, 4, 2, 5], depth=2, only=["pruning"])
    assert found["event"] == "trace"
    assert found["nodes"][0]["parent"] == -1
    assert all(node["parent"] < place for place, node in enumerate(found["nodes"]))
    assert sum(found["counts"].values()) == len(found["nodes"])
    assert found["visited"] == sum(node["entered"] is not None for node in found["nodes"])
    assert found["nodes"][0]["alpha"] is None  # minus infinity
    assert found["move_name"] == "3"


def test_a_trace_is_cut_where_its_nodes_have_too_many_choices(page: Page, monkeypatch):
    whole = page.ask("trace", game="tic-tac-toe", depth=3, nodes=300)
    monkeypatch.setattr(limits, "RECORDS", 200)
    found = page.ask("trace", game="tic-tac-toe", depth=3, nodes=300)
    assert len(whole["nodes"]) > 200 >= len(found["nodes"]) > 50
    assert found["cut"]
    assert found["visited"] < 300
    wide = page.ask("trace", game="nim:heaps=63-63-63-63-63-63-63-63", nodes=5000)
    assert wide["visited"] <= 8 * 63 + 3


def test_the_ladder_counts_what_each_technique_saves(page: Page):
    rows = page.ask("ladder", game="tic-tac-toe", choices=[5], depth=6)["rows"]
    assert [row["name"] for row in rows] == ["plain", "alpha-beta", "ordering", "table", "scout"]
    assert rows[0]["nodes"] > rows[1]["nodes"] > rows[3]["nodes"]
    assert len({row["value"] for row in rows}) == 1
    with_chance = page.ask("ladder", game="pig", depth=2)["rows"]
    assert [row["name"] for row in with_chance][-2:] == ["star1", "star2"]


def test_a_tree_written_as_text_is_solved_exactly_and_traced(page: Page):
    text = "max(A = chance(1/2: 1, 1/2: 2), B = min(3, 12, 8), min(2, 4, 6))"
    found = page.ask("tree", text=text)
    assert (found["event"], found["value"], found["best"]) == ("tree", "3", ["B"])
    assert [node["parent"] for node in found["nodes"][:6]] == [-1, 0, 0, 0, 1, 1]
    assert [node["value_text"] for node in found["nodes"][:4]] == ["3", "3/2", "3", "2"]
    assert [node["best"] for node in found["nodes"][:7]] == [True, False, True, False, False, False, True]
    assert all(found["nodes"][step["index"]]["kind"] != "leaf" for step in found["steps"])
    traced = page.ask("trace", tree=text, only=["pruning"])
    assert traced["value"] == 3
    assert traced["counts"]["alpha cut"] == 1
    assert [row["value"] for row in page.ask("ladder", tree=text)["rows"]] == [3] * 7
    assert "line 1" in page.ask("tree", text="max(3, ")["message"]


def test_several_traces_of_a_page_are_all_answered(page: Page):
    numbers = [page.send("trace", game="tic-tac-toe", depth=2) for _ in range(4)]
    done: dict[int, str] = {}
    while len(done) < 4:
        event = page.event()
        done[event["id"]] = event["event"]
    assert done == dict.fromkeys(numbers, "trace")


def test_a_game_is_prepared_and_the_page_hears_of_a_compilation_that_takes_long(page: Page, monkeypatch):
    assert page.ask("prepare", game="tic-tac-toe")["event"] == "ready"
    released = threading.Event()
    monkeypatch.setattr(work, "prepare", lambda *_, **__: released.wait(60))
    events = []
    for event in page.events(page.send("prepare", game="tic-tac-toe")):
        events.append(event)
        released.set()  # it is told while it lasts
    names = [event["event"] for event in events]
    assert names[0] == "compiling"
    assert names[-2:] == ["compiled", "ready"]
    assert events[0]["game"] == "tic-tac-toe"
    assert 0.4 <= events[0]["seconds"] <= events[-2]["seconds"]


def test_a_job_that_only_compiles_is_given_up_at_once(page: Page, monkeypatch):
    released = threading.Event()
    monkeypatch.setattr(work, "prepare", lambda *_, **__: released.wait(60))
    number = page.send("analyse", game="tic-tac-toe")
    page.send("stop", of=number)
    try:
        assert list(page.events(number))[-1]["event"] == "stopped"  # before the compilation is over
    finally:
        released.set()


# What is asked wrongly.


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("not JSON", "malformed"),
        ("[]", "Expected `object`"),
        ('{"id": 1, "do": "erase"}', "Invalid value 'erase'"),
        ('{"id": 1, "do": "view"}', "missing required field `game`"),
        ('{"id": 1, "do": "view", "game": "pig", "path": "x"}', "unknown field `path`"),
        ('{"id": 1, "do": "view", "game": "pig", "choices": ["1"]}', "Expected `int`"),
        (json.dumps({"id": 1, "do": "view", "game": "pig", "choices": [1] * 2001}), "length <= 2000"),
        (json.dumps({"id": 1, "do": "view", "game": "x" * 4001}), "length <= 4000"),
        ('{"id": 1, "do": "analyse", "game": "pig", "seconds": 601}', "<= 600"),
        ('{"id": 1, "do": "trace", "game": "pig", "nodes": 5001}', "<= 5000"),
        ('{"id": 1, "do": "trace", "game": "pig", "depth": 201}', "<= 200"),
        (json.dumps({"id": 1, "do": "views", "positions": [{"game": "pig"}] * (POSITIONS + 1)}), "length <= 200"),
        ("[" * 30_000, "no request"),
    ],
)
def test_a_malformed_request_is_an_error_and_the_socket_lives(page: Page, message, why):
    page.connection.send(message)
    answer = page.event()
    assert answer["event"] == "error"
    assert why in answer["message"]
    assert answer["id"] == (1 if message.startswith("{") else None)
    assert page.ask("view", game="pig")["event"] == "view"


@pytest.mark.parametrize(
    "game",
    ["nonsense", "mygame.py", "../mypile.py", "/tmp/mypile.py", "mypile.py:game", "./mypile.py", "C:\\mypile.py", "a/b", ""],
)
def test_a_page_cannot_load_a_file(page: Page, game):
    assert "outplay web mygame.py" in page.ask("view", game=game)["message"]


def test_a_state_is_never_taken_for_the_name_of_a_file(page: Page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret").write_text("a very secret line")
    for name in ("secret", str(tmp_path / "secret")):
        assert "very secret" not in page.ask("read", game="extended-connect-four", text=name)["message"]
        assert "very secret" not in page.ask("view", game="extended-connect-four", start=name)["message"]


def test_nor_by_a_game_of_the_users_own_that_is_made_of_a_built_in_one(tmp_path):
    (tmp_path / "secret").write_text("a very secret line")
    (tmp_path / "mine.py").write_text('from outplay import load\n\ngame = load("extended-connect-four").replace(name="mine")\n')
    with running_server([str(tmp_path / "mine.py")]) as server, server.page() as page:
        assert "very secret" not in page.ask("read", game="mine.py", text=str(tmp_path / "secret"))["message"]


def test_parameters_that_make_no_game_are_an_error_in_words(page: Page):
    assert "columns" in page.ask("view", game="connect-four:columns=9999999")["message"]
    assert "no parameter" in page.ask("view", game="connect-four:colour=red")["message"]


def test_an_illegal_move_is_an_error_that_lists_the_legal_ones(page: Page):
    assert "open are" in page.ask("view", game="tic-tac-toe", choices=[1, 1])["message"]


def test_only_so_many_games_are_kept_and_only_so_many_compiled(monkeypatch):
    offered = Offered(caps=Caps(games=3, variants=2))
    for heap in range(1, 10):
        offered.game(f"nim:heaps={heap}")
    assert len(offered._made) == 3
    with running_server(caps=Caps(variants=2)) as server, server.page() as page:
        monkeypatch.setattr(work, "prepare", lambda *_, **__: None)
        assert [page.ask("prepare", game=f"pig:goal={goal}")["event"] for goal in (10, 20, 10)] == ["ready"] * 3
        assert "start it again" in page.ask("prepare", game="pig:goal=30")["message"]


# Who is refused.


def test_the_address_with_the_token_gives_a_cookie_and_leads_to_the_page(server: Running):
    answer = httpx.get(server.entrance)
    assert answer.status_code == 200
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"outplay-{server.port}=")
    assert {"httponly", "samesite=strict", "path=/"} <= {part.strip().lower() for part in cookie.split(";")}
    assert server.token not in cookie
    assert 'content="0;url=/"' in answer.text
    assert "<script" not in answer.text
    assert "<title>Outplay" in server.get("/").text


@pytest.mark.parametrize("path", ["/", "/?token=", "/?token=wrong-token-of-the-tests", "/page/index.html", "/nothing"])
def test_without_the_token_nothing_is_served(server: Running, path):
    for headers in ({}, {"Cookie": f"outplay-{server.port}=wrong"}, {"Cookie": "outplay-1=" + server.cookie}):
        answer = httpx.get(server.address.rstrip("/") + path, headers=headers)
        assert answer.status_code == 403
        assert "address that outplay web has printed" in answer.text


def test_the_odd_cookie_of_another_program_does_not_hide_ours(server: Running):
    answer = server.get("/", Cookie=f'x={{"a": [1, 2]}}; {server.headers["Cookie"]}; y="')
    assert answer.status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil:{port}", ""])
def test_a_foreign_host_is_refused(server: Running, host):
    host = host.format(port=server.port)
    request = f"GET / HTTP/1.1\r\nHost: {host}\r\nCookie: {server.headers['Cookie']}\r\nConnection: close\r\n\r\n"
    assert raw(server.port, request).startswith(b"HTTP/1.1 421 ")


def test_localhost_is_no_foreign_host(server: Running):
    assert server.get("/", Host=f"localhost:{server.port}").status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}", None])
def test_a_socket_of_a_foreign_origin_is_refused(server: Running, origin):
    headers = {"Cookie": server.headers["Cookie"]}
    if origin is not None:
        headers["Origin"] = origin.format(port=server.port)
    with pytest.raises(InvalidStatus, match="403"), connect(f"ws://{server.host}/ws", additional_headers=headers, proxy=None):
        pass


def test_a_socket_without_the_cookie_is_refused(server: Running):
    headers = {"Origin": server.headers["Origin"]}
    with pytest.raises(InvalidStatus, match="403"), connect(f"ws://{server.host}/ws", additional_headers=headers, proxy=None):
        pass


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_only_reading_methods_are_allowed(server: Running, method):
    answer = httpx.request(method, server.address, headers=server.headers)
    assert answer.status_code == 405


def test_a_foreign_origin_may_not_even_read(server: Running):
    assert server.get("/", Origin="http://evil.example").status_code == 403


def test_every_answer_has_the_security_headers(server: Running):
    for answer in (server.get("/"), server.get("/page/index.html"), httpx.get(server.address), server.get("/nothing")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert f"connect-src 'self' ws://{server.host};" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in answer.headers


def test_files_of_the_page_are_served_with_their_type_and_asked_for_anew(server: Running):
    assert server.get("/").headers["cache-control"] == "no-store"
    for file in sorted(file for file in PAGE.rglob("*") if file.is_file()):
        answer = server.get(f"/page/{file.relative_to(PAGE).as_posix()}")
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-cache"
        assert (
            server.get(f"/page/{file.relative_to(PAGE).as_posix()}", **{"If-None-Match": answer.headers["etag"]}).status_code
            == 304
        )
        if file.suffix == ".js":
            assert answer.headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize("path", ["/page/../app.py", "/page/%2e%2e/app.py", "/page/..%2fapp.py", "/page//etc/passwd", "/app.py"])
def test_no_other_file_is_served(server: Running, path):
    request = f"GET {path} HTTP/1.1\r\nHost: {server.host}\r\nCookie: {server.headers['Cookie']}\r\nConnection: close\r\n\r\n"
    assert raw(server.port, request).startswith(b"HTTP/1.1 404 ")


def test_other_machines_are_let_in_only_with_a_token_of_ones_own():
    with pytest.raises(OptionError, match="--host 0.0.0.0 lets other machines in.*--token TEXT, at least 16"):
        Server(host="0.0.0.0", port=0)
    with pytest.raises(OptionError, match="a token of 5 characters can be guessed"):
        Server(host="0.0.0.0", port=0, token="12345")
    server = Server(host="0.0.0.0", port=0, token=TOKEN)
    server.socket.close()
    guard = server.app
    assert guard.knows(f"192.168.1.5:{server.port}")
    assert not guard.knows(f"evil.example:{server.port}")
    assert not guard.knows("192.168.1.5:1")
    server = Server(port=0)
    server.socket.close()
    assert server.host == "127.0.0.1"
    assert not server.app.knows(f"192.168.1.5:{server.port}")


def test_the_token_is_another_one_each_time():
    servers = [Server(port=0) for _ in range(2)]
    assert servers[0].token != servers[1].token
    assert len(servers[0].token) >= 32
    for server in servers:
        server.socket.close()


def test_a_port_that_is_taken_is_an_error_if_it_was_asked_for_and_else_another_one_is():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(OptionError, match=f"cannot listen on 127.0.0.1:{port}: .*choose another --port"):
            Server(port=port)
    first, second = Server(), Server()
    assert first.port != second.port
    for server in (first, second):
        server.socket.close()
    with pytest.raises(OptionError, match="port 70000 does not exist"):
        Server(port=70_000)


def test_a_file_that_is_no_game_is_an_error_at_the_start(tmp_path):
    with pytest.raises(UnknownGame, match="there is no file"):
        Server([str(tmp_path / "missing.py")], port=0)
    with pytest.raises(UnknownGame, match="is built in"):
        Server(["pig"], port=0)


def test_two_files_of_the_same_name_are_told_apart(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "pile.py").write_text(OWN_GAME)
    assert list(Offered([str(tmp_path / "a/pile.py"), str(tmp_path / "b/pile.py")]).own) == [
        "pile.py",
        str(tmp_path / "b/pile.py"),
    ]


# One misbehaving page does not slow another.


def close_code(page: Page) -> int:
    """Return what the server says as it closes the socket."""
    with pytest.raises(ConnectionClosed) as closed:
        page.event()
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


def test_a_message_too_large_closes_the_socket(server: Running):
    with server.page() as page:
        page.connection.send("x" * (MESSAGE_BYTES + 1))
        assert close_code(page) == 1009


def test_a_flood_of_messages_closes_the_socket(server: Running, page: Page):
    with server.page() as flooding:
        with suppress(ConnectionClosed):
            for _ in range(1000):
                flooding.send("stop", of=0)
        assert close_code(flooding) == 1008
    assert page.ask("view", game="pig")["event"] == "view"


def test_a_page_that_reads_nothing_is_closed_and_holds_nothing_up():
    with (
        running_server(caps=Caps(send_seconds=0.3)) as server,
        server.page(max_queue=1, close_timeout=0.1) as deaf,
        server.page() as honest,
    ):
        positions = [{"game": "connect-four"}] * POSITIONS
        for _ in range(30):
            deaf.send("views", positions=positions)
        wait_until(lambda: server.sockets == 1)
        assert honest.ask("view", game="pig")["event"] == "view"


def send_pings(page: Page) -> None:
    for _ in range(20_000):
        page.connection.ping()
    page.event(timeout=5)


def send_parts(page: Page) -> None:
    page.connection.send(["{"] + [""] * 20_000 + ["}"])
    page.event(timeout=5)


@pytest.mark.parametrize("send", [send_pings, send_parts])
def test_a_flood_of_pings_or_of_parts_of_a_message_is_cut_off(server: Running, page: Page, send):
    with server.page(close_timeout=0.1) as flooding, pytest.raises(ConnectionClosed):
        send(flooding)
    assert page.ask("view", game="pig")["event"] == "view"


def test_rules_that_never_return_are_given_up_and_the_others_served(ill_server: Running):
    with ill_server.page() as page, ill_server.page() as honest:
        threads = ill_server.threads
        for _ in range(6):  # more than there are threads for the rules
            assert "more than 0.3 s" in page.ask("view", game="ill.py", start="1,3,0")["message"]
        assert honest.ask("view", game="pig")["event"] == "view"
        wait_until(lambda: ill_server.threads <= threads + 4)


def test_a_trace_that_never_returns_is_given_up_and_the_next_one_made(ill_server: Running):
    with ill_server.page() as page, ill_server.page() as honest:
        number = page.send("trace", game="ill.py", start="1,3,0")
        wait_until(lambda: ill_server.jobs == 1)
        assert honest.ask("trace", game="tic-tac-toe", depth=1)["event"] == "trace"
        assert "a rule of the game may never return" in list(page.events(number))[-1]["message"]
        assert not ill_server.service.jobs.idle


def test_a_compilation_that_never_ends_holds_up_no_other(ill_server: Running, monkeypatch):
    released = threading.Event()
    monkeypatch.setattr(work, "prepare", lambda game, *_, **__: released.wait(60) if "tic" in game.name else None)
    try:
        with ill_server.page() as page, ill_server.page() as honest:
            page.send("prepare", game="tic-tac-toe")
            wait_until(lambda: ill_server.jobs == 1)
            assert honest.ask("prepare", game="pig")["event"] == "ready"
            assert ill_server.jobs == 1
    finally:
        released.set()


def test_only_so_many_threads_are_given_up(ill_server: Running):
    jobs = ill_server.service.jobs
    jobs.caps = Caps(stop_seconds=0.1, lost=1)
    with ill_server.page() as page:
        for number in (page.send("trace", game="ill.py", start="1,3,0"), page.send("trace", game="ill.py", start="1,3,0")):
            page.send("stop", of=number)
            list(page.events(number))
            wait_until(lambda: bool(jobs.lost))
        time.sleep(0.5)
        assert (len(jobs.lost), len(jobs.running)) == (1, 1)


def test_news_takes_the_place_of_old_news():
    async def news() -> list[int]:
        outbox = Outbox(10)
        for depth in range(100):
            outbox.put({"id": 1, "event": "analysis", "done": False, "depth": depth})
        outbox.put({"id": 1, "event": "analysis", "done": True, "depth": 100})
        return [(await outbox.take())["depth"] for _ in range(len(outbox))]

    with ThreadPoolExecutor() as thread:  # playwright, where tests of the page ran before, keeps a loop in this one
        assert thread.submit(asyncio.run, news()).result() == [99, 100]


def test_a_search_that_has_had_its_turn_makes_room_for_one_that_waits():
    with running_server(caps=Caps(searches=1, turn=0.3)) as server, server.page() as long, server.page() as short:
        number = long.send("analyse", game="connect-four", seconds=600)
        long.event()
        assert short.ask("move", game="tic-tac-toe", agent="search:depth=2")["event"] == "moved"
        assert list(long.events(number))[-1]["stopped_by"] == "busy"
        number = long.send("move", game="connect-four", agent="search:seconds=60")
        wait_until(lambda: server.jobs == 1)
        assert short.ask("move", game="tic-tac-toe", agent="search:depth=2")["event"] == "moved"
        hurried = list(long.events(number))[-1]
        assert hurried["event"] == "moved"
        assert hurried["seconds"] < 30


def test_a_move_does_not_wait_for_analyses_that_came_before_it():
    with running_server(caps=Caps(searches=1, turn=0.5)) as server, ExitStack() as tabs:
        for _ in range(8):
            tabs.enter_context(server.page()).send("analyse", game="connect-four", seconds=600)
        wait_until(lambda: len(server.service.jobs.waiting) >= 4)
        begun = server.service.jobs.begun
        with server.page() as page:
            assert page.ask("move", game="tic-tac-toe", agent="search:depth=2")["event"] == "moved"
            assert server.service.jobs.begun <= begun + 3


def test_a_socket_too_many_is_refused_and_an_idle_one_makes_room():
    with running_server(caps=Caps(sockets=2, mute=0.3, idle=0.6)) as server, server.page() as first:
        first.ask("view", game="pig")
        with server.page() as mute:
            with pytest.raises(InvalidStatus, match="503"), server.page():
                pass
            time.sleep(0.4)
            with server.page() as third:
                third.ask("view", game="pig")
                assert close_code(mute) == 1013
                assert first.ask("view", game="pig")["event"] == "view"


def test_a_thousand_sockets_are_refused_and_the_honest_user_is_served(capsys):
    def request(server: Running) -> bytes:
        key = "dGhlIHNhbXBsZSBub25jZQ=="
        lines = [
            "GET /ws HTTP/1.1",
            f"Host: {server.host}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
        ]
        lines += ["Sec-WebSocket-Version: 13", *(f"{name}: {value}" for name, value in server.headers.items())]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    with running_server(caps=Caps(mute=60)) as server, server.page() as honest, ExitStack() as crowd:
        took = []
        for count in range(1000):
            connection = crowd.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            connection.sendall(request(server))
            if count % 10 == 0:
                began = time.monotonic()
                assert honest.ask("view", game="tic-tac-toe", choices=[5])["event"] == "view"
                took.append(time.monotonic() - began)
        wait_until(lambda: server.service.visitors.refused == 1000 - 63)
        assert server.sockets == 64
        with capsys.disabled():
            print(f"\n1,000 sockets: view p99 {1000 * sorted(took)[98]:.1f} ms, of 100, client and server in one process")


def test_connections_that_never_ask_for_anything_keep_nobody_out_and_are_closed():
    with running_server(caps=Caps(headers_seconds=2.0)) as server, ExitStack() as crowd:
        idle = [crowd.enter_context(socket.create_connection(("127.0.0.1", server.port))) for _ in range(1000)]
        idle[0].sendall(b"GET / HTTP/1.1\r\nHost: ")  # and never the rest
        assert server.get("/").status_code == 200
        with server.page() as page:
            time.sleep(2.1)  # a socket is not meant
            assert page.ask("view", game="pig")["event"] == "view"
        for connection in idle:
            connection.settimeout(10)
            assert connection.recv(1) == b""


def test_a_connection_that_takes_no_answer_is_closed():
    with running_server(caps=Caps(headers_seconds=0.3)) as server, socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        deaf.connect(("127.0.0.1", server.port))
        deaf.settimeout(0.2)
        request = f"GET /page/js/search.js HTTP/1.1\r\nHost: {server.host}\r\nCookie: {server.headers['Cookie']}\r\n\r\n".encode()
        with suppress(OSError):
            for _ in range(1000):
                deaf.sendall(request)
        wait_until(lambda: not server.server._uvicorn.server_state.connections)


# Nothing is left behind.


def resident() -> int:
    """Return the memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc to measure memory")
def test_abandoned_analyses_leave_no_search_no_thread_and_no_memory(capsys):
    def abandon(server: Running) -> None:
        with server.page() as page:
            number = page.send("analyse", game="connect-four", seconds=600)
            next(event for event in page.events(number) if event["event"] == "analysis")

    with running_server() as server:
        for _ in range(20):  # until every thread has its pool of memory
            abandon(server)
        wait_until(lambda: server.jobs == 0 and server.sockets == 0)
        threads, memory, begun = server.threads, resident(), server.service.jobs.begun
        for _ in range(100):
            abandon(server)
        wait_until(lambda: server.jobs == 0 and server.sockets == 0)
        wait_until(lambda: server.threads <= threads)
        grown = resident() - memory
        assert server.service.jobs.begun == begun + 100
        with capsys.disabled():
            print(f"\n100 abandoned analyses: {grown / 1e6:+.1f} MB")
        assert grown < 30e6


def test_a_page_that_goes_away_without_a_word_takes_its_search_with_it(server: Running):
    with server.page() as page:
        page.send("analyse", game="connect-four", seconds=600)
        page.event()
        page.connection.socket.shutdown(socket.SHUT_RDWR)
        wait_until(lambda: server.jobs == 0)


START = (
    "from rich.console import Console; from outplay.cli.web import run_web; run_web(Console(), Console(stderr=True), [], port=0)"
)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(("number", "times", "status"), [(signal.SIGINT, 1, 0), (signal.SIGINT, 2, 0), (signal.SIGTERM, 1, 143)])
def test_a_signal_ends_the_server_at_once_also_while_it_searches(number, times, status):
    process = subprocess.Popen([sys.executable, "-c", START], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().split()[-1]
    port, token = re.search(r":(\d+)/\?token=(.+)", address).groups()  # type: ignore[union-attr]
    with httpx.Client(transport=httpx.HTTPTransport(retries=5)) as client:
        client.get(address)
        ((name, cookie),) = client.cookies.items()
    headers = {"Cookie": f"{name}={cookie}", "Origin": f"http://127.0.0.1:{port}"}
    with connect(f"ws://127.0.0.1:{port}/ws", additional_headers=headers, proxy=None) as connection:
        page = Page(connection)
        page.send("analyse", game="connect-four", seconds=600)
        page.event()
        for _ in range(times):
            process.send_signal(number)
            time.sleep(0.05)
        out, err = process.communicate(timeout=10)
    assert process.returncode == status
    assert err == ""
    assert token not in out


def test_without_the_extra_the_command_says_what_to_install(monkeypatch):
    monkeypatch.delitem(sys.modules, "outplay.web.server")
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(OutplayError, match=r"the page needs uvicorn, .*: pip install 'outplay\[web\]'"):
        run_web(Console(), Console(), [])
