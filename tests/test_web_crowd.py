"""One page that misbehaves does not slow another: floods, rules that never return, crowds."""

import asyncio
import re
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from queue import SimpleQueue

import pytest
from patience import PATIENCE
from web_server import Page, Running, running_server, wait_until
from websockets.exceptions import ConnectionClosed, InvalidStatus

from outplay.web import answers, messages, preparation
from outplay.web.game_registry import GameRegistry
from outplay.web.limits import MESSAGE_BYTES, POSITIONS, Caps
from outplay.web.outbox import Outbox

pytest_plugins = ["served"]

ILL_GAME = """
import os
import time
from pathlib import Path
from typing import NamedTuple
from outplay import OVER, Game

class State(NamedTuple):
    ill: int
    stones: int
    player: int

def turn(state):
    while state.ill == 1:
        time.sleep(0.01)
    while state.ill == 5:
        pass
    while state.ill == 7 and not (Path(__file__).parent / "well").exists():
        time.sleep(0.01)
    if state.ill == 6:
        os._exit(7)
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


STUCK = "The rule turn has not returned: line 15 of ill.py, at State(ill=1, stones=3, player=0). See whether a loop in it ends."


@pytest.fixture
def ill_server(tmp_path):
    (tmp_path / "ill.py").write_text(ILL_GAME)
    caps = Caps(rules_seconds=1.0, stop_seconds=0.3, turn=0.3, compile_seconds=0.3, load_seconds=PATIENCE)
    with running_server([str(tmp_path / "ill.py")], caps=caps) as running:
        yield running


# Floods.


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
        running_server(caps=Caps(send_seconds=2.0)) as server,
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
    page.event()


def send_parts(page: Page) -> None:
    page.connection.send(["{"] + [""] * 20_000 + ["}"])
    page.event()


@pytest.mark.parametrize("send", [send_pings, send_parts])
def test_a_flood_of_pings_or_of_parts_of_a_message_is_cut_off(server: Running, page: Page, send):
    with server.page(close_timeout=0.1) as flooding, pytest.raises(ConnectionClosed):
        send(flooding)
    assert page.ask("view", game="pig")["event"] == "view"


# Rules that go wrong.


def test_a_rule_that_exits_or_says_too_much_harms_nobody(ill_server: Running):
    with ill_server.page() as page:
        assert page.ask("view", game="ill.py", start="2,3,0")["message"] == "a rule raised SystemExit: 2"
        assert len(page.ask("view", game="ill.py", start="3,3,0")["message"]) == 2000
        half_a_letter = page.ask("view", game="ill.py", start="4,3,0")
        assert (half_a_letter["event"], half_a_letter["done"]) == ("error", True)
        assert half_a_letter["message"].startswith("this cannot be sent to the page: 'utf-8' codec can't encode")
        assert page.ask("view", game="pig")["event"] == "view"


def is_well(running: Running) -> bool:
    """Return whether the rules answer; within a second, so that a slow machine may have to ask again."""
    with running.page() as page:
        return bool(page.ask("view", game="ill.py")["event"] == "view")


def test_rules_that_never_return_are_killed_and_the_others_served(ill_server: Running):
    rules = ill_server.service.own.processes["ill.py"]
    with ill_server.page() as page, ill_server.page() as honest:
        threads = ill_server.threads
        for number in range(1, 4):
            said = page.ask("view", game="ill.py", start="1,3,0")
            assert (said["code"], said["message"]) == ("endless", f"No answer after 1 s, so it was given up. {STUCK}")
            assert rules.kills == number
        assert honest.ask("view", game="pig")["event"] == "view"
        wait_until(lambda: is_well(ill_server))
        wait_until(lambda: ill_server.threads <= threads + 4)  # nothing of what was given up runs on


def test_a_trace_that_never_returns_is_killed_and_the_next_one_made(ill_server: Running):
    with ill_server.page() as page, ill_server.page() as honest:
        number = page.send("trace", game="ill.py", start="1,3,0")
        wait_until(lambda: ill_server.jobs == 1)
        assert honest.ask("trace", game="tic-tac-toe", depth=1)["event"] == "trace"
        assert list(page.events(number))[-1]["message"] == f"trace did not end, so it was given up. {STUCK}"
        wait_until(lambda: ill_server.service.jobs.idle)


def test_a_rule_that_never_returns_before_a_search_ends_its_job(ill_server: Running):
    with ill_server.page() as page:
        failed = page.ask("trace", game="ill.py", start="5,3,0")
        assert failed["code"] == "endless"
        assert re.match(r"trace did not end, so it was given up. turn, line 1[67]: does not return", failed["message"])
        wait_until(lambda: ill_server.service.jobs.idle)


def test_a_rule_that_ends_its_process_ends_no_other(ill_server: Running):
    with ill_server.page() as page:
        failed = page.ask("view", game="ill.py", start="6,3,0")
        assert failed["code"] == "rule-raised"
        assert failed["message"].startswith("the process that runs the rules of ill.py ended by itself (status 7); see whether")
        wait_until(lambda: is_well(ill_server))


def test_what_a_killed_process_has_not_answered_the_next_one_is_asked(ill_server: Running, tmp_path):
    rules, found = ill_server.service.own.processes["ill.py"], SimpleQueue()
    ask = messages.Trace(id=1, game="ill.py", start="7,3,0", depth=1)
    rules._begin(ask, lambda kind, content: kind == "answer" and found.put(content))
    ill = rules._begin(messages.View(id=2, game="ill.py", start="1,3,0"), lambda kind, content: found.put(content))
    rules._kill(ill, answers.Stopped())
    assert found.get(timeout=PATIENCE) == answers.Stopped()
    (tmp_path / "well").touch()
    assert "time.sleep makes the rule depend on the time" in found.get(timeout=PATIENCE).message  # what a trace of it comes to


def test_a_compilation_that_never_ends_holds_up_no_other(ill_server: Running, monkeypatch):
    released = threading.Event()
    monkeypatch.setattr(preparation, "prepare", lambda game, *_, **__: released.wait(PATIENCE) if "tic" in game.name else None)
    try:
        with ill_server.page() as page, ill_server.page() as honest:
            page.send("prepare", game="tic-tac-toe")
            wait_until(lambda: ill_server.jobs == 1)
            assert honest.ask("prepare", game="pig")["event"] == "ready"
            wait_until(lambda: ill_server.jobs == 1)  # its thread ends just after its answer
    finally:
        released.set()


def test_a_view_that_nobody_waits_for_any_more_is_killed_as_well_and_not_asked_for_again(ill_server: Running):
    rules = ill_server.service.own.processes["ill.py"]
    with ill_server.page() as page:
        page.send("view", game="ill.py", start="1,3,0")
        wait_until(lambda: bool(rules._calls))
    wait_until(lambda: rules.kills == 1)
    assert not rules._calls


def test_what_is_stopped_and_does_not_end_is_killed(ill_server: Running):
    with ill_server.page() as page:
        number = page.send("trace", game="ill.py", start="1,3,0")
        page.send("stop", of=number)
        assert list(page.events(number))[-1]["event"] == "stopped"
        wait_until(lambda: ill_server.service.own.processes["ill.py"].kills == 1)
        wait_until(lambda: ill_server.service.jobs.idle)


# Crowds.


def test_news_takes_the_place_of_old_news():
    async def news() -> list[int]:
        outbox = Outbox(10)
        for nodes in range(100):
            outbox.put(answers.Tick(id=1, nodes=nodes, seconds=1.0, rate=1.0))
        outbox.put(answers.Tick(id=1, done=True, nodes=100, seconds=1.0, rate=1.0))
        return [(await outbox.take()).nodes for _ in range(len(outbox))]

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
        assert hurried["seconds"] < 60


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
    with running_server(caps=Caps(sockets=2, mute=PATIENCE, idle=PATIENCE)) as server, server.page() as first:
        first.ask("view", game="pig")
        with server.page() as mute:
            with pytest.raises(InvalidStatus, match="503"), server.page():
                pass
            server.service.visitors.caps = Caps(sockets=2, mute=0.0, idle=PATIENCE)
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
            connection.settimeout(PATIENCE)
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


def test_only_so_many_games_are_kept_and_only_so_many_compiled(monkeypatch):
    registry = GameRegistry(caps=Caps(games=3, variants=2))
    for heap in range(1, 10):
        registry.game(f"nim:heaps={heap}")
    assert len(registry._made) == 3
    with running_server(caps=Caps(variants=2)) as server, server.page() as page:
        monkeypatch.setattr(preparation, "prepare", lambda *_, **__: None)
        assert [page.ask("prepare", game=f"pig:goal={goal}")["event"] for goal in (10, 20, 10)] == ["ready"] * 3
        assert "start it again" in page.ask("prepare", game="pig:goal=30")["message"]
