"""A tournament on the page, in a real browser: standings, cross table, the games of a cell, live, with hostile names."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tournaments import add_pair, describe, round_robin_store, won_by
from web_server import Running, running_server

from outplay.arena.record import Verdict
from outplay.arena.report import write_report
from outplay.arena.standings import tournament_of
from outplay.arena.store import Store

if TYPE_CHECKING:
    from browser import Tab

pytest_plugins = ["browser"]

EVIL = "<img src=x onerror=alert(1)>"
NAMES = ["anna", "berta", EVIL, "\u202edoris"]
MANY = [f"student{number:02}" for number in range(30)]


def told(first: str, second: str) -> Any:
    """Return a crash of the evil agent, and a win by the alphabet for all others."""
    for seat, name in enumerate((first, second)):
        if name == EVIL:
            return Verdict.CRASH, seat, -1.0 if seat == 0 else 1.0, "<b>last</b>\nwords"
    return won_by(first, second)


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stores")
    round_robin_store(folder / "class.store", NAMES, 2, told, total=30).close()
    round_robin_store(folder / "many.store", MANY, 1).close()
    with Store(folder / "alone.store") as store:
        ids: list[str] = []
        for name, base in (("anna", 100.0), ("berta", 50.0)):
            for game in range(5):
                ids += add_pair(store, name, name, game, lambda *_, score=base + game: (Verdict.FINISHED, None, score, ""))  # type: ignore[misc]
        describe(store, ["anna", "berta"], ids, solitaire=True)
    return folder


@pytest.fixture(scope="module")
def website(stores: Path) -> Iterator[Running]:
    """A server that shows three tournaments."""
    with running_server(tournaments=[str(stores / f"{name}.store") for name in ("class", "many", "alone")]) as running:
        yield running


def cell(tab: "Tab", one: str, other: str) -> Any:
    """Return a cell of the cross table."""
    return tab.page.locator(f'[data-cell="[{one}]|[{other}]"]')


def test_a_click_on_a_cell_lists_its_games_and_a_click_on_a_game_opens_it(tab: "Tab") -> None:
    tab.open("#/tournament")
    assert tab.text("tournament-title") == "Tic-tac-toe"
    assert tab.text("tournament-progress") == "24 of 30 games played"
    names = tab.page.locator("[data-test=standings] tbody .agent").all_inner_texts()
    assert names == ["anna", "berta", "\\u202edoris", EVIL]
    assert re.match(
        r"1\s+anna\s+\+\d+ (± \d+|\+\d+/−\d+)\s+100.0 %\s+12\s+0\s+0\s",
        tab.page.locator("[data-test=standings] tbody tr").first.inner_text(),
    )
    assert cell(tab, "anna", "berta").inner_text() == "4"
    assert cell(tab, "berta", "anna").get_attribute("aria-label") == "berta against anna: 0 won, 0 drawn, 4 lost"
    assert tab.part("pairing").is_hidden()
    cell(tab, "anna", "berta").click()
    assert tab.text("pairing-title") == "anna \u2013 berta"
    assert "4 : 0. Likelihood that anna is stronger: " in tab.text("pairing-summary")
    games = tab.page.locator("[data-test=pairing-games] button")
    games.nth(3).wait_for()
    assert games.count() == 4
    tab.page.locator("[data-test=pairing-games] button", has_text="anna \u2013 berta").first.click()
    tab.page.wait_for_selector("html[data-ready=analyse]")
    assert tab.hash().startswith("#/analyse?game=tic-tac-toe&choices=1.4.2.5.3&at=0")
    assert tab.text("played-by").split("\n")[0] == "anna (X) \u2013 berta (O): 1 : 0"
    tab.page.keyboard.press("End")
    assert "X wins" in tab.wait_text("result", "wins")
    tab.click("back-to-tournament")
    tab.page.wait_for_selector("html[data-ready=tournament]")
    assert tab.wait_text("pairing-title", "anna") == "anna \u2013 berta"
    tab.click("pairing-close")
    tab.wait("document.querySelector('[data-test=pairing]').hidden")


def test_what_agents_are_called_and_have_said_is_text(tab: "Tab") -> None:
    tab.open("#/tournament?store=class.store")
    cell(tab, "anna", EVIL).click()
    tab.page.locator("[data-test=pairing-games] details").first.wait_for()
    tab.page.locator("[data-test=pairing-games] summary").first.click()
    assert tab.page.locator("[data-test=pairing-games] pre").first.inner_text() == "<b>last</b>\nwords"
    assert tab.page.locator("main img, main b").count() == 0


def test_games_that_another_process_adds_appear_by_themselves(tab: "Tab", stores: Path) -> None:
    tab.open("#/tournament?store=class.store")
    assert tab.text("tournament-progress") == "24 of 30 games played"
    cell(tab, "berta", "anna").click()
    tab.page.locator("[data-test=pairing-games] button").nth(3).wait_for()
    cell(tab, "berta", "anna").focus()
    with Store(stores / "class.store") as store:
        ids = [game.id for game in store.scheduled_games()]
        ids += add_pair(
            store, "anna", "berta", 7, lambda first, second: (Verdict.FINISHED, None, 1.0 if first == "berta" else -1.0, "")
        )
        describe(store, NAMES, ids, total=30)
    tab.wait_text("tournament-progress", "^26 of 30 games played$")
    tab.page.locator("[data-test=pairing-games] button").nth(5).wait_for()
    assert cell(tab, "berta", "anna").inner_text() == "2/6"
    assert tab.page.evaluate("document.activeElement.dataset.cell") == "[berta]|[anna]"  # whoever was there stays there


def test_a_store_that_cannot_be_read_says_so_and_is_shown_again_once_it_can(tab: "Tab", stores: Path) -> None:
    path = stores / "alone.store"
    tab.open("#/tournament?store=alone.store")
    kept = path.read_bytes()
    path.write_bytes(b"this is not a database" * 100)
    assert "cannot be opened as the store of a tournament" in tab.wait_text("trouble", "cannot")
    path.write_bytes(kept)
    tab.wait("document.querySelector('[data-test=trouble]').textContent === ''")
    tab.page.locator("[data-test=standings] button", has_text="berta").click()
    tab.page.locator("[data-test=pairing-games] button").nth(4).wait_for()
    assert tab.page.locator("[data-test=pairing-games] button").first.inner_text().startswith("berta\n")
    tab.part("tournament-store").select_option("many.store")
    assert tab.wait_text("tournament-progress", "^870 games") == "870 games played"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_thirty_agents_fit_the_screen(tabs: "Callable[..., Tab]", size: tuple[int, int], scheme: str) -> None:
    tab = tabs(*size, color_scheme=scheme)
    tab.open("#/tournament?store=many.store")
    assert tab.page.locator("[data-cell]").count() == 30 * 29
    assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert tab.page.evaluate("document.querySelector('.header').scrollWidth <= innerWidth")


def test_on_a_phone_the_rooms_fit_and_the_names_of_few_agents_get_the_room_that_is_left(tabs: "Callable[..., Tab]") -> None:
    tab = tabs(390, 844)
    widths: list[float] = []
    for store, agents in (("class.store", len(NAMES)), ("many.store", len(MANY))):
        tab.open(f"#/tournament?store={store}")
        tab.wait(f"document.querySelectorAll('[data-test=cross] tbody tr').length === {agents}")
        widths.append(tab.page.evaluate("parseFloat(getComputedStyle(document.querySelector('.cross tbody th')).maxWidth)"))
    assert widths[0] > widths[1] == 104
    for width in (375, 360, 320):  # phones narrower than most: the names of four rooms fit
        tab.page.set_viewport_size({"width": width, "height": 700})
        assert tab.page.evaluate("document.documentElement.scrollWidth") == width


def test_a_report_fits_a_phone_runs_nothing_and_leads_from_a_cell_to_its_games(
    chromium: Any, stores: Path, tmp_path: Path
) -> None:
    with Store(stores / "class.store", readonly=True) as store:
        write_report(tournament_of(store), store, tmp_path / "report.html")
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    try:
        page, heard = context.new_page(), []
        page.on("console", lambda message: heard.append(message.text))
        page.on("dialog", lambda dialog: (heard.append("a dialog"), dialog.dismiss()))
        page.goto((tmp_path / "report.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        games = page.locator("#p0-1 table")
        assert not games.is_visible()
        page.locator('a[href="#p0-1"]').first.click()
        games.wait_for()
        assert games.locator("tr").count() >= 4
        assert page.locator(".faults pre").first.inner_text() == "<b>last</b>\nwords"
        assert heard == []
    finally:
        context.close()
