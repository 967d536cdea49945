"""What the page says when a game goes wrong: a user's rule that raises, draws nonsense or never comes back, and addresses of no game."""

import re
from collections.abc import Iterator
from dataclasses import replace
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
    "loops.py": (
        "    return State(",
        "    while state.left == 5:\n        pass\n    return State(",
    ),
    "endless.py": (
        "game = Game(",
        "def draw(state):\n    import time\n    while True:\n        time.sleep(0.01)\n\n\ngame = Game(draw=draw, ",
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
    with running_server(
        [str(folder / name) for name in GAMES], caps=Caps(rules_seconds=PATIENCE, load_seconds=PATIENCE)
    ) as running:
        yield running


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
    tab.part("unknown-game").wait_for()
    assert tab.page.locator("h1").inner_text() == "There is no game “nonsense” here."
    assert not tab.page.evaluate(BOARD)  # the old board does not stay under the new address
    assert "game=nonsense" in tab.hash()


@pytest.mark.parametrize(("address", "room"), [("#play/nosuchgame", "play"), ("#/search?game=my.py", "search")])
def test_an_unknown_game_leads_to_those_that_there_are(tab: "Tab", address: str, room: str) -> None:
    tab.page.goto(tab.website.address + address)
    assert ("outplay web mygame.py" in tab.text("unknown-game")) == address.endswith(".py")
    assert "connect-four" in tab.part("room-analyse").get_attribute("href")
    tab.click("unknown-tic-tac-toe")
    tab.part("unknown-game").wait_for(state="detached")
    tab.wait(f"document.documentElement.dataset.ready === '{room}'")
    assert f"#/{room}?game=tic-tac-toe" in tab.hash()


def test_a_game_is_named_by_a_path_too(tab: "Tab") -> None:
    tab.page.goto(tab.website.address + "#/play/nim")
    tab.wait("document.documentElement.dataset.ready === 'play'")
    assert "game=nim" in tab.hash()


@pytest.mark.parametrize(("game", "why"), [("no_svg.py", "returns 42"), ("bad_svg.py", "not well formed")])
def test_a_game_that_draws_nonsense_is_played_by_its_text(tab: "Tab", game: str, why: str) -> None:
    tab.open(f"#/play?game={game}&seats=person,person")
    assert why in tab.text("draw-error")
    assert "left" in tab.part("board").text_content()
    tab.click("move-3")
    tab.wait_text("turn", "player 1 to move")
    assert tab.text("trouble") == ""


def test_a_file_that_changes_brings_its_new_rules_to_the_board(tab: "Tab") -> None:
    tab.open("#/play?game=raises.py&seats=person,person")
    tab.click("move-1")
    tab.wait_text("turn", "player 1 to move")
    with changed_file(tab.website, "raises.py", "take {move}", "grab {move}"):
        tab.wait_text("notice", "raises.py has changed: its new rules are loaded")
        tab.wait_text("legal", "grab 2")
        assert "choices=1" in tab.hash()  # the game still fits, and goes on
        for room in ("analyse", "search", "play"):
            tab.click(f"room-{room}")
            tab.wait(f"document.documentElement.dataset.ready === '{room}'")
            assert tab.part("changed").count() == 0
    tab.wait_text("legal", "take 2")


def test_a_game_that_does_not_fit_the_new_rules_starts_again_with_a_word(tab: "Tab") -> None:
    tab.open("#/play?game=raises.py&seats=person,person&choices=3")
    tab.wait_text("turn", "player 1 to move")
    with changed_file(tab.website, "raises.py", "range(1, 4)", "range(1, 3)"):
        tab.wait_text("trouble", "did not fit the new rules of raises.py, and starts again")
        assert tab.text("turn").strip() == "player 0 to move"
        assert "choices" not in tab.hash()
        assert tab.part("legal").locator("button").count() == 2


def test_a_file_that_is_broken_by_a_change_is_told_of_in_every_room_and_its_old_rules_hold(tab: "Tab") -> None:
    tab.open("#/play?game=raises.py&seats=person,person")
    assert tab.part("changed").count() == 0
    with changed_file(tab.website, "raises.py", "def score(state):", "def score(state:"):
        tab.wait_text("changed", r"raises.py has changed, but cannot be loaded: .*line \d+.*Its old rules hold\.")
        tab.click("move-1")
        tab.wait_text("turn", "player 1 to move")
        for room in ("analyse", "search", "play"):
            tab.click(f"room-{room}")
            tab.wait(f"document.documentElement.dataset.ready === '{room}'")
            assert tab.part("changed").count() == 1
        tab.page.evaluate("location.hash = '#/play?game=tic-tac-toe&seats=person,person'")
        tab.wait_text("turn", "X to move")
        assert tab.part("changed").count() == 0
        tab.page.evaluate("location.hash = '#/play?game=raises.py&seats=person,person'")
        tab.wait_text("changed", "Its old rules hold")
    tab.wait("!document.querySelector('[data-test=changed]')")


def test_an_analysis_whose_rule_never_returns_ends_and_says_which_and_others_go_on(tab: "Tab") -> None:
    tab.open("#/analyse?game=loops.py")
    said = tab.wait_text("analysis-error", "does not return")
    assert re.search(r"play, line \d+: does not return \(\d+ s so far\); .+: State\(left=5, player=[01]\)", said)
    assert tab.text("proven") == "failed"
    tab.page.keyboard.press("Shift")
    tab.page.evaluate("location.hash = '#/analyse?game=tic-tac-toe&choices=1.4.2.5'")
    tab.wait("document.querySelector('[data-test=best-move]')?.dataset.choice === '3'")


def test_rules_that_do_not_come_back_are_told_of_and_other_games_go_on(tab: "Tab") -> None:
    tab.open("#/play?game=endless.py&seats=person,person")
    assert tab.text("trouble").startswith("No answer yet: a rule of endless.py has not come back.")
    tab.page.keyboard.press("Shift")  # what moves now moves because somebody did something
    tab.page.evaluate("location.hash = '#/play?game=tic-tac-toe&seats=person,person'")
    tab.wait_text("turn", "X to move")
    assert not tab.website.service.own.processes["endless.py"].kills  # it has not been given up, so nobody waited for that
    assert tab.text("trouble") == ""
    tab.click("move-5")
    tab.wait_text("turn", "O to move")


def test_a_rule_that_is_given_up_is_named_with_its_line_and_its_state(tab: "Tab", monkeypatch) -> None:
    rules = tab.website.service.own.processes["endless.py"]
    monkeypatch.setattr(rules, "caps", replace(rules.caps, rules_seconds=4.0))
    rules.reload()
    tab.open("#/play?game=endless.py&seats=person,person")
    said = tab.wait_text("trouble", "so it was given up")
    assert re.search(r"The rule draw has not returned: line \d+ of endless.py, at State\(left=7, player=0\)\.", said)
    assert said.endswith("See whether a loop in it ends.")


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
    said = tab.wait_text("analysis-error", ".")
    assert "ValueError: 7" in said
    assert re.search(r"play, line \d+", said)
    assert tab.text("proven") == "failed"
    assert tab.part("analysis-toggle").get_attribute("aria-checked") == "false"
    assert tab.text("value") == ""
    assert not tab.page.locator(".move-value:not(:empty), .bar, .graph-point").count()


def test_a_page_without_a_tournament_says_how_to_show_one(tab: "Tab") -> None:
    tab.open("#/tournament")
    assert "outplay web --tournament STORE" in tab.text("no-tournament")
    assert tab.part("room-tournament").count() == 0
    assert tab.part("room-search").count() == 1
