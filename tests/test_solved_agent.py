"""An agent with a table: it plays perfectly and at once, and says so when it cannot."""

from random import Random
from typing import NamedTuple

import pytest
from toy_games import Pile, pile

from outplay import CHANCE, OVER, Game, load, solve
from outplay.agents.agent import Clock
from outplay.agents.named import agent
from outplay.agents.policy import RandomAgent
from outplay.agents.search import SearchAgent
from outplay.agents.solved import SolvedAgent
from outplay.arena.match import match
from outplay.errors import OptionError, StateError, TableError, TooLarge

DICE = Random(1)


@pytest.fixture(scope="module")
def board():
    return load("tic-tac-toe")


@pytest.fixture(scope="module")
def solved(board):
    return SolvedAgent(solve(board))


def test_it_never_loses_tic_tac_toe(board, solved):
    found = match(board, solved, RandomAgent(), games=400, seed=1)
    assert found.losses == 0
    assert found.wins > 300
    assert match(board, solved, SearchAgent(depth=9), games=2).draws == 2


def test_it_wins_every_won_start_within_the_distance(board, solved):
    game = load("three-mens-morris")  # states come back: a move that only keeps the value could go round for ever
    player = SolvedAgent(solve(game))
    assert player.solution.distance == 9
    found = match(game, player, RandomAgent(), games=40, seed=3)
    assert all(played.score == 1 and played.moves <= 9 for played in found.played[::2])


def test_it_plays_what_is_worth_most_where_chance_acts():
    game = load("pig:goal=20")
    found = match(game, SolvedAgent(solve(game)), RandomAgent(), games=400, seed=2)
    assert found.rate[0] > 0.6


class Tossed(NamedTuple):
    coin: int  # 0 before it is tossed
    steps: int
    player: int
    done: bool


WAIT, FINISH = 0, 1


def tossed(score, goal=6):
    """Return a game whose winner is certain: a coin is tossed, and then both wait, or one of them ends the game."""

    def turn(state):
        if state.done or state.steps == goal:
            return OVER
        return CHANCE if state.coin == 0 else state.player

    def moves(state):
        return (WAIT, FINISH)

    def chances(state):
        return ((1, 0.5), (2, 0.5))

    def play(state, choice):
        if state.coin == 0:
            return Tossed(choice, state.steps, state.player, state.done)
        return Tossed(state.coin, state.steps + 1, 1 - state.player, choice == FINISH)

    start = Tossed(0, 0, 0, False)
    return Game(name="tossed", start=start, turn=turn, moves=moves, chances=chances, play=play, score=lambda state: score)


@pytest.mark.parametrize(("score", "player", "move"), [(1, 0, FINISH), (1, 1, WAIT), (-1, 0, WAIT), (-1, 1, FINISH)])
def test_where_chance_acts_it_hastens_a_certain_win_and_delays_a_certain_loss(score, player, move):
    game = tossed(score)
    solved = SolvedAgent(solve(game, compiled=False))
    state = Tossed(1, player, player, False)
    assert solved.solution[state].moves == (WAIT, FINISH)
    found = solved.choose(game, state, Clock(), DICE)
    assert (found.move, found.line[0]) == (move, move)


def test_where_the_shortest_way_is_too_far_to_see_it_plays_the_first(monkeypatch):
    monkeypatch.setattr("outplay.agents.solved.LOOKUPS", 0)
    game = tossed(-1)
    solved = SolvedAgent(solve(game, compiled=False))
    assert solved.choose(game, Tossed(1, 1, 1, False), Clock(), DICE).move == WAIT


def test_of_several_best_moves_it_plays_the_first(board, solved):
    assert solved.solution[board.start].moves == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert [solved.choose(board, board.start, Clock(), Random(seed)).move for seed in range(5)] == [1] * 5


def test_a_game_of_the_same_name_by_other_rules_is_refused():
    player = SolvedAgent(solve(pile(), compiled=False))
    assert player.choose(pile(), Pile(5, 0), Clock(), DICE).move == 2
    with pytest.raises(OptionError, match="asked to play 'pile' by other rules"):
        player.choose(pile(score=lambda state: -1 if state.player == 1 else 1), Pile(5, 0), Clock(), DICE)


def test_a_state_that_is_not_in_the_table_is_refused(board):
    later = SolvedAgent(solve(board, board.after(board.start, (5,))))
    assert later.choose(board, board.after(board.start, (5,)), Clock(), DICE).move in (1, 3, 7, 9)
    with pytest.raises(StateError, match=r"\.\.\./\.\.\./\.\.\. cannot be reached from the state that was solved"):
        later.choose(board, board.start, Clock(), DICE)


def test_a_table_of_another_game_is_refused(solved):
    with pytest.raises(
        OptionError, match="solved knows 'tic-tac-toe', and is asked to play 'pile' by other rules; solve that one"
    ):
        solved.choose(pile(), Pile(5, 0), Clock(), DICE)


def test_a_proof_has_no_table_to_play_from(board):
    with pytest.raises(OptionError, match="makes no table"):
        SolvedAgent(solve(board, method="proof"))


def test_it_is_made_by_name(board, solved, tmp_path):
    solved.solution.save(tmp_path / "board.table")
    text = f"solved:{tmp_path / 'board.table'}"
    read = agent(text, board)
    assert (read.name, read.solution.states) == (text, 5478)
    phases = []
    made = agent("solved", board, progress=lambda progress: phases.append(progress.phase))
    assert (made.name, made.solution.states) == ("solved", 5478)
    assert phases[0] == "memory"


def test_by_name_states_may_come_back_or_not():
    assert agent("solved", load("three-mens-morris")).solution.method == "cycles"
    assert agent("solved", pile()).solution.method == "table"


def test_a_name_that_leads_nowhere_is_refused(board, tmp_path):
    with pytest.raises(TableError, match="cannot be read"):
        agent("solved:nowhere.table", board)
    with pytest.raises(
        TooLarge, match="no table of 'connect-four' can be made in 2,048 MB, so 'solved' cannot play it; let a search"
    ):
        agent("solved", load("connect-four"))
    solve(pile()).save(tmp_path / "pile.table")
    with pytest.raises(TableError, match="is a table of 'pile', and not of 'tic-tac-toe'"):
        agent(f"solved:{tmp_path / 'pile.table'}", board)
