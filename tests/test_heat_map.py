"""Pictures of what was learned: what each square is worth, and how learning went."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from shapes import shape_found_once  # noqa: F401
from toy_games import Pile, pile

from outplay import Learned, load
from outplay.learn.heat_map import heat_maps
from outplay.learn.picture import history_svg
from outplay.learn.progress import Moment
from outplay.learn.session import learn_games


@pytest.fixture(scope="module")
def board():
    return learn_games(load("tic-tac-toe"), games=150, seed=1, compiled=False)


def test_the_map_of_known_weights_says_what_each_square_adds(board):
    network = board.network.copy(board.original)
    shape = network.shape
    network.weights[:] = 0
    network.trust[:] = 0
    # Only the middle counts: a stone of its code 1 is worth 0.5, in one tuple that looks at it.
    (middle,) = [place for place, cell in enumerate(shape.cells) if cell.name.endswith("@4")]
    number, chosen = next((number, chosen) for number, chosen in enumerate(shape.tuples) if middle in chosen)
    sizes = shape.sizes(chosen)
    length = int(np.prod(sizes))
    axis = len(sizes) - 1 - chosen.index(middle)
    codes = np.indices(sizes[::-1])[axis].ravel()
    for phase in range(len(shape.sets)):
        first = shape.offsets[number] + phase * length
        network.weights[first : first + length] = np.where(codes == 1, 0.5, 1e-9)
        network.trust[2 * first + 1 : 2 * (first + length) : 2] = 1
    lanes = sum(lane == number and middle in image for image, lane in shape.lanes)
    first, second = heat_maps(board.original, network)
    assert {first.title, second.title} == {"“X”", "“O”"}
    assert set(first.effects) == {(row, column) for row in range(3) for column in range(3)}
    assert first.effects[1, 1] == pytest.approx(0.5 * lanes)
    assert second.effects[1, 1] == pytest.approx(0, abs=1e-6)
    assert first.effects[0, 1] == pytest.approx(0, abs=1e-6)


def test_a_picture_is_svg_with_a_square_for_each_place_and_a_name_for_screen_readers(board):
    root = ElementTree.fromstring(board.svg())
    squares = [node for node in root.iter() if node.tag.endswith("rect")]
    assert len(squares) == 18
    assert root.get("aria-label") == "What each square is worth to X, as it was learned"
    assert all(0 <= float(square.get("fill-opacity")) <= 1 for square in squares)
    html = board._repr_html_()
    assert html.count("<svg") == 2
    assert "Symmetries that hold" in html


def test_squares_lie_where_the_text_of_the_game_shows_them():
    maps = heat_maps(load("connect-four"), Learned.shipped(load("connect-four")).network)
    assert [one.title for one in maps] == ["“O”", "“X”"]
    places = {(row, column) for row in range(6) for column in range(7)}
    assert all(set(one.effects) == places for one in maps)
    assert maps[1].effects[5, 3] > maps[1].effects[5, 0]  # the middle of the lowest row is worth more than its corner


def test_a_game_without_a_board_has_no_map():
    learned = learn_games(pile(start=Pile(20, 0)), games=20, compiled=False)
    assert learned.svg() == ""
    assert "<svg" not in learned._repr_html_()  # too few games for a history, too


def test_the_history_has_the_error_and_the_result():
    moments = [Moment(64, 500, 1.0, 0.5, 0.25), Moment(96, 900, 2.0, 0.25, -0.125)]
    told = history_svg(moments)
    assert told.count("<polyline") == 2
    assert "mean error, from 0.5 to 0.25; mean result -0.12" in told
    ElementTree.fromstring(told)
    assert history_svg(moments[:1]) == ""
