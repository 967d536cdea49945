"""Results, and the games in them, go through `pickle` and `copy`; what cannot says so."""

import copy
import pickle
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy
import pytest
from board_games import drops_on_an_array
from processes import python
from shapes import shape_found_once  # noqa: F401
from toy_games import Pile, pile

from outplay import (
    CHANCE,
    OVER,
    Game,
    Prover,
    SearchAgent,
    Searcher,
    analyse,
    facing,
    load,
    match,
    playouts,
    search,
    solve,
    trace,
    tree,
)
from outplay.errors import NotPickled
from outplay.games import catalogue
from outplay.learn.session import learn_games

HOW: dict[str, Callable[[Any], Any]] = {"pickle": lambda it: pickle.loads(pickle.dumps(it)), "deepcopy": copy.deepcopy}


@pytest.fixture(params=HOW)
def through(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    return HOW[request.param]


def greedy(state: Pile) -> int:
    return 1


FOUND = {
    "search": lambda game: search(game, depth=3, compiled=False),
    "sampled": lambda _: search(load("pig"), depth=2, samples=2, compiled=False),
    "expectimax": lambda game: search(game, depth=3, opponent="random", compiled=False),
    "by a policy": lambda _: search(pile(), depth=3, opponent=greedy, compiled=False),
    "by trees": lambda game: search(game, simulations=20, method="mcts", compiled=False),
    "analysis": lambda game: analyse(game, depth=2, compiled=False),
    "trace": lambda game: trace(game, depth=2),
    "tree trace": lambda game: trace(game, method="mcts", simulations=5),
    "solution": lambda _: solve(load("nim:heaps=1-2"), method="table", compiled=False),
    "entry": lambda _: solve(load("nim:heaps=1-2"), method="table", compiled=False)[load("nim:heaps=1-2").start],
    "tree": lambda _: tree("max(1, B: min(2, 3))"),
    "search of a tree": lambda _: search(tree("max(1, B: min(2, 3))").game, depth=3, compiled=False),
    "playouts": lambda game: playouts(game, number=5, compiled=False),
    "match": lambda game: match(game, "random", "random", games=2),
}


@pytest.mark.parametrize("read", [False, True], ids=["unread", "read"])
@pytest.mark.parametrize("name", FOUND)
def test_what_was_found_is_the_same_after(name: str, read: bool, through: Callable[[Any], Any]) -> None:
    found = FOUND[name](load("tic-tac-toe"))
    if read:
        getattr(found, "candidates", None)
        getattr(found, "values", None)
    again = through(found)
    assert again.explain() == found.explain()
    if hasattr(found, "to_dict"):
        assert again.to_dict() == found.to_dict()
    assert repr(again) == repr(found)


@pytest.mark.parametrize("name", catalogue.names())
def test_every_built_in_game_is_pickled_by_its_name(name: str) -> None:
    game = load(name)
    small = pickle.dumps(game)
    assert len(small) < 200
    again = pickle.loads(small)
    assert again is not game
    assert (again.name, again.start, again.loaded_as) == (game.name, game.start, game.loaded_as)


def test_replaced_and_faced_games_are_made_again() -> None:
    game = load("tic-tac-toe").replace(name="first").replace(name="last", about="new", low=-3)
    again = pickle.loads(pickle.dumps(facing(game, 1, "random").replace(high=5)))
    assert (again.name, again.about, again.low, again.high) == ("last facing random", "new", -3, 5)
    assert again.turn(again.play(again.start, 1)) == facing(game, 1, "random").turn(game.play(game.start, 1)) == CHANCE
    assert again.cost is not None


def test_arrays_of_a_state_are_read_only_again(through: Callable[[Any], Any]) -> None:
    result = search(ARRAYED, depth=1, compiled=False)
    again = through(result)
    for state in (again.state, again.game.start):
        with pytest.raises(ValueError, match="read-only"):
            state.board[0] = 1
    assert again.candidates[0].name == result.candidates[0].name


class Cells(NamedTuple):
    board: numpy.ndarray[Any, Any]
    player: int


def turn(state: Cells) -> int:
    return OVER if state.board.all() else state.player


def moves(state: Cells) -> Any:
    for place in range(3):
        if not state.board[place]:
            yield place


def play(state: Cells, place: int) -> Cells:
    board = state.board.copy()
    board[place] = 1
    return Cells(board, 1 - state.player)


def score(state: Cells) -> int:
    return 1 if state.player else -1


ARRAYED = Game(name="cells", start=Cells(numpy.zeros(3, numpy.int8), 0), turn=turn, moves=moves, play=play, score=score)

FILE = """
from typing import NamedTuple
from outplay import OVER, Game
class State(NamedTuple):
    left: int
    player: int
game = Game(
    name="own",
    start=State(5, 0),
    turn=lambda state: OVER if state.left == 0 else state.player,
    moves=lambda state: range(1, min(state.left, 2) + 1),
    play=lambda state, choice: State(state.left - choice, 1 - state.player),
    score=lambda state: 1 if state.player else -1,
    name_move=lambda state, move: f"take {move}",
)
"""
READ = """
import pickle, sys
found = pickle.loads(open(sys.argv[1], "rb").read())
print(*(one.name if hasattr(one, "name") else one.nodes[1].state for one in found))
"""


def test_a_result_of_a_game_in_a_file_is_read_by_another_process(tmp_path: Any) -> None:
    (tmp_path / "own.py").write_text(FILE)
    game = load(str(tmp_path / "own.py"))
    result = search(game, depth=3, compiled=False, check=False)
    assert pickle.loads(pickle.dumps(result)).game is game  # what is loaded is not loaded again
    (tmp_path / "pickled").write_bytes(pickle.dumps([*result.candidates, trace(game, depth=1)]))
    done = python(READ, tmp_path / "pickled")
    assert (done.stdout, done.stderr) == ("take 1 take 2 State(left=4, player=1)\n", "")


def test_what_cannot_be_pickled_says_why_and_what_to_do() -> None:
    with pytest.raises(
        NotPickled, match="'drops on an array' cannot be pickled, because its start is a state of a class inside a fun"
    ):
        pickle.dumps(search(drops_on_an_array(), depth=1, compiled=False, check=False))
    with pytest.raises(
        pickle.PicklingError, match=r"its estimate is a lambda.*; define it at the top level of a module, or keep"
    ):
        pickle.dumps(load("nim").replace(estimate=lambda state: 0))
    with pytest.raises(NotPickled, match="its policy is a lambda"):
        pickle.dumps(facing(pile(), 1, lambda state: 1))
    with pytest.raises(NotPickled, match="a Searcher cannot be pickled or copied: it holds threads"):
        copy.deepcopy(Searcher(load("nim")))
    with pytest.raises(NotPickled, match=r"make another one with Prover\(game\)"):
        pickle.dumps(Prover(load("nim"), compiled=False))


def test_an_agent_is_pickled_without_what_it_remembers() -> None:
    agent = SearchAgent(depth=2, compiled=False)
    agent.prepare(load("nim"))
    assert pickle.loads(pickle.dumps(agent)) == agent


def test_a_learned_estimate_and_what_is_found_with_it_are_pickled(through: Callable[[Any], Any]) -> None:
    learned = learn_games(load("nim:heaps=1-2"), games=20, compiled=False)
    again = through(learned)
    state = learned.game.start
    assert again(state) == learned(state)
    found = search(load("nim:heaps=1-2"), depth=1, estimate=learned, compiled=False)
    assert through(found).explain() == found.explain()
