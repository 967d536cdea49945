"""Play in the terminal: one board a turn, what is marked on it, and what the agent says."""

import io
import os
import pty
import re
import select
import termios
from random import Random
from typing import NamedTuple

import pytest
from rich.console import Console
from toy_games import Pile, pile

from outplay import CHANCE, OVER, load
from outplay.agents.agent import Agent, Choice
from outplay.agents.policy import RandomAgent
from outplay.agents.search import SearchAgent
from outplay.checking.check_display import wrong_for_people
from outplay.cli.board import board, bracketed, changed
from outplay.cli.keys import unheard
from outplay.cli.play import Session
from outplay.errors import IllegalMove
from outplay.pictures.board_text import board_legend


class First(Agent):
    """An agent that plays the first legal move, and expects the first moves after it."""

    name = "first"

    def __init__(self, *, expects=0):
        self.expects = expects

    def choose(self, game, state, clock, dice, *, stopper=None, progress=None):
        line, after = [], state
        while len(line) < self.expects and game.turn(after) in (0, 1):
            line.append(game.legal(after)[0])
            after = game.play(after, line[-1])
        return Choice(game.legal(state)[0], 0.0, line=tuple(line), why="a guess")


class Keyboard(Console):
    """A terminal, or a pipe, at which these lines are typed."""

    def __init__(self, typed, **options):
        super().__init__(file=io.StringIO(), highlight=False, **{"width": 80, **options})
        self.typed = list(typed)

    def input(self, prompt=""):
        self.print(prompt, end="")
        if not self.typed:
            raise EOFError
        self.print(self.typed[0])
        return self.typed.pop(0)


def played(game, *typed, state=None, seat=0, agent=None, name="Outplay", adviser=None, **options):
    console = Keyboard(typed, **options)
    Session(console, game, state or game.start, seat, agent or First(), 1, name=name, adviser=adviser).run()
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", console.file.getvalue())  # a spinner moves the cursor


def boards(text):
    return re.findall(r"\n\n((?:.*[|+].*\n)+)\n", text)


def test_the_board_is_shown_once_a_turn_and_the_last_move_marked():
    text = played(load("tic-tac-toe"), "5", "9", "quit")
    assert text.count("---+---+---") == 2 * 3  # at the start, and after each reply
    assert text.count("your move>") == 3
    assert " [O]| 2 | 3\n" in text
    assert "  O |[O]| 3\n ---+---+---\n  4 | X | 6\n ---+---+---\n  7 | 8 | X\n" in text
    assert "[X]" not in text


def test_the_line_that_wins_is_marked():
    text = played(load("tic-tac-toe"), "7", "5", "3")
    assert "  O | O |[X]\n ---+---+---\n  4 |[X]| 6\n ---+---+---\n [X]| 8 | 9\n" in text
    assert "You win as X (+1 to you)." in text


@pytest.mark.parametrize(
    ("name", "text", "rows"),
    [
        ("connect-four", "1122334", (" O O O . . . .", "[X X X X]. . .")),
        ("connect-four", "1212121", ("[X]. . .", "[X]O . .", "[X]O . .", "[X]O . .")),
        ("connect-four", "12234334544", (" . . .[X]. . .", " . .[X]O . . .", " .[X]O O . . .", "[X]O O X X . .")),
        ("three-mens-morris", "b2 a3 c2 a1 a2", (" 2[X-X-X]",)),
        ("coin-tic-tac-toe", "O.OX", ("[OH].T", "[OH]XH")),
    ],
)
def test_games_with_lines_mark_the_pieces_that_won(name, text, rows):
    game = load(name)
    shown = board(game, game.read_state(text), colours=False).plain
    assert all(row in shown for row in rows), shown


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four:columns=5,rows=4,line=3", "three-mens-morris", "coin-tic-tac-toe"])
def test_the_pieces_that_won_win_alone(name):
    game, dice = load(name), Random(1)
    for _ in range(60):
        state = game.start
        while (who := game.turn(state)) != OVER:
            state = game.play(
                state, dice.choice([outcome for outcome, _ in game.chances(state)] if who == CHANCE else game.legal(state))
            )
        alone = game.winning(state)
        won = game.score(state) != 0
        assert (changed(game.show(game.start), game.show(alone)) != []) is won
        assert not won or game.turn(alone) == OVER
        assert set(changed(game.show(game.start), game.show(alone))) <= set(changed(game.show(game.start), game.show(state)))


def test_a_draw_marks_the_last_move_alone():
    game = load("tic-tac-toe")
    over = game.read_state("XOXXOOOXX")
    before = game.read_state("XOXXOOOX.")
    assert board(game, over, before, colours=False).plain.count("[") == 1


def test_with_colours_marks_are_styles_and_letters_stay_where_they_are():
    game = load("tic-tac-toe")
    plain = board(game, game.read_state("X...O...."), game.read_state("X........"), colours=True)
    assert plain.plain == "  X | 2 | 3 \n ---+---+---\n  4 | O | 6 \n ---+---+---\n  7 | 8 | 9 "
    assert [(plain.plain[span.start : span.end], span.style) for span in plain.spans if span.style == "reverse"] == [
        ("O", "reverse")
    ]
    won = board(game, game.read_state("XXXOO...."), colours=True)
    assert [won.plain[span.start : span.end] for span in won.spans if span.style == "bold green reverse"] == ["X", "X", "X"]


@pytest.mark.parametrize(
    ("before", "after", "marked"),
    [
        (". . .", ". X .", " .[X]."),
        (". . .", "X . O", "[X].[O]"),
        (". . .", "X X .", "[X X]."),
        (".H .T", "XH .T", "[XH].T"),
        (".H .H", "XH XH", "[XH XH]"),
        ("1 +   +", "1 +---+", " 1[+---+]"),
        (".-.-.", ".-X-.", " .[X]."),
        ("a  3 |||", "a  1 |", " a [1]|"),
        ("X moves, X 2", "O moves, X 4", " O moves, X 4"),
        (". .", ". .\n. X", " . .\n . X"),
    ],
)
def test_what_changed_is_bracketed_where_there_is_room(before, after, marked):
    assert bracketed(after, changed(before, after)) == marked


def test_a_game_is_played_again_with_the_seats_exchanged():
    text = played(load("tic-tac-toe"), "7", "5", "3", "", "quit")
    assert "tic-tac-toe: you are X, and Outplay is O." in text
    assert "Play again? You are O then. Enter: yes, n: no>" in text
    assert text.index("tic-tac-toe: you are O, and Outplay is X.") > text.index("You win as X")
    assert "Outplay plays 1 as X" in text
    no = played(load("tic-tac-toe"), "7", "5", "3", "n")
    assert no.endswith("Goodbye.\n")
    assert no.count("you are") == 1
    assert played(load("tic-tac-toe"), "7", "5", "3").endswith("\nGoodbye.\n")  # the end of input
    late = played(load("tic-tac-toe"), "7", "5", "3", "2", "", "quit")  # a move typed too late does not end it
    assert late.count("Play again?") == 2
    assert "tic-tac-toe: you are O" in late


def test_undo_shows_the_board_as_it_was_without_a_mark():
    text = played(load("tic-tac-toe"), "5", "undo", "quit")
    first, marked, again = boards(text)
    assert first == again
    assert "[O]" in marked


def test_moves_are_taken_in_any_usual_order_and_case():
    text = played(load("dots-and-boxes"), "B2 A2", "c2c3", "quit")
    assert "no legal move" not in text
    assert " 2 +---+   +\n" in text


def named_pile():
    return pile(
        start=Pile(40, 0),
        moves=lambda state: range(1, 31),
        name_move=lambda state, move: f"take {move} of them",
        players=("the fox", "the goose"),
    )


@pytest.mark.parametrize("width", [40, 80])
def test_the_name_of_a_move_is_never_broken_across_lines(width):
    game = named_pile()
    agent = First(expects=8)
    text = played(
        game, "moves", "nonsense", "take 3 of them", "quit", agent=agent, width=width, force_terminal=True, color_system=None
    )
    assert all(len(line) <= width for line in text.splitlines())
    for line in text.splitlines():
        assert len(re.findall("take", line)) == len(re.findall(r"take \d+ of them", line)), line
    assert "... 30 in all; moves lists them." in text
    assert "\xa0" not in text


def test_the_agent_says_who_it_is_and_how_sure():
    game = named_pile()
    assert "pile: you are the goose, and Outplay is the fox." in played(game, seat=1)
    assert "Outplay plays take 1 of them as the fox: worth 0 to you (a guess).\n" in played(game, seat=1)


@pytest.mark.parametrize(
    ("game", "depth", "said"),
    [
        (pile(), 9, "2 as player 0: worth -1 to you (proven). Best play goes on: 1 2"),
        (pile(start=Pile(60, 0)), 2, "1 as player 0: undecided so far (depth 2). Best play goes on: 1"),
        (
            pile(start=Pile(60, 0), estimate=lambda state: 0.25),
            2,
            "1 as player 0: worth -0.2500 to you (an estimate, depth 2). Best play goes on: 1",
        ),
    ],
)
def test_a_search_says_what_is_proven_estimated_or_undecided(game, depth, said):
    assert f"Outplay plays {said}\n" in played(game, seat=1, agent=SearchAgent(depth=depth, compiled=False))


def test_an_opponent_that_does_not_look_ahead_has_its_name_and_leaves_hints_to_another():
    advice = SearchAgent(depth=9, compiled=False)
    text = played(pile(), "1", "hint", "quit", agent=RandomAgent(), name="random", adviser=advice)
    assert "pile: you are player 0, and random is player 1." in text
    assert re.search(r"random plays [12] as player 1 \(at random\)\.\n", text)
    assert re.search(r"A good move is [12] as player 0: worth [+-]1 to you \(proven\)", text)


def test_a_monte_carlo_search_says_how_many_simulations_it_made():
    agent = SearchAgent(simulations=20, method="mcts", leaves="playout", compiled=False)
    text = played(load("tic-tac-toe"), "5", "quit", agent=agent)
    assert re.search(r"Outplay plays \d as O: worth \S+ to you \(20 simulations\)\.", text)


def test_an_opponent_that_plays_an_illegal_move_ends_the_game_with_an_error():
    class Wrong(First):
        def choose(self, game, state, clock, dice, **_):
            return 77

    with pytest.raises(IllegalMove, match=r"first plays 77, which is not a legal move here; legal moves: \[1, 2"):
        played(pile(start=Pile(60, 0)), "1", agent=Wrong())


def test_the_expected_play_ends_where_chance_decides():
    text = played(load("pig:goal=20"), "hint", "quit", agent=SearchAgent(depth=3, compiled=False))
    assert re.search(r"A good move is roll as player 0: worth \S+ to you \(an estimate, depth 3\)\.\n", text)


def test_a_solitaire_counts_points_and_names_no_player():
    game = load("2048")
    state = game.read_state("2048 2048 0 0/0 0 0 0/0 0 0 0/0 0 0 2")
    text = played(game, "hint", "left", "quit", state=state, agent=SearchAgent(depth=1, compiled=False))
    assert re.search(r"A good move is left: worth \d\d,\d\d\d, from here on \(an estimate, depth 1\)\.\n", text)
    assert "Score so far: 4,096\n" in text


def test_a_game_that_reads_moves_says_itself_what_is_wrong():
    game = load("yahtzee")
    text = played(game, "keep 1 1", "quit", state=game.read_state("ones / 3 / 66521 / 2"))
    assert "'keep 1 1' is not a legal move here; write a box (twos, threes, " in text
    assert "chance); or dice to keep of 6 6 5 2 1, such as keep 6 6.\n" in text


@pytest.mark.parametrize(
    ("winning", "words"),
    [
        (lambda state: None, "winning must return a state with only the pieces that won: a state of this game is a Pile"),
        (lambda state: 1 / 0, "divides by zero; test for that case first"),
        (lambda state: state, ""),
    ],
)
def test_check_looks_at_what_won(winning, words):
    found = dict(wrong_for_people(pile(winning=winning), Pile(0, 1), OVER))
    assert words in found["winning"] if words else not found


def test_what_is_typed_while_the_agent_is_busy_is_neither_shown_nor_taken(monkeypatch):
    terminal, keyboard = pty.openpty()
    with open(keyboard) as read:
        monkeypatch.setattr("sys.stdin", read)
        echoes = termios.tcgetattr(keyboard)[3]
        with unheard():
            os.write(terminal, b"4\n")
            assert not select.select([terminal], [], [], 0.2)[0]  # no echo
        assert not select.select([keyboard], [], [], 0.2)[0]  # nothing to read
        assert termios.tcgetattr(keyboard)[3] == echoes
        os.write(terminal, b"5\n")
        assert read.readline() == "5\n"
    os.close(terminal)


def test_an_arrow_key_is_the_direction_that_it_shows():
    game = load("2048")
    start = game.read_state("0 2 0 0/0 0 0 0/4 0 0 0/0 0 0 0")
    text = played(game, "\x1b[C", "quit", state=start)
    assert "no direction" not in text
    assert text.count("your move>") == 2
    assert "'left' is not a legal move here. Legal moves: 1, 2" in played(pile(), "\x1bOD", "quit")


def test_a_game_without_show_says_which_player_has_which_letter_and_numbers_its_cells():
    class Board(NamedTuple):
        cells: tuple[int, int, int, int, int, int, int, int, int]
        player: int

    def moves(state):
        return (place + 1 for place in range(9) if state.cells[place] == 0)

    def play(state, move):
        return Board(
            tuple(1 + state.player if place == move - 1 else old for place, old in enumerate(state.cells)), 1 - state.player
        )

    game = pile(start=Board((0,) * 9, 0), moves=moves, play=play, turn=lambda state: OVER if all(state.cells) else state.player)
    legend = "X is player 0, O is player 1.\nMoves are cells, numbered so:\n1 2 3\n4 5 6\n7 8 9\n"
    text = played(game, "help", "quit")
    assert text.count(legend) == 2
    named = game.replace(name_move=lambda state, move: "abcdefghi"[move - 1])
    assert board_legend(named) == ["X is player 0, O is player 1."]
    assert board_legend(load("tic-tac-toe")) == []  # its text says so itself


def test_help_shows_the_docstring_of_the_file_of_a_game_without_about(tmp_path):
    file = tmp_path / "said.py"
    file.write_text(
        '"""Take the last one to win."""\nfrom toy_games import *\n\n\ndef play(state, move):\n    return pile_play(state, move)\n\n\ngame = pile(play=play)\n'
    )
    assert "Take the last one to win.\nType a move" in played(load(str(file)), "help", "quit")
