"""The built-in games: rules, known values, one golden playthrough each."""

from pathlib import Path

import pytest
from patience import PATIENCE

from outplay import CHANCE, OVER, check, load, minimax, search
from outplay.errors import OptionError, RuleError, StateError, UnknownGame
from outplay.games import catalogue
from outplay.rules.text import read_state
from outplay.solve.proof.prover import Prover

DATA = Path(__file__).parent / "data"


@pytest.mark.parametrize("games", [10, pytest.param(30, marks=pytest.mark.fuzz)])
@pytest.mark.parametrize(
    "name",
    [
        *catalogue.names(),
        "connect-four:columns=4,rows=4",
        "connect-four:columns=5,rows=3,line=3",
        "connect-four:columns=1,rows=2",
        "pig:goal=10",
    ],
)
def test_every_game_is_written_right(name, games):
    report = check(name, games=games)
    assert report.ok, str(report)


@pytest.mark.parametrize("name", catalogue.names())
def test_a_written_state_is_read_as_the_same(name):
    game = load(name)
    state = game.start
    for _ in range(6):
        assert read_state(game, game.write_state(state)) == state
        choices = [outcome for outcome, _ in game.chances(state)] if game.turn(state) == CHANCE else game.legal(state)
        state = game.play(state, choices[-1])


@pytest.mark.parametrize("name", catalogue.names())
def test_a_search_to_a_depth_does_not_follow_dice_without_end(name):
    """Only moves count as depth, so between two moves of a game there must be a last roll."""
    assert search(load(name), depth=4, nodes=2_000, compiled=False).nodes <= 2_000


# Tic-tac-toe


def test_tic_tac_toe_golden_playthrough():
    game = load("tic-tac-toe")
    state = game.after(game.start, [5, 1, 3])
    assert game.write_state(state) == "O.X/.X./..."
    assert game.legal(state) == [2, 4, 6, 7, 8, 9]
    assert search(game, state, depth=6, check=False).move == 7  # the only move that does not lose
    over = game.after(state, [2, 7])
    assert (game.turn(over), game.score(over)) == (OVER, 1)
    assert game.show(over) == " O | O | X \n---+---+---\n 4 | X | 6 \n---+---+---\n X | 8 | 9 "


def test_tic_tac_toe_is_a_draw_from_every_first_move():
    game = load("tic-tac-toe")
    for move in game.legal(game.start):
        found = search(game, game.play(game.start, move), depth=8, check=False)
        assert (found.value, found.proven) == (0, True)


@pytest.mark.parametrize(
    ("text", "words"),
    [("XOX", "is not a tic-tac-toe board"), ("XXX......", "has 3 X and 0 O"), ("XO?......", "is not a tic-tac-toe board")],
)
def test_tic_tac_toe_refuses_what_is_no_board(text, words):
    with pytest.raises(StateError, match=words):
        read_state(load("tic-tac-toe"), text)


# Connect Four


def test_connect_four_golden_playthrough():
    game = load("connect-four")
    state = read_state(game, "44353")
    assert game.turn(state) == 1
    assert game.write_state(state) == "......./......./......./......./..XO.../..XXO.."
    assert game.show(state).splitlines()[-1] == "1 2 3 4 5 6 7"
    won = read_state(game, "4453627")  # the bottom row from 4 to 7, with the fourth stone
    assert (game.turn(won), game.score(won)) == (OVER, 18)


@pytest.mark.parametrize("line", (DATA / "connect_four.txt").read_text().splitlines(), ids=lambda line: line.split()[0])
def test_connect_four_positions_are_worth_what_is_known(line):
    """From published test sets: the score is the mover's, so it is turned round for player 1."""
    game = load("connect-four")
    columns, score = line.split()
    state = read_state(game, columns)
    found = search(game, state, depth=42, check=False)
    assert (found.value, found.proven) == (int(score) * (1 if game.turn(state) == 0 else -1), True)


@pytest.mark.parametrize(
    ("columns", "rows", "winner"),
    [
        *[(4, 4, 0), (6, 4, -1)],
        *(
            pytest.param(*board, marks=pytest.mark.fuzz)
            for board in [(5, 4, 0), (7, 4, 0), (4, 5, 0), (5, 5, 0), (4, 6, 0), (6, 5, 0), (5, 6, 0), (6, 6, -1)]
        ),
    ],
)
def test_small_boards_have_their_known_outcome(columns, rows, winner):
    """From the table of outcomes by board size (Tromp, extended by Steininger): drawn, or won by the second player."""
    game = load(f"connect-four:columns={columns},rows={rows}")
    value = Prover(game, threads=2).value(game.start)
    assert (value > 0) - (value < 0) == winner


@pytest.mark.parametrize("depth", range(1, 8))
def test_connect_four_s_useful_bounds_and_mirror_key_change_no_value(depth):
    game = load("connect-four:columns=5,rows=4")
    for columns in ("", "3", "33", "2345", "14325"):
        state = read_state(game, columns)
        assert search(game, state, depth=depth, check=False).value == minimax(game, state, depth=depth).value


@pytest.mark.parametrize("size", [(3, 4, 3), (4, 3, 3), (3, 5, 3), (5, 2, 3)], ids=str)
def test_connect_four_s_bounds_and_useful_moves_hold_in_every_position(size):
    game = load("connect-four:columns={},rows={},line={}".format(*size))
    layers = [{game.start}]
    while layers[-1]:
        layers.append({game.play(state, move) for state in layers[-1] if game.turn(state) != OVER for move in game.legal(state)})
    values = {}
    for state in (state for layer in reversed(layers) for state in layer):
        if game.turn(state) == OVER:
            values[state] = game.score(state)
            continue
        best = max if game.turn(state) == 0 else min
        values[state] = best(values[game.play(state, move)] for move in game.legal(state))
        low, high = game.bounds(state)
        assert low <= values[state] <= high
        assert best(values[game.play(state, move)] for move in game.useful(state)) == values[state]


def test_mirrored_positions_have_one_key():
    game = load("connect-four")
    assert game.key(read_state(game, "1224")) == game.key(read_state(game, "7664"))
    assert game.key(read_state(game, "1224")) != game.key(read_state(game, "7644"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("448", "move 3, '8', is not a column"),
        ("4x", "is not a board|is not a column"),
        ("1111111", "move 7, '1', goes to a full column; open columns: 2, 3, 4, 5, 6, 7"),
        ("12121212", "move 8, '2', comes after the end"),
        ("..X/...", "is not a board; write 6 rows of 7 squares"),
        ("X....../......./......./......./......./.......", "a stone above an empty square"),
        ("......./......./......./......./......./XX.....", "has 2 X and 0 O"),
    ],
)
def test_connect_four_refuses_what_is_no_position(text, words):
    with pytest.raises(StateError, match=words):
        read_state(load("connect-four"), text)


@pytest.mark.parametrize("text", ["columns=9,rows=9", "columns=0", "rows=x", "line=1", "line=8", "line=999999999"])
def test_connect_four_refuses_a_board_that_does_not_fit(text):
    with pytest.raises(OptionError, match="columns|rows|line"):
        load(f"connect-four:{text}")


def test_connect_four_of_a_narrow_board_is_the_same_compiled():
    """A line that does not fit is looked for nowhere: a shift by 64 bits or more means something else in compiled code."""
    report = check("connect-four:columns=3,rows=20", games=3, seconds=PATIENCE)  # all rules, in every state of these games
    assert report.ok, str(report)
    assert report.states > 20


def test_pig_refuses_a_goal_that_no_number_holds():
    for goal in ("0", "x", "1000001", "9" * 40):
        with pytest.raises(OptionError, match="of pig must be a whole number from 1 to 1,000,000"):
            load(f"pig:goal={goal}")


def test_wide_boards_read_columns_parted_by_commas():
    game = load("connect-four:columns=12,rows=4")
    assert read_state(game, "12,12,1").played == 3


# Pig


def test_pig_golden_playthrough():
    game = load("pig")
    state = game.after(game.start, [1, 6, 1, 4, 0, 1, 1])
    assert game.write_state(state) == "10,0,0,0,0"
    assert game.name_move(state, 1) == "roll"


def test_pig_holds_when_the_pot_wins():
    game = load("pig:goal=20")
    found = search(game, read_state(game, "14,19,6,0"), depth=3, compiled=False)
    assert (game.name_move(found.state, found.move), found.value, found.proven) == ("hold", 1, True)


def test_pig_rolls_on_when_holding_loses():
    """At 15 to 19 with 4 in the pot, holding gives the other five chances in six at once."""
    game = load("pig:goal=20")
    assert search(game, read_state(game, "15,19,4,0"), depth=4, compiled=False).move == 1


def test_the_die_decides_the_value_by_hand():
    """One roll from the goal by 2 to 6, and a 1 hands the turn over with the game all but lost: 5/6 - p/6."""
    game = load("pig:goal=2")
    found = search(game, read_state(game, "0,0,0,0,1"), depth=3, compiled=False)
    lost_turn = search(game, read_state(game, "0,0,0,1"), depth=3, compiled=False).value
    assert found.move is None
    assert found.value == pytest.approx(5 / 6 * 1 + 1 / 6 * lost_turn)


@pytest.mark.parametrize("text", ["1,2", "a,b,c,d", "1,2,3,7"])
def test_pig_refuses_what_is_no_state(text):
    with pytest.raises(StateError, match="pig|player"):
        read_state(load("pig"), text)


# Games by name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("conect-four", "did you mean connect-four?"),
        ("pgi", "did you mean pig?"),
        ("qqq", "there is no game 'qqq'; there are "),
        ("nowhere.py", "there is no file 'nowhere.py'"),
    ],
)
def test_an_unknown_game_gets_the_nearest_suggestion(name, words):
    with pytest.raises(UnknownGame) as raised:
        load(name)
    assert words in str(raised.value)


def test_an_unknown_parameter_is_answered_with_those_there_are():
    with pytest.raises(OptionError, match="columns=7, rows=6, line=4"):
        load("connect-four:width=5")


def test_moves_that_never_end_are_an_error_rather_than_a_hang():
    def endless(state):
        while True:
            yield 1

    game = load("nim").replace(moves=endless)
    with pytest.raises(
        RuleError, match=f"yields more than max_moves={game.max_moves} moves .* see whether the rule comes to an end"
    ):
        game.legal(game.start)
