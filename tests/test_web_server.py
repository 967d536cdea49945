"""How the page's server starts and ends, and that nothing is left behind."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
from patience import PATIENCE
from rich.console import Console
from web_server import TOKEN, Page, Running, running_server, wait_until
from websockets.sync.client import connect

from bench.client import open_page
from outplay.cli.web import run_web
from outplay.errors import OptionError, OutplayError, UnknownGame
from outplay.web.limits import Caps
from outplay.web.own_games import OwnGames
from outplay.web.server import Server

pytest_plugins = ["served"]


# How it starts.


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


def test_an_address_of_another_machine_is_an_error_that_says_so():
    with pytest.raises(OptionError, match="--host 192.0.2.1: .*; give an address of this machine"):
        Server(host="192.0.2.1", token=TOKEN)


def test_a_file_that_is_no_game_is_an_error_at_the_start(tmp_path):
    with pytest.raises(UnknownGame, match="there is no file"):
        Server([str(tmp_path / "missing.py")], port=0)
    with pytest.raises(UnknownGame, match="is built in"):
        Server(["pig"], port=0)


def test_two_files_of_the_same_name_are_told_apart(tmp_path):
    from served import OWN_GAME

    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "pile.py").write_text(OWN_GAME)
    with closing(OwnGames([str(tmp_path / "a/pile.py"), str(tmp_path / "b/pile.py")], Caps())) as own:
        assert list(own.processes) == ["pile.py", str(tmp_path / "b/pile.py")]
        assert [process.entry.name for process in own.processes.values()] == list(own.processes)


def test_without_the_extra_the_command_says_what_to_install(monkeypatch):
    monkeypatch.delitem(sys.modules, "outplay.web.server")
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(OutplayError, match=r"the page needs uvicorn, .*: pip install 'outplay\[web\]'"):
        run_web(Console(), Console(), [])


# Nothing is left behind.


def resident() -> int:
    """Return the memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc to measure memory")
def test_abandoned_analyses_leave_no_search_no_thread_and_no_memory(capsys):
    def abandon(server: Running) -> None:
        with server.page() as page:
            page.first("analysis", "analyse", game="connect-four", seconds=600)

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


LOOPING_GAME = """
from typing import NamedTuple
from outplay import OVER, Game

class State(NamedTuple):
    left: int
    player: int

def turn(state):
    return state.player if state.left else OVER

def moves(state):
    yield 1

def play(state, take):
    many = 0
    while state.left == 5 and many >= 0:
        many = 1 - many
    return State(state.left - take, 1 - state.player)

def score(state):
    return 1 if state.player else -1

game = Game(name="looping", start=State(9, 0), turn=turn, moves=moves, play=play, score=score)
"""


@contextmanager
def other_process(code: str) -> Iterator[tuple[subprocess.Popen[str], Page]]:
    """Run a server in a process of its own, and a page that asks it."""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        with httpx.Client(transport=httpx.HTTPTransport(retries=5), timeout=PATIENCE) as client:
            client.get(address)
            ((name, cookie),) = client.cookies.items()
        host = re.search(r"//(.+)/", address).group(1)  # type: ignore[union-attr]
        headers = {"Cookie": f"{name}={cookie}", "Origin": f"http://{host}"}
        with open_page(host, headers, open_timeout=PATIENCE, ping_interval=None) as page:
            yield process, page
    finally:
        process.kill()
        process.communicate()


def test_an_analysis_of_one_second_ends_though_a_compiled_rule_never_returns(tmp_path):
    (tmp_path / "looping.py").write_text(LOOPING_GAME)
    with other_process(START.replace("[]", f"[{str(tmp_path / 'looping.py')!r}]")) as (_, page):
        failed = page.ask("analyse", game="looping.py", seconds=1)
        assert failed["event"] == "error"
        assert "play" in failed["message"]  # the rule, its line and its state
        assert re.search(r"line 1[5-7]\b", failed["message"])
        assert "State(left=5, player=" in failed["message"]
        assert "loop" in failed["message"]
        assert page.ask("view", game="looping.py")["event"] == "view"
        assert page.ask("move", game="tic-tac-toe", agent="search:depth=2")["event"] == "moved"


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
    with httpx.Client(transport=httpx.HTTPTransport(retries=5), timeout=PATIENCE) as client:
        client.get(address)
        ((name, cookie),) = client.cookies.items()
    headers = {"Cookie": f"{name}={cookie}", "Origin": f"http://127.0.0.1:{port}"}
    with connect(f"ws://127.0.0.1:{port}/ws", additional_headers=headers, proxy=None, open_timeout=PATIENCE) as connection:
        page = Page(connection)
        page.send("analyse", game="connect-four", seconds=600)
        page.event()
        for _ in range(times):
            process.send_signal(number)
            time.sleep(0.05)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == status
    assert err == ""
    assert token not in out
