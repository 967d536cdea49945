"""One server for the tests of what it answers and whom it refuses, and a page that asks it.

A test module says `pytest_plugins = ["served"]` (and imports nothing from here, or pytest cannot rewrite it) and takes `server`
or `page`.
"""

from collections.abc import Iterator

import pytest
from web_server import Page, Running, running_server

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


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One server for all tests of this process, with a game out of a user's file."""
    file = tmp_path_factory.mktemp("games") / "mypile.py"
    file.write_text(OWN_GAME)
    with running_server([str(file)]) as running:
        yield running


@pytest.fixture
def page(server: Running) -> Iterator[Page]:
    """Return a socket of that server."""
    with server.page() as page:
        yield page
