"""What a learner looks at together: cells that are related, boards that count in binary, counts of squares, and what rules prove."""

from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from outplay import OVER, Game, facing, load
from outplay.learn import influence
from outplay.learn.cells import Cell, Term, counts, find_cells, number_cell, whereabouts
from outplay.learn.influence import beyond_chance
from outplay.learn.selfplay import engine_for
from outplay.learn.session import learn_games
from outplay.learn.shape import blank_network, find_shape
from outplay.learn.tuples import choose_tuples, images_of
from outplay.learn.watching import watch, word_names


def watched(game, games=60):
    engine = engine_for(game.replace(estimate=None), compiled=False)
    return watch(engine, blank_network(game).estimate(game, None), 0, games=games)


def digits(number):
    return tuple(
        Cell(f"a[{place}]", 16, (Term(place // 8, 0, 4 * (place % 8), 15, False, tuple(range(16))),), "digit", "a")
        for place in range(number)
    )


def grid_relations():
    """Return relations on a grid of 4 by 4: cells of a row or a column, the nearer the stronger."""
    matrix = np.zeros((16, 16))
    for one in range(16):
        for other in range(16):
            across, down = abs(one % 4 - other % 4), abs(one // 4 - other // 4)
            if one != other and min(across, down) == 0:
                matrix[one, other] = (0, 1.0, 0.6, 0.45)[across + down]
    return matrix


def grid_symmetries():
    grid = np.arange(16).reshape(4, 4)
    turned = [np.rot90(image, times) for image in (grid, grid.T) for times in range(4)]
    return tuple(tuple(image.ravel().tolist()) for image in turned)


def test_few_tuples_are_compact_see_every_cell_and_are_no_images_of_each_other():
    symmetries = grid_symmetries()
    chosen = choose_tuples(
        digits(16), grid_relations(), symmetries, apart=set(), lanes=32, length=9, most=16**6, seed=1
    )  # fmt: skip
    long = [cells for cells in chosen if len(cells) == 6]
    assert len(long) == 4
    assert any(set(cells) == {0, 1, 2, 4, 5, 6} for cells in long)  # a rectangle in the corner
    assert any(len(cells) == 4 for cells in chosen)  # short ones learn sooner
    assert {cell for cells in long for image in images_of(cells, symmetries) for cell in image} == set(range(16))
    classes = [frozenset(images_of(cells, symmetries)) for cells in chosen]
    assert len(set(classes)) == len(classes)
    for cells in chosen:  # each is connected: every cell is beside another one of the tuple
        assert all(any(grid_relations()[cell, other] == 1.0 for other in cells) for cell in cells)


def test_a_relation_that_chance_explains_is_none():
    dice, number = np.random.default_rng(1), 40
    often = np.where(np.arange(number) < 20, 1.0, 6.0) / 140  # some cells are often changed, whatever the others do
    seen = np.triu(dice.poisson(60_000 * np.outer(often, often)), 1).astype(float)
    seen += seen.T
    seen[0, 1] = seen[1, 0] = 60  # seldom changed, and mostly together
    found = beyond_chance(seen, digits(number), (tuple(range(number)),))
    assert seen[0, 1] < 0.7 * seen[20:, 20:].mean()
    assert found[0, 1] > 4 * found[20:, 20:].mean()


class Heap(NamedTuple):
    ones: int
    twos: int
    fours: int
    step: int


def heap_game(squares=10):
    """Return a game that moves men between squares; how many stand on each is written in binary, in three words."""

    def number(state, square):
        return (state.ones >> square & 1) + 2 * (state.twos >> square & 1) + 4 * (state.fours >> square & 1)

    def changed(state, square, by):
        there = number(state, square) + by
        ones = state.ones & ~(1 << square) | (there & 1) << square
        twos = state.twos & ~(1 << square) | (there >> 1 & 1) << square
        fours = state.fours & ~(1 << square) | (there >> 2 & 1) << square
        return Heap(ones, twos, fours, state.step)

    def turn(state):
        return OVER if state.step >= 60 else state.step & 1

    def moves(state):
        for start in range(squares):
            for end in range(squares):
                if start != end and number(state, start) > 0 and number(state, end) < 7:
                    yield start * squares + end

    def play(state, move):
        after = changed(changed(state, move // squares, -1), move % squares, 1)
        return after._replace(step=state.step + 1)

    def score(state):
        return number(state, 0)

    every = (1 << squares) - 1
    start = Heap(0, every, 0, 0)
    return Game(name="heap", start=start, turn=turn, moves=moves, play=play, score=score, low=0, high=7, max_moves=90)


def test_a_board_that_counts_in_binary_is_seen_as_numbers():
    game = heap_game()
    play = watched(game)
    cells = [cell for cell in find_cells(play, word_names(game)).cells if cell.kind == "digit"]
    assert [cell.size for cell in cells] == [8] * 10
    state = play.words[25].tolist()
    for square, cell in enumerate(cells):
        there = sum((state[plane] >> square & 1) << plane for plane in range(3))
        assert cell.code(state) == there
        for code in range(8):
            assert cell.code(cell.written(state, code)) == code
    (total,) = counts(cells, word_names(game))
    assert total.code(state) == sum(cell.code(state) for cell in cells)
    assert total.written(state, 3) is None


def test_counts_of_squares_are_seen_with_each_number():
    squares = [Cell(f"own @{bit}", 2, (Term(0, 0, bit, 1, False, (0, 1)),), "square", "own") for bit in range(24)]
    cells = [number_cell("hand", "hand", 1, 0, 9, 64), *squares]
    cells += counts(cells, ["own", "hand"])
    assert cells[-1].code([0b1011, 0]) == 3
    chosen = choose_tuples(
        cells, np.ones((26, 26)), (tuple(range(26)),), apart=set(), lanes=40, length=9, most=1 << 16, seed=1
    )  # fmt: skip
    assert (25, 0) in chosen


class Steps(NamedTuple):
    way: int
    step: int


def proving_game():
    """Return a game of ten steps up or down, with a rule `bounds` that knows the value two steps before the end."""

    def turn(state):
        return OVER if state.step == 10 else state.step & 1

    def moves(state):
        yield 0
        yield 1

    def play(state, move):
        return Steps(state.way + (1 if move else -1), state.step + 1)

    def score(state):
        return state.way

    def bounds(state):
        left = 10 - state.step
        if left <= 2:
            last = 1 if state.step & 1 == 0 else -1
            return (state.way, state.way) if left != 1 else (state.way - 1 * (last < 0), state.way - 1 * (last < 0))
        return state.way - left, state.way + left

    return Game(
        name="proving", start=Steps(0, 0), turn=turn, moves=moves, play=play, score=score, bounds=bounds, low=-10, high=10
    )


@pytest.fixture(scope="module")
def taught():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(influence, "PLAYS", 2000)
        yield learn_games(proving_game(), games=60, compiled=False)


def test_a_learned_value_lies_within_what_the_rules_prove(taught):
    game, dice = proving_game(), Random(1)
    for _ in range(40):
        state = game.start
        while game.turn(state) != OVER:
            low, high = game.bounds(state)
            assert low <= taught.estimate(state) <= high
            state = game.play(state, dice.choice(list(game.moves(state))))


def test_a_game_is_over_for_a_learner_where_the_rules_prove_its_value(taught, monkeypatch):
    monkeypatch.setattr(influence, "PLAYS", 2000)
    plain = learn_games(proving_game().replace(bounds=None), games=60, compiled=False)
    assert taught.moves < plain.moves


def test_what_was_proven_counts_when_facing_somebody(taught):
    made = facing(taught.game, 0, "random")
    assert made.bounds is None
    state = Steps(3, 9)
    assert made.estimate(state) == taught.estimate(state) == proving_game().bounds(state)[0]


def test_relations_are_the_same_for_the_same_seed(monkeypatch):
    monkeypatch.setattr(influence, "PLAYS", 2000)
    game = load("tic-tac-toe")
    engine = engine_for(game.replace(estimate=None), compiled=False)
    one, other = (find_shape(engine, 3, base=None).shape for _ in range(2))
    assert one == other


class Swap(NamedTuple):
    own: tuple[int, ...]
    other: tuple[int, ...]
    player: int
    step: int


def test_words_of_players_that_swap_are_followed():
    def turn(state):
        return OVER if state.step >= 30 else state.player

    def moves(state):
        yield from range(5)

    def play(state, move):
        own = tuple((count + (place == move)) % 9 for place, count in enumerate(state.own))
        return Swap(state.other, own, 1 - state.player, state.step + 1)

    def score(state):
        return state.own[0]

    start = Swap((0, 1, 2, 3, 4), (4, 3, 2, 1, 0), 0, 0)
    game = Game(name="swap", start=start, turn=turn, moves=moves, play=play, score=score, low=0, high=9)
    play_seen = watched(game)
    cells = find_cells(play_seen, word_names(game)).cells
    after = whereabouts(play_seen, cells)
    names = [cell.name for cell in cells]
    moved = {names[place]: names[to] for place, to in enumerate(after)}
    assert [moved[f"own[{place}]"] for place in range(5)] == [f"other[{place}]" for place in range(5)]
    assert moved["other[2]"] == "own[2]"
    assert moved["step"] == "step"
