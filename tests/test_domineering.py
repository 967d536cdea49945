"""Domineering against plain sets of squares, and against its known outcome classes."""

import random
from functools import cache

import pytest

from outplay import OVER, check, load, minimax, perft, search
from outplay.compile.compiled_rules import compiled_rules
from outplay.errors import IllegalMove, OptionError, StateError
from outplay.rules.text import read_move, read_state

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def of_size(rows, columns):
    return load(f"domineering:rows={rows},columns={columns}")


def start_of(game, player):
    return game.start._replace(player=player)


# Domineering on plain sets of squares, each a row and a column


def plain_board(rows, columns):
    return frozenset((row, column) for row in range(rows) for column in range(columns))


def plain_domino(square, player):
    row, column = square
    return frozenset([square, (row, column + 1) if player else (row + 1, column)])


def plain_moves(free, player):
    return sorted(square for square in free if plain_domino(square, player) <= free)


def plain_paths(free, player, plies):
    if plies == 0:
        return 1
    return sum(plain_paths(free - plain_domino(square, player), 1 - player, plies - 1) for square in plain_moves(free, player))


@cache
def plain_winner(free, player):
    for square in plain_moves(free, player):
        if plain_winner(free - plain_domino(square, player), 1 - player) == player:
            return player
    return 1 - player


def text_of(free, rows, columns, player):
    lines = ("".join(".#"[(row, column) not in free] for column in range(columns)) for row in range(rows))
    return f"{'/'.join(lines)},{player}"


def random_boards(rows, columns, number):
    """Boards with squares covered at random: what the rules say of them, they say of those that play leads to."""
    dice = random.Random(rows * columns)
    for _ in range(number):
        few = dice.random()
        yield frozenset(square for square in plain_board(rows, columns) if dice.random() > few / 2), dice.randrange(2)


# The rules


@pytest.mark.parametrize("parameters", ["", "rows=1,columns=1", "rows=8,columns=7", "rows=2,columns=20", "rows=26,columns=1"])
def test_domineering_is_written_right(parameters):
    report = check(f"domineering:{parameters}", games=10)
    assert report.ok, str(report)


def test_domineering_golden_playthrough():
    game = load("domineering:rows=3,columns=4")
    state = game.start
    assert [game.name_move(state, move) for move in game.legal(state)] == ["a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2"]
    for move in ("b1", "c2"):
        state = game.play(state, read_move(game, state, move))
    assert game.write_state(state) == ".#../.###/....,0"
    assert game.show(state) == "  a b c d\n1 . # . .\n2 . # # #\n3 . . . ."
    with pytest.raises(IllegalMove, match="'c1' is not a legal move here; legal moves: a1, a2"):
        read_move(game, state, "c1")
    for move in ("a1", "c1"):
        state = game.play(state, read_move(game, state, move))
    assert game.write_state(state) == "####/####/....,0"
    assert (game.turn(state), game.score(state)) == (OVER, -1)  # no vertical domino fits


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 9), (9, 1), (4, 5), (5, 4), (7, 7), (8, 7), (7, 8), (2, 20)])
def test_random_games_go_as_on_plain_squares(rows, columns):
    game = of_size(rows, columns)
    for seed in range(4):
        dice, player = random.Random(seed), seed % 2
        state, free = start_of(game, player), plain_board(rows, columns)
        while plain_moves(free, player):
            assert (game.turn(state), game.write_state(state)) == (player, text_of(free, rows, columns, player))
            names = [f"{LETTERS[column]}{row + 1}" for row, column in plain_moves(free, player)]
            assert [game.name_move(state, move) for move in game.legal(state)] == names
            assert read_state(game, game.write_state(state)) == state
            place = dice.randrange(len(names))
            state = game.play(state, game.legal(state)[place])
            free, player = free - plain_domino(plain_moves(free, player)[place], player), 1 - player
        assert (game.turn(state), game.score(state)) == (OVER, 1 if player == 1 else -1)


@pytest.mark.parametrize("player", [0, 1])
def test_domineering_perft_is_that_of_plain_squares(player):
    game = of_size(4, 3)
    counted = [perft(game, start_of(game, player), depth=plies) for plies in range(7)]
    assert counted == [plain_paths(plain_board(4, 3), player, plies) for plies in range(7)]
    assert counted == ([1, 9, 48, 200, 400, 552, 0], [1, 8, 48, 180, 400, 288, 0])[player]


def test_boards_of_all_sizes_share_one_compilation():
    assert compiled_rules(of_size(3, 4)) is compiled_rules(of_size(8, 7))


# What makes it quick


def test_who_has_more_in_store_than_the_other_can_ever_place_has_won():
    game = of_size(4, 4)
    store = read_state(game, ".#.#/.#.#/.###/.###,0")  # three vertical dominoes that nobody can prevent
    assert (game.bounds(store), game.estimate(store)) == ((1, 1), 1)
    assert game.bounds(read_state(game, ".#.#/.#.#/...#/.###,1")) == (1, 1)  # three, though the other may take one square
    assert game.bounds(read_state(game, ".#../.#../####/####,0")) == (-1, 1)  # one in store, and two dominoes fit
    assert game.bounds(read_state(game, ".#../.###/####/####,1")) == (1, 1)  # one in store, one fits, and it is its turn
    assert game.bounds(read_state(game, ".#../.###/####/####,0")) == (-1, -1)  # here the first to move runs out


@pytest.mark.parametrize(("rows", "columns"), [(3, 4), (4, 4)])
def test_bounds_are_right_wherever_they_decide(rows, columns):
    game, decided = of_size(rows, columns), 0
    for free, player in random_boards(rows, columns, 300):
        state = read_state(game, text_of(free, rows, columns, player))
        value = 1 if plain_winner(free, player) == 0 else -1
        low, high = game.bounds(state)
        assert low <= value <= high
        decided += low == high
    assert decided > 20


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_rank_bounds_and_key_change_no_value(depth):
    """The estimate knows what bounds know, and what is decided stays so: they agree at every depth."""
    game = of_size(4, 5)
    for free, player in random_boards(4, 5, 40):
        state = read_state(game, text_of(free, 4, 5, player))
        if game.turn(state) != OVER:
            assert search(game, state, depth=depth, check=False).value == minimax(game, state, depth=depth).value


def test_moves_are_ranked_by_the_lead_that_they_leave():
    """In the middle column a domino leaves four vertical spots, two of them safe, and two horizontal ones: 4 + 2 - 2."""
    game = of_size(3, 3)
    ranks = {game.name_move(game.start, move): game.rank(game.start, move) for move in game.legal(game.start)}
    assert ranks == {"a1": 0, "b1": 4, "c1": 0, "a2": 0, "b2": 4, "c2": 0}


def test_mirrored_turned_and_shifted_boards_have_one_key():
    game = of_size(3, 4)
    board = "..##/.###/...#"
    alike = [board, "...#/.###/..##", "##../###./#...", "#.../###./##..", "#..#/#.##/#..."]
    keys = {text: game.key(read_state(game, text)) for text in alike}
    assert len(set(keys.values())) == 1
    others = ["..##/...#/...#", "...#/..##/...#", ".#.#/...#/...#", f"{board},1"]
    assert len({game.key(read_state(game, text)) for text in [board, *others]}) == 5


def test_squares_that_no_domino_can_cover_are_not_in_the_key():
    game = of_size(3, 4)
    assert game.key(read_state(game, "..#./.##./.#..")) != game.key(read_state(game, "..##/.###/.###"))
    assert game.key(read_state(game, "..#./.###/.##.")) == game.key(read_state(game, "..##/.###/.###"))


# Outcome classes: N, the player who moves first wins; P, who moves second; V, the vertical player 0; H, the horizontal player 1.
# E. R. Berlekamp, Blockbusting and Domineering, Journal of Combinatorial Theory A 49, 1988;
# D. M. Breuker, J. W. H. M. Uiterwijk and H. J. van den Herik, Solving 8x8 Domineering, Theoretical Computer Science 230, 2000.
CLASSES = {
    (1, 1): "P", (1, 2): "H", (1, 3): "H", (1, 4): "H", (1, 5): "H",
    (2, 2): "N", (2, 3): "N", (2, 4): "H", (2, 5): "V",
    (3, 3): "N", (3, 4): "H", (3, 5): "H",
    (4, 4): "N", (4, 5): "V",
    (5, 5): "P", (6, 6): "N", (7, 7): "N",
}  # fmt: skip
WINNERS = {"N": (0, 1), "P": (1, 0), "V": (0, 0), "H": (1, 1)}  # if player 0 starts, and if player 1 does
TURNED = {"N": "N", "P": "P", "V": "H", "H": "V"}


def winners(rows, columns, **options):
    found = []
    for player in (0, 1):
        game = of_size(rows, columns)
        state = start_of(game, player)
        if game.turn(state) == OVER:
            value = game.score(state)
        else:
            result = search(game, state, nodes=10**9, **options, check=False)
            assert result.proven
            value = result.value
        found.append(0 if value == 1 else 1)
    return tuple(found)


@pytest.mark.parametrize(("rows", "columns"), [size for size in CLASSES if max(size) < 7])
def test_boards_have_their_known_outcome_class(rows, columns):
    outcome = CLASSES[rows, columns]
    assert winners(rows, columns) == WINNERS[outcome]
    assert winners(columns, rows) == WINNERS[TURNED[outcome]]


def test_seven_by_seven_is_solved_straight_to_the_end():
    """Where a value is wanted and not a move in time, deepening is work done over and over."""
    assert winners(7, 7, without=("deepening",)) == WINNERS[CLASSES[7, 7]]


# Options and states


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ("rows=0", "rows=0 of domineering must be a whole number from 1 to 26"),
        ("columns=27", "columns=27 of domineering must be a whole number from 1 to 26"),
        ("columns=x", "columns='x' of domineering must be a whole number"),
        ("rows=8,columns=8", "8 rows and 8 columns takes rows \\* \\(columns \\+ 1\\) - 1 = 71 bits; 63 are the most"),
    ],
)
def test_domineering_refuses_a_board_that_does_not_fit(parameters, words):
    with pytest.raises(OptionError, match=words):
        load(f"domineering:{parameters}")


@pytest.mark.parametrize("text", ["..../....", "..../..../...", "..../..x./....", "..../..../....,2", "", "..../..../....,0,1"])
def test_domineering_refuses_what_is_no_board(text):
    with pytest.raises(
        StateError, match="is not a board of domineering 3x4; write 3 rows of 4 squares, . if free and # if covered"
    ):
        read_state(of_size(3, 4), text)


def test_the_name_tells_the_size():
    assert (load("domineering").name, of_size(2, 3).name) == ("domineering", "domineering 2x3")
