"""Three men's morris, tapatan and nine holes: rules, values by retrograde analysis, one golden playthrough."""

from functools import cache
from itertools import combinations
from random import Random

import pytest

from outplay import OVER, check, load, minimax, perft, search
from outplay.errors import IllegalMove, OptionError, StateError
from outplay.rules.text import read_move, read_state
from outplay.solve.solve import solve

VARIANTS = ("morris", "tapatan", "nine-holes")


@cache
def morris(variant="morris"):
    return load(f"three-mens-morris:variant={variant}")


@cache
def solved(variant):
    """Interpreted, for 5,390 states take longer to compile for than to solve."""
    return solve(morris(variant), method="cycles", compiled=False)


# The same rules once more, on sets of points, and a retrograde analysis that knows nothing of Outplay.

POINTS = [(column, row) for row in "321" for column in "abc"]
IN_LINE = [
    *({(column, row) for column in "abc"} for row in "123"),
    *({(column, row) for row in "123"} for column in "abc"),
    {("a", "1"), ("b", "2"), ("c", "3")},
    {("a", "3"), ("b", "2"), ("c", "1")},
]


def can_step(variant, start, end):
    if variant == "nine-holes":
        return start != end
    right, up = abs(ord(start[0]) - ord(end[0])), abs(int(start[1]) - int(end[1]))
    return right + up == 1 or (variant == "tapatan" and right == up == 1 and ("b", "2") in (start, end))


def won(men):
    return any(line <= men for line in IN_LINE)


def plain_moves(variant, own, other):
    """Return each move by its name, and the mover's men after it; none if the other has won."""
    free = [point for point in POINTS if point not in own | other]
    if won(other):
        return {}
    if len(own) < 3:
        return {"".join(point): own | {point} for point in free}
    return {
        f"{''.join(start)}-{''.join(end)}": own - {start} | {end}
        for start in POINTS
        if start in own
        for end in free
        if can_step(variant, start, end)
    }


def plain_perft(variant, own, other, depth):
    moves = plain_moves(variant, own, other)
    return len(moves) if depth == 1 else sum(plain_perft(variant, other, after, depth - 1) for after in moves.values())


@cache
def plain_values(variant):
    """Return the value to the mover and the distance of every position that is not a draw, and how many there are in all."""
    children, waiting = {}, [(frozenset(), frozenset())]
    while waiting:
        position = waiting.pop()
        if position not in children:
            children[position] = [(position[1], after) for after in plain_moves(variant, *position).values()]
            waiting += children[position]
    found = {position: (-1, 0) for position in children if not children[position]}
    distance, settled = 0, True
    while settled:
        distance += 1
        settled = {}
        for position in children.keys() - found.keys():
            values = [found.get(child, (0, 0))[0] for child in children[position]]
            if min(values) == -1:
                settled[position] = 1, distance
            elif max(values) == min(values) == 1:
                settled[position] = -1, distance
        found |= settled
    return found, len(children)


def sets_of(state):
    """Return the men of the mover and of the other, from the written board."""
    *rows, who = morris().write_state(state).split("/")
    cells = dict(zip(POINTS, "".join(rows), strict=True))
    own = frozenset(point for point, cell in cells.items() if cell == who)
    return own, frozenset(point for point, cell in cells.items() if cell not in (who, "."))


def random_states(game, seed, number):
    """Return states of random games in which somebody is to move."""
    dice, found = Random(seed), []
    while len(found) < number:
        state, left = game.start, dice.randrange(14)
        while left and game.turn(state) != OVER:
            state, left = game.play(state, dice.choice(game.legal(state))), left - 1
        found += [state] if game.turn(state) != OVER else []
    return found


# The rules


@pytest.mark.parametrize("variant", VARIANTS)
def test_three_men_move_as_sets_of_points_do(variant):
    game, dice, moved = morris(variant), Random(1), 0
    for _ in range(60):
        state, own, other = game.start, frozenset(), frozenset()
        while plain := plain_moves(variant, own, other):
            assert [game.name_move(state, move) for move in game.legal(state)] == list(plain)
            assert game.turn(state) in (0, 1)
            name = dice.choice(list(plain))
            state, own, other = game.play(state, read_move(game, state, name)), other, plain[name]
            assert sets_of(state) == (own, other)
            assert read_state(game, game.write_state(state)) == state
            moved += "-" in name
        assert game.turn(state) == OVER
        assert game.score(state) == (1 if state.player == 1 else -1)
    assert moved > 100


@pytest.mark.parametrize(
    ("variant", "numbers"),
    [
        ("morris", [9, 72, 504, 3_024, 15_120, 54_720, 148_896]),
        pytest.param("tapatan", [9, 72, 504, 3_024, 15_120, 54_720, 199_296], marks=pytest.mark.fuzz),
        ("nine-holes", [9, 72, 504, 3_024, 15_120, 54_720, 444_528]),
    ],
)
def test_three_mens_morris_perft(variant, numbers):
    counted = [perft(morris(variant), depth, compiled=False) for depth in range(1, 8)]
    assert counted == numbers
    assert counted == [plain_perft(variant, frozenset(), frozenset(), depth) for depth in range(1, 8)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_three_mens_morris_is_written_right(variant):
    report = check(morris(variant), games=30)
    assert report.ok, str(report)


def test_three_mens_morris_golden_playthrough():
    game = morris()
    state = read_state(game, "b2 a3 c3 a1 a2 c2")
    assert game.write_state(state) == "O.X/XXO/O../X"
    assert game.show(state).splitlines() == [
        "3 O-.-X",
        "  | | |",
        "2 X-X-O",
        "  | | |",
        "1 O-.-.",
        "  a b c",
        "X moves a man",
    ]
    assert [game.name_move(state, move) for move in game.legal(state)] == ["c3-b3", "b2-b3", "b2-b1"]
    over = read_state(game, "b2 a3 c2 a2 a1 c3, B2-b1 a3-b3 c2-c1")
    assert (over.player, game.turn(over), game.score(over)) == (1, OVER, 1)
    assert game.write_state(over) == ".OO/O../XXX/O"
    assert game.show(over).splitlines()[-1] == "X has won"


def test_boards_are_drawn_with_the_lines_that_men_move_along():
    assert morris("tapatan").show(morris("tapatan").start).splitlines()[:4] == ["3 .-.-.", "  |\\|/|", "2 .-.-.", "  |/|\\|"]
    assert morris("nine-holes").show(morris("nine-holes").start).splitlines() == [
        "3 . . .",
        "2 . . .",
        "1 . . .",
        "  a b c",
        "X places a man",
    ]


def test_a_man_moves_along_diagonals_in_tapatan_and_anywhere_in_nine_holes():
    text = "O.X/XXO/O../X"
    names = {
        variant: [
            morris(variant).name_move(state, move)
            for state in [read_state(morris(variant), text)]
            for move in morris(variant).legal(state)
        ]
        for variant in VARIANTS
    }
    assert names["morris"] == ["c3-b3", "b2-b3", "b2-b1"]
    assert names["tapatan"] == ["c3-b3", "b2-b3", "b2-b1", "b2-c1"]
    assert len(names["nine-holes"]) == 9
    with pytest.raises(IllegalMove, match="'b2-c1' is not a legal move here; legal moves: c3-b3, b2-b3, b2-b1"):
        read_move(morris(), read_state(morris(), text), "b2-c1")


@pytest.mark.parametrize("variant", VARIANTS)
def test_nobody_is_ever_without_a_move(variant):
    """With all men down and no line complete; with men in hand there are free points."""
    game, tried = morris(variant), 0
    for own in combinations(range(9), 3):
        for other in combinations(sorted(set(range(9)) - set(own)), 3):
            state = type(game.start)(sum(1 << place for place in own), sum(1 << place for place in other), 0)
            if game.turn(state) != OVER:
                assert game.legal(state)
                tried += 1
    assert tried == 84 * 20 - 8 * 20


# What it is worth


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_position_is_worth_what_retrograde_analysis_on_sets_finds(variant):
    game = morris(variant)
    solution, (plain, positions) = solved(variant), plain_values(variant)
    assert (solution.method, solution.states, positions) == ("cycles", 5_390, 3_870)  # a position of the sets may be either's
    seen, waiting = {game.start}, [game.start]
    while waiting:
        state = waiting.pop()
        value, distance = plain.get(sets_of(state), (0, None))
        found = solution[state]
        assert (found.value, found.distance) == (-value if state.player else value, distance)
        fresh = {game.play(state, move) for move in game.legal(state)} - seen if game.turn(state) != OVER else set()
        seen |= fresh
        waiting += fresh
    assert len(seen) == solution.states


@pytest.mark.parametrize("variant", ["morris", "tapatan"])
def test_the_first_player_wins_in_the_middle_and_draws_in_a_corner(variant):
    """So says H. E. Dudeney of morris: Amusements in Mathematics, 1917, Ovid's Game. The rest is found here alone."""
    game = morris(variant)
    found = {game.name_move(game.start, first.move): first for first in solved(variant).candidates}
    assert (found["b2"].value, found["b2"].distance) == (1, 9)
    assert {found[corner].value for corner in ("a1", "a3", "c1", "c3")} == {0}
    assert {(found[side].value, found[side].distance) for side in ("a2", "b1", "b3", "c2")} == {(-1, 8)}


def test_nine_holes_is_a_draw_from_every_point():
    """Found here; no source known."""
    assert {first.value for first in solved("nine-holes").candidates} == {0}


@pytest.mark.parametrize("variant", ["morris", "tapatan"])
def test_with_the_middle_taken_the_first_player_must_go_to_the_corner_beside_his_own(variant):
    """Dudeney's variation, in which the middle is barred at first, and the second player takes it."""
    game = morris(variant)
    state = read_state(game, "a3 b2")
    values = {game.name_move(state, third.move): third.value for third in solved(variant)[state].candidates}
    assert values == {"b3": -1, "c3": 0, "a2": -1, "c2": -1, "a1": 0, "b1": -1, "c1": -1}


def test_a_search_sees_the_win_nine_moves_ahead_and_not_before():
    game = morris()
    assert search(game, depth=8, check=False).value < 1
    found = search(game, depth=9, check=False)
    assert (found.value, game.name_move(game.start, found.move)) == (1, "b2")
    assert game.turn(game.after(game.start, found.line)) == OVER


def test_search_finds_the_values_of_minimax():
    game = morris()
    for state in random_states(game, 2, 25):
        for depth in range(1, 5):
            assert search(game, state, depth=depth, check=False).value == minimax(game, state, depth=depth, compiled=False).value


def test_the_estimate_counts_lines_still_open():
    game = morris()
    assert game.estimate(game.start) == 0
    assert game.estimate(read_state(game, "b2")) == 0.4  # four of the eight are closed to O
    assert game.estimate(read_state(game, "b2 a2")) == 0.2  # and two to X
    assert game.estimate(read_state(game, "a2 b2 c2")) == -0.1


# What is refused


def test_an_unknown_variant_is_answered_with_those_there_are():
    with pytest.raises(OptionError, match="variant='achi' of three-mens-morris must be one of morris, tapatan, nine-holes$"):
        load("three-mens-morris:variant=achi")
    assert morris("tapatan").name == "three-mens-morris tapatan"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("b2 b2", "move 2, 'b2', is not a legal move of O; legal moves: a3, b3, c3, a2, c2, a1, b1, c1$"),
        ("b2 d4", "move 2, 'd4', is not a legal move of O; legal moves: a3"),
        ("b2 a3 c3 a1 a2 c2 b2-c1", "move 7, 'b2-c1', is not a legal move of X; legal moves: c3-b3, b2-b3, b2-b1$"),
        ("b2 a3 b3 c3 b1 a2", "move 6, 'a2', comes after the end of the game; leave it out, and all after it"),
        (
            ".../...",
            "is not a board; write 3 rows of 3 points, X, O or ., top row first, and who moves, X or O, separated by /, such as",
        ),
        (".../.../..?/X", "is not a board"),
        (".../.../.../0", "is not a board"),
        (".../.X./.../X", "has 1 X and 0 O, and X to move; X places first, and each has 3 men"),
        (".../.XO/.../O", "has 1 X and 1 O, and O to move"),
        ("XX./XXO/OO./O", "has 4 X and 3 O, and O to move"),
        ("XXX/OO./O../X", "has three X in line, and X to move; the game was over before"),
    ],
)
def test_three_mens_morris_refuses_what_is_no_position(text, words):
    with pytest.raises(StateError, match=words):
        read_state(morris(), text)


def test_no_moves_are_read_as_the_start():
    assert read_state(morris(), "") == morris().start
