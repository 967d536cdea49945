"""Learning a game, in a real browser: progress, values in place of question marks, and what a reload keeps."""

import re
from typing import TYPE_CHECKING

from web_server import wait_until

if TYPE_CHECKING:
    from browser import Tab

pytest_plugins = ["browser"]

LABELS = "[...document.querySelectorAll('[data-test=board] .label')].map((label) => label.textContent)"


def learns(tab: "Tab") -> int:
    """Return how many lessons run."""
    return sum(job.kind == "learn" for job in list(tab.website.service.jobs.running))


def test_a_game_is_learned_on_the_page_and_then_analysed_and_played_by_what_was_learned(tab: "Tab") -> None:
    tab.open("#/analyse?game=connect-four")
    tab.wait(f"{LABELS}.length === 7 && !{LABELS}.includes('?')")
    assert re.match(
        r"Ships with Outplay: an estimate learned from \S+ games of self-play; mean error",
        tab.wait_text("lesson", "Ships with Outplay"),
    )
    assert tab.page.locator("[data-test=lesson-map] rect").count() == 84  # each square twice, for X and for O
    tab.click("use-learned")  # off
    tab.wait(f"{LABELS}.length === 7 && {LABELS}.every((text) => text === '?')")
    tab.page.reload()  # what was switched off stays off
    tab.wait(f"{LABELS}.length === 7 && {LABELS}.every((text) => text === '?')")
    tab.click("use-learned")
    tab.wait(f"{LABELS}.length === 7 && !{LABELS}.includes('?')")
    assert tab.text("learn") == "Learn this game for a minute"
    tab.click("learn")
    assert tab.text("learn") == "Stop learning"
    assert re.fullmatch(r"\S+ games · \S+ moves/s · mean error \S+ · \d+ s left", tab.wait_text("lesson", "mean error"))
    tab.wait("document.querySelector('[data-test=lesson-plot] path')?.getAttribute('d').split('L').length > 2")
    tab.click("learn")
    assert re.match(r"Learned from \S+ games of self-play; mean error \S+$", tab.wait_text("lesson", "Learned from"))
    wait_until(lambda: not learns(tab))
    tab.wait(f"{LABELS}.length === 7 && !{LABELS}.includes('?')")
    assert tab.text("learn") == "Learn for another minute"
    tab.click("use-learned")  # off
    tab.wait(f"{LABELS}.length === 7 && {LABELS}.every((text) => text === '?')")
    tab.click("use-learned")
    tab.wait(f"{LABELS}.length === 7 && !{LABELS}.includes('?')")
    tab.page.reload()
    tab.wait_text("lesson", "Learned from")  # what the server has is found again
    tab.wait(f"{LABELS}.length === 7 && !{LABELS}.includes('?')")
    tab.open("#/play?game=connect-four&seats=person,search:depth%3D1&choices=3")
    assert re.match(r"value [+−]?\d\.\d+ to X · depth 1", tab.wait_text("info-1", "depth 1"))


def test_what_the_server_no_longer_has_is_forgotten(tab: "Tab") -> None:
    tab.open("#/analyse?game=connect-four")
    lost = [["connect-four", {"key": "lost", "games": 5, "error": 0.5, "points": [], "used": True}]]
    tab.page.evaluate("(lost) => sessionStorage.setItem('outplay-learned', JSON.stringify(lost))", lost)
    tab.page.reload()
    tab.wait(f"{LABELS}.length === 7 && !{LABELS}.includes('?')")  # by what ships
    assert "Ships with Outplay" in tab.wait_text("lesson", "Ships with Outplay")
    assert tab.text("learn") == "Learn this game for a minute"


def test_a_lesson_that_fails_says_why(tab: "Tab") -> None:
    tab.website.service.registry.game("nim")
    tab.open("#/play?game=nim")
    tab.page.evaluate(
        "sessionStorage.setItem('outplay-learned', JSON.stringify([['nim', {key: 'gone', games: 1, error: 1, points: [], used: false}]]))"
    )
    tab.page.reload()
    tab.wait_text("lesson", "Learned from 1 games")
    tab.click("learn")
    assert "the server no longer has what was learned" in tab.wait_text("lesson-error", "server")
    assert tab.text("learn") == "Learn this game for a minute"
