"""Othello: rules, known values, one golden playthrough."""

from random import Random

import pytest

from outplay import OVER, check, load, minimax, perft, search
from outplay.errors import OptionError, StateError
from outplay.games.othello import PASS
from outplay.rules.bits import count
from outplay.rules.text import read_move, read_state

# Perfect play on six by six, by Joel Feinstein in 1993; he names the squares b2 to g7 and plays the same moves:
# https://www.maths.nottingham.ac.uk/plp/pmzjff/Othello/6x6sol.html
PERFECT = "c2 b4 c5 d2 e4 e3 d1 c1 b1 d5 d6 f4 b3 b2 f3 f2 e2 b6 a4 c6 a6 a2 b5 a5 e6 e5 a3 a1 f5 f6 e1 f1"


def othello(size):
    return load(f"othello:size={size}")


# The same rules once more, square by square, as one would play them by hand.

AROUND = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


class Squares:
    """Rows of X, O and ., and who moves."""

    def __init__(self, rows, who):
        self.rows, self.who = rows, who

    @classmethod
    def start(cls, size):
        rows = [["."] * size for _ in range(size)]
        middle = size // 2
        rows[middle - 1][middle - 1 : middle + 1] = "OX"
        rows[middle][middle - 1 : middle + 1] = "XO"
        return cls(rows, "X")

    def turned(self, row, column):
        """Return the squares that the mover turns over from there."""
        if self.rows[row][column] != ".":
            return []
        found = []
        for down, right in AROUND:
            line, y, x = [], row + down, column + right
            while 0 <= y < len(self.rows) and 0 <= x < len(self.rows) and self.rows[y][x] not in (self.who, "."):
                line.append((y, x))
                y, x = y + down, x + right
            if 0 <= y < len(self.rows) and 0 <= x < len(self.rows) and self.rows[y][x] == self.who:
                found += line
        return found

    def squares(self):
        size = range(len(self.rows))
        return [f"{'abcdef'[column]}{row + 1}" for row in size for column in size if self.turned(row, column)]

    def passed(self):
        return Squares(self.rows, "O" if self.who == "X" else "X")

    def moves(self):
        return self.squares() or (["pass"] if self.passed().squares() else [])

    def after(self, move):
        rows = [list(row) for row in self.rows]
        if move != "pass":
            row, column = int(move[1]) - 1, "abcdef".index(move[0])
            for y, x in [(row, column), *self.turned(row, column)]:
                rows[y][x] = self.who
        return Squares(rows, self.who).passed()

    def written(self):
        return "/".join([*map("".join, self.rows), self.who])

    def perft(self, depth):
        return 1 if depth == 0 else sum(self.after(move).perft(depth - 1) for move in self.moves())


@pytest.mark.parametrize("size", [4, 6])
def test_othello_plays_as_discs_turned_square_by_square_do(size):
    game, dice, passes = othello(size), Random(size), 0
    for _ in range(30):
        state, squares = game.start, Squares.start(size)
        while squares.moves():
            assert game.turn(state) == "XO".index(squares.who)
            assert [game.name_move(state, move) for move in game.legal(state)] == squares.moves()
            name = dice.choice(squares.moves())
            state, squares = game.play(state, read_move(game, state, name)), squares.after(name)
            assert game.write_state(state) == squares.written()
            assert read_state(game, squares.written()) == state
            passes += name == "pass"
        assert game.turn(state) == OVER
        assert game.score(state) == squares.written()[:-1].count("X") - squares.written()[:-1].count("O")
    assert passes > 0


def test_othello_perft():
    counted = [perft(load("othello"), depth) for depth in range(1, 9)]
    assert counted == [4, 12, 56, 244, 1_364, 7_604, 47_740, 308_716]
    assert counted[:5] == [Squares.start(6).perft(depth) for depth in range(1, 6)]


def test_othello_perft_on_four_by_four():
    counted = [perft(othello(4), depth, compiled=False) for depth in range(1, 9)]
    assert counted == [4, 12, 44, 128, 424, 1_256, 3_624, 9_112]
    assert counted[:7] == [Squares.start(4).perft(depth) for depth in range(1, 8)]


def test_othello_is_written_right_on_four_by_four():
    report = check("othello:size=4", games=50)
    assert report.ok, str(report)


# The rules, one by one


def test_othello_golden_playthrough():
    game = load("othello")
    state = read_state(game, PERFECT[: 3 * 6])
    assert game.write_state(state) == "....../..XO../..OOO./.OXXX./..X.../....../X"
    assert [game.name_move(state, move) for move in game.legal(state)] == ["d1", "b2", "e2", "f2", "a3", "a4"]
    over = read_state(game, PERFECT)
    assert game.show(over).splitlines() == [
        "  a b c d e f",
        "1 O O O O O X",
        "2 O O X O X O",
        "3 X X O X O O",
        "4 X X X O O O",
        "5 O O X X O O",
        "6 X X X X X O",
        "X 16, O 20; the game is over",
    ]
    assert (game.turn(over), game.score(over)) == (OVER, -4)


def test_othello_turns_discs_in_all_eight_directions():
    game = load("othello")
    state = read_state(game, "X.X.X./.OOO../XO.OX./.OOO../X.X.X./....../X")
    after = game.play(state, read_move(game, state, "c3"))
    assert game.write_state(after) == "X.X.X./.XXX../XXXXX./.XXX../X.X.X./....../O"


def test_othello_no_line_runs_round_the_edge():
    game = othello(4)
    state = read_state(game, "..XO/O.../..../..../X")  # from c1 over d1 and a2 to b2
    assert game.legal(state) == [PASS]


def test_othello_who_cannot_move_passes():
    game = othello(4)
    state = read_state(game, "b1c1d3a1")
    assert game.write_state(state) == "OOO./.XX./.XXX/..../X"
    assert game.legal(state) == [PASS]
    assert game.name_move(state, PASS) == "pass"
    passed = game.play(state, PASS)
    assert (game.write_state(passed), game.turn(passed)) == ("OOO./.XX./.XXX/..../O", 1)


def test_othello_reads_moves_with_passes_and_without():
    game = othello(4)
    assert read_state(game, "b1c1d3a1b4") == read_state(game, "B1, c1, d3, a1, pass, b4")
    assert read_state(game, "") == game.start


def test_othello_is_over_when_neither_can_move_though_squares_are_empty():
    game = othello(4)
    state = read_state(game, "XXX./XXX./XXX./..../O")
    assert (game.turn(state), game.score(state)) == (OVER, 9)


# What it is worth


def test_othello_on_four_by_four_is_lost_by_8():
    """By 11 discs to 3 with two squares empty."""
    game = othello(4)
    found = search(game, nodes=10**9, compiled=False)
    assert (found.value, found.proven) == (-8, True)
    assert game.show(game.after(game.start, found.line)).endswith("X 3, O 11; the game is over")


def test_othello_on_four_by_four_would_be_lost_by_10_if_empty_squares_went_to_the_winner():
    def score(state):
        black, white = count(state.own), count(state.other)
        if state.player == 1:
            black, white = white, black
        empty = 16 - black - white
        return black - white + empty * ((black > white) - (black < white))

    found = search(othello(4).replace(score=score), nodes=10**9, compiled=False)
    assert (found.value, found.proven) == (-10, True)


def test_othello_s_four_first_moves_are_worth_the_same():
    game = othello(4)
    values = [search(game, game.play(game.start, move), nodes=10**9, compiled=False).value for move in game.legal(game.start)]
    assert values == [-8] * 4


@pytest.mark.parametrize("played", [pytest.param(12, marks=pytest.mark.fuzz), *range(14, 32, 2)])
def test_othello_on_six_by_six_is_lost_by_4_all_along_feinstein_s_line(played):
    game = load("othello")
    found = search(game, read_state(game, PERFECT[: 3 * played]), nodes=10**9, check=False)
    assert (found.value, found.proven) == (-4, True)


def random_states(game, seed, number):
    """Yield states from random games, young and old, in which somebody is to move or to pass."""
    dice = Random(seed)
    while number:
        state, left = game.start, dice.randrange(30)
        while left and game.turn(state) != OVER:
            state, left = game.play(state, dice.choice(game.legal(state))), left - 1
        if game.turn(state) != OVER:
            yield state
            number -= 1


def test_othello_s_rank_and_key_change_no_value():
    game = load("othello")
    for state in random_states(game, 1, 60):
        for depth in range(1, 7):
            assert search(game, state, depth=depth, check=False).value == minimax(game, state, depth=depth).value


def test_othello_s_rank_and_key_change_no_value_on_four_by_four():
    game = othello(4)
    for state in (game.start, read_state(game, "b1c1d3a1"), *random_states(game, 2, 20)):  # at the second, X passes
        for depth in range(1, 6):
            found = search(game, state, depth=depth, compiled=False)
            assert found.value == minimax(game, state, depth=depth, compiled=False).value


def mirror_images(text):
    """Return a written board and its images on one diagonal, on the other, and on both: those that the start has too."""
    *rows, who = text.split("/")
    falling = ["".join(column) for column in zip(*rows, strict=True)]
    both = [row[::-1] for row in rows[::-1]]
    rising = [row[::-1] for row in falling[::-1]]
    return sorted("/".join([*image, who]) for image in (rows, falling, rising, both))


@pytest.mark.parametrize("size", [4, 6])
def test_othello_positions_have_one_key_where_they_are_mirror_images_and_only_there(size):
    game = othello(size)
    young = {game.start}
    for _ in range(5):
        young |= {game.play(state, move) for state in young for move in game.moves(state)}
    images = {state: mirror_images(game.write_state(state))[0] for state in young}
    assert len({game.key(state) for state in young}) == len(set(images.values())) < len(young) / 3
    assert len({(game.key(state), image) for state, image in images.items()}) == len(set(images.values()))


def test_othello_s_key_knows_who_moves():
    game = load("othello")
    own, other, _ = game.start
    assert game.key(type(game.start)(own, other, 0)) != game.key(type(game.start)(own, other, 1))


def test_othello_looks_first_at_corners_and_then_at_what_leaves_few_moves():
    game = load("othello")
    for state in random_states(game, 3, 40):
        left = {}
        for move in game.legal(state):
            after = game.play(state, move)
            corner = game.name_move(state, move) in ("a1", "f1", "a6", "f6")
            left[move] = (not corner, sum(reply != PASS for reply in game.moves(after)))
        ranked = sorted(left, key=lambda move: -game.rank(state, move))
        assert [left[move] for move in ranked] == sorted(left.values())


def test_othello_s_estimate_counts_moves_to_choose_from_and_corners():
    game = load("othello")
    assert game.estimate(game.start) == 0
    state = read_state(game, "XO..../....../....../....../....../....../X")  # a move, c1, to none; and a corner
    assert game.estimate(state) == 5
    assert game.estimate(game.play(state, read_move(game, state, "c1"))) == 4


# What is refused


@pytest.mark.parametrize(
    ("size", "words"),
    [
        ("8", "size=8 of othello must be 4 or 6, for its 64 squares need more than the 63 bits of an int"),
        ("5", "size=5 of othello must be 4 or 6$"),
        ("x", "size='x' of othello must be 4 or 6$"),
    ],
)
def test_othello_refuses_a_board_that_does_not_fit(size, words):
    with pytest.raises(OptionError, match=words):
        load(f"othello:size={size}")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("b1e1", "move 2, 'e1', is not a square; write the moves played, a1 to d4, such as b1a1a2"),
        ("b1?", "move 2, '\\?', is not a square"),
        ("b1d1", "move 2, 'd1', turns no disc of the other over; open to O are a1, c1, a3"),
        ("pass", "move 1, 'pass', passes over moves; open to X are b1, a2, d3, c4"),
        ("b1 a1 a2 c1 d4 a3 d1 b4 a4 c4 d2", "move 11, 'd2', comes after the end of the game"),
        ("..../.OX./.XO./....", "is not a board; write 4 rows of 4 squares, X, O or ., top row first, and who moves"),
        ("..../.OX./.XO./.../X", "is not a board"),
        ("..../.OX./.XO./...?/X", "is not a board"),
        ("..../.OX./.XO./..../0", "is not a board"),
    ],
)
def test_othello_refuses_what_is_no_position(text, words):
    with pytest.raises(StateError, match=words):
        read_state(othello(4), text)
