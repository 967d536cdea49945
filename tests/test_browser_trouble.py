"""What the page says when a game goes wrong: a user's rule that raises, draws nonsense or never comes back, and addresses of no game."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from patience import PATIENCE
from web_server import Running, changed_file, running_server

from outplay.web.limits import Caps

if TYPE_CHECKING:
    from browser import Tab

pytest_plugins = ["browser"]

# What is otherwise than in the countdown of browser.py.
GAMES = {
    "raises.py": ("    return State(", "    if state.left == 5:\n        raise ValueError(7)\n    return State("),
    "no_svg.py": ("game = Game(", "game = Game(draw=lambda state: 42, "),
    "bad_svg.py": ("game = Game(", "game = Game(draw=lambda state: '<svg><g></svg>', "),
    "no_start.py": ("    for many", "    raise KeyError('lost')\n    for many"),
    "endless.py": (
        "game = Game(",
        "released = []\n\n\ndef draw(state):\n    import time\n    while not released:\n        time.sleep(0.01)\n\n\ngame = Game(draw=draw, ",
    ),
}
BOARD = "document.querySelector('[data-test=board] svg')"


@pytest.fixture(scope="module")
def website(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server whose games are all broken."""
    from browser import COUNTDOWN

    folder = tmp_path_factory.mktemp("games")
    for name, (old, new) in GAMES.items():
        (folder / name).write_text(COUNTDOWN.replace(old, new))
    with running_server([str(folder / name) for name in GAMES], caps=Caps(rules_seconds=PATIENCE)) as running:
        yield running
        sys.modules["outplay_file_endless"].released.append(True)  # type: ignore[attr-defined]


@pytest.mark.parametrize("room", ["play", "analyse"])
def test_an_address_of_no_game_says_so_lastingly_and_leaves_the_chooser(tab: "Tab", room: str) -> None:
    tab.open(f"#/{room}?game=connect-four:columns=999")
    tab.wait_text("trouble", "999 columns")
    assert tab.part("trouble").get_attribute("role") == "alert"
    tab.click("game")
    tab.part("game-filter").fill("tic-tac-toe")
    tab.click("game-tic-tac-toe")
    tab.click("start")
    tab.wait_text("turn", "X")
    assert tab.text("trouble") == ""
    tab.page.keyboard.press("Shift")
    tab.page.evaluate(f"location.hash = '#/{room}?game=nonsense'")
    tab.wait_text("trouble", "there is no game 'nonsense'")
    assert not tab.page.evaluate(BOARD)  # the old board does not stay under the new address
    assert "game=nonsense" in tab.hash()


@pytest.mark.parametrize(("game", "why"), [("no_svg.py", "returns 42"), ("bad_svg.py", "not well formed")])
def test_a_game_that_draws_nonsense_is_played_by_its_text(tab: "Tab", game: str, why: str) -> None:
    tab.open(f"#/play?game={game}&seats=person,person")
    assert why in tab.text("draw-error")
    assert "left" in tab.part("board").text_content()
    tab.click("move-3")
    tab.wait_text("turn", "player 1 to move")
    assert tab.text("trouble") == ""


def test_a_file_that_has_changed_is_told_of_in_every_room_while_its_game_is_there(tab: "Tab") -> None:
    tab.open("#/play?game=raises.py&seats=person,person")
    assert tab.part("changed").count() == 0
    with changed_file(tab.website, "raises.py"):
        tab.click("move-1")
        tab.wait_text("changed", "raises.py has changed: start outplay web again")
    for room in ("analyse", "search", "play"):
        tab.click(f"room-{room}")
        tab.wait(f"document.documentElement.dataset.ready === '{room}'")
        assert tab.part("changed").count() == 1
    tab.page.evaluate("location.hash = '#/play?game=tic-tac-toe&seats=person,person'")
    tab.wait_text("turn", "X to move")
    assert tab.part("changed").count() == 0


def test_rules_that_do_not_come_back_are_told_of_and_other_games_go_on(tab: "Tab") -> None:
    tab.open("#/play?game=endless.py&seats=person,person")
    assert tab.text("trouble").startswith("No answer yet: a rule of endless.py has not come back.")
    tab.page.keyboard.press("Shift")  # what moves now moves because somebody did something
    tab.page.evaluate("location.hash = '#/play?game=tic-tac-toe&seats=person,person'")
    tab.wait_text("turn", "X to move")
    assert not tab.website.service.pool._lost  # the other one has not been given up, so nobody waited for that
    assert tab.text("trouble") == ""
    tab.click("move-5")
    tab.wait_text("turn", "O to move")


def test_a_rule_that_raises_leaves_the_game_where_it_was(tab: "Tab") -> None:
    tab.open("#/play?game=raises.py&seats=person,person")
    tab.click("move-2")
    tab.wait_text("turn", "player 1 to move")
    tab.click("move-1")
    tab.wait_text("trouble", r"ValueError: 7 \(in play, line ")
    tab.wait("location.hash.includes('choices=2&')")
    assert tab.text("turn").strip() == "player 1 to move"
    assert tab.part("move-1").is_enabled()
    tab.click("undo")
    tab.wait_text("turn", "player 0 to move")
    assert tab.text("trouble") == ""


def test_a_game_whose_start_fails_says_why(tab: "Tab") -> None:
    tab.open("#/play?game=no_start.py")
    assert "raised KeyError: 'lost'" in tab.text("trouble")
    assert tab.part("game").is_enabled()


def test_an_analysis_that_fails_shows_no_values(tab: "Tab") -> None:
    tab.open("#/analyse?game=raises.py")
    assert "raised ValueError: 7 (in play, line " in tab.wait_text("analysis-error", ".")
    assert tab.text("proven") == "failed"
    assert tab.part("analysis-toggle").get_attribute("aria-checked") == "false"
    assert tab.text("value") == ""
    assert not tab.page.locator(".move-value:not(:empty), .bar, .graph-point").count()
