"""Agents: the one abstraction of who chooses a move."""

from random import Random

import pytest
from toy_games import Pile, pile

from outplay import Agent, Choice, Clock, PolicyAgent, RandomAgent, SearchAgent, SolvedAgent, load, match, solve
from outplay.agents.named import agent, policy
from outplay.errors import OptionError, UnknownGame

FREE, DICE = Clock(), Random(1)


class TakesOne(Agent):
    name = "takes one"

    def choose(self, game, state, clock, dice, *, stopper=None, progress=None):
        return 1  # an agent may say the move alone


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "def choose(state):\n    return 1\n\ndef either(state):\n    yield 1, 0.5\n    yield 2, 0.5\n\n"
        "def hope(state):\n    return 0.5\n\nNUMBER = 3\n"
    )
    return path


def test_every_agent_answers_with_a_choice():
    game = pile()
    solved = SolvedAgent(solve(game, compiled=False))
    searching = SearchAgent(depth=9, compiled=False)
    for one in (RandomAgent(), PolicyAgent(lambda state: 2), searching, solved):
        one.prepare(game)
        choice = one.choose(game, Pile(5, 0), FREE, DICE)
        assert isinstance(choice, Choice)
        assert choice.move in game.legal(Pile(5, 0))
        assert choice.why
    found = searching.choose(game, Pile(5, 0), FREE, DICE)
    assert (found.move, found.value, found.proven, found.why) == (2, 1.0, True, "proven")
    known = solved.choose(game, Pile(5, 0), FREE, DICE)
    assert (known.move, known.value, known.proven, known.line[0], known.why) == (
        2,
        1.0,
        True,
        2,
        "solved; over in 3 moves, both players' counted",
    )


def test_a_search_keeps_its_table_between_moves_and_forgets_it_for_a_new_game():
    game, searching = load("tic-tac-toe"), SearchAgent(depth=5, compiled=False)
    first, second = (searching.choose(game, game.start, FREE, DICE).nodes for _ in range(2))
    assert second < first
    searching.prepare(game)
    assert searching.choose(game, game.start, FREE, DICE).nodes == first


def test_the_clock_of_a_move_limits_a_search():
    choice = SearchAgent(depth=1000, compiled=False).choose(pile(start=Pile(900, 0)), Pile(900, 0), Clock(1e-6), DICE)
    assert choice.depth < 1000
    assert choice.value is None  # nothing is decided, and the game has no estimate


def test_a_match_takes_agents_and_their_names(file):
    game = pile(start=Pile(5, 0))
    found = match(game, TakesOne(), f"{file}:choose", games=2)
    assert [game.moves for game in found.played] == [5, 5]
    assert found.second == f"{file}:choose"
    assert match(game, "random", f"{file}:either", games=4, seed=1).to_dict()["games"] == 4


def test_one_estimate_plays_against_another(file):
    game = pile(start=Pile(60, 0))
    hopeful = agent(f"search:depth=1,estimate={file}:hope", game)
    assert hopeful.estimate(Pile(60, 0)) == 0.5


def test_a_function_in_a_file_is_an_opponent_too(file):
    assert policy(f"{file}:choose", pile())(Pile(5, 0)) == 1
    assert policy("random", pile()) == "random"


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("{file}:chose", OptionError, "mine.py has no function 'chose'; did you mean 'choose'?"),
        ("{file}:nobody", OptionError, "mine.py has no function 'nobody'"),
        ("{file}:NUMBER", OptionError, "mine.py has no function 'NUMBER'"),
        ("nowhere.py:choose", UnknownGame, "there is no file 'nowhere.py'; name a Python file with the function choose in it"),
        ("nowhere.py", UnknownGame, "there is no file 'nowhere.py'; name a Python file with the function choose in it"),
        ("search:depth=2,estimate=hope", OptionError, "an estimate is a function in a Python file"),
        ("search:depth=2,colour=red", OptionError, "'colour=red' is not an option of a search"),
    ],
)
def test_what_cannot_play_is_refused(file, text, kind, message):
    with pytest.raises(kind, match=message):
        agent(text.format(file=file), pile())


def test_a_folder_is_no_agent_and_the_function_is_named(tmp_path):
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(UnknownGame, match=r"is a folder; name the Python file in it that has the function choose"):
        agent(f"{tmp_path / 'folder.py'}", pile())


def test_a_page_opens_no_file(file):
    for text in (f"{file}:choose", f"search:estimate={file}:hope", f"search:opponent={file}:choose", f"solved:{file}"):
        with pytest.raises(OptionError):
            agent(text, pile(), seconds=1, files=False)
