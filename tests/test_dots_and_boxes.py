"""Dots and Boxes against plain sets of edges, and against its known margins."""

import random

import pytest

from outplay import OVER, check, load, minimax, perft, search
from outplay.compile.compiled_rules import compiled_rules
from outplay.errors import IllegalMove, OptionError, StateError
from outplay.games.dots_and_boxes import DOWN
from outplay.rules.text import read_move, read_state


def of_size(rows, columns):
    return load(f"dots-and-boxes:rows={rows},columns={columns}")


# Dots and Boxes on plain sets: an edge is the pair of its dots, a dot is a row and a column


def plain_edges(rows, columns):
    dots = [(row, column) for row in range(rows + 1) for column in range(columns + 1)]
    across = {((row, column), (row, column + 1)) for row, column in dots if column < columns}
    down = {((row, column), (row + 1, column)) for row, column in dots if row < rows}
    return across | down


def plain_boxes(rows, columns):
    found = []
    for row in range(rows):
        for column in range(columns):
            a, b, c, d = (row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)
            found.append({(a, b), (c, d), (a, c), (b, d)})
    return found


def plain_play(boxes, undrawn, margin, player, edge):
    gain = sum(edge in box and not box & (undrawn - {edge}) for box in boxes)
    return undrawn - {edge}, margin + (-gain if player else gain), player if gain else 1 - player


def plain_paths(boxes, undrawn, margin, player, plies):
    if plies == 0:
        return 1
    return sum(plain_paths(boxes, *plain_play(boxes, undrawn, margin, player, edge), plies - 1) for edge in undrawn)


def plain_reach(boxes, undrawn):
    """How many boxes can be taken in one turn, one by one."""
    for box in boxes:
        if len(box & undrawn) == 1:
            taken = sum(len(other & undrawn) == 1 and other & undrawn == box & undrawn for other in boxes)
            return taken + plain_reach(boxes, undrawn - box)
    return 0


def edge_of(state, move):
    row, column = divmod(move % DOWN, state.width)
    return ((row, column), (row, column + 1) if move < DOWN else (row + 1, column))


def random_states(game, number, *, least=0):
    """States that random play leads to, with boxes left and at least so many edges drawn."""
    dice, found = random.Random(number), []
    while len(found) < number:
        state = game.start
        for _ in range(least + dice.randrange(game.max_moves - least)):
            state = game.play(state, dice.choice(game.legal(state)))
        found += [state] if game.turn(state) != OVER else []
    return found


# The rules


@pytest.mark.parametrize("parameters", ["", "rows=1,columns=1", "rows=1,columns=3", "rows=6,columns=8"])
def test_dots_and_boxes_is_written_right(parameters):
    report = check(f"dots-and-boxes:{parameters}", games=10, seconds=1)
    assert report.ok, str(report)


def test_dots_and_boxes_golden_playthrough():
    game = load("dots-and-boxes")
    state = game.start
    assert [game.name_move(state, move) for move in game.legal(state)][:7] == [
        "a1-b1", "b1-c1", "a2-b2", "b2-c2", "a3-b3", "b3-c3", "a1-a2",
    ]  # fmt: skip
    for move in ("a1-b1", "b1-b2", "a2-b2"):
        state = game.play(state, read_move(game, state, move))
    assert (game.turn(state), game.write_state(state)) == (1, "-./.|./-./.../..,0,1")
    state = game.play(state, read_move(game, state, "a1-a2"))
    assert (game.turn(state), state.margin) == (1, -1)  # who takes a box moves again
    assert game.show(state) == ("  a   b   c\n1 +---+   +\n  |   |\n2 +---+   +\n\n3 +   +   +\nmargin -1, player 1 is to move")
    with pytest.raises(IllegalMove, match="'a1-a2' is not a legal move here; legal moves: b1-c1, b2-c2"):
        read_move(game, state, "a1-a2")
    for move in ("c2-c3", "b2-b3", "a3-b3", "a2-a3", "b3-c3", "b2-c2", "c1-c2", "b1-c1"):
        state = game.play(state, read_move(game, state, move))
    assert (game.turn(state), game.score(state)) == (OVER, 0)  # two boxes each
    assert game.show(state).endswith("\n3 +---+---+\nmargin 0")


def test_one_edge_may_complete_two_boxes():
    game = of_size(1, 2)
    state = read_state(game, "--/|.|/--,0,1")
    assert [game.name_move(state, move) for move in game.legal(state)] == ["b1-b2"]
    over = game.play(state, game.legal(state)[0])
    assert (game.turn(over), game.score(over)) == (OVER, -2)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (2, 2), (1, 4), (4, 1), (3, 5), (6, 8), (8, 6), (1, 25)])
def test_random_games_go_as_on_plain_edges(rows, columns):
    game, boxes = of_size(rows, columns), plain_boxes(rows, columns)
    for seed in range(3):
        dice = random.Random(seed)
        state, undrawn, margin, player = game.start, plain_edges(rows, columns), 0, 0
        while undrawn:
            assert (game.turn(state), state.margin) == (player, margin)
            assert {edge_of(state, move) for move in game.legal(state)} == undrawn
            assert read_state(game, game.write_state(state)) == state
            assert game.estimate(state) - margin == plain_reach(boxes, undrawn) * (-1 if player else 1)
            move = dice.choice(game.legal(state))
            undrawn, margin, player = plain_play(boxes, undrawn, margin, player, edge_of(state, move))
            state = game.play(state, move)
        assert (game.turn(state), game.score(state)) == (OVER, margin)


@pytest.mark.parametrize(("rows", "columns", "plies"), [(1, 1, 5), (1, 2, 8), (2, 2, 4)])
def test_dots_and_boxes_perft_is_that_of_plain_edges(rows, columns, plies):
    """Every edge can be drawn until it is: n, n (n - 1), n (n - 1) (n - 2), and so on, and nothing after the last."""
    game, product = of_size(rows, columns), 1
    for depth in range(1, plies + 1):
        product *= len(plain_edges(rows, columns)) + 1 - depth
        counted = perft(game, depth)
        assert counted == product == plain_paths(plain_boxes(rows, columns), plain_edges(rows, columns), 0, 0, depth)


def test_boards_of_all_sizes_share_one_compilation():
    assert compiled_rules(of_size(2, 2)) is compiled_rules(of_size(6, 8))


# What makes it quick


def test_boxes_are_taken_first_and_given_away_last():
    game = of_size(1, 3)
    state = read_state(game, "---/|..|/-..")
    ranks = {game.name_move(state, move): game.rank(state, move) for move in game.legal(state)}
    assert ranks == {"b1-b2": 3, "b2-c2": -1, "c1-c2": -2, "c2-d2": -2}


def test_what_is_within_reach_bounds_the_margin():
    game = of_size(1, 3)
    assert game.bounds(game.start) == (-3, 3)
    chain = read_state(game, "---/|.../---,0,1")
    assert (game.bounds(chain), game.estimate(chain)) == ((-3, -3), -3)  # the mover takes all three
    assert game.bounds(read_state(game, "---/|.|./--.,0,0")) == (1, 3)  # two, and perhaps the third


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (1, 4)])
def test_rank_bounds_and_key_change_no_value(rows, columns):
    game = of_size(rows, columns)
    for state in random_states(game, 40):
        for depth in (1, 2, 3, 4):
            assert search(game, state, depth=depth, check=False).value == minimax(game, state, depth=depth).value


def test_search_to_the_end_finds_what_minimax_finds():
    game = of_size(2, 3)
    for state in random_states(game, 40, least=9):
        found = search(game, state, nodes=10**9, check=False)
        assert (found.value, found.proven) == (minimax(game, state, depth=8).value, True)


def test_the_edges_of_a_box_at_the_rim_are_alike():
    game = load("dots-and-boxes")
    corner = [game.key(game.play(game.start, read_move(game, game.start, move))) for move in ("a1-b1", "a1-a2", "b1-c1")]
    assert corner[0] == corner[1] != corner[2]
    assert game.key(read_state(game, "-./.../../.../..,0,1")) != game.key(read_state(game, "-./.../../.../..,0,0"))
    assert len({game.key(read_state(game, f"--/|||/--/.../..,{margin},0")) for margin in (-2, 0, 2)}) == 3


# Boxes of the first player less those of the second, if both play best. D. Wilson, Dots-and-Boxes Analysis Results;
# J. K. Barker and R. E. Korf, Solving Dots-and-Boxes, AAAI 2012.
MARGINS = {
    (1, 1): -1, (1, 2): 0, (1, 3): -1, (1, 4): 0, (1, 5): -1, (1, 6): 0,
    (2, 2): 2, (2, 3): -2, (2, 4): 2, (3, 3): -3,
}  # fmt: skip


@pytest.mark.parametrize(("rows", "columns"), [size for size in MARGINS if size not in ((2, 4), (3, 3))])
def test_boards_are_worth_their_known_margin(rows, columns):
    for game in (of_size(rows, columns), of_size(columns, rows)):
        found = search(game, nodes=10**9, check=False)
        assert (found.value, found.proven) == (MARGINS[rows, columns], True)


@pytest.mark.parametrize(("rows", "columns"), [(2, 4), (3, 3)])
def test_larger_boards_are_solved_straight_to_the_end(rows, columns):
    """Where a value is wanted and not a move in time, deepening is work done over and over."""
    found = search(of_size(rows, columns), nodes=10**9, without=("deepening",), check=False)
    assert (found.value, found.proven) == (MARGINS[rows, columns], True)


def test_a_long_chain_is_not_taken_to_its_end():
    """Two chains of three: who takes all of the first must open the second; who leaves two boxes of it gets the second whole."""
    game = of_size(2, 3)
    found = search(game, read_state(game, "---/|.../---/..../---,0,0"), nodes=10**9, check=False)
    assert (found.value, found.proven) == (1 - 2 + 3, True)
    assert found.named_line()[:3] == ["b1-b2", "d1-d2", "c1-c2"]


# Options and states


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ("rows=0", "rows=0 of dots-and-boxes must be a whole number from 1 to 25"),
        ("columns=26", "columns=26 of dots-and-boxes must be a whole number from 1 to 25"),
        ("columns=x", "columns='x' of dots-and-boxes must be a whole number"),
        ("rows=7,columns=7", "7 rows of 7 boxes have 8 \\* 8 = 64 dots; 63 are the most"),
    ],
)
def test_dots_and_boxes_refuses_a_board_that_does_not_fit(parameters, words):
    with pytest.raises(OptionError, match=words):
        load(f"dots-and-boxes:{parameters}")


def test_no_board_that_fits_has_more_boxes_than_scores_go():
    sizes = [(rows, columns) for rows in range(1, 26) for columns in range(1, 26) if (rows + 1) * (columns + 1) <= 63]
    assert max(rows * columns for rows, columns in sizes) == load("dots-and-boxes").high


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'' is not a board of dots-and-boxes; write its rows of edges from the top, separated by /: 2 across, - if drawn"),
        ("../.../../...", "then 3 down, | or a dot, and so on, such as ../.../../.../..,0,0"),
        ("../../../.../..", "is not a board"),
        ("|./.../../.../..", "is not a board"),
        ("../-../../.../..", "is not a board"),
    ],
)
def test_dots_and_boxes_refuses_what_is_no_board(text, words):
    with pytest.raises(StateError) as raised:
        read_state(load("dots-and-boxes"), text)
    assert words in str(raised.value)


@pytest.mark.parametrize("rest", ["1,0", "4,0", "x,0", "2,2", "2", "2,0,0", ""])
def test_the_margin_must_be_one_that_the_complete_boxes_allow(rest):
    with pytest.raises(
        StateError,
        match="has 2 complete boxes; behind the edges write player 0's less player 1's, one of -2, 0, 2, and who is to move, 0 or 1",
    ):
        read_state(load("dots-and-boxes"), f"--/|||/--/.../..,{rest}")


def test_the_name_tells_the_size():
    assert (load("dots-and-boxes").name, of_size(1, 3).name) == ("dots-and-boxes", "dots-and-boxes 1x3")
