"""Nine men's morris: rules, one golden playthrough, search against minimax."""

from functools import cache
from itertools import pairwise, permutations
from random import Random

import pytest

from outplay import OVER, check, load, minimax, perft, search
from outplay.errors import IllegalMove, OptionError, StateError
from outplay.rules.text import read_move, read_state

# Mills while placing, mills while moving, and O flies at last.
GOLDEN = (
    "c3 e5 c4 c5 d5 f6 a4 b4 e3 b6 d3xb6 b6 d6 b2xd6 d6 g1 d7xc5 f2 "
    "d5-c5xf2 f6-f4 c5-d5xf4 b2-d2 d5-c5xb4 b6-b4 c5-d5xb4 e5-b4 d5-c5xb4"
)


@cache
def morris(parameters=""):
    return load(f"nine-mens-morris:{parameters}")


def names_of(game, state):
    return [game.name_move(state, move) for move in game.legal(state)]


def played(game, state, name):
    return game.play(state, read_move(game, state, name))


# The same rules once more, on the names of points, as one would play them by hand.

ALONG = ("a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4", "e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1")
UPWARD = ("a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7")
LINES = [line.split() for line in ALONG + UPWARD]
NEXT = {frozenset(pair) for line in LINES for pair in pairwise(line)}
NAMES = sorted({name for line in LINES for name in line}, key=lambda name: (-int(name[1]), name[0]))


class Points:
    """The men of X and O by name, who moves, how many men are to be placed, and whether three men fly."""

    def __init__(self, men, hand, flying=True, who="X"):
        self.men, self.hand, self.flying, self.who = men, hand, flying, who
        self.other = "O" if who == "X" else "X"

    @classmethod
    def read(cls, text, flying=True):
        *rows, who, hand = text.split("/")
        return cls({name: cell for name, cell in zip(NAMES, "".join(rows), strict=True) if cell != "."}, int(hand), flying, who)

    def of(self, who):
        return [name for name in NAMES if self.men.get(name) == who]

    def in_mill(self, name, men):
        return any(name in line and all(men.get(point) == men[name] for point in line) for line in LINES)

    def moves(self):
        """Return each move by its name, and the men after it."""
        own, found = self.of(self.who), {}
        if len(own) + (self.hand + 1) // 2 < 3:
            return {}
        free = [name for name in NAMES if name not in self.men]
        for start in [None] if self.hand else own:
            for end in free:
                if self.hand or (len(own) == 3 and self.flying) or frozenset((start, end)) in NEXT:
                    men = {name: who for name, who in self.men.items() if name != start} | {end: self.who}
                    name = f"{start}-{end}" if start else end
                    if not self.in_mill(end, men):
                        found[name] = men
                        continue
                    outside = [taken for taken in self.of(self.other) if not self.in_mill(taken, men)]
                    for taken in outside or self.of(self.other):
                        found[f"{name}x{taken}"] = {point: who for point, who in men.items() if point != taken}
        return found

    def after(self, men):
        return Points(men, max(self.hand - 1, 0), self.flying, self.other)

    def written(self):
        cells = "".join(self.men.get(name, ".") for name in NAMES)
        rows = (cells[:3], cells[3:6], cells[6:9], cells[9:15], cells[15:18], cells[18:21], cells[21:])
        return "/".join([*rows, self.who, str(self.hand)])

    def perft(self, depth):
        moves = self.moves()
        return len(moves) if depth == 1 else sum(self.after(men).perft(depth - 1) for men in moves.values())


@pytest.mark.parametrize(("parameters", "men", "flying"), [("", 9, True), ("men=4", 4, True), ("flying=false", 9, False)])
def test_nine_mens_morris_plays_as_men_on_named_points_do(parameters, men, flying):
    game, dice, kinds, flights = morris(parameters), Random(1), set(), 0
    for _ in range(12):
        state, points = game.start, Points({}, 2 * men, flying)
        while moves := points.moves():
            assert game.turn(state) == "XO".index(points.who)
            assert sorted(names_of(game, state)) == sorted(moves)
            name = dice.choice(sorted(moves))
            state, points = played(game, state, name), points.after(moves[name])
            assert game.write_state(state) == points.written()
            assert read_state(game, points.written()) == state
            kinds.add(("-" in name, "x" in name))
            flights += "-" in name and frozenset(name.partition("x")[0].split("-")) not in NEXT
        assert (game.turn(state), game.score(state)) == (OVER, 1 if points.who == "O" else -1)
    assert len(kinds) == 4
    assert (flights > 0) == flying


def random_states(game, seed, number):
    """Return states of random games in which somebody is to move."""
    dice, found = Random(seed), []
    while len(found) < number:
        state, left = game.start, dice.randrange(60)
        while left and game.turn(state) != OVER:
            state, left = game.play(state, dice.choice(game.legal(state))), left - 1
        found += [state] if game.turn(state) != OVER else []
    return found


def test_nine_mens_morris_perft():
    counted = [perft(morris(), depth) for depth in range(1, 7)]
    assert counted == [24, 552, 12_144, 255_024, 5_140_800, 99_274_176]
    assert counted[:4] == [Points({}, 18).perft(depth) for depth in range(1, 5)]


def test_nine_mens_morris_perft_of_five_and_six_plies_is_what_is_counted_by_hand():
    orders = 16 * 6  # of three men placed in one of 16 mills
    closed = 2 * orders * 21 * 20  # by X with his third man; he takes one of two
    open_lines = 24 * 23 * 22 * 21 * 20 - closed // 2
    assert perft(morris(), 5) == open_lines + closed
    by_second = orders * (
        21 * 20 * 19 - 12 * 6
    )  # closed by O, X having none of the 12 mills apart from it; he takes one of three
    assert perft(morris(), 6) == open_lines * 19 + 2 * by_second + closed * 20


def test_nine_mens_morris_perft_with_mills_at_hand():
    game = morris()
    for state in random_states(game, 2, 12):
        points = Points.read(game.write_state(state))
        assert [perft(game, state, depth=depth) for depth in (1, 2)] == [points.perft(depth) for depth in (1, 2)]


@pytest.mark.parametrize("parameters", ["", "men=3,flying=false"])
def test_nine_mens_morris_is_written_right(parameters):
    report = check(morris(parameters), games=30)
    assert report.ok, str(report)


# The rules, one by one


def test_nine_mens_morris_golden_playthrough():
    game = morris()
    state = read_state(game, " ".join(GOLDEN.split()[:18]))
    assert game.show(state).splitlines() == [
        "7 .-----X-----.",
        "  |     |     |",
        "6 | O---X---O |",
        "  | |   |   | |",
        "5 | | .-X-O | |",
        "  | | |   | | |",
        "4 X-O-X   .-.-.",
        "  | | |   | | |",
        "3 | | X-X-X | |",
        "  | |   |   | |",
        "2 | O---.---O |",
        "  |     |     |",
        "1 .-----.-----O",
        "  a b c d e f g",
        "X moves; X 8, O 7",
    ]
    assert game.write_state(state) == ".X./OXO/.XO/XOX.../XXX/O.O/..O/X/0"
    over = read_state(game, GOLDEN)
    assert game.write_state(over) == ".X./.X./X../X.X.../XXX/.O./..O/O/0"
    assert (game.turn(over), game.score(over)) == (OVER, 1)
    assert game.show(over).splitlines()[-1] == "X has won"


def test_men_in_hand_are_shown():
    assert morris().show(read_state(morris(), "d6")).splitlines()[-1] == "O places a man; in hand X 8, O 9"
    assert morris().show(read_state(morris(), "d6 f4")).splitlines()[-1] == "X places a man; in hand X 8, O 8"


def test_a_mill_takes_a_man_that_stands_in_none():
    game = morris()
    state = read_state(game, "XX./.../.../....../.../O../OOO/X/10")  # b2 is free to be taken, the mill below is not
    assert [name for name in names_of(game, state) if name.startswith("g7")] == ["g7xb2"]


def test_a_mill_takes_any_man_where_all_stand_in_mills():
    game = morris()
    state = read_state(game, "XX./.../.../....../.../.../OOO/X/12")
    assert [name for name in names_of(game, state) if name.startswith("g7")] == ["g7xg1", "g7xd1", "g7xa1"]


def test_two_mills_closed_at_once_take_one_man():
    game = morris()
    state = read_state(game, "X.X/.X./.X./....../.../.../O.O/X/10")
    assert [name for name in names_of(game, state) if name.startswith("d7")] == ["d7xg1", "d7xa1"]


def test_a_mill_opened_and_closed_again_takes_another_man():
    game = morris()
    state = read_state(game, "XXX/.../.../...O../O../.O./O.O/X/0")
    opened = played(game, played(game, state, "d7-d6"), "e4-f4")
    assert [name for name in names_of(game, opened) if "x" in name] == [
        f"d6-d7x{name}" for name in ("g1", "a1", "f4", "d2", "c3")
    ]


def test_a_mill_with_nobody_to_take_is_a_move_still():
    game = morris()
    state = read_state(game, "XX./.../.../....../.../.../.../X/14")
    assert "g7" in names_of(game, state)
    assert "O" not in game.write_state(played(game, state, "g7")).split("/")[:7]


BLOCKED = "OXO/.../.../X....X/.../.../OXO/O/0"
HEMMED_IN = "OXO/.../.../X....X/.../.../OX./O/0"


def test_who_cannot_move_loses():
    game = morris()
    state = read_state(game, BLOCKED)
    assert (game.turn(state), game.score(state)) == (OVER, 1)


def test_three_men_fly_and_do_not_if_they_may_not():
    flying, walking = morris(), morris("flying=false")
    state = read_state(flying, HEMMED_IN)
    assert flying.turn(state) == 1
    assert len(flying.legal(state)) == 3 * (24 - 7)
    assert "a7-e3" in names_of(flying, state)
    assert (walking.turn(state), walking.score(state)) == (OVER, 1)


def test_four_men_do_not_fly():
    game = morris()
    state = read_state(game, "O.O/.../.../X....X/.../.../OXO/O/0")
    assert names_of(game, state) == ["a7-d7", "g7-d7"]
    with pytest.raises(IllegalMove, match="'a7-e3' is not a legal move here; legal moves: a7-d7, g7-d7"):
        read_move(game, state, "a7-e3")


def test_with_three_men_the_first_mill_wins():
    game = morris("men=3")
    over = read_state(game, "d6 a1 d7 g1 d5xa1")
    assert (over.hand, game.turn(over), game.score(over)) == (1, OVER, 1)


# Search


def test_search_finds_the_values_of_minimax():
    game = morris()
    for state in random_states(game, 3, 25):
        for depth in range(1, 4):
            assert search(game, state, depth=depth, check=False).value == minimax(game, state, depth=depth).value


def test_search_finds_the_values_of_minimax_where_images_have_one_key():
    game = morris()
    for text in ("", "d6", "d6 d2", "d6 f4 b4", "a7 g1 d5 d6"):
        state = read_state(game, text)
        for depth in range(1, 5):
            assert search(game, state, depth=depth, check=False).value == minimax(game, state, depth=depth).value


def test_a_search_sees_the_mill_that_wins():
    game = morris()
    found = search(game, read_state(game, " ".join(GOLDEN.split()[:-3])), depth=5, check=False)
    assert (found.value, found.proven) == (1, True)


def images(points):
    """Return the names of *points* in all images of the board: turned, mirrored, inside out."""
    for mirrored, turns, inside_out in {(a % 2, a // 2 % 4, a // 8) for a in range(16)}:
        found = []
        for name in points:
            x, y = ord(name[0]) - ord("d"), int(name[1]) - 4
            x = -x if mirrored else x
            for _ in range(turns):
                x, y = y, -x
            if inside_out:
                square = max(abs(x), abs(y))
                x, y = x * (4 - square) // square, y * (4 - square) // square
            found.append(f"{chr(ord('d') + x)}{y + 4}")
        yield found


def test_positions_have_one_key_where_they_are_images_and_only_there():
    game, least = morris(), {}
    for placed in permutations(NAMES, 3):
        if placed[0] < placed[2]:  # which of his two men X has placed first is all the same
            state = read_state(game, " ".join(placed))
            least[state] = min((min(image[0::2]), max(image[0::2]), image[1]) for image in images(placed))
    assert len({game.key(state) for state in least}) == len(set(least.values())) < len(least) / 14
    assert len({(game.key(state), image) for state, image in least.items()}) == len(set(least.values()))


def test_the_key_knows_who_moves_and_how_many_men_are_to_be_placed():
    game = morris()
    texts = [f"XXX/.../.../....../OOO/.../.../{end}" for end in ("X/0", "O/0", "X/2", "O/1")]
    assert len({game.key(read_state(game, text)) for text in texts}) == 4


def test_mills_are_looked_at_first_and_then_what_stops_the_other_s():
    game = morris()
    state = read_state(game, "XX./.../.../O...../O../.../.O./X/12")
    ranked = sorted(game.legal(state), key=lambda move: -game.rank(state, move))
    assert {game.name_move(state, move) for move in ranked[:3]} == {"g7xa4", "g7xc3", "g7xd1"}
    state = read_state(game, "OO./.../.../X...../X../.../.X./X/12")
    best = max(game.legal(state), key=lambda move: game.rank(state, move))
    assert game.name_move(state, best) == "g7"


def test_the_estimate_counts_men_mills_and_room_to_move():
    game = morris()
    assert game.estimate(game.start) == 0
    assert game.estimate(read_state(game, "d6")) == 4 / 128  # four points beside it; O has yet to place his
    assert game.estimate(read_state(game, "d6 a1")) == 2 / 128
    state = read_state(game, "XXX/.../.../....../.../.../OO./X/10")
    assert game.estimate(state) == (8 + 2 + 3 - 3) / 128


# What is refused


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ("men=2", "men=2 of nine-mens-morris must be a whole number from 3 to 9"),
        ("men=10", "men=10 of nine-mens-morris must be"),
        ("men=x", "men='x' of nine-mens-morris must be"),
        ("flying=sometimes", "flying='sometimes' of nine-mens-morris must be true or false"),
    ],
)
def test_nine_mens_morris_refuses_what_is_no_option(parameters, words):
    with pytest.raises(OptionError, match=words):
        load(f"nine-mens-morris:{parameters}")


def test_the_name_says_what_is_different():
    assert morris().name == load("nine-mens-morris:flying=1").name == "nine-mens-morris"
    assert morris("men=3,flying=false").name == "nine-mens-morris 3 men without flying"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("d6 d6", "move 2, 'd6', is not a legal move of O; legal moves: a7, d7"),
        ("d6 a1 d7 g1 d5", "move 5, 'd5', is not a legal move of X; legal moves: .*d5xg1, d5xa1"),
        (GOLDEN + " d2-d3", "move 28, 'd2-d3', comes after the end of the game; leave it out, and all after it"),
        ("XX./...", "is not a board; write the points of its 7 rows, X, O or ., top row first, who moves, X or O, and how many"),
        (".../.../.../...../.../.../.../X/18", "is not a board"),
        (".../.../.../....?./.../.../.../X/18", "is not a board"),
        (".../.../.../....../.../.../.../0/18", "is not a board"),
        (".../.../.../....../.../.../.../X/-2", "is not a board"),
        ("X../.../.../....../.../.../.../X/17", "has 17 men to be placed, and X to move; X places first: it is the other's turn"),
        ("X../.../.../....../.../.../.../X/18", "has more than 9 men of one player, on the board and to be placed"),
        (
            "XXX/.../.../....../.../.../OO./X/0",
            "has fewer than 3 men of one player, and the other to move; the game was over before",
        ),
    ],
)
def test_nine_mens_morris_refuses_what_is_no_position(text, words):
    with pytest.raises(StateError, match=words):
        read_state(morris(), text)
