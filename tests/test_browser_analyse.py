"""Analyse, in a real browser: values on the board, live; any position; and nothing at all once it is switched off."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from web_server import wait_until

if TYPE_CHECKING:
    from browser import Tab

pytest_plugins = ["browser"]

# X wins by 3, O by 6: whoever is to move has one good move.
RACE = "#/analyse?game=tic-tac-toe&choices=1.4.2.5"
LABELS = "document.querySelectorAll('[data-test=board] .label').length"


def labels(tab: "Tab") -> dict[int, str]:
    """Return the values on the board, by move."""
    found = tab.part("board").locator(".label")
    return {int(label.get_attribute("data-choice")): label.text_content() for label in found.all()}


def analysing(tab: "Tab") -> list[str]:
    """Return the searches that run for the page."""
    return [job.kind for job in list(tab.website.service.jobs.running) if job.kind in ("analyse", "graph")]


def click_move(tab: "Tab", move: int) -> None:
    tab.part("board").locator(f'.target[data-moves~="{move}"]').first.click()


def test_every_move_has_its_value_and_the_best_one_stands_out(tab: "Tab") -> None:
    tab.open(RACE)
    tab.wait_text("proven", "proven")
    assert labels(tab) == {3: "+1", 6: "0", 7: "−1", 8: "−1", 9: "−1"}
    assert tab.part("board").locator(".label.best").get_attribute("data-choice") == "3"
    assert tab.text("value") == "+1"
    assert tab.text("legend") == "+ is good for X, − for O; from −1 to +1"
    assert tab.part("eval-bar").get_attribute("aria-valuetext") == "+1 on a scale from −1 to +1"
    first = tab.part("best-lines").locator("li").first
    assert re.sub(r"\s+", " ", first.inner_text()) == "+1 in 1 move 3"
    assert int(tab.text("nodes")) > 0


def test_a_proven_loss_shows_its_distance_as_a_win_does(tab: "Tab") -> None:
    tab.open("#/analyse?game=tic-tac-toe&choices=1.2.4.7.5")  # O is to move, and X wins with the next one
    tab.wait_text("proven", "proven")
    rows = tab.part("best-lines").locator("li")
    assert {re.sub(r"\s+", " ", row).split(" ", 1)[1][:10] for row in rows.all_inner_texts()} == {"in 2 moves"}
    assert [tab.page.locator(".graph-scale").nth(end).inner_text() for end in (0, 1)] == ["+1", "−1"]
    assert tab.text("legend").endswith("from −1 to +1")


def test_the_search_deepens_and_a_move_brings_other_values(tab: "Tab") -> None:
    tab.open("#/analyse?game=connect-four&choices=3.3")
    tab.wait(f"{LABELS} === 7")
    depth, nodes = int(tab.wait_text("depth", r"\d")), tab.text("nodes")
    tab.wait(f"Number(document.querySelector('[data-test=depth]').textContent) > {depth}")
    tab.wait(f"document.querySelector('[data-test=nodes]').textContent !== '{nodes}'")
    assert re.search(r"\d", tab.text("rate"))
    assert analysing(tab).count("analyse") == 1
    turn = tab.text("turn")
    click_move(tab, 3)
    tab.wait("location.hash.includes('choices=3.3.3')")
    tab.wait(f"document.querySelector('[data-test=turn]').textContent !== {turn!r} && {LABELS} === 7")
    assert "analyse" in analysing(tab)


def test_a_line_keeps_the_keyboard_while_the_search_deepens(tab: "Tab") -> None:
    tab.open("#/analyse?game=connect-four&choices=3.3")
    assert tab.wait_text("proven", "searching")
    tab.wait("document.querySelectorAll('[data-test=best-lines] li').length === 5")
    tab.part("best-lines").locator(".first-move").nth(1).focus()
    depth = int(tab.wait_text("depth", "[0-9]"))  # the lines may be there before it
    tab.wait(f"Number(document.querySelector('[data-test=depth]').textContent) > {depth}")
    assert tab.page.evaluate("document.activeElement === document.querySelectorAll('.first-move')[1]")
    tab.page.keyboard.press("Enter")
    tab.wait("/choices=3[.]3[.][0-9]$/.test(location.hash)")


def test_off_means_off(tab: "Tab") -> None:
    tab.open("#/analyse?game=connect-four&choices=3.3")
    tab.wait(f"{LABELS} === 7")
    tab.click("analysis-toggle")
    assert tab.part("analysis-toggle").get_attribute("aria-checked") == "false"
    tab.wait(f"{LABELS} === 0")
    wait_until(lambda: not analysing(tab))
    tab.page.wait_for_timeout(300)  # nothing comes back
    assert analysing(tab) == []
    assert labels(tab) == {}
    assert not tab.part("eval-bar").count()
    assert not tab.part("best-lines").locator("li").count()
    assert not tab.page.locator(".move-value:not(:empty), .graph-point, .graph-line:not(.lesson-plot *)").count()
    for name in ("value", "depth", "nodes", "rate", "proven"):
        assert tab.text(name) == ""
    click_move(tab, 2)
    tab.wait_text("turn", "O to move")
    assert analysing(tab) == []
    assert labels(tab) == {}
    tab.page.reload()
    tab.page.wait_for_selector("html[data-ready=analyse]")
    assert tab.part("analysis-toggle").get_attribute("aria-checked") == "false"
    tab.click("analysis-toggle")
    tab.wait(f"{LABELS} === 7")


def test_leaving_the_room_stops_the_search(tab: "Tab") -> None:
    tab.open("#/analyse?game=connect-four&choices=3.3")
    tab.wait(f"{LABELS} === 7")
    tab.click("room-play")
    tab.page.wait_for_selector("html[data-ready=play]")
    assert "game=connect-four&choices=3.3" in tab.hash()  # the position goes along
    wait_until(lambda: not analysing(tab))
    assert analysing(tab) == []


def test_a_position_is_set_up_as_text_and_a_wrong_one_is_answered(tab: "Tab") -> None:
    tab.open("#/analyse?game=tic-tac-toe")
    tab.part("setup-text").fill("XX")
    tab.click("setup")
    tab.wait_text("setup-error", "'XX'")
    tab.part("setup-text").fill("XX./OO./...")
    tab.part("setup-text").press("Enter")
    tab.wait("location.hash.includes('start=XX./OO./...')")
    tab.wait_text("proven", "proven")
    tab.wait("!document.querySelector('[data-test=setup-error]').textContent")
    wait_until(lambda: labels(tab).get(3) == "+1")
    assert tab.part("setup-text").input_value() == "XX./OO./..."


def test_back_and_reload_keep_to_the_position_of_the_address(tab: "Tab") -> None:
    tab.open("#/analyse?game=tic-tac-toe")
    click_move(tab, 5)
    tab.wait_text("turn", "O to move")
    click_move(tab, 1)
    tab.wait_text("turn", "X to move")
    assert tab.hash() == "#/analyse?game=tic-tac-toe&choices=5.1"
    tab.page.go_back()
    tab.wait_text("turn", "O to move")
    assert tab.hash() == "#/analyse?game=tic-tac-toe&choices=5"
    tab.page.reload()
    tab.page.wait_for_selector("html[data-ready=analyse]")
    tab.wait_text("turn", "O to move")
    tab.wait(f"{LABELS} === 8")


def test_the_number_of_moves_to_the_end_keeps_clear_of_the_line(tab: "Tab") -> None:
    tab.open("#/analyse?game=tic-tac-toe&choices=5.2")
    tab.wait("/^in \\d+ moves?$/.test(document.querySelector('.line-depth')?.textContent)")
    room, needed = tab.page.evaluate("""(() => {
      const length = document.querySelector(".line-depth");
      length.textContent = "in 12 moves";
      return [length.getBoundingClientRect().width, length.scrollWidth];
    })()""")
    assert needed <= room + 1


def test_the_graph_of_a_solitaire_reaches_from_the_least_score_to_the_best(tab: "Tab") -> None:
    tab.open("#/analyse?game=tic-tac-toe&analysis=off")
    drawn = """(low, high, values) => import("/page/js/graph.js").then(({Graph}) => {
      const graph = new Graph({onGo() {}});
      graph.show(values, 0, {low, high, players: ["you"]});
      return [graph.top.textContent, graph.bottom.textContent, graph.picture.querySelector(".graph-area").getAttribute("d")];
    })"""
    top, bottom, area = tab.page.evaluate(f"() => ({drawn})(-8, 0, [-8, 0])")
    assert (top, bottom) == ("0", "−8")
    assert area == "M6.0 82L6.0 82.0L314.0 6.0L314.0 82z"
    assert tab.page.evaluate(f"() => ({drawn})(0, 0.5, [0.1, 0.2])")[:2] == ["+1", "0"]


def test_the_game_is_stepped_by_keys_and_its_graph_clicked(tab: "Tab") -> None:
    tab.open(RACE + ".3")
    assert tab.text("result") == "X wins"
    assert tab.text("value") == "+1"
    tab.wait("document.querySelectorAll('.graph-point').length === 6")
    tab.page.keyboard.press("ArrowLeft")
    tab.wait("location.hash.includes('at=4')")
    tab.wait(f"{LABELS} === 5")
    tab.page.keyboard.press("Home")
    tab.wait_text("turn", "X to move")
    tab.wait(f"{LABELS} === 9")
    tab.page.keyboard.press("End")
    tab.wait_text("result", "X wins")
    box = tab.part("graph").locator("svg").bounding_box()
    tab.page.mouse.click(box["x"] + box["width"] * 0.4, box["y"] + 10)
    tab.wait("location.hash.includes('at=2')")
    tab.wait("document.querySelector('[data-test=move-list] [aria-current]').dataset.ply === '2'")


def test_a_line_is_followed_by_clicking_one_of_its_moves(tab: "Tab") -> None:
    tab.open("#/analyse?game=connect-four&choices=3")
    tab.wait("document.querySelectorAll('[data-test=best-lines] li:first-child button').length > 4")
    # By one script, because the lines are written anew all the time.
    third = "document.querySelectorAll('[data-test=best-lines] li:first-child button')[2]"
    names = "[...button.parentNode.children].slice(0, 3).map((node) => node.textContent)"
    names = tab.page.evaluate(f"(() => {{ const button = {third}; const names = {names}; button.click(); return names; }})()")
    tab.wait("/choices=3\\.\\d\\.\\d\\.\\d$/.test(location.hash)")
    tab.wait("document.querySelectorAll('[data-test=move-list] li').length === 5")
    assert tab.part("move-list").locator("li").all_inner_texts()[2:] == names


def test_outcomes_of_chance_have_probabilities_and_values(tab: "Tab") -> None:
    tab.open("#/analyse?game=pig&start=90,60,0,0,0&choices=1")
    assert tab.text("turn").strip() == "Chance: choose an outcome"
    tab.wait("document.querySelectorAll('[data-test=legal] .move-value:not(:empty)').length === 6")
    outcome = tab.part("legal").locator("button").nth(4)
    assert re.fullmatch(r"a 5 1/6 [+−]?[\d.]+", re.sub(r"\s+", " ", outcome.inner_text()).strip())
    assert tab.part("best-lines").locator(".line-depth").all_inner_texts() == ["1/6"] * 6  # not the depth: they have one
    outcome.click()
    tab.wait_text("turn", "player 0 to move")
    assert "choices=1.5" in tab.hash()
    tab.wait("document.querySelectorAll('[data-test=best-lines] .line-end').length === 2")  # a line ends where chance decides
    lines = [line.inner_text().split() for line in tab.part("best-lines").locator(".line-moves").all()]
    assert sorted(lines) == [["hold", "roll", "…"], ["roll", "…"]]
    # The likeliest come first, and the probability of a rare one is not written as nought.
    rows = tab.page.evaluate("""async () => {
        const { Lines } = await import("/page/js/lines.js");
        const lines = new Lines({ onGo() {} });
        const move = (name, probability) => ({ choice: 1, name, probability, value: 0, line: [] });
        lines.show([move("rare", 1 / 7776), move("likely", 0.3), move("third", 1 / 1296)], { turn: -1, low: -1, high: 1 });
        return [...lines.element.children].map((row) => row.innerText || row.textContent);
    }""")
    assert rows == ["03/10likely", "00.077%third", "00.013%rare"]


def test_a_game_without_a_drawing_has_its_values_on_the_buttons(tab: "Tab") -> None:
    tab.open("#/analyse?game=countdown.py")
    tab.wait("document.querySelectorAll('[data-test=legal] .move-value:not(:empty)').length === 3")
    tab.wait_text("proven", "proven")
    assert tab.part("legal").locator(".best").inner_text().split() == ["take", "3", "+1"]


def test_two_tabs_analyse_different_positions(tabs: "Callable[..., Tab]") -> None:
    one, other = tabs(), tabs()
    one.open(RACE)
    other.open(RACE + ".9")
    one.wait_text("proven", "proven")
    other.wait_text("proven", "proven")
    assert labels(one)[3] == "+1"
    assert labels(other)[6] == "−1"
    assert one.text("turn").strip() == "X to move"
    assert other.text("turn").strip() == "O to move"


def test_a_phone_shows_the_analysis_without_scrolling_sideways(tabs: "Callable[..., Tab]") -> None:
    phone = tabs(360, 740, has_touch=True, is_mobile=True, color_scheme="dark")
    for route in (RACE, "#/analyse?game=pig&choices=1", "#/analyse?game=connect-four&choices=3.3.3"):
        phone.open(route)
        phone.wait("document.querySelectorAll('[data-test=legal] .move-value:not(:empty)').length > 0")
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_phone_has_no_gap_under_few_lines_and_the_game_so_far_in_one_row(tabs: "Callable[..., Tab]") -> None:
    phone = tabs(390, 844, has_touch=True, is_mobile=True)
    phone.open("#/analyse?game=pig&start=90,60,0,0,0&choices=1.2.1.3")
    phone.wait("document.querySelectorAll('[data-test=best-lines] li').length === 2")
    space = "document.querySelector('[data-test=best-lines]').clientHeight"
    # The search goes on and makes the rows anew, so each look finds its own row.
    phone.wait(
        f"{space} === [...document.querySelectorAll('[data-test=best-lines] li')].reduce((sum, row) => sum + row.offsetHeight, 0)"
    )
    # What it is worth, and how deep that was seen, do not touch.
    row = "document.querySelector('[data-test=best-lines] li')"
    written = f"(() => {{ const range = document.createRange(); range.selectNodeContents({row}.children[0]); return range; }})()"
    phone.wait(f"{row}.children[1].getBoundingClientRect().left - {written}.getBoundingClientRect().right > 2")
    tops = "new Set([...document.querySelectorAll('[data-test=move-list] li')].map((one) => one.offsetTop)).size"
    assert phone.page.evaluate(tops) == 1
    assert phone.page.evaluate("document.querySelector('.move-list-scroll').clientHeight < 60")
    current = "document.querySelector('[data-test=move-list] [aria-current]').getBoundingClientRect()"
    box = "document.querySelector('.move-list-scroll').getBoundingClientRect()"
    assert phone.page.evaluate(f"{current}.right <= {box}.right + 1 && {current}.left >= {box}.left - 1")


def test_the_best_move_has_a_ring_on_the_board_while_the_analysis_is_on(tab: "Tab") -> None:
    tab.open(RACE)
    tab.wait_text("proven", "proven")
    tab.wait("document.querySelector('[data-test=best-move]')?.dataset.choice === '3'")
    assert tab.part("best-lines").locator(".line-depth").first.inner_text() == "in 1 move"
    assert tab.part("best-move").get_attribute("data-shape") == "ring"
    assert tab.part("last-move").get_attribute("data-choice") == "5"
    tab.click("analysis-toggle")
    tab.wait("!document.querySelector('[data-test=best-move]')")


def test_where_there_is_no_estimate_and_nothing_is_decided_the_page_says_so(tab: "Tab") -> None:
    tab.open("#/analyse?game=connect-four&choices=3.3")  # even
    tab.wait_text("lesson", "Ships with Outplay")
    tab.click("use-learned")  # off: without an estimate
    shown = "[...document.querySelectorAll('[data-test=board] .label')].map((label) => label.textContent).join('')"
    tab.wait(f"{shown} === '???????' && document.querySelector('[data-test=value]').textContent === 'undecided so far'")
    assert tab.part("eval-bar").get_attribute("aria-valuetext").startswith("undecided so far")
    assert tab.part("best-lines").locator(".line-value").first.inner_text() == "?"
    assert [tab.page.locator(".graph-scale").nth(end).inner_text() for end in (0, 1)] == ["+18", "−18"]
    assert tab.text("legend").endswith("from −18 to +18")
    assert tab.part("best-move").count() == 1  # what the search would play
    assert not tab.page.locator(".label.best").count()
    tab.page.keyboard.press("Shift")
    tab.page.evaluate("location.hash = '#/play?game=connect-four&choices=3.3&seats=person,person'")
    tab.page.wait_for_selector("html[data-ready=play]")
    tab.click("hint")
    assert re.fullmatch(r"Hint: \d \(undecided so far, depth \d+\)", tab.wait_text("hint-text", "depth"))


def test_players_are_called_what_the_game_calls_them(tab: "Tab") -> None:
    tab.open("#/search?game=domineering&depth=1&step=last")
    tab.wait("document.querySelector('.node-details-head')?.textContent.includes('Max (Vertical)')")
    tab.open("#/analyse?game=domineering&analysis=off")
    assert tab.text("legend").startswith("+ is good for Vertical, − for Horizontal")
    assert tab.wait_text("turn", "to move").strip() == "Vertical to move"


def test_of_undecided_moves_beside_lost_ones_the_best_is_marked(tab: "Tab") -> None:
    tab.open("#/analyse?game=connect-four&choices=3.3.2")  # whoever does not answer at 1, 4 or 5 loses
    tab.wait_text("lesson", "Ships with Outplay")
    tab.click("use-learned")  # off
    tab.wait("document.querySelectorAll('[data-test=board] .label.best').length === 3")
    assert tab.wait_text("value", ".") == "undecided so far"
    assert {move for move, text in labels(tab).items() if text == "?"} == {1, 4, 5}
    tab.wait("['1', '4', '5'].includes(document.querySelector('[data-test=best-move]')?.dataset.choice)")
