"""Search by Monte Carlo, in a real browser: simulations stepped through, counted, and told in words."""

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from outplay import load, tree
from outplay.search.montecarlo.tree_trace import TreeTrace
from outplay.search.trace import trace

if TYPE_CHECKING:
    from browser import Tab

pytest_plugins = ["browser"]

ROUTE = "#/search?game=coin-tic-tac-toe&method=mcts&simulations=25&seed=3"
IDLE = "document.querySelector('.room.search')?.dataset.busy === 'no'"
MINUS = "\N{MINUS SIGN}"
DRAWN = """() => Object.fromEntries([...document.querySelectorAll('[data-test=trace-svg] .node')].map((node) => [node.dataset.node, {
  value: node.querySelector('.value').textContent,
  above: node.querySelector('.window')?.textContent ?? '',
  path: node.classList.contains('path'),
}]))"""


@cache
def recorded() -> TreeTrace:
    """Return what the API records of the same search."""
    return trace(load("coin-tic-tac-toe"), method="mcts", simulations=25, seed=3)


def opened(tab: "Tab", route: str) -> "Tab":
    tab.open(route)
    tab.wait(IDLE)
    return tab


def drawn(tab: "Tab") -> dict[int, dict[str, Any]]:
    """Return the nodes on screen: the value in each, what stands above it, and whether the path goes through it."""
    return {int(node): found for node, found in tab.page.evaluate(DRAWN).items()}


def kinds(tab: "Tab", simulations: int) -> list[str]:
    """Step through so many simulations; return the phases that were shown."""
    seen = []
    while int(tab.part("counter-simulations").get_attribute("data-now")) < simulations:
        tab.page.keyboard.press("ArrowRight")
        seen.append(tab.part("phases").locator("[aria-current]").inner_text())
    return seen


def test_a_simulation_is_stepped_through_in_its_four_phases(tab: "Tab") -> None:
    opened(tab, ROUTE)
    assert tab.text("step-text").startswith("The search has not started")
    assert list(drawn(tab)) == [0]
    assert not tab.part("quiz-start").is_visible()
    assert not tab.part("ladder").is_visible()
    assert kinds(tab, 1) == ["Expansion", "Selection", "Playout", "Back-up"]  # the root is expanded first
    told = tab.part("log").locator("li").all_inner_texts()
    assert re.fullmatch(
        r"Back-up: “(heads|tails)” gets (\S+): first visit, mean \2; the root gets \2: first visit, mean \2\.", told[0]
    )
    assert re.match(r"Playout: \d+ random choices? from “(heads|tails)” to the end: worth (1|0|−1)\.", told[1])
    assert re.fullmatch(r"Selection: Chance at the root draws “(heads|tails)” \(1/2\)\.", told[2])
    assert told[3] == "Expansion: the root gets 2 branches."
    assert set(kinds(tab, 25)) == {"Selection", "Expansion", "Playout", "Back-up"}
    tab.page.keyboard.press("ArrowRight")
    assert tab.text("step-text").startswith("The search is over after 25 simulations: the root is worth about ")
    count = tab.text("step-count").split(" / ")
    assert count[0] == count[1]


def test_each_simulation_leaves_the_tree_that_the_api_records(tab: "Tab") -> None:
    opened(tab, ROUTE)
    found = recorded()
    for number in range(25):
        tab.click("step-cut")
        assert tab.part("counter-simulations").get_attribute("data-now") == str(number + 1)
        figures, nodes = found.figures(number), drawn(tab)
        assert list(nodes) == [node.index for node in found.nodes if node.born <= number]
        path = {index for index, node in nodes.items() if node["path"]}
        assert path == set(found.simulations[number].path)
        for index, node in nodes.items():
            known = figures[index]
            assert node["above"] == (f"{known.visits}×" if known.visits else "")
            value = known.lower if known.proven else known.mean
            written = "" if value is None else f"{round(value, 2):g}".replace("-", MINUS)
            assert node["value"].replace("0.", "0.") == ("0" if written == f"{MINUS}0" else written)
    assert tab.part("step-cut").is_disabled()
    assert tab.part("counter-nodes").get_attribute("data-total") == str(len(found.nodes) - 1)


def test_selection_shows_the_numbers_of_all_branches(tab: "Tab") -> None:
    opened(tab, "#/search?game=connect-four:columns=4,rows=4&method=mcts&simulations=12")
    tab.wait("document.querySelector('[data-test=step-count]').textContent.startsWith('0 / ')")
    game = load("connect-four:columns=4,rows=4")
    found = trace(game, method="mcts", simulations=12)
    number = next(one.number for one in found.simulations if len(one.path) > 2)
    tab.part("chapter").select_option(str(number - 1))
    tab.page.keyboard.press("ArrowRight")
    assert tab.text("choices-title") == "PUCT at the root"
    rows = tab.part("choices").locator("tbody tr")
    cells = [[cell.inner_text() for cell in row.locator("th, td").all()] for row in rows.all()]
    selection = found.simulations[number].selections[0]
    assert [row[1] for row in cells] == [str(option.visits) for option in selection.options]
    written = [f"{option.score:.2f}" for option in selection.options if option.score is not None]
    assert [f"{float(row[4].replace(MINUS, '-')):.2f}" for row in cells] == written
    chosen = rows.nth([option.index for option in selection.options].index(selection.chosen))
    assert chosen.get_attribute("aria-current") == "true"
    assert re.search(r"which has the highest score: −?[\d.]+ \+ [\d.]+ [=≈] −?[\d.]+\.", tab.text("step-text"))
    above = drawn(tab)
    scores = [above[option.index]["above"].replace(MINUS, "-") for option in selection.options]
    assert [*map(float, scores)] == [*map(float, written)]


def test_steps_go_back_and_a_jump_is_the_sum_of_its_steps(tab: "Tab") -> None:
    opened(tab, ROUTE)
    seen = {}
    total = int(tab.text("step-count").split(" / ")[1])
    for step in range(1, 41):
        tab.page.keyboard.press("ArrowRight")
        seen[step] = (drawn(tab), tab.text("step-text"))
    for step in (39, 38, 20, 5):
        tab.part("step-slider").fill(str(step))
        assert (drawn(tab), tab.text("step-text")) == seen[step]
    tab.page.keyboard.press("ArrowLeft")
    tab.part("step-slider").evaluate("node => node.blur()")
    tab.page.keyboard.press("End")
    last = drawn(tab)
    assert tab.text("step-count") == f"{total} / {total}"
    tab.page.keyboard.press("Home")
    assert list(drawn(tab)) == [0]
    tab.part("chapter").select_option(label="25 of 25")
    assert drawn(tab) == last
    tab.part("chapter").evaluate("node => node.blur()")
    tab.page.keyboard.press("Home")
    tab.page.keyboard.press("c")
    assert tab.part("counter-simulations").get_attribute("data-now") == "1"


def test_arrow_keys_step_right_after_the_method_was_clicked(tab: "Tab") -> None:
    opened(tab, "#/search?game=coin-tic-tac-toe&depth=2")
    tab.page.locator("label:has([data-test=method-mcts])").click()
    tab.wait(IDLE)
    tab.wait("document.activeElement === document.body")
    tab.page.keyboard.press("ArrowRight")
    assert not tab.text("step-text").startswith("The search has not started")
    assert "method=mcts" in tab.page.url


def test_the_address_holds_the_method_the_simulations_and_the_seed(tab: "Tab") -> None:
    opened(tab, "#/search?game=tic-tac-toe&choices=5.1.6.4.7&depth=4")
    tab.part("method-mcts").check(force=True)
    tab.wait(f"location.hash.includes('method=mcts&simulations=50') && {IDLE}")
    assert not tab.part("depth").is_visible()
    assert not tab.part("technique-pruning").is_visible()
    tab.part("simulations").fill("30")
    tab.part("simulations").press("Enter")
    tab.wait(f"location.hash.includes('simulations=30') && {IDLE}")
    tab.part("seed").fill("7")
    tab.part("seed").press("Enter")
    tab.wait(f"location.hash.includes('seed=7') && {IDLE}")
    tab.part("seed").evaluate("node => node.blur()")
    for _ in range(9):
        tab.page.keyboard.press("ArrowRight")
    tab.wait("location.hash.endsWith('step=9')")
    before = (tab.hash(), tab.text("step-text"), tab.text("step-count"), drawn(tab))
    tab.page.reload()
    tab.page.wait_for_selector("html[data-ready=search]")
    tab.wait(IDLE)
    assert (tab.hash(), tab.text("step-text"), tab.text("step-count"), drawn(tab)) == before
    assert tab.part("simulations").input_value() == "30"
    tab.click("another-seed")
    tab.wait(f"!/seed=7(&|$)/.test(location.hash) && {IDLE}")
    tab.part("method-alpha-beta").check(force=True)
    tab.wait(f"!location.hash.includes('mcts') && {IDLE}")
    assert tab.part("technique-pruning").is_checked()
    assert tab.part("ladder").is_visible()


@pytest.mark.parametrize("number", ["0", "201", "2.5", ""])
def test_a_number_that_cannot_be_is_refused_in_a_sentence(tab: "Tab", number: str) -> None:
    opened(tab, ROUTE)
    before = tab.hash()
    tab.part("simulations").fill(number)
    tab.part("simulations").evaluate("node => node.dispatchEvent(new Event('change'))")
    tab.part("settings-error").wait_for()
    assert tab.text("settings-error") == "Simulations: choose a whole number from 1 to 200."
    assert tab.hash() == before
    tab.part("simulations").fill("12")
    tab.part("simulations").press("Enter")
    tab.wait(f"location.hash.includes('simulations=12') && {IDLE}")
    assert not tab.part("settings-error").is_visible()


@pytest.mark.parametrize("number", ["0", "100000"])
def test_an_address_with_a_number_that_cannot_be_says_so(tab: "Tab", number: str) -> None:
    for what in ("game=pig", "tree=max(1,2)"):
        tab.open(f"#/search?{what}&method=mcts&simulations={number}")
        told = tab.wait_text("search-status", "simulations cannot be shown")
        assert told == f"{int(number):,} simulations cannot be shown; choose a number from 1 to 200"


def test_a_typed_tree_is_simulated_until_it_is_proven(tab: "Tab") -> None:
    text = "max(A = chance(1/2: 1, 1/2: 2), B = min(3, 12, 8), min(2, 4, 6))"
    opened(tab, f"#/search?tree={text}&method=mcts&seed=1&step=last")
    found = trace(tree(text).game, method="mcts", seed=1)
    assert found.result.proven
    assert (
        tab.text("step-text") == f"The search is over after {len(found.simulations)} simulations: “B” is best, proven: worth 3."
    )
    assert drawn(tab)[0]["value"] == "3"
    green = tab.page.locator("[data-test=trace-svg] .node.best").evaluate_all(
        "nodes => nodes.map(({dataset}) => Number(dataset.node))"
    )
    assert sorted(green) == sorted(found.line)
    names = tab.page.locator("[data-test=trace-svg] .name").all_text_contents()
    assert {"A", "B"} <= set(names)
    assert any("1/2" in name for name in names)
    tab.page.locator("#node-1 .value").click()
    assert "worth" in tab.text("node-facts")
    assert tab.text("choices-title") == "Branches of “A”"


def test_the_user_keeps_the_zoom_and_the_folds_while_the_tree_grows(tab: "Tab") -> None:
    opened(tab, ROUTE)
    for _ in range(12):
        tab.click("step-cut")
    grown = next(
        node.index
        for node in recorded().nodes
        if node.parent == 0
        and len(recorded().children[node.index]) > 1
        and node.born <= 11
        and recorded().nodes[recorded().children[node.index][0]].born <= 11
    )
    tab.page.locator(f"#node-{grown}").click()
    tab.page.keyboard.press("f")
    assert tab.page.locator(f"#node-{grown} .plus").count() == 1
    tab.click("zoom-in")
    size = "Number(document.querySelector('[data-test=trace-svg]').getAttribute('width')) / document.querySelector('[data-test=trace-svg]').viewBox.baseVal.width"
    zoom = tab.page.evaluate(size)
    nodes = tab.part("counter-nodes").get_attribute("data-now")
    for _ in range(10):
        tab.click("step-cut")
    assert tab.part("counter-nodes").get_attribute("data-now") != nodes
    assert tab.page.evaluate(size) == pytest.approx(zoom, abs=0.01)
    assert tab.page.locator(f"#node-{grown} .plus").count() == 1


def test_the_end_of_a_playout_is_shown_as_a_position(tab: "Tab") -> None:
    opened(tab, "#/search?game=tic-tac-toe&choices=5.1&method=mcts&simulations=3&step=3")
    assert tab.text("step-text").startswith("Playout: ")
    assert tab.text("node-path").endswith("the end of the playout")
    tab.part("node-picture").locator("svg.picture").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_simulations_without_scrolling_aside(tabs: Callable[..., "Tab"], scheme: str) -> None:
    tab = opened(tabs(390, 844, has_touch=True, is_mobile=True, color_scheme=scheme), ROUTE)
    wide = "document.documentElement.scrollWidth"
    assert tab.page.evaluate(wide) == 390
    for _ in range(14):
        tab.click("step-forward")
    assert tab.page.evaluate(wide) == 390
    tab.part("settings").click()
    assert tab.page.evaluate(wide) == 390
    tab.part("seed").fill("")
    tab.part("seed").evaluate("node => node.dispatchEvent(new Event('change'))")
    tab.part("settings-error").wait_for()
    assert tab.page.evaluate(wide) == 390


def test_where_there_is_no_room_for_all_the_way_and_its_branches_can_be_read(tab: "Tab") -> None:
    opened(tab, "#/search?game=tic-tac-toe&method=mcts&simulations=40")
    for _ in range(35):
        tab.click("step-cut")
    scroll = "document.querySelector('[data-test=tree-scroll]')"
    fits = f"{scroll}.scrollWidth === {scroll}.clientWidth && {scroll}.scrollHeight === {scroll}.clientHeight"
    tab.wait(f"{fits} && document.querySelectorAll('.node[data-squeezed]').length > 20")
    assert not tab.page.locator(".node.path[data-squeezed]").count()
    assert tab.page.locator('.node[aria-level="2"]:not([data-squeezed])').count() == 9
    assert tab.page.locator(".edge.path").count() > 0
    heights = "[...document.querySelectorAll('.node.path .name')].map((node) => node.getBoundingClientRect().height)"
    assert tab.page.evaluate(f"Math.min(...{heights})") >= 9
