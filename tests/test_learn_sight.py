"""What a learner sees of a state: cells, symmetries that hold and none that do not, and room for values that come later."""

import re
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay import OVER, Game, check, load
from outplay.compile import watchdog
from outplay.compile.network_kernel import score_of, valued
from outplay.errors import Endless, RuleError, RuleRaised
from outplay.learn.cells import find_cells, number_cell
from outplay.learn.network import Network, Scale, Shape
from outplay.learn.selfplay import engine_for
from outplay.learn.session import learn_games
from outplay.learn.shape import blank_network
from outplay.learn.symmetries import Verifier, composed, find_flip, find_symmetries, grid_moves
from outplay.learn.watching import watch, word_names


def looked(game):
    """Return the cells, the symmetries and the flip that are found for *game*, and what is said of the user's symmetries."""
    play = watched(game)
    sight = find_cells(play, word_names(game))
    verifier = Verifier(game, play, sight.cells, estimated=False)
    symmetries, notes = find_symmetries(verifier, game.symmetries)
    return sight.cells, symmetries, find_flip(verifier, sight.side), notes


def watched(game):
    engine = engine_for(game.replace(estimate=None), compiled=False)
    return watch(engine, blank_network(game).estimate(game, None), 0, games=60)


def kinds(game):
    cells = find_cells(watched(game), word_names(game)).cells
    return {cell.group: (cell.kind, sum(other.group == cell.group for other in cells)) for cell in cells}


def test_boards_digits_and_numbers_are_told_apart():
    assert kinds(load("connect-four"))["mover and stones"] == ("square", 42)
    assert kinds(load("kalah"))["own"] == ("digit", 6)
    pig = kinds(load("pig:goal=50"))
    assert pig["first"] == ("number", 1)
    assert pig["first roughly"] == ("number", 1)
    assert "player" not in pig  # the phase tells it


class Squares(NamedTuple):
    taken: int
    other: int
    player: int


def squares_game(values):
    """Return a game in which players take squares in turn, each worth something else: symmetric as far as *values* are."""
    number = len(values)

    def turn(state):
        return OVER if state.taken | state.other == (1 << number) - 1 else state.player

    def moves(state):
        for square in range(number):
            if not (state.taken | state.other) >> square & 1:
                yield square

    def play(state, move):
        if state.player == 0:
            return Squares(state.taken | 1 << move, state.other, 1)
        return Squares(state.taken, state.other | 1 << move, 0)

    def score(state):
        total = 0
        for square in range(number):
            total += values[square] * ((state.taken >> square & 1) - (state.other >> square & 1))
        return total

    most = sum(map(abs, values)) + 1
    return Game(
        name="squares", start=Squares(0, 0, 0), turn=turn, moves=moves, play=play, score=score, low=-most, high=most
    )  # fmt: skip


@settings(max_examples=8)
@given(st.lists(st.integers(1, 3), min_size=4, max_size=4), st.booleans())
def test_only_symmetries_that_hold_are_used(half, mirrored):
    values = tuple(half + (half[::-1] if mirrored else [value + 5 * place for place, value in enumerate(half)]))
    cells, symmetries, flip, _ = looked(squares_game(values))
    squares = {cell.terms[0].shift: place for place, cell in enumerate(cells)}
    assert len(squares) == len(values)
    for symmetry in symmetries:
        images = [cells[moved].terms[0].shift for moved in symmetry]
        assert [values[image] for image in images] == [values[cell.terms[0].shift] for cell in cells]
    if mirrored:
        assert tuple(squares[7 - cell.terms[0].shift] for cell in cells) in symmetries
    assert flip == (1, 0, 2)  # taken and other change places with the players


def test_players_who_are_not_alike_are_not_taken_for_each_other():
    game = squares_game((1, 2, 3, 4))

    def score(state):
        return state.taken

    assert looked(game)[2] == (1, 0, 2)
    assert looked(game.replace(score=score, low=-15, high=15))[2] is None


def test_symmetries_of_the_user_are_verified():
    def mirror(state):
        def turned(bits):
            return sum((bits >> square & 1) << 7 - square for square in range(8))

        return Squares(turned(state.taken), turned(state.other), state.player)

    def wrong(state):
        return Squares(state.other, state.taken, state.player)

    game = squares_game((2, 3, 1, 4, 4, 1, 3, 2)).replace(symmetries=(mirror, wrong))
    cells, symmetries, _, notes = looked(game)
    assert len(cells) == 8
    assert len(symmetries) == 2
    assert [note.split(":")[0] for note in notes] == ["wrong is not used"]


@pytest.mark.parametrize(
    ("image", "raised", "said"),
    [
        (
            lambda state: Squares(state.taken, state.others, 0),
            RuleRaised,
            "line .*: Squares has no field 'others'; did you mean 'other'.*taken=0",
        ),
        (lambda state: None, RuleError, "the symmetry <lambda>, line .*: returns None and not a Squares; every path must"),
        (lambda state: Squares(0.5, 0, 0), RuleError, "the symmetry <lambda>, line .*: returns a wrong state: .*"),
    ],
)
def test_a_symmetry_that_fails_is_told_with_its_line(image, raised, said):
    game = squares_game((1, 1)).replace(symmetries=(image,))
    (problem,) = check(game).problems
    assert re.search(said, problem)
    with pytest.raises(raised, match=said):
        looked(game)


def test_a_symmetry_that_never_returns_is_named(monkeypatch):
    def endless(state):
        while state.taken >= 0:
            pass
        return state

    monkeypatch.setitem(watchdog.watched.__kwdefaults__, "patience", 0.2)
    game = squares_game((1, 1)).replace(symmetries=(endless,))
    (problem,) = check(game).problems
    assert "the symmetry endless, line" in problem
    with pytest.raises(Endless, match="the symmetry endless, line .* does not return"):
        looked(game)


def test_symmetries_are_composed():
    mirror, turn = (1, 0, 3, 2), (2, 3, 0, 1)
    assert set(composed([mirror, turn], 4)) == {(0, 1, 2, 3), mirror, turn, (3, 2, 1, 0)}
    assert composed([], 3) == ((0, 1, 2),)
    assert (2, 1, 0) in set(grid_moves(3))


class Tall(NamedTuple):
    height: int
    cards: np.ndarray


def test_a_state_too_large_to_see_is_said_so():
    def turn(state):
        return OVER if state.height > 3 else 0

    def moves(state):
        yield from range(5)

    def play(state, move):
        cards = state.cards.copy()
        for place in range(move, 600, 3):
            cards[place] = (cards[place] + 1) % 3
        return Tall(state.height + 1, cards)

    def score(state):
        return 0

    game = Game(name="tall", start=Tall(0, np.zeros(600, np.int8)), turn=turn, moves=moves, play=play, score=score)
    sight = find_cells(watched(game), word_names(game))
    assert len(sight.cells) == 512
    assert "of its 601 cells" in sight.left_out[0]


def shape_of(cells, **changes):
    options = {"tuples": ((0,), (0, 1)), "symmetries": (tuple(range(len(cells))),), "phases": (2, 5), "side": -1, "flip": None}
    return Shape(cells=tuple(cells), words=2, scale=Scale(-1, 1), **{**options, **changes})


def test_a_network_with_more_room_says_the_same_of_what_it_knew():
    game = squares_game((1, 2))
    small = [number_cell("a", "a", 0, 0, 5, 64), number_cell("b", "b", 1, 0, 3, 64)]
    network = Network(game, shape_of(small))
    network.weights[16:] = np.random.default_rng(1).random(len(network.weights) - 16)
    grown = network.grown(game, shape_of([small[0].grown(0, 9), small[1]]))
    for first in range(10):
        for second in range(4):
            for phase in (0, 1):
                nearest = min(first, 5)
                index = 16 + 6 * 2 + 24 * phase + nearest + 6 * second
                new = 16 + 10 * 2 + 40 * phase + first + 10 * second
                assert grown.weights[new] == network.weights[index]
                assert grown.weights[16 + 10 * phase + first] == network.weights[16 + 6 * phase + nearest]


def test_numbers_get_more_room_as_learned_play_goes_further():
    class Run(NamedTuple):
        way: int
        step: int

    def turn(state):
        return OVER if state.step >= 40 else 0

    def moves(state):
        yield 0
        yield 1

    def play(state, move):
        return Run(state.way + 1 if move else max(state.way - 1, 0), state.step + 1)

    def score(state):
        return state.way

    game = Game(name="run", start=Run(0, 0), turn=turn, moves=moves, play=play, score=score, low=0, high=40, players=("you",))
    found = learn_games(game, games=400, compiled=False)
    way = next(cell for cell in found.network.shape.cells if cell.name == "way")
    random_play = next(cell for cell in find_cells(watched(game), word_names(game)).cells if cell.name == "way")
    assert way.terms[0].mask > random_play.terms[0].mask


@pytest.mark.parametrize("emphasis", [0.0, 0.5, 0.9])
def test_scores_come_back_from_the_scale_of_the_network(emphasis):
    game = squares_game((1, 2))
    cells = [number_cell("a", "a", 0, 0, 5, 64), number_cell("b", "b", 1, 0, 3, 64)]
    shape = shape_of(cells, phases=(2,))
    network = Network(game, Shape(**{**shape.__dict__, "scale": Scale(-1, 1, emphasis, 1.0, 18.0)}))
    net = network.estimate(game, None).interpreted_view()[0]
    dice = Random(1)
    scores = [dice.uniform(-18, 18) for _ in range(50)] + [0.0, 0.5, -1.0, 18.0]
    for score in scores:
        assert score_of(net, valued(net, score)) == pytest.approx(score)
    assert sorted(scores) == sorted(scores, key=lambda score: valued(net, score))
