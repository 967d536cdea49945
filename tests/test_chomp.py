"""Chomp against plain sets of squares, and against its known winning bites."""

import random

import pytest

from outplay import OVER, check, load, minimax, perft, search
from outplay.compile.compiled_rules import compiled_rules
from outplay.errors import OptionError, StateError
from outplay.rules.text import read_move, read_state

SIZES = [(rows, columns) for rows in range(1, 6) for columns in range(1, 6)]


def of_size(rows, columns):
    return load(f"chomp:rows={rows},columns={columns}")


# Chomp on plain sets of squares, each a row and a column


def plain_bar(rows, columns):
    return frozenset((row, column) for row in range(rows) for column in range(columns))


def plain_bite(squares, bite):
    return frozenset(square for square in squares if square[0] < bite[0] or square[1] < bite[1])


def plain_paths(squares, plies):
    return 1 if plies == 0 else sum(plain_paths(plain_bite(squares, bite), plies - 1) for bite in squares)


def squares_of(state):
    return {divmod(place, state.columns) for place in range(63) if state.squares >> place & 1}


# The rules


@pytest.mark.parametrize("parameters", ["", "rows=1,columns=1", "rows=7,columns=9", "rows=2,columns=26"])
def test_chomp_is_written_right(parameters):
    report = check(f"chomp:{parameters}", games=20)
    assert report.ok, str(report)


def test_chomp_golden_playthrough():
    game = load("chomp")
    state = game.after(game.start, [read_move(game, game.start, "c2")])
    assert game.write_state(state) == "4-2-2,1"
    assert game.show(state) == "  a b c d\n1 ! # # #\n2 # # . .\n3 # # . ."
    for bite in ("b1", "a2"):
        state = game.play(state, read_move(game, state, bite))
    assert game.write_state(state) == "1-0-0,1"
    over = game.play(state, read_move(game, state, "a1"))
    assert (game.turn(over), game.score(over)) == (OVER, 1)  # player 1 had to eat the poison
    assert game.write_state(over) == "0-0-0,0"


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, 4), (5, 3), (7, 9), (9, 7), (2, 26), (26, 2)])
def test_random_games_go_as_on_plain_squares(rows, columns):
    game = of_size(rows, columns)
    for seed in range(6):
        dice = random.Random(seed)
        state, squares, player = game.start, plain_bar(rows, columns), 0
        while squares:
            assert (game.turn(state), squares_of(state)) == (player, squares)
            assert sorted(divmod(move, columns) for move in game.legal(state)) == sorted(squares)
            assert read_state(game, game.write_state(state)) == state
            move = dice.choice(game.legal(state)[1:] or [0])
            state, squares, player = game.play(state, move), plain_bite(squares, divmod(move, columns)), 1 - player
        assert (game.turn(state), game.score(state)) == (OVER, 1 if player == 0 else -1)


def test_chomp_perft_is_that_of_plain_squares():
    game = load("chomp")
    counted = [perft(game, plies) for plies in range(6)]
    assert counted == [plain_paths(plain_bar(3, 4), plies) for plies in range(6)]
    assert counted == [1, 12, 84, 408, 1_461, 3_960]
    assert perft(game, 12) == 462  # square by square: the standard tableaux of three rows and four columns
    assert perft(game, 13) == 0


def test_bars_of_all_sizes_share_one_compilation():
    assert compiled_rules(of_size(3, 4)) is compiled_rules(of_size(7, 9))


# Search


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_the_first_player_wins_on_every_bar_but_a_single_square(rows, columns):
    """By strategy stealing: D. Gale, A curious Nim-type game, American Mathematical Monthly 81, 1974."""
    found = search(of_size(rows, columns), nodes=10**9, check=False)
    assert (found.value, found.proven) == (1 if rows * columns > 1 else -1, True)


# That there is a winning bite is Gale's (1974); which one it is was found by computation.
WINNING_BITES = {
    (2, 2): "b2", (2, 3): "c2", (3, 3): "b2", (3, 4): "c2", (3, 5): "d3", (4, 4): "b2", (4, 5): "c3", (3, 7): "e3", (5, 5): "b2",
}  # fmt: skip


@pytest.mark.parametrize(("rows", "columns"), WINNING_BITES)
def test_the_winning_first_bite_is_the_known_one_and_no_other(rows, columns):
    game = of_size(rows, columns)
    won = []
    for move in game.legal(game.start)[1:]:  # but the poison
        found = search(game, game.play(game.start, move), nodes=10**9, check=False)
        assert found.proven
        won += [game.name_move(game.start, move)] if found.value == 1 else []
    assert won == [WINNING_BITES[rows, columns]]
    assert game.name_move(game.start, search(game, nodes=10**9, check=False).move) == won[0]


def test_two_rows_are_won_by_leaving_one_square_more_above():
    """Where positions return at many depths, a search straight to the end is quicker than one that deepens."""
    game = of_size(2, 26)
    found = search(game, nodes=10**9, without=("deepening",), check=False)
    assert (found.value, found.proven, game.name_move(game.start, found.move)) == (1, True, "z2")


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_search_finds_what_minimax_finds(depth):
    game, dice = load("chomp"), random.Random(depth)
    for _ in range(25):
        lengths = sorted((dice.randint(0, 4) for _ in range(3)), reverse=True)
        state = read_state(game, f"{max(lengths[0], 1)}-{lengths[1]}-{lengths[2]},{dice.randrange(2)}")
        assert search(game, state, depth=depth, check=False).value == minimax(game, state, depth=depth).value


# Options and states


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ("rows=0", "rows=0 of chomp must be a whole number from 1 to 26"),
        ("columns=27", "columns=27 of chomp must be a whole number from 1 to 26"),
        ("columns=x", "columns='x' of chomp must be a whole number"),
        ("rows=8,columns=8", "a bar of 8 rows and 8 columns has 64 squares; 63 are the most"),
    ],
)
def test_chomp_refuses_a_bar_that_does_not_fit(parameters, words):
    with pytest.raises(OptionError, match=words):
        load(f"chomp:{parameters}")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("4-4", "is not a state of chomp here; write how many squares are left of each of the 3 rows, 0 to 4, separated by -"),
        ("4-4-4-4", "is not a state of chomp"),
        ("5-4-4", "is not a state of chomp"),
        ("4-x-4", "is not a state of chomp"),
        ("4-4-4,2", "then ,1 if player 1 is to move, such as 4-4-4,1"),
        ("", "'' is not a state of chomp"),
        ("4-2-3", "'4-2-3' has a row that is longer than one above it; a bite takes all below it too"),
    ],
)
def test_chomp_refuses_what_is_no_state(text, words):
    with pytest.raises(StateError, match=words):
        read_state(load("chomp"), text)


def test_the_name_tells_the_size():
    assert (load("chomp").name, of_size(2, 3).name) == ("chomp", "chomp 2x3")
