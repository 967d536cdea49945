"""Boards of games that do not draw, and `grid` for those that draw in two lines."""

import random
from types import SimpleNamespace
from typing import NamedTuple
from xml.etree import ElementTree

import numpy
import pytest
from toy_games import Pile, hexapawn, pile

from outplay import CHANCE, OVER, Game, facing, grid, load, trace
from outplay.errors import OptionError, RuleRaised
from outplay.pictures.picture import listed_moves
from outplay.rules.game import written
from outplay.rules.tuples import put
from outplay.web.game_registry import GameRegistry
from outplay.web.positions import Positions

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Squares(NamedTuple):
    board: tuple[int, ...]
    player: int


def rows(empty=0, pieces=(1, 2), **parts):
    """Tic-tac-toe as a student writes it; *pieces* are what the players put on an *empty* cell."""

    def won(board):
        return any(board[a] != empty and board[a] == board[b] == board[c] for a, b, c in LINES)

    return Game(
        name="rows",
        start=Squares((empty,) * 9, 0),
        turn=lambda state: OVER if won(state.board) or empty not in state.board else state.player,
        moves=lambda state: [cell for cell in range(9) if state.board[cell] == empty],
        play=lambda state, move: Squares(put(state.board, move, pieces[state.player]), 1 - state.player),
        score=lambda state: (1 if state.player else -1) if won(state.board) else 0,
        **parts,
    )


class Columns(NamedTuple):
    cells: numpy.ndarray
    player: int
    discs_played: int


def dropped(state, column):
    cells = state.cells.copy()
    row = max(row for row in range(6) if cells[row, column] == 0)
    cells[row, column] = state.player + 1
    return Columns(cells, 1 - state.player, state.discs_played + 1)


drop = Game(
    name="drop",
    start=Columns(numpy.zeros((6, 7), numpy.int8), 0, 0),
    turn=lambda state: OVER if state.discs_played == 42 else state.player,
    moves=lambda state: [column for column in range(7) if state.cells[0, column] == 0],
    play=dropped,
    score=lambda state: 0,
    players=("Blue", "Red"),
)


class Men(NamedTuple):
    men: numpy.ndarray
    player: int


def steps(state):
    own, ahead = (1, -1) if state.player == 0 else (-1, 1)
    for row, column in zip(*(state.men == own).nonzero(), strict=True):
        for to in (column - 1, column, column + 1):
            if 0 <= to < 4 and 0 <= row + ahead < 4 and state.men[row + ahead, to] != own:
                yield int(16 * (4 * row + column) + 4 * (row + ahead) + to)


def stepped(state, move):
    (row, column), (to, across) = divmod(move // 16, 4), divmod(move % 16, 4)
    men = state.men.copy()
    men[to, across], men[row, column] = men[row, column], 0
    return Men(men, 1 - state.player)


walkers = Game(
    name="walkers",
    start=Men(numpy.array([[-1] * 4, [0] * 4, [0] * 4, [1] * 4], numpy.int8), 0),
    turn=lambda state: state.player if list(steps(state)) else OVER,
    moves=steps,
    play=stepped,
    score=lambda state: 1 if state.player else -1,
)


class Tiles(NamedTuple):
    tiles: tuple[int, ...]
    rolling: bool
    points: int


def slid(state, choice):
    if state.rolling:
        return Tiles(put(state.tiles, choice, 1), False, state.points)
    tiles = []
    for row in range(0, 16, 4):
        full = [tile for tile in state.tiles[row : row + 4] if tile]
        if len(full) > 1 and full[0] == full[1]:
            full[:2] = [full[0] + 1]
        tiles += full + [0] * (4 - len(full)) if choice == 0 else [0] * (4 - len(full)) + full
    return Tiles(tuple(tiles), True, state.points + 1)


slide = Game(
    name="slide",
    start=Tiles((1,) + (0,) * 14 + (2,), False, 0),
    turn=lambda state: OVER if 0 not in state.tiles else CHANCE if state.rolling else 0,
    moves=lambda state: [0, 1],
    chances=lambda state: [(cell, 1 / state.tiles.count(0)) for cell in range(16) if state.tiles[cell] == 0],
    play=slid,
    score=lambda state: state.points,
    high=1000,
)


class Pits(NamedTuple):
    pits: tuple[int, ...]
    player: int


def sown(state, house):
    pits, at = list(state.pits), 7 * state.player + house
    seeds, pits[at] = pits[at], 0
    for step in range(1, seeds + 1):
        pits[(at + step) % 14] += 1
    return Pits(tuple(pits), 1 - state.player)


sowing = Game(
    name="sowing",
    start=Pits((4,) * 6 + (0,) + (4,) * 6 + (0,), 0),
    turn=lambda state: state.player if any(state.pits[7 * state.player : 7 * state.player + 6]) else OVER,
    moves=lambda state: [house for house in range(6) if state.pits[7 * state.player + house]],
    play=sown,
    score=lambda state: state.pits[6] - state.pits[13],
    low=-48,
    high=48,
)

GAMES = {
    "empty 0, pieces 1 and 2": rows(players=("X", "O")),
    "empty 0, pieces 1 and -1": rows(0, (1, -1)),
    "empty -1, pieces 0 and 1": rows(-1, (0, 1)),
    "columns": drop,
    "men that walk": walkers,
    "men 1 and 2 that walk": hexapawn,
    "tiles": slide,
    "pits": sowing,
}


def dominoes_of(board, player):
    step = 1 if player else 4
    fits = [cell for cell in range(16) if (cell % 4 < 3 if player else cell < 12)]
    return [cell for cell in fits if board[cell] == board[cell + step] == 0]


def covered(state, cell):
    piece, step = state.player + 1, 1 if state.player else 4
    return Squares(put(put(state.board, cell, piece), cell + step, piece), 1 - state.player)


dominoes = Game(
    name="dominoes",
    start=Squares((0,) * 16, 0),
    turn=lambda state: state.player if dominoes_of(state.board, state.player) else OVER,
    moves=lambda state: dominoes_of(state.board, state.player),
    play=covered,
    score=lambda state: 1 if state.player else -1,
)

GAMES["dominoes"] = dominoes
GAMES["dominoes of one colour"] = dominoes.replace(
    play=lambda state, cell: Squares(tuple(map(bool, covered(state, cell).board)), 1 - state.player)
)


def played(game, seed, most=60):
    """The states of a random game."""
    dice, states = random.Random(seed), [game.start]
    while (who := game.turn(states[-1])) != OVER and len(states) < most:
        choices = [choice for choice, _ in game.chances(states[-1])] if who == CHANCE else game.legal(states[-1])
        states.append(game.state(game.play(states[-1], dice.choice(choices))))
    return states


def elements(svg, kind=None):
    return [element for element in ElementTree.fromstring(svg).iter() if kind is None or element.get("class") == kind]


def listed(element):
    return {int(move) for move in element.get("data-moves", "").split()}


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter() if element.text]


@pytest.mark.parametrize("name", GAMES)
def test_a_board_is_drawn_where_a_state_has_one(name):
    game = GAMES[name]
    sizes = set()
    for state in played(game, 1):
        svg = game.picture(state).svg
        assert 'class="cell"' in svg
        assert type(state).__name__ + "(" not in svg
        sizes.add(ElementTree.fromstring(svg).get("viewBox"))
        assert len(svg) < 30_000
    assert len(sizes) == 1


@pytest.mark.parametrize(
    "name",
    [
        "empty 0, pieces 1 and 2",
        "empty -1, pieces 0 and 1",
        "columns",
        "men that walk",
        "men 1 and 2 that walk",
        "pits",
        "dominoes",
        "dominoes of one colour",
    ],
)
def test_the_clicks_of_a_board_reach_every_legal_move_and_no_other(name):
    game = GAMES[name]
    for state in played(game, 2)[:: 3 if name == "columns" else 1]:
        svg = game.picture(state).svg
        hits = elements(svg, "hit")
        legal = set(game.legal(state)) if game.turn(state) in (0, 1) else set()
        assert set().union(*map(listed, hits)) == legal == set(map(int, listed_moves(game, svg)))
        for move in legal:
            assert set.intersection(*(listed(hit) for hit in hits if move in listed(hit))) == {move}
            assert sum(move in listed(element) for element in elements(svg) if element.get("data-anchor") is not None) == 1
        assert all(min(float(hit.get("width")), float(hit.get("height"))) >= 44 for hit in hits)


def test_pieces_have_the_colour_and_the_sign_of_whoever_puts_them():
    for name in ("empty 0, pieces 1 and 2", "empty 0, pieces 1 and -1", "empty -1, pieces 0 and 1"):
        game = GAMES[name]
        badges = [len(elements(game.picture().svg, kind)) for kind in ("first", "second")]
        after = [len(elements(game.picture(game.after(game.start, [4, 0])).svg, kind)) for kind in ("first", "second")]
        assert after == [badges[0] + 1, badges[1] + 1]


def test_a_disc_is_dropped_by_a_click_anywhere_on_its_column():
    hits = elements(drop.picture(drop.after(drop.start, [3, 3])).svg, "hit")
    assert [(hit.get("aria-label"), float(hit.get("height")) > 5 * float(hit.get("width"))) for hit in hits] == [
        (str(column), True) for column in range(7)
    ]


def test_a_man_that_walks_is_clicked_and_then_his_goal():
    hits = elements(walkers.picture().svg, "hit")
    assert {listed(hit) == {16 * 12 + 8, 16 * 12 + 9} for hit in hits} == {True, False}
    assert len(hits) == 8  # four men, four cells ahead of them


def test_a_domino_is_laid_by_a_click_on_its_two_cells_or_on_one_that_no_other_covers():
    hits = elements(dominoes.picture().svg, "hit")
    assert [listed(hit) for hit in hits[:5]] == [{0}, {1}, {2}, {3}, {0, 4}]
    assert {hit.get("data-from") for hit in hits} == {""}  # nothing goes from one cell to the other


def test_men_that_stand_on_the_board_from_the_start_have_two_colours_and_walk():
    svg = hexapawn.picture().svg
    (board,) = (element for element in elements(svg) if element.get("data-grid"))
    assert board.get("data-cells").split() == ["s○"] * 3 + ["i"] * 3 + ["f×"] * 3
    hits = elements(svg, "hit")
    assert [(hit.get("aria-label"), hit.get("data-from")) for hit in hits] == [
        *((str(move), None) for move in (57, 67, 77)),
        *((str(move), str(move)) for move in (57, 67, 77)),
    ]
    assert {float(hit.get("height")) for hit in hits} == {float(hit.get("width")) for hit in hits}  # squares, no columns


def test_numbers_are_written_as_numbers_even_where_they_could_be_pieces():
    assert texts(slide.picture().svg)[-6:] == ["1", "2", "rolling", "no", "points", "0"]
    assert "14" not in texts(sowing.picture().svg)
    assert texts(sowing.picture().svg).count("4") == 12


def test_a_board_says_who_is_to_move_and_what_the_other_fields_hold():
    svg = drop.picture(drop.after(drop.start, [3])).svg
    assert 'aria-label="drop, Red to move"' in svg
    assert texts(svg)[-2:] == ["discs played", "1"]
    assert "player" not in texts(svg)  # the names above say it


def test_numbers_say_what_they_count_and_who_moves_is_said_once():
    assert "pits" in texts(sowing.picture().svg)  # the name of the field above the row
    assert texts(pile(start=Pile(7, 0)).picture().svg) == ["stones", "7"]  # no board: the fields by name, but for who is to move


def test_moves_that_a_click_cannot_tell_apart_are_left_to_the_buttons():
    heaps = Game(
        name="heaps",
        start=Squares((3, 4), 0),
        turn=lambda state: state.player if any(state.board) else OVER,
        moves=lambda state: [10 * heap + number for heap in (0, 1) for number in range(1, state.board[heap] + 1)],
        play=lambda state, move: Squares(put(state.board, move // 10, state.board[move // 10] - move % 10), 1 - state.player),
        score=lambda state: 1 if state.player else -1,
    )
    assert (texts(heaps.picture().svg)[-2:], elements(heaps.picture().svg, "hit")) == (["3", "4"], [])


def test_rules_that_fail_do_not_hide_the_board():
    def fails(state, *more):
        raise ZeroDivisionError("the rules fail")

    for rule in ("turn", "moves", "play", "score"):
        svg = rows().replace(**{rule: fails}).picture(Squares((1, 2, 0, 0, 1, 0, 0, 0, 1), 1)).svg
        assert 'class="cell"' in svg
        assert 'class="second"' in svg


def test_rules_that_change_an_array_by_mistake_do_not_change_it_for_others():
    def mutates(state, column):
        state.cells[5, column] = state.player + 1
        return Columns(state.cells, 1 - state.player, state.discs_played + 1)

    game = drop.replace(play=mutates, start=Columns(numpy.zeros((6, 7), numpy.int8), 0, 0))
    state = Columns(numpy.zeros((6, 7), numpy.int8), 0, 0)
    assert 'class="hit"' in game.picture(state).svg
    assert not state.cells.any()
    assert not game.start.cells.any()


class Odd(NamedTuple):
    values: object
    number: int


def odd(values, **parts):
    return Game(
        name="odd",
        start=Odd(values, 0),
        turn=lambda state: OVER if state.number else 0,
        moves=lambda state: [0],
        play=lambda state, move: Odd(state.values, 1),
        score=lambda state: 0,
        **parts,
    )


@pytest.mark.parametrize(
    "values",
    [
        numpy.zeros((100, 100), numpy.int8),
        numpy.zeros((2, 3, 4), numpy.int64),
        numpy.zeros(5000, numpy.int32),
        numpy.zeros((0, 4), numpy.int8),
        (1 << 40,),
    ],
)
def test_what_is_no_board_is_a_table_of_fields(values):
    game = odd(values)
    svg = game.picture().svg
    assert 'class="cell"' not in svg
    assert texts(svg)[0] == "values"
    assert len(svg) < 5000
    assert len(game.show(game.start)) < 300


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ((-7, 0, 12, 1234567890123), "-7 0 12 1234567890123"),
        (numpy.array([[True, False], [False, True]]), "# .\n. #"),
        (numpy.array([[-5, 10], [0, 7]]), "-5 10\n . 7"),
        ((0,) * 42, "\n".join([". . . . . . ."] * 6)),
        ((3,) * 17, "\n".join(["3 3 3 3 3 3 3 3"] * 2 + ["3"])),
        ((5, 5), "5 5"),
        (numpy.array([[1, 2, 3]]), "1 2 3"),
    ],
)
def test_boards_of_every_shape_are_shown_and_drawn(values, shown):
    game = odd(values)
    assert " ".join(game.show(game.start).split()) == " ".join(f"{shown}\nnumber = 0".split())
    assert 'class="cell"' in game.picture().svg


def test_the_terminal_shows_a_board_and_the_other_fields():
    game = rows()
    state = game.after(game.start, [4, 0, 8])
    assert game.show(state) == "O . .\n. X .\n. . X\nplayer = 1"
    assert rows(-1, (0, 1)).show(Squares((1, -1, -1, -1, 0, -1, -1, -1, 0), 1)) == "O . .\n. X .\n. . X\nplayer = 1"
    assert rows(0, (1, -1)).show(Squares((-1, 0, 0, 0, 1, 0, 0, 0, 1), 1)) == "O . .\n. X .\n. . X\nplayer = 1"
    assert slide.show(Tiles((1, 2, 10, 0) * 4, True, 3)).splitlines()[0] == " 1  2 10  ."
    assert game.write_state(state) == written(state) == "Squares(board=(2, 0, 0, 0, 1, 0, 0, 0, 1), player=1)"
    assert game.replace(name="other").show(state) == facing(game, 1, "random").show(state) == game.show(state)


def test_a_picture_keeps_its_size_whatever_the_fields_hold():
    game = odd((0,) * 9)
    few, many = (game.picture(Odd((0,) * 9, number)).svg for number in (1, 1 << 62))
    assert "4611686018427387904" in texts(many)
    assert ElementTree.fromstring(few).get("viewBox") == ElementTree.fromstring(many).get("viewBox")


def test_two_boards_of_a_state_are_both_shown():
    class Both(NamedTuple):
        own: tuple[int, ...]
        other: tuple[int, ...]

    game = Game(
        name="both",
        start=Both((0,) * 9, (1,) * 9),
        turn=lambda state: OVER,
        moves=lambda state: [],
        play=lambda state, move: state,
        score=lambda state: 0,
    )
    assert game.show(game.start).splitlines()[::4] == ["own:", "other:"]
    assert {"own", "other"} <= set(texts(game.picture().svg))


def test_a_show_of_ones_own_is_kept_and_a_sure_board_is_drawn_nevertheless():
    game = rows(show=lambda state: "mine")
    assert game.show(game.start) == "mine"
    assert 'class="cell"' in game.picture().svg
    assert "mine" in texts(odd((1, 2, 3), show=lambda state: "mine").picture().svg)  # only a guess would be drawn


def test_drawings_of_trees_have_the_boards_in_them():
    svg = trace(rows(), Squares((1, 2, 1, 2, 2, 1, 0, 1, 0), 1), depth=2).svg(pictures=True)
    assert svg.count('class="cell"') >= 3
    assert "board=" not in svg


OWN_GAME = """
from typing import NamedTuple
from outplay import OVER, Game
from outplay.rules.tuples import put

class State(NamedTuple):
    board: tuple[int, ...]
    player: int

def turn(state):
    return state.player if 0 in state.board else OVER

def moves(state):
    for cell in range(9):
        if state.board[cell] == 0:
            yield cell

def play(state, cell):
    return State(put(state.board, cell, state.player + 1), 1 - state.player)

def score(state):
    return 0

game = Game(name="fill", start=State((0,) * 9, 0), turn=turn, moves=moves, play=play, score=score)
"""


def test_the_board_of_a_solitaire_shows_its_one_player_who_neither_wins_nor_draws():
    game = rows(players=("you",)).replace(turn=lambda state: 0 if 0 in state.board else OVER, score=lambda state: -1)
    begun = game.picture(game.start).svg
    assert texts(begun)[:2] == ["you", "to move"]
    assert len(elements(begun, "second")) == 0
    over = game.picture(game.start._replace(board=(1,) * 9)).svg
    assert texts(over)[0] == "you"
    assert 'aria-label="rows, the game is over"' in over
    assert not {"nobody", "wins", "draw"} & set(texts(begun) + texts(over))


def test_the_page_has_the_board_and_its_clicks(tmp_path):
    file = tmp_path / "fill.py"
    file.write_text(OWN_GAME)
    positions = Positions(GameRegistry({file.name: load(str(file))}))
    (name,) = positions.registry.own
    view = positions.view(SimpleNamespace(game=name, start="", choices=[4]))
    assert view.drawn
    assert [listed(hit) for hit in elements(view.svg, "hit")] == [{cell} for cell in (0, 1, 2, 3, 5, 6, 7, 8)]
    assert view.text == ". . .\n. X .\n. . .\nplayer = 1"
    assert view.state == "State(board=(0, 0, 0, 0, 1, 0, 0, 0, 0), player=1)"


@pytest.mark.parametrize("rule", ["show", "name_move"])
def test_the_page_says_what_is_wrong_in_a_function_for_people(tmp_path, rule):
    file = tmp_path / "fill.py"
    file.write_text(
        OWN_GAME.replace("game = Game(", f"def {rule}(state, *move):\n    return 1 / 0\n\ngame = Game({rule}={rule}, ")
    )
    positions = Positions(GameRegistry({file.name: load(str(file))}))
    (name,) = positions.registry.own
    with pytest.raises(RuleRaised, match=rf"^{rule}, line \d+: divides by zero; test for that case first$"):
        positions.view(SimpleNamespace(game=name, start="", choices=[]))


# grid


def test_a_draw_of_two_lines_is_a_board_to_click():
    def draw(state):
        return grid(state.board, marks=".XO", moves=game.legal(state) if game.turn(state) != OVER else ())

    game = rows(draw=draw)
    for state in played(game, 3):
        svg = game.picture(state).svg
        assert sorted(map(int, listed_moves(game, svg))) == (game.legal(state) if game.turn(state) != OVER else [])
        assert len(elements(svg, "first")) == (1 in state.board)


def test_a_grid_takes_rows_arrays_texts_and_columns():
    board = grid([[0, 1, 2], [0, 0, 1]], marks=".XO")
    assert board == grid((0, 1, 2, 0, 0, 1), columns=3, marks=".XO") == grid(numpy.array([[0, 1, 2], [0, 0, 1]]), marks=".XO")
    assert grid("X.O......") == grid((1, 0, 2, 0, 0, 0, 0, 0, 0), marks=".XO")
    assert texts(grid((5, 0, -3, 2048))) == ["5", "0", "-3", "2048"]
    assert texts(grid((5, 0, 7), marks={0: "", 7: "#"}, title="above", note="below")) == ["above", "5", "#", "below"]


def test_the_moves_of_a_grid_are_cells_or_have_them():
    def moves_of(svg):
        return sorted((hit.get("data-moves"), hit.get("data-anchor")) for hit in elements(svg, "hit"))

    assert moves_of(grid((0,) * 9, moves=[3, 8])) == [("3", ""), ("8", "")]
    assert moves_of(grid((0,) * 9, moves={4: 3, 9: 8})) == [("4", ""), ("9", "")]
    column = grid((0, 0, 0, 0, 1, 0), columns=2, marks=".XO", moves={7: (0, 2, 4)})
    assert moves_of(column) == [("7", None)]  # the column is one target; the value stands where the piece comes to lie
    assert [element.get("data-moves") for element in elements(column) if element.get("data-anchor") is not None] == ["7"]
    assert moves_of(grid((1, 0, 0, 1), columns=4, marks=".X", moves={5: (0, 1), 6: (3, 1), 7: (3, 2)})) == [
        ("5", None),
        ("5 6", ""),
        ("6 7", None),
        ("7", ""),
    ]


def test_a_grid_has_labels_and_rings():
    svg = grid((0,) * 12, columns=4, marks=".XO", labels=True, last=(5,))
    assert sorted(texts(svg)) == ["1", "2", "3", "a", "b", "c", "d"]
    assert len(elements(svg, "last")) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cells": ()}, r"grid needs the values of the cells, such as state.board; got \(\)"),
        ({"cells": 7}, "grid needs the values of the cells, such as state.board; got 7"),
        ({"cells": [[1, 2], [3]]}, "the rows of a grid must be equally long"),
        ({"cells": numpy.zeros((2, 2, 2), int)}, "draw one layer"),
        ({"cells": (1, 2, 3), "columns": 2}, "columns=2 of a grid of 3 cells must be a number that divides it"),
        ({"cells": (0,) * 2000}, "a grid has at most 1,024 cells; this one has 2,000"),
        ({"cells": (0,) * 9, "moves": [9]}, "move 9 of a grid stands on cell 9, but the cells are 0 to 8; hand over a dict"),
        ({"cells": (0,) * 9, "moves": {9: ()}}, "move 9 of a grid stands on cell none"),
        ({"cells": (0,) * 9, "last": [9]}, r"last=\[9\] of a grid must be cells, from 0 to 8"),
        ({"cells": (0,) * 9, "marks": 3}, "marks of a grid are texts by value"),
        ({"cells": (0,) * 9, "marks": {0: 3}}, "marks of a grid are texts by value"),
        ({"cells": (0,) * 9, "colours": {0: "blau"}}, "'blau' is not a colour of a grid"),
        ({"cells": (0,) * 60, "columns": 30, "labels": True}, "labels of a grid name at most 26 columns"),
    ],
)
def test_a_grid_that_cannot_be_drawn_says_why(arguments, message):
    with pytest.raises(OptionError, match=message):
        grid(arguments.pop("cells"), **arguments)
