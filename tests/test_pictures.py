"""Pictures of states: well-formed, self-contained, and clickable for exactly the legal moves."""

import random
import re
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from outplay import CHANCE, OVER, Game, facing, load
from outplay.compile.fingerprint import value_digest
from outplay.errors import GameError, RuleError, RuleRaised, StateError
from outplay.games import catalogue
from outplay.pictures.picture import Picture
from outplay.rules.text import read_state

GAMES = (
    *catalogue.names(),
    "connect-four:columns=1,rows=4,line=2",
    "connect-four:columns=12,rows=4",
    "extended-connect-four:rows=12,columns=12,pops=10",
    "blacksin:cards=5",
    "blacksin:cards=60",
    "hidden-blacksin:cards=8",
    "kalah:houses=2,seeds=9",
    "kalah:houses=12,seeds=1",
    "nim:heaps=1",
    "nim:heaps=63-1-20",
    "chomp:rows=2,columns=26",
    "domineering:rows=1,columns=3",
    "domineering:rows=7,columns=7",
    "dots-and-boxes:rows=1,columns=1",
    "dots-and-boxes:rows=6,columns=8",
    "othello:size=4",
    "nine-mens-morris:men=3",
    "three-mens-morris:variant=tapatan",
    "three-mens-morris:variant=nine-holes",
    "pig:goal=7",
    "backgammon:variant=hypergammon",
    "einstein:size=2,stones=1",
    "einstein:size=7,stones=10",
    "hog:dice=1",
    "hog:dice=20",
    "cant-stop:sides=2,columns=1",
    "yahtzee:boxes=sixes+chance",
)
ELEMENTS = {"svg", "rect", "circle", "path", "text", "tspan"}
FILLED = {"board", "cell", "first", "second", "glyph", "ink", "faint", "card", "die", "hit"}
STROKED = {"grid", "mark", "last"}


class State(NamedTuple):
    stones: int
    player: int


def pile(**parts):
    return Game(
        name="pile",
        start=State(3, 0),
        turn=lambda state: state.player if state.stones else OVER,
        moves=lambda state: [1],
        play=lambda state, move: State(state.stones - 1, 1 - state.player),
        score=lambda state: 1 if state.player else -1,
        **parts,
    )


def states_of(game, seed, most=60):
    """The states of a game played at random, from its start to its end, or as far as *most*."""
    dice = random.Random(seed)
    states = [game.deal(dice) if game.deal else game.start]
    while game.turn(states[-1]) != OVER and len(states) < most:
        state = states[-1]
        choices = [choice for choice, _ in game.chances(state)] if game.turn(state) == CHANCE else game.legal(state)
        states.append(game.state(game.play(state, dice.choice(choices))))
    return states


def listed(element):
    return {int(move) for move in element.get("data-moves", "").split()}


@pytest.mark.parametrize("name", GAMES)
def test_clicks_reach_every_legal_move_and_no_other(name):
    game = load(name)
    for state in states_of(game, 1)[::3] + states_of(game, 2)[1::3] + states_of(game, 3)[-1:]:
        elements = list(ElementTree.fromstring(game.picture(state).svg).iter())
        hits = [element for element in elements if element.get("class") == "hit"]
        legal = set(game.legal(state)) if game.turn(state) in (0, 1) else set()
        assert set().union(*map(listed, elements)) == legal
        for move in legal:
            assert set.intersection(*(listed(hit) for hit in hits if move in listed(hit))) == {move}
            anchored = [element for element in elements if move in listed(element) and element.get("data-anchor") is not None]
            assert len(anchored) == 1
        for hit in hits:
            assert listed(hit)
            assert hit.get("aria-label")


@pytest.mark.parametrize("name", GAMES)
def test_a_picture_is_small_stands_alone_and_never_changes_its_size(name):
    game = load(name)
    boxes = set()
    for state in states_of(game, 4)[::7] + states_of(game, 5)[-1:]:
        svg = game.picture(state).svg
        root = ElementTree.fromstring(svg)
        boxes.add(root.get("viewBox"))
        assert (root.get("role"), bool(root.get("aria-label"))) == ("img", True)
        assert len(svg) < 30_000
        for element in root.iter():
            kind = element.get("class", "")
            assert element.tag.removeprefix("{http://www.w3.org/2000/svg}") in ELEMENTS
            assert not {"style", "id", "href"} & set(element.attrib)
            assert not kind or kind in (STROKED if element.get("fill") == "none" else FILLED)
    assert len(boxes) == 1


@pytest.mark.parametrize("name", catalogue.names())
def test_what_is_clicked_is_large_enough_for_a_finger(name):
    game = load(name)
    for state in states_of(game, 6)[::5]:
        for hit in ElementTree.fromstring(game.picture(state).svg).iter():
            if hit.get("class") == "hit":
                sides = [float(hit.get(side)) for side in ("width", "height") if hit.get(side)] or [2 * float(hit.get("r", 44))]
                assert min(sides) >= 44  # 40 pixels where a telephone shows the board beside a bar


def test_a_picture_says_who_is_to_move_and_who_has_won():
    game = load("connect-four")
    assert 'aria-label="Connect Four, O to move"' in game.picture(read_state(game, "4")).svg
    assert 'aria-label="Connect Four, X wins"' in game.picture(read_state(game, "4142434")).svg
    tic_tac_toe = load("tic-tac-toe")
    assert 'aria-label="Tic-tac-toe, a draw"' in tic_tac_toe.picture(read_state(tic_tac_toe, "XOX/XOO/OXX")).svg
    pig = load("pig")
    assert 'aria-label="Pig, chance decides"' in pig.picture(read_state(pig, "0,0,0,0,1")).svg


def test_a_four_is_drawn_where_it_is():
    game = load("connect-four")
    before, after = (game.picture(read_state(game, text)).svg for text in ("414243", "4142434"))
    assert ('class="last"' in before, 'class="last"' in after) == (False, True)


def test_in_morris_a_man_a_point_and_a_man_to_take_are_clicked():
    game = load("nine-mens-morris")
    state = read_state(game, "X.O/.../.../X..O../.../.../.O./X/2".replace("X/2", "X/12"))
    svg = game.picture(state).svg
    assert 'aria-label="point a1"' in svg
    assert 'aria-label="take the man on g7"' in svg
    moved = read_state(game, "XX./..X/.../....../O.O/.../.O./X/0")
    assert 'aria-label="man on a7"' in game.picture(moved).svg


def test_the_picture_of_a_modelled_game_is_that_of_the_game():
    game = load("tic-tac-toe")
    assert facing(game, 1, "random").picture().svg == game.picture().svg


def test_a_picture_of_no_state_is_refused():
    with pytest.raises(StateError):
        load("pig").picture((1, 2))


# Pictures themselves


def test_a_picture_is_saved_whole_and_shown_in_a_notebook(tmp_path):
    game = load("pig")
    picture = game.picture()
    assert picture.svg == str(picture)
    assert (
        picture._repr_svg_()
        == game._repr_svg_()
        == picture.svg.replace('"0 0 360 288"', '"0 0 360 288" width="360" height="288"')
    )
    assert picture.save(tmp_path / "pig.svg") == tmp_path / "pig.svg"
    assert (tmp_path / "pig.svg").read_text(encoding="utf-8") == picture._repr_svg_() + "\n"
    assert [path.name for path in tmp_path.iterdir()] == ["pig.svg"]


def test_a_picture_with_a_size_of_its_own_keeps_it():
    svg = '<svg width="20" height="20" viewBox="0 0 1 1"></svg>'
    assert Picture(svg)._repr_svg_() == svg


def test_a_picture_that_cannot_be_written_leaves_what_was_there(tmp_path, monkeypatch):
    (tmp_path / "old.svg").write_text("old")
    with pytest.raises(UnicodeEncodeError):
        Picture("\ud800").save(tmp_path / "old.svg")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("old.svg", "old")]


def test_a_game_that_does_not_draw_shows_its_text_in_the_picture():
    game = pile(show=lambda state: f"<b> & {state.stones}\x1b\n\tstones")
    svg = game.picture(State(2, 1)).svg
    texts = [element.text for element in ElementTree.fromstring(svg).iter() if element.text]
    assert texts == ["<b>\xa0&\xa02\ufffd", "\xa0" * 8 + "stones"]
    assert "<b>" not in svg
    assert re.search(r'<svg [^>]*aria-label="pile"', svg)


def test_a_draw_that_fails_says_so():
    with pytest.raises(RuleRaised, match=r"draw of 'pile' raised ZeroDivisionError: .*, in State\(stones=3, player=0\)"):
        pile(draw=lambda state: 1 / 0).picture()
    with pytest.raises(RuleError, match="draw of 'pile' returns None; it must return an SVG text"):
        pile(draw=lambda state: None).picture()


# What players and outcomes are called


@pytest.mark.parametrize("players", [(), "XO", ("X", ""), ("X", " "), ("X", 1), None])
def test_players_are_two_names_or_one(players):
    with pytest.raises(GameError, match="players=.* of 'pile' must be two names, player 0 first"):
        pile(players=players)


def test_players_and_outcomes_have_names_where_a_game_gives_them():
    assert (pile().players, pile().name_outcome(State(1, 0), 6)) == (("player 0", "player 1"), "6")
    assert pile(players=["Left", "Right"]).players == ("Left", "Right")
    pig, coin, blacksin = load("pig"), load("coin-tic-tac-toe"), load("hidden-blacksin")
    assert pig.name_outcome(pig.start, 6) == "a 6"
    assert [coin.name_outcome(coin.start, outcome) for outcome, _ in coin.chances(coin.start)] == ["tails", "heads"]
    assert blacksin.name_outcome(blacksin.start, 7) == "card 7"
    with pytest.raises(GameError, match=r"name_outcome of 'pile' must take \(state, outcome\)"):
        pile(name_outcome=lambda outcome: "")


def test_what_is_for_people_does_not_change_what_a_table_is_known_by():
    changed = pile(draw=lambda state: "<svg/>", players=("A", "B"), name_outcome=lambda state, outcome: "it")
    assert value_digest(changed.replace(turn=pile().turn)) == value_digest(pile().replace(name="other"))
