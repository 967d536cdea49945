"""Extended Connect Four against a plain board of cells: points, windows, drops, pops, the end; and start files."""

import os
import random
import time
from fractions import Fraction
from functools import cache

import pytest
from toy_games import Pile, pile

from outplay import OVER, check, load, minimax, perft, search
from outplay.cli.position import position
from outplay.compile.engine import Engine
from outplay.errors import IllegalMove, OptionError, StateError
from outplay.games.extended_connect_four import POP, State, extended_connect_four
from outplay.rules.text import read_move, read_state

SIZES = [(rows, columns) for rows in range(2, 13) for columns in range(2, 13, 2)]
EARNED = (0, 0, 2, 5, 20, 20, 22, 25, 40, 40, 42, 45, 60)  # by the length of a run, as the assignment gives it


# The game on a plain board: rows of cells from the top, 0 empty, 1 and 2 the players' discs


@cache
def lines(rows, columns):
    """Every row, column and diagonal, as places on the board."""
    found = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(rows):
            for column in range(columns):
                if not (0 <= row - down < rows and 0 <= column - right < columns):
                    line = [(row + down * far, column + right * far) for far in range(max(rows, columns))]
                    found.append([place for place in line if place[0] < rows and 0 <= place[1] < columns])
    return found


def plain_points(cells, player):
    total = 0
    for line in lines(len(cells), len(cells[0])):
        run = 0
        for row, column in line:
            if cells[row][column] == player:
                run += 1
            else:
                total += EARNED[run]
                run = 0
        total += EARNED[run]
    return total


def plain_margin(cells):
    return plain_points(cells, 1) - plain_points(cells, 2)


def plain_windows(cells, player):
    total = Fraction(0)
    discs = [sum(row[column] > 0 for row in cells) for column in range(len(cells[0]))]
    for line in lines(len(cells), len(cells[0])):
        for length, weight in ((2, 3), (3, 7), (4, 20)):
            for first in range(len(line) - length + 1):
                window = line[first : first + length]
                held = [cells[row][column] for row, column in window]
                empty = [place for place, cell in zip(window, held, strict=True) if cell == 0]
                if held.count(player) + len(empty) == length and 0 < len(empty) < length:
                    depth = 1
                    for row, column in empty:
                        depth *= 2 ** (len(cells) - row - discs[column])
                    total += Fraction(weight, len(empty) * depth)
    return total


def plain_moves(cells, pops, player):
    drops = [column for column, cell in enumerate(cells[0]) if cell == 0]
    bottoms = [POP + column for column, cell in enumerate(cells[-1]) if cell and column % 2 == player]
    return drops + (bottoms if pops[player] else [])


def plain_play(cells, pops, player, move):
    cells, pops = [list(row) for row in cells], list(pops)
    if move < POP:
        row = max(row for row in range(len(cells)) if cells[row][move] == 0)
        cells[row][move] = player + 1
    else:
        for row in range(len(cells) - 1, 0, -1):
            cells[row][move - POP] = cells[row - 1][move - POP]
        cells[0][move - POP] = 0
        pops[player] -= 1
    return cells, pops, 1 - player


def plain_perft(cells, pops, player, depth):
    if depth == 0:
        return 1
    return sum(plain_perft(*plain_play(cells, pops, player, move), depth - 1) for move in plain_moves(cells, pops, player))


# From cells to states


@cache
def game_of(rows, columns, estimate="points"):
    return extended_connect_four(rows=rows, columns=columns, estimate=estimate)


def state_of(cells, pops=(6, 6), player=0):
    """The state of any cells, floating discs too, by the layout that the game's file draws."""
    stride = len(cells) + 1
    per_word = 63 // stride
    words = -(-len(cells[0]) // per_word)
    discs = {1: [0] * words, 2: [0] * words}
    for height, row in enumerate(reversed(cells)):
        for column, cell in enumerate(row):
            if cell:
                discs[cell][column // per_word] |= 1 << column % per_word * stride + height
    return State(tuple(discs[1]), tuple(discs[2]), *pops, player)


def board(text):
    """Cells from rows separated by blanks."""
    return [[int(cell) for cell in row] for row in text.split()]


def random_cells(rng, rows, columns):
    """Cells of any density and balance, so that runs of every length occur; they may float."""
    weights = rng.choice([(1, 1, 1), (3, 1, 1), (0, 1, 1), (1, 8, 1), (0, 1, 12), (1, 9, 0)])
    cells = rng.choices((0, 1, 2), weights, k=rows * columns)
    return [cells[row * columns : (row + 1) * columns] for row in range(rows)]


def random_stacks(rng, rows, columns):
    """Cells without a floating disc."""
    cells = random_cells(rng, rows, columns)
    for column in range(columns):
        for row in range(rng.randint(0, rows)):
            cells[row][column] = 0
        for row in range(1, rows):
            if cells[row - 1][column] and not cells[row][column]:
                cells[row][column] = rng.choice((1, 2))
    return cells


# Points


def test_the_golden_rows_earn_what_is_known():
    row = board("11001121222111")
    assert (plain_points(row, 1), plain_points(row, 2)) == (9, 5)
    assert plain_points(board("011111121222111"), 1) == 27


@pytest.mark.parametrize(("row", "first", "second"), [("11001121222111", 9, 5), ("011111121222111", 27, 5)])
def test_the_golden_rows_earn_as_much_cut_in_two_where_no_run_is(row, first, second):
    """They are longer than twelve: one half lies two rows above the other, too far for a run."""
    assert row[6] != row[7]
    cells = board(f"{row[:7]:0<8} {'0' * 8} {row[7:]:0<8}")
    assert score_of_each(cells) == (first, second)


def score_of_each(cells):
    """The points of both players, by leaving the other one's discs out."""
    game = game_of(len(cells), len(cells[0]))
    state = state_of(cells)
    nobody = (0,) * len(state.first)
    return (
        game.score(State(state.first, nobody, 6, 6, 0)),
        -game.score(State(nobody, state.second, 6, 6, 0)),
    )


def test_the_golden_boards_earn_what_is_known():
    """Both have five columns; a sixth, empty, makes them even."""
    for cells, points in ((board("01101 01022 01100"), 13), (board("00100 00100 11111 00100"), 48)):
        assert plain_points(cells, 1) == points
        assert score_of_each([[*row, 0] for row in cells])[0] == points


def test_a_run_earns_by_its_length():
    for run, points in enumerate(EARNED[1:], 1):
        cells = board(f"{'0' * 12} {'1' * run:0<12}")
        assert score_of_each(cells) == (points, 0)
        assert score_of_each([*([2, 0] for _ in range(run)), *([0, 0] for _ in range(12 - run))]) == (0, points)


def test_points_by_bits_are_points_by_cells_on_boards_of_every_size():
    rng = random.Random(1)
    for rows, columns in SIZES:
        for _ in range(60):
            assert_points(random_cells(rng, rows, columns))


def assert_points(cells):
    found = game_of(len(cells), len(cells[0])).score(state_of(cells))
    assert found == plain_margin(cells), cells


def scored(game, state):
    """A kernel: the score."""
    return game.score(state)


def estimated(game, state, ints):
    """A kernel: the estimate."""
    return game.estimate(state, ints)


@pytest.mark.parametrize(("rows", "columns"), [(6, 8), (6, 10), (12, 12)], ids=["one word", "two words", "three words"])
def test_compiled_points_are_points_by_cells(rows, columns):
    rng, engine = random.Random(2), Engine(game_of(rows, columns), scored)
    for _ in range(1000):
        cells = random_cells(rng, rows, columns)
        assert engine.run(state_of(cells)) == plain_margin(cells), cells


@pytest.mark.fuzz
def test_fuzz_points_by_bits_are_points_by_cells_on_a_million_boards():
    """`make fuzz`: a million boards of all sizes, every tenth compiled, unless FUZZ_SECONDS are over before."""
    until, seed = time.monotonic() + float(os.environ.get("FUZZ_SECONDS", "600")), time.time_ns()
    rng, number = random.Random(seed), 0
    engines = {(rows, columns): Engine(game_of(rows, columns), scored) for rows, columns in ((6, 8), (10, 10), (12, 12))}
    while number < 1_000_000 and time.monotonic() < until:
        if number % 10:
            assert_points(random_cells(rng, *rng.choice(SIZES)))
        else:
            size = rng.choice(list(engines))
            cells = random_cells(rng, *size)
            assert engines[size].run(state_of(cells)) == plain_margin(cells), cells
        number += 1
    print(f"{number:,} boards agree (seed {seed})")


# Windows


def test_windows_are_worth_what_is_computed_by_hand():
    """One disc in a corner of two by two: beside and above it a disc is lacking, across it two are."""
    game = extended_connect_four(rows=2, columns=2, estimate="windows")
    assert game.estimate(read_state(game, "6/0 0/1 0")) == 3 / 2 + 3 / 2 + 3 / 4
    assert game.estimate(read_state(game, "6/0 0/0 2")) == -(3 / 2 + 3 / 2 + 3 / 4)
    assert game.estimate(read_state(game, "6/0 0/1 2")) == 3 / 2 + 3 / 4 - 3 / 2 - 3 / 4
    assert game.estimate(read_state(game, "6/0 0/1 1")) == 2 + 2 * 3 / 2 + 2 * 3 / 2


def test_windows_by_bits_are_windows_by_cells_on_boards_of_every_size():
    rng = random.Random(3)
    for rows, columns in SIZES:
        game = game_of(rows, columns, "windows")
        for _ in range(5):
            assert_windows(game, game.estimate, random_stacks(rng, rows, columns))


def test_compiled_windows_are_windows_by_cells():
    rng, game = random.Random(4), game_of(12, 12, "windows")
    engine = Engine(game, estimated)
    for _ in range(200):
        assert_windows(game, lambda state: engine.run(state, engine.memory(1)), random_stacks(rng, 12, 12))


def assert_windows(game, estimate, cells):
    told = plain_margin(cells) + plain_windows(cells, 1) - plain_windows(cells, 2)
    found = estimate(state_of(cells))
    assert found == pytest.approx(float(told), rel=1e-14, abs=1e-14), cells
    assert game.low <= found <= game.high


def test_no_board_has_more_points_than_a_full_one_of_one_colour():
    for rows, columns in SIZES:
        game = game_of(rows, columns)
        assert game.score(state_of([[1] * columns] * rows)) == game.high
        assert game.score(state_of([[2] * columns] * rows)) == game.low
    for run in range(13):
        assert all(EARNED[part] + EARNED[run - part] <= EARNED[run] for part in range(run + 1))


# Moves


def test_extended_connect_four_golden_playthrough():
    game = load("extended-connect-four:rows=2,columns=2,pops=1")
    state = game.after(game.start, [0, 0, 1, 1])
    assert game.write_state(state) == "1/2 2/1 1"
    assert game.legal(state) == [POP]  # full: a pop is forced, and of an even column
    state = game.after(state, [POP])
    assert game.write_state(state) == "0 1 1/0 2/2 1"
    assert game.legal(state) == [0, POP + 1]
    assert game.show(state) == (
        ". O\nO X\n0 1\n  X: 0 points, pops left in even columns: 0\n> O: 2 points, pops left in odd columns: 1"
    )
    over = game.after(state, [0])
    assert (game.turn(over), game.score(over)) == (OVER, -6)  # X cannot move, though O could still pop


def test_a_pop_takes_a_disc_of_either_colour_and_the_column_falls():
    game = load("extended-connect-four:rows=4,columns=4")
    state = read_state(game, "2/0 0 0 0/1 0 0 0/1 2 0 0/2 1 0 0")
    assert game.legal(state) == [0, 1, 2, 3, POP]
    assert game.write_state(game.play(state, POP)) == "1 2 1/0 0 0 0/0 0 0 0/1 2 0 0/1 1 0 0"
    second = State(*state[:4], 1)
    assert game.legal(second) == [0, 1, 2, 3, POP + 1]
    assert game.write_state(game.play(second, POP + 1)) == "2 1 0/0 0 0 0/1 0 0 0/1 0 0 0/2 2 0 0"


def test_nobody_pops_without_pops_left():
    game = load("extended-connect-four:rows=4,columns=4")
    assert game.legal(read_state(game, "0 3 0/0 0 0 0/0 0 0 0/0 0 0 0/1 2 1 2")) == [0, 1, 2, 3]
    assert game.legal(read_state(game, "0 3 1/0 0 0 0/0 0 0 0/0 0 0 0/1 2 1 2")) == [0, 1, 2, 3, POP + 1, POP + 3]


def test_on_a_full_board_who_has_pops_must_pop_and_who_has_none_ends_the_game():
    game = load("extended-connect-four:rows=2,columns=4")
    full = "1 2 1 2/2 1 2 1"
    assert game.legal(read_state(game, f"1 0 0/{full}")) == [POP, POP + 2]
    assert game.turn(read_state(game, f"1 0 0/{full}")) == 0
    assert game.turn(read_state(game, f"1 0 1/{full}")) == OVER
    assert game.turn(read_state(game, f"0 1 0/{full}")) == OVER
    assert game.legal(read_state(game, f"0 1 1/{full}")) == [POP + 1, POP + 3]


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (4, 6), (6, 8), (6, 10), (9, 10), (12, 12), (2, 12), (12, 2)])
def test_random_games_go_as_on_a_plain_board(rows, columns):
    game = game_of(rows, columns)
    for seed in range(6):
        rng = random.Random(seed)
        state, cells, pops, player = game.start, [[0] * columns for _ in range(rows)], [6, 6], 0
        while plain_moves(cells, pops, player):
            assert game.turn(state) == player
            assert game.legal(state) == plain_moves(cells, pops, player)
            assert read_state(game, game.write_state(state)) == state
            move = rng.choice(game.legal(state))
            state, (cells, pops, player) = game.play(state, move), plain_play(cells, pops, player, move)
            assert state == state_of(cells, pops, player)
        assert game.turn(state) == OVER
        assert game.score(state) == plain_margin(cells)


@pytest.mark.parametrize("pops", [0, 6])
def test_perft_is_that_of_a_plain_board(pops):
    game = load(f"extended-connect-four:rows=4,columns=6,pops={pops}")
    told = [plain_perft([[0] * 6 for _ in range(4)], [pops, pops], 0, depth) for depth in range(1, 6)]
    assert [perft(game, depth) for depth in range(1, 6)] == told
    if pops == 0:
        assert told == [6, 36, 216, 1296, 7770]  # six ways to drop a fifth disc into a full column


def test_moves_are_written_as_in_the_original():
    game = load("extended-connect-four")
    state = game.after(game.start, [3, 4, 0])
    assert [game.name_move(state, move) for move in game.legal(state)] == ["0", "1", "2", "3", "4", "5", "6", "7", "3p"]
    assert (read_move(game, state, "3"), read_move(game, state, " 3P ")) == (3, POP + 3)
    with pytest.raises(IllegalMove, match="legal moves: 0, 1, 2, 3, 4, 5, 6, 7, 3p"):
        read_move(game, state, "4p")


def test_moves_are_ranked_from_the_middle_outwards():
    game = load("extended-connect-four")
    state = read_state(game, "1/" + "0 0 0 0 0 0 0 0/" * 5 + "1 1 1 1 1 1 1 1")
    ranked = sorted(game.legal(state), key=lambda move: -game.rank(state, move))
    assert [game.name_move(state, move) for move in ranked] == ["3", "4", "4p", "2", "5", "2p", "1", "6", "6p", "0", "7", "0p"]


# Search


@pytest.mark.parametrize(
    "parameters",
    [
        "",
        pytest.param("estimate=windows", marks=pytest.mark.fuzz),
        "rows=4,columns=6,pops=0",
        "rows=4,columns=6,estimate=windows",
        pytest.param("rows=6,columns=10", marks=pytest.mark.fuzz),
        "rows=12,columns=12",
    ],
)
def test_extended_connect_four_is_written_right(parameters):
    report = check(f"extended-connect-four:{parameters}", games=6, seconds=1)
    assert report.ok, str(report)
    assert report.games > 0


@pytest.mark.parametrize("parameters", ["pops=2", "rows=4,columns=6,pops=2,estimate=windows"])
def test_search_finds_the_same_interpreted_and_compiled_and_what_minimax_finds(parameters):
    game = load(f"extended-connect-four:{parameters}")
    for moves in ([], [2, 3, 3, 2], [0, 1, POP, 2, 2, POP + 1, 4]):
        state = game.after(game.start, moves)
        fast, slow = (search(game, state, depth=4, compiled=compiled, check=False) for compiled in (True, False))
        assert (fast.move, fast.value, fast.nodes, fast.line) == (slow.move, slow.value, slow.nodes, slow.line)
        assert search(game, state, depth=3, check=False).value == minimax(game, state, depth=3, compiled=False).value


def test_expectimax_is_the_best_mean_over_all_replies():
    game = load("extended-connect-four")
    cells, pops, player = board(f"{'0' * 8} {'0' * 8} {'0' * 8} {'0' * 8} 02110000 01221200"), [2, 1], 0
    means = {}
    for move in plain_moves(cells, pops, player):
        after = plain_play(cells, pops, player, move)
        replies = [plain_margin(plain_play(*after, reply)[0]) for reply in plain_moves(*after)]
        means[move] = sum(replies) / len(replies)
    found = search(game, state_of(cells, pops, player), depth=2, opponent="random", compiled=False)
    assert found.value == pytest.approx(max(means.values()), abs=1e-9)
    assert means[found.move] == pytest.approx(found.value, abs=1e-9)


@pytest.mark.parametrize("opponent", ["best", "random"])
def test_part_a_and_part_b_deepen_until_the_time_is_up(opponent):
    game = load("extended-connect-four")
    compiled = opponent == "best"
    found = search(game, seconds=0.05 if compiled else 0.5, opponent=opponent, compiled=compiled, check=False)
    assert (found.stopped_by, found.move in game.legal(game.start)) == ("time", True)
    assert found.depth >= 1


def test_games_of_one_size_share_one_compilation():
    from outplay.compile.compiled_rules import compiled_rules

    four = extended_connect_four(rows=4, columns=6, pops=0)
    assert compiled_rules(four) is compiled_rules(extended_connect_four(rows=4, columns=6, pops=9))
    assert compiled_rules(four) is not compiled_rules(extended_connect_four(rows=6, columns=4))


# Start files


@pytest.mark.parametrize(("rows", "columns", "pops"), [(6, 8, 6), (6, 10, 9), (6, 10, 0), (4, 6, 0)])
@pytest.mark.parametrize("end", ["\n", "", " \n", "\r\n", "\n\n"])
def test_the_original_start_files_are_read_as_they_occur(tmp_path, rows, columns, pops, end):
    game = load(f"extended-connect-four:rows={rows},columns={columns},pops={pops}")
    content = f"{pops} \n" + "\n".join([" ".join("0" * columns) + " "] * rows) + end
    path = tmp_path / "start.txt"
    path.write_bytes(content.encode())
    assert position(game, str(path)) == read_state(game, content) == game.start
    assert read_state(game, content.strip().replace("\n", "/")) == game.start


def test_a_position_in_play_is_written_with_both_pops_and_the_player():
    game = load("extended-connect-four:rows=2,columns=4")
    state = read_state(game, "3 0 1\n0 0 0 2\n1 0 0 1")
    assert state == state_of(board("0002 1001"), (3, 0), 1)
    assert game.write_state(state) == "3 0 1/0 0 0 2/1 0 0 1"


def test_wide_boards_are_shown_with_wide_columns():
    game = load("extended-connect-four:rows=2,columns=12")
    state = game.after(game.start, [11, 0])
    assert game.show(state).splitlines()[1:3] == [" O  .  .  .  .  .  .  .  .  .  .  X", " 0  1  2  3  4  5  6  7  8  9 10 11"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1\n0 0 0 0\n0 0 0\n", "line 3: a row of 3 cells, and the one in line 2 has 4; give all rows the same number"),
        ("1\n0 0 0 0\n0 3 0 0", "line 3: '3' in column 1 is not a cell; write 0 for an empty square, 1 for"),
        ("1\n0 0 0 0\n0 x 0 0", "line 3: 'x' in column 1 is not a cell"),
        ("1\n0 0 0 0\n0000", "line 3: '0000' in column 0 is not a cell; .* spaces between"),
        ("1\n0 0 2 0\n0 0 0 1", "line 2: the disc in column 2 floats above an empty square; .*: move it down"),
        ("-1\n0 0 0 0\n0 0 0 0", "line 1: -1 pops cannot be left to a player; write a number from 0 to 10"),
        ("1 -2 0/0 0 0 0/0 0 0 0", "line 1: -2 pops"),
        ("11/0 0 0 0/0 0 0 0", "line 1: 11 pops"),
        ("1 1 2/0 0 0 0/0 0 0 0", "line 1: 2 is not a player; write 0 if the first"),
        ("1 1/0 0 0 0/0 0 0 0", "line 1: '1 1' does not say how many pops there are"),
        ("0 0 0 0/0 0 0 0", "line 1: '0 0 0 0' does not say how many pops"),
        ("cases/missing.txt", "line 1: 'cases' does not say how many pops there are; write one number"),
        ("", "line 1: '' does not say how many pops"),
        ("x" * 5000, "does not say how many pops"),
        ("9" * 5000, "does not say how many pops"),
        ("6", "line 2: there is no board; below the pops write a line for each row"),
        ("6\n0 0 0 0\n\n0 0 0 0", "line 3 is blank; leave it out"),
        ("6/0 0 0 0", "line 2: the board ends after 1 rows of 4 cells, and this game has 2 rows of 4"),
        ("6/0 0 0/0 0 0", "rows of 3 cells, and this game has 2 rows of 4; .*, where columns are even"),
        ("6" + "/0 0 0 0 0 0" * 4, "take the game of that size, extended-connect-four:rows=4,columns=6"),
        ("6" + "/0 0 0 0" * 13, "line 14: the board ends after 13 rows of 4 cells; 12 by 12 is the most: leave"),
        ("6" + ("/" + "0 " * 14) * 2, "line 3: the board ends after 2 rows of 14 cells; 12 by 12 is the most"),
    ],
)
def test_what_is_no_position_is_refused_with_line_and_remedy(text, words):
    with pytest.raises(StateError, match=words):
        read_state(load("extended-connect-four:rows=2,columns=4"), text)


def test_an_error_names_the_start_file_too(tmp_path):
    path, game = tmp_path / "start.txt", load("extended-connect-four:rows=2,columns=4")
    path.write_text("6\n0 0 0 0\n0 0 0\n")
    with pytest.raises(StateError, match="start.txt, line 3: a row of 3 cells"):
        position(game, str(path))
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(StateError, match="start.txt' cannot be read: .*; name a text file"):
        position(game, str(path))
    with pytest.raises(StateError, match=r"does not say how many pops .*\(no file is called 'missing.txt'\)"):
        position(game, "missing.txt")
    with pytest.raises(StateError, match="does not say how many pops"):
        position(game, "x" * 5000)


def test_only_the_command_line_opens_a_start_file(tmp_path):
    """A page, or a game that is made of this one, hands over whatever a stranger types."""
    path, game = tmp_path / "start.txt", load("extended-connect-four:rows=2,columns=4")
    path.write_text("6\n0 0 0 0\n0 0 0 0\n")
    assert position(game, str(path)) == game.start
    path.write_text("a very secret line")
    wrapped = game.replace(name="mine", read_state=lambda text: game.read_state(text.strip()))
    for reader in (game, wrapped):
        with pytest.raises(StateError) as error:
            read_state(reader, str(path))
        assert "secret" not in str(error.value)
    path.write_text("3,1")
    assert position(pile(), str(path)) == Pile(3, 1)
    assert position(pile(), "") == pile().start


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ("rows=1", "rows=1 of extended-connect-four must be a whole number from 2 to 12"),
        ("rows=13", "rows=13 .* from 2 to 12"),
        ("columns=0", "columns=0 .* from 2 to 12"),
        ("columns=14", "columns=14 .* from 2 to 12"),
        ("columns=7", "columns=7 .* must be even, for one player pops even columns .*; take 6 or 8"),
        ("columns=x", "columns='x' .* must be a whole number"),
        ("pops=-1", "pops=-1 .* from 0 to 10"),
        ("pops=11", "pops=11 .* from 0 to 10"),
        ("estimate=luck", "estimate='luck' .* is unknown; there are points and windows"),
    ],
)
def test_a_game_that_there_is_not_is_refused_with_those_there_are(parameters, words):
    with pytest.raises(OptionError, match=words):
        load(f"extended-connect-four:{parameters}")


def test_the_name_tells_what_is_not_usual():
    assert load("extended-connect-four").name == "extended-connect-four"
    assert load("extended-connect-four:rows=4,columns=6,pops=0").name == "extended-connect-four 4x6, 0 pops"
    assert load("extended-connect-four:estimate=windows").name == "extended-connect-four, windows"
