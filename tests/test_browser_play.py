"""Play, in a real browser: whole games by mouse and by keyboard, and what a player may do besides."""

import json
import random
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from toy_games import hexapawn

from outplay import OVER, Game, load

if TYPE_CHECKING:
    from browser import Tab

pytest_plugins = ["browser"]

PLY = "document.querySelector('[data-test=move-list] [aria-current]').dataset.ply"
SHOWN = "document.querySelector('[data-test=board]').ariaBusy !== 'true'"  # and not still on its way
IDLE = f"({SHOWN}) && (document.querySelector('[data-test=result]').textContent || document.querySelector('[data-test=legal] button:enabled'))"


def choose(tab: "Tab", button: Any) -> None:
    """Click what plays a move, and wait until a person is to move again or the game is over."""
    tab.wait(SHOWN)
    ply = tab.page.evaluate(PLY)
    button.click()
    tab.wait(f"{PLY} !== '{ply}' && ({IDLE})")


def play(tab: "Tab", move: int) -> None:
    """Click what takes part in *move*, one element after the other, until it is played."""
    tab.wait(SHOWN)
    before, ply = tab.hash(), tab.page.evaluate(PLY)
    for _ in range(3):
        tab.part("board").locator(f'.target[data-moves~="{move}"]:not(.chosen)').first.click()
        if tab.hash() != before:  # the address is written before the new board is there
            return tab.wait(f"({SHOWN}) && {PLY} !== '{ply}'")
    raise AssertionError(f"{move} cannot be played by clicks")


def past(tab: "Tab") -> list[str]:
    """Return the game so far, as the page lists it."""
    return [text.strip() for text in tab.part("move-list").locator("li").all_inner_texts()][1:]


def test_tic_tac_toe_is_played_to_its_end_by_mouse(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,person")
    for move in (5, 1, 3, 7, 4):
        play(tab, move)
        tab.wait(IDLE)
    assert tab.text("turn").strip() == "O to move"
    play(tab, 6)
    play(tab, 9)
    play(tab, 2)
    play(tab, 8)
    assert tab.wait_text("result", ".") == "A draw"
    assert past(tab) == ["5", "1", "3", "7", "4", "6", "9", "2", "8"]
    assert not tab.part("board").locator(".target").count()


def test_tic_tac_toe_is_played_by_keyboard_alone(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,person")
    keys = tab.page.keyboard
    for _ in range(20):  # from the top of the page to the board
        keys.press("Tab")
        if tab.page.evaluate("document.activeElement.matches('.target')"):
            break
    focused = "document.activeElement.dataset.moves"
    assert tab.page.evaluate(focused) == "1"
    keys.press("ArrowRight")
    keys.press("ArrowDown")
    assert tab.page.evaluate(focused) == "5"
    keys.press("Enter")
    tab.wait_text("turn", "O to move")
    tab.wait("document.activeElement.matches('.target')")  # the focus is still on the board
    keys.press("Escape")
    keys.type("1")  # a move's name, typed anywhere
    keys.press("Enter")
    tab.wait_text("turn", "X to move")
    for name in ("4", "2", "6"):
        keys.type(name)
        keys.press("Enter")
        tab.wait(f"document.querySelector('[data-test=move-list] [aria-current]').textContent === '{name}'")
    assert tab.wait_text("result", ".") == "X wins"
    assert tab.page.locator("#live").text_content() == "X: 6. The game is over: X wins."


KINDS = {
    "stones that drop": "connect-four:columns=4,rows=3,line=3",
    "men that walk": "three-mens-morris",
    "dice": "pig:goal=12",
    "a coin": "coin-tic-tac-toe",
    "cards": "hidden-blacksin:cards=5",
    "seeds": "kalah:houses=2,seeds=1",
    "lines": "dots-and-boxes:rows=1,columns=2",
}
ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")


def state_of(tab: "Tab", game: Game) -> Any:
    """Return where the game stands by the address."""
    choices = re.search(r"choices=([\d.]+)", tab.hash())
    return game.after(game.start, map(int, choices.group(1).split("."))) if choices else game.start


def press(tab: "Tab", dice: random.Random) -> None:
    """Play some move by keys alone: to the board, about on it, and Enter until what is chosen makes a move."""
    keys, before = tab.page.keyboard, tab.hash()
    on_board = "document.activeElement.matches('.target')"
    for _ in range(60):
        if tab.page.evaluate(on_board):
            break
        keys.press("Tab")
    assert tab.page.evaluate(on_board)
    for _ in range(60):
        for _ in range(dice.randrange(1, 4)):
            keys.press(dice.choice(ARROWS))
        if not tab.page.evaluate("document.activeElement.matches('.chosen')"):  # else it would be put down again
            keys.press("Enter")
        if tab.hash() != before:
            return
    raise AssertionError("no move comes of sixty choices")


@pytest.mark.parametrize("means", ["mouse", "keyboard"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_game_of_each_kind(tab: "Tab", kind: str, means: str) -> None:
    name, endless = KINDS[kind], kind == "men that walk"
    game, dice = load(name), random.Random(kind)
    tab.open(f"#/play?game={name}&seats=person,person")
    for _ in range(30 if endless else 300):
        tab.wait(IDLE)
        if tab.text("result"):
            break
        state, ply = state_of(tab, game), tab.page.evaluate(PLY)
        if means == "mouse":
            play(tab, dice.choice(game.legal(state)))
        else:
            press(tab, dice)
        tab.wait(f"{PLY} !== '{ply}'")
    over = game.turn(state_of(tab, game)) == OVER
    assert over == bool(tab.text("result"))
    assert over or endless


def test_a_move_that_is_none_is_answered_beside_the_field(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,person&choices=5")
    tab.part("move-field").fill("5")
    tab.click("move-play")
    assert tab.wait_text("move-error", ".").startswith("“5” is not a legal move here. Legal moves: 1, 2, 3")


def test_three_mens_morris_is_played_from_point_to_point(tab: "Tab") -> None:
    tab.open("#/play?game=three-mens-morris&seats=person,person&choices=2.1.4.0.7")
    play(tab, 8)
    targets = tab.part("board").locator(".target")
    man = targets.and_(tab.page.locator('[data-moves*=" "]')).first  # it can go to several points
    man.click()
    assert man.get_attribute("aria-pressed") == "true"
    assert tab.part("legal").locator("button:visible").count() < targets.count()
    tab.page.keyboard.press("Escape")  # put down again
    assert tab.part("board").locator(".chosen").count() == 0
    play(tab, 78)
    assert tab.wait_text("result", ".") == "X wins"
    assert past(tab)[-1] == "b1-a1"


def test_pig_is_rolled_and_held_to_its_end(tab: "Tab") -> None:
    tab.open("#/play?game=pig&seats=person,person&start=97,96,0,0,0")
    for _ in range(200):
        if tab.text("result"):
            break
        hold = tab.part("board").locator(".target[aria-label=hold]")
        choose(tab, hold if hold.count() else tab.part("board").locator(".target").first)
    assert re.fullmatch("Player [01] wins", tab.wait_text("result", "."))
    assert any(name.startswith("a ") for name in past(tab))  # the draws are listed too


def test_a_hand_of_blacksin_is_dealt_and_played_against_a_policy(tab: "Tab") -> None:
    tab.open("#/play?game=blacksin&seats=person,house")
    tab.click("new-game")
    tab.wait("location.hash.includes('start=')")
    dealt = tab.hash()
    tab.wait(f"({PLY} === '0') && ({IDLE})")
    for _ in range(30):
        if tab.text("result"):
            break
        choose(tab, tab.part("board").locator(".target").nth(1 if len(past(tab)) > 2 else 0))
    assert re.search("wins|draw", tab.wait_text("result", "."))
    tab.click("new-game")
    tab.wait(f"location.hash !== {dealt!r} && !location.hash.includes('choices')")


def test_a_game_of_the_users_own_is_played_by_its_buttons(tab: "Tab") -> None:
    tab.open("#/play?seats=person,random")
    assert "game=countdown.py" in tab.hash()
    for _ in range(7):
        if tab.text("result"):
            break
        choose(tab, tab.part("legal").locator("button:enabled").first)
    assert re.fullmatch("Player [01] wins", tab.wait_text("result", "."))


def test_a_game_is_found_by_typing_and_takes_parameters(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,person")
    tab.click("game")
    tab.part("game-filter").fill("connect")
    assert tab.part("game-list").get_by_role("option").count() >= 2
    tab.click("game-connect-four")
    tab.part("parameter-columns").fill("0")
    tab.click("start")
    tab.wait_text("game-error", "columns")
    tab.part("parameter-columns").fill("5")
    tab.part("parameter-rows").fill("4")
    tab.click("start")
    tab.wait("location.hash.includes('connect-four:columns=5,rows=4')")
    tab.wait("document.querySelectorAll('.legal button').length === 5")
    tab.page.go_back()
    tab.wait("document.querySelectorAll('.legal button').length === 9")


def test_undo_takes_back_to_the_persons_last_turn(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,random")
    assert tab.part("undo").is_disabled()
    play(tab, 5)
    tab.wait("document.querySelectorAll('[data-test=move-list] li').length === 3")
    tab.wait(IDLE)
    tab.click("undo")
    tab.wait("document.querySelectorAll('[data-test=move-list] li').length === 1")
    assert tab.wait_text("turn", "Your move") == "Your move: X"
    assert "choices" not in tab.hash()


def test_a_hint_names_a_good_move_and_shows_it(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,person&choices=1.4.2.5")  # 3 wins at once
    tab.click("hint")
    assert tab.wait_text("hint-text", "Hint: ").startswith("Hint: 3 (+1")
    label = tab.part("board").locator(".label.hint")
    assert label.get_attribute("data-choice") == "3"
    assert label.text_content() == "+1"
    play(tab, 3)
    assert tab.wait_text("result", ".") == "X wins"
    assert not tab.part("board").locator(".label").count()


def test_an_agent_answers_and_says_what_it_thought(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,person")
    tab.part("seat-1").select_option("depth")
    tab.part("seat-1-number").fill("9")
    tab.part("seat-1-number").press("Enter")
    tab.wait("location.hash.includes('search:depth=9')")
    play(tab, 1)
    assert re.match(r"value 0 to X · depth \d · \d+ nodes · .*\ss · proven", tab.wait_text("info-1", "depth"))
    assert past(tab) == ["1", "5"]  # the only move that holds


def test_a_monte_carlo_player_takes_a_seat(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,random")
    tab.part("seat-1").select_option("simulations")
    tab.part("seat-1-number").fill("300")
    tab.part("seat-1-number").press("Enter")
    assert tab.text("info-1") == "simulates 300 games at each move"
    tab.wait("location.hash.includes('mcts:simulations=300')")
    play(tab, 5)
    tab.wait_text("info-1", r"value \S+ to X · 300 simulations · ")
    assert len(past(tab)) == 2
    tab.part("seat-1").select_option("mcts-seconds")
    assert tab.text("info-1") == "thinks for 1 s at each move"


def test_the_answer_of_an_agent_brings_the_next_view_along(tab: "Tab") -> None:
    sent: list[dict[str, Any]] = []
    tab.page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(json.loads(text))))
    tab.open("#/play?game=tic-tac-toe&seats=person,random")
    tab.click("move-5")
    tab.wait("document.querySelectorAll('[data-test=move-list] li').length === 3 && !document.querySelector('.turn.busy')")
    tab.wait_text("turn", "Your move")
    assert [request["choices"] for request in sent if request["do"] == "move"] == [[5]]
    assert sorted(len(request["choices"]) for request in sent if request["do"] == "view") == [0, 1]


def test_agents_play_each_other_and_can_be_paused(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=level:1,random")
    tab.wait("document.querySelectorAll('[data-test=move-list] li').length > 2")
    tab.click("pause")
    assert tab.text("pause") == "Go on"
    tab.page.wait_for_timeout(500)
    before = past(tab)
    tab.page.wait_for_timeout(600)
    assert past(tab) == before
    tab.click("pause")
    assert tab.wait_text("result", ".")


def test_the_game_is_stepped_through_and_left_for_another(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,person&choices=5.1.9")
    tab.page.keyboard.press("ArrowLeft")
    tab.wait("location.hash.includes('at=2')")
    tab.page.keyboard.press("Home")
    tab.wait("location.hash.includes('at=0')")
    assert past(tab) == ["5", "1", "9"]
    tab.part("move-list").get_by_role("button", name="X: 5").click()
    tab.wait_text("turn", "O to move")
    play(tab, 3)
    tab.wait("!location.hash.includes('at=')")
    assert past(tab) == ["5", "3"]


def test_the_last_address_wins_even_before_the_room_is_ready(tab: "Tab") -> None:
    wanted = "#/play?game=tic-tac-toe&choices=5.1&seats=person,person"
    for first in ("", "#/play?game=nim", "#/analyse?game=nim"):
        for wait in (0, 30, 90):
            tab.page.goto("about:blank")
            tab.page.goto(tab.website.address.rstrip("/") + "/" + first, wait_until="commit")
            tab.page.wait_for_timeout(wait)
            tab.page.evaluate(f"location.hash = {wanted!r}")
            tab.page.wait_for_selector("html[data-ready=play]")
            tab.wait("document.querySelector('h1')?.textContent === 'Tic-tac-toe'")
            tab.page.wait_for_timeout(60)  # nothing older comes after it
            assert past(tab) == ["5", "1"]
            assert tab.hash() == wanted


def test_the_keyboard_stays_where_it_plays(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,random")
    tab.part("move-5").focus()
    tab.page.keyboard.press("Enter")
    tab.wait("document.querySelectorAll('[data-test=move-list] li').length === 3")
    tab.wait("document.activeElement.matches('.legal .move:enabled')")  # the buttons were away while the other moved
    tab.page.keyboard.type(tab.part("legal").locator("button").first.inner_text())
    tab.page.keyboard.press("Enter")
    tab.wait("document.querySelectorAll('[data-test=move-list] li').length === 5")
    tab.wait("document.activeElement.matches('[data-test=move-field]')")
    tab.page.keyboard.press("Escape")
    tab.part("move-list").locator("[aria-current]").focus()
    tab.page.keyboard.press("ArrowLeft")
    tab.wait("document.activeElement.matches('.move-list-move[aria-current]') && document.activeElement.dataset.ply === '3'")
    assert tab.part("move-list").locator("button:not([tabindex='-1'])").count() == 1


def test_reload_keeps_the_game_and_its_seats(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,random")
    play(tab, 5)
    tab.wait("document.querySelectorAll('[data-test=move-list] li').length === 3")
    before, address = past(tab), tab.hash()
    tab.page.reload()
    tab.page.wait_for_selector("html[data-ready=play]")
    assert past(tab) == before
    assert tab.hash() == address
    assert tab.part("seat-1").input_value() == "random"


def test_an_address_is_shared_and_both_tabs_play_on(tabs: Callable[..., "Tab"]) -> None:
    one, other = tabs(), tabs()
    one.open("#/play?game=tic-tac-toe&seats=person,person")
    play(one, 5)
    one.wait("location.hash.includes('choices=5')")
    other.open(one.hash())
    assert past(other) == ["5"]
    play(other, 1)
    play(one, 2)
    one.wait("location.hash.includes('choices=5.2')")
    other.wait("location.hash.includes('choices=5.1')")
    assert past(one) == ["5", "2"]
    assert past(other) == ["5", "1"]


def test_a_link_on_another_site_lets_in_and_leads_to_its_position(tab: "Tab") -> None:
    tab.context.clear_cookies()
    link = f"{tab.website.entrance}#/play?game=tic-tac-toe&seats=person,person&choices=5.1"
    tab.page.goto(f'data:text/html,<a href="{quote(link)}">see</a>')
    tab.page.get_by_role("link").click()
    tab.page.wait_for_selector("html[data-ready=play]")
    tab.wait_text("turn", "X to move")
    assert past(tab) == ["5", "1"]
    assert "token" not in tab.page.url


def test_an_address_that_is_wrong_says_so_and_leads_as_far_as_it_goes(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,person&choices=5.1.5.2")
    tab.wait_text("trouble", "5 is not a legal move here")
    tab.wait_text("turn", "X to move")
    assert past(tab) == ["5", "1"]
    play(tab, 2)
    assert tab.text("trouble") == ""


def test_who_looks_back_is_told_so_and_led_on(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,person&choices=5.1.9")
    assert tab.part("go-on").is_disabled()
    assert tab.part("go-end").is_disabled()
    tab.click("go-back")
    tab.wait_text("looking", r"You are looking at move 2 of 3: X to move\.")
    tab.click("back-to-game")
    tab.wait("document.querySelector('[data-test=looking]').hidden")
    tab.click("go-start")
    tab.wait_text("looking", "You are looking at the start")
    assert tab.part("go-back").is_disabled()
    tab.click("go-on")
    tab.wait_text("looking", "move 1 of 3")
    tab.click("play-on")
    tab.wait("document.querySelector('[data-test=looking]').hidden")
    assert past(tab) == ["5"]


def test_rules_are_folded_and_flags_are_boxes_to_tick(tab: "Tab") -> None:
    tab.open("#/play?game=nim&seats=person,person")
    tab.part("rules").locator("summary").click()
    assert "takes the last object of all wins" in tab.text("rules-text")
    tab.click("game")
    tab.part("parameter-misere").check()
    tab.click("start")
    tab.wait("location.hash.includes('nim:misere=True')")
    tab.wait("document.querySelector('[data-test=rules-text]').textContent.includes('of all loses')")
    tab.click("game")
    tab.page.go_back()
    tab.wait("!document.querySelector('dialog')")  # the chooser does not stay over another page


def test_a_lost_connection_is_told_and_mended(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,person")
    for visitor in list(tab.website.service.visitors.here):
        loop = visitor.session._leave.get_loop()
        loop.call_soon_threadsafe(visitor.session.leave, 1012, "a test sends it away")
    tab.wait_text("connection", "Connection lost; trying again")
    play(tab, 5)
    tab.wait_text("turn", "O to move")
    assert not tab.part("connection").count()


def test_a_phone_shows_all_of_it_without_scrolling_sideways(tabs: Callable[..., "Tab"]) -> None:
    phone = tabs(360, 740, has_touch=True, is_mobile=True)
    for game in ("connect-four", "blacksin", "countdown.py"):
        phone.open(f"#/play?game={game}&seats=person,person")
        phone.wait(f"document.querySelector('h1').textContent.toLowerCase().startsWith('{game[:5]}')")
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 360
        sides = "[...document.querySelectorAll('.target')].map((node) => node.getBoundingClientRect())"
        phone.wait(f"{sides}.every(({{width, height}}) => Math.min(width, height) >= 40)")
    phone.click("game")
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 360
    box = phone.part("chooser").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    small = phone.page.evaluate(
        "[...document.querySelectorAll('button, select, input, nav a')].filter((node) => node.offsetParent)"
        ".filter((node) => node.getBoundingClientRect().height < 40).map((node) => node.outerHTML.slice(0, 80))"
    )
    assert small == []


def test_dark_colours_follow_the_system_or_the_button(tabs: Callable[..., "Tab"]) -> None:
    dark = tabs(color_scheme="dark")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    dark.open("#/play?game=tic-tac-toe&seats=person,person&choices=5.1")
    night = dark.page.evaluate(paper)
    dark.page.get_by_role("button", name="Dark colours").click()
    day = dark.page.evaluate(paper)
    assert night == "rgb(20, 23, 27)"
    assert day == "rgb(251, 250, 247)"
    dark.page.reload()
    dark.page.wait_for_selector("html[data-ready=play]")
    assert dark.page.evaluate(paper) == day
    dark.page.get_by_role("button", name="Dark colours").click()


def test_everything_has_a_name_and_the_room_is_skipped_to(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,person")
    nameless = tab.page.evaluate(
        "[...document.querySelectorAll('button, select, input, [role=button]')].filter((node) => node.checkVisibility())"
        ".filter((node) => !(node.getAttribute('aria-label') || node.textContent.trim())).map((node) => node.outerHTML.slice(0, 80))"
    )
    assert nameless == []
    tab.page.goto("about:blank")
    tab.open("#/play?game=pig&seats=person,person&start=100,96,0,0,0")  # over: nothing in the picture is a button any more
    assert not tab.part("board").locator("[aria-label]:not([role])").count()
    tab.page.keyboard.press("Tab")
    assert tab.page.evaluate("document.activeElement.className") == "skip"
    tab.page.keyboard.press("Enter")
    assert tab.page.evaluate("document.activeElement.id") == "room"
    assert tab.page.locator("main, nav, header").count() == 3


def test_a_picture_is_only_shapes_and_words(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,person")
    wicked = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" onload="alert(1)">'
        '<script>alert(2)</script><style>*{fill:red}</style><foreignObject><p>html</p></foreignObject><image href="http://example.org/"/>'
        '<rect xmlns="http://www.w3.org/1999/xhtml"/><mask xmlns="urn:other" aria-label="x"/><text xmlns:other="http://www.w3.org/1999/xlink" '
        'other:href="javascript:alert(5)" cursor="u\\72l(http://example.org/)" data-label="a\\b">?</text>'
        '<a href="javascript:alert(3)"><rect width="1"/></a><use xlink:href="#x"/><g onclick="alert(4)" style="fill:red" id="x">'
        '<rect class="hit" fill="url(http://example.org/)" data-moves="1" width="3" height="3"/></g><text>O &lt;b&gt;</text></svg>'
    )
    clean = tab.page.evaluate(
        "([text, deep]) => import('/page/js/picture.js').then(({picture}) => [picture(text).outerHTML, picture('<p>no</p>'), picture('<svg'), "
        "picture('<svg xmlns=\"http://www.w3.org/1999/xhtml\"></svg>'), picture(deep).querySelectorAll('g').length])",
        [wicked, f'<svg xmlns="http://www.w3.org/2000/svg">{"<g>" * 4000}{"</g>" * 4000}</svg>'],
    )
    assert re.sub(r' xmlns(:\w+)?="[^"]*"', "", clean[0]) == (
        '<svg viewBox="0 0 9 9" class="picture"><text data-label="a\\b">?</text><g><rect class="hit" data-moves="1" width="3" height="3"/></g><text>O &lt;b&gt;</text></svg>'
    ).replace("/></g>", "></rect></g>")
    assert clean[1:] == [None, None, None, 4000]
    tab.page.wait_for_timeout(50)
    blocked = [problem for problem in tab.problems if "Content Security Policy" in problem]
    assert blocked  # even while it was read, nothing of it could run
    tab.problems = [problem for problem in tab.problems if problem not in blocked]


MARKS = "[...document.querySelectorAll('[data-test=last-move] rect')].map((node) => node.getBoundingClientRect())"
EVERY_GAME = ("connect-four", "othello", "kalah", "nim", "chomp", "domineering", "dots-and-boxes", "blacksin", "number-scrabble")


def middles(tab: "Tab", boxes: str) -> list[tuple[float, float]]:
    """Return the middles of *boxes* on the screen."""
    return [tuple(place) for place in tab.page.evaluate(f"{boxes}.map((box) => [box.x + box.width / 2, box.y + box.height / 2])")]


def test_the_last_move_is_marked_where_it_was_made(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,person")
    assert tab.page.evaluate(MARKS) == []
    square = "[document.querySelector('[data-test=board] .target[data-moves=\"5\"]').getBoundingClientRect()]"
    (wanted,) = middles(tab, square)
    play(tab, 5)
    tab.wait(f"{MARKS}.length === 1")
    assert middles(tab, MARKS)[0] == pytest.approx(wanted, abs=2)
    play(tab, 1)
    tab.wait("document.querySelector('[data-test=last-move]')?.dataset.choice === '1'")
    tab.page.keyboard.press("Escape")
    tab.page.keyboard.press("ArrowLeft")  # who steps back sees the move before
    tab.wait("document.querySelector('[data-test=last-move]')?.dataset.choice === '5'")


def test_a_number_is_marked_whole_where_a_move_changed_one_digit(tab: "Tab") -> None:
    tab.open("#/play?game=countdown.py&seats=person,person&start=12,0")
    tab.click("move-1")
    tab.wait(f"{MARKS}.length === 1")
    number = """(() => {
      const written = [...document.querySelectorAll("[data-test=board] text")].find((node) => node.textContent.includes("11"));
      const box = written.getExtentOfChar(written.textContent.indexOf("11"));
      return {first: box.x, digit: box.width};
    })()"""
    mark = tab.page.evaluate(
        "(() => { const box = document.querySelector('[data-test=last-move] rect').getBBox(); return [box.x, box.width]; })()"
    )
    found = tab.page.evaluate(number)
    assert mark[0] <= found["first"]
    assert mark[0] + mark[1] >= found["first"] + 2 * found["digit"]


def test_a_game_of_text_that_is_over_offers_no_moves(tab: "Tab") -> None:
    tab.open("#/play?game=countdown.py&seats=person,person&start=1,0")
    assert tab.part("move-field").is_visible()
    tab.click("move-1")
    tab.wait_text("result", "wins")
    assert not tab.part("move-field").is_visible()


@pytest.mark.parametrize("dark", [False, True])
def test_the_sign_of_chance_is_seen_in_the_current_move(tab: "Tab", dark: bool) -> None:
    tab.page.emulate_media(color_scheme="dark" if dark else "light")
    tab.open("#/play?game=pig&seats=person,person&choices=1.6")
    sign, text = tab.page.evaluate("""(() => {
      const current = document.querySelector(".move-list-move[aria-current]");
      return [getComputedStyle(current.querySelector(".chance")).stroke, getComputedStyle(current).color];
    })()""")
    assert sign == text


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_board_marks_its_last_move(tab: "Tab", game: str) -> None:
    move = load(game).legal(load(game).start)[0]
    tab.open(f"#/analyse?game={game}&choices={move}&analysis=off")
    tab.wait(f"{MARKS}.length >= 1")
    frame = tab.part("board").bounding_box()
    for x, y in middles(tab, MARKS):
        assert frame["x"] < x < frame["x"] + frame["width"]
        assert frame["y"] < y < frame["y"] + frame["height"]


def test_a_man_that_walked_is_marked_where_it_came_from_and_where_it_went(tab: "Tab") -> None:
    tab.open("#/play?game=three-mens-morris&seats=person,person&choices=2.1.4.0.7.8.78")
    tab.wait(f"{MARKS}.length === 2")


def test_a_board_without_a_drawing_marks_what_has_changed(tab: "Tab") -> None:
    tab.open("#/play?game=countdown.py&seats=person,person&choices=3")
    tab.wait(f"{MARKS}.length >= 1")
    number = "[[...document.querySelectorAll('[data-test=board] text')].find((node) => node.textContent === '4').getBoundingClientRect()]"
    assert middles(tab, MARKS)[0] == pytest.approx(middles(tab, number)[0], abs=6)


def test_an_automatic_board_marks_the_cells_that_a_move_has_changed_and_shows_which_way_a_man_goes(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,person")
    before, after = (hexapawn.picture(hexapawn.after(hexapawn.start, moves)).svg for moves in ([], [57]))
    unlisted = before.replace("data-moves", "data-other")  # as where clicks cannot tell moves apart
    found = tab.page.evaluate(
        """async ([before, after, unlisted]) => {
            const [{ picture }, { lastMark, bestMark }] = await Promise.all([import("/page/js/picture.js"), import("/page/js/marks.js")]);
            const drawn = [before, after, unlisted].map((text) => document.body.appendChild(picture(text)));
            const cells = (mark) => [...mark.children].map((ring) => [ring.getAttribute("x"), ring.getAttribute("y"), ring.getAttribute("width")].map((text) => Math.round(text)));
            const arrow = bestMark(drawn[0], 57, "57");
            return [cells(lastMark(drawn[0], drawn[1], 57, "57")), cells(lastMark(drawn[2], drawn[1], 57, "57")), arrow.dataset.shape, arrow.querySelector("path")?.getAttribute("d")];
        }""",
        [before, after, unlisted],
    )
    assert sorted(found[0]) == sorted(found[1]) == [[30, 152, 100], [30, 252, 100]]
    assert found[2] == "arrow"
    heights = [float(point.split()[1]) for point in found[3].strip("Mz").split("L")]
    assert heights[0] > heights[3]  # its point is above its start


def test_a_hint_is_a_ring_where_it_is_one_place_and_an_arrow_where_a_man_walks(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,person&choices=1.4.2.5")
    tab.click("hint")
    tab.wait("document.querySelector('[data-test=best-move]')?.dataset.shape === 'ring'")
    assert tab.part("best-move").get_attribute("data-choice") == "3"
    tab.page.keyboard.press("Shift")
    tab.page.evaluate("location.hash = '#/play?game=three-mens-morris&seats=person,person&choices=2.1.4.0.7.8'")  # b1-a1 wins
    tab.wait_text("turn", "X to move")
    tab.wait("document.querySelectorAll('[data-test=move-list] li').length === 7")
    tab.click("hint")
    tab.wait("document.querySelector('[data-test=best-move]')?.dataset.shape === 'arrow'")
    assert tab.part("best-move").get_attribute("data-choice") == "78"
    box = tab.part("best-move").locator("path").bounding_box()
    assert box["width"] > box["height"]  # from b1 to a1


WON = "#/play?game=tic-tac-toe&choices=1.4.2.5.3"  # X has the top row


def test_a_rematch_swaps_the_seats_and_begins_at_once(tab: "Tab") -> None:
    tab.open(f"{WON}&seats=person,random")
    assert tab.wait_text("result", ".") == "X wins"
    tab.click("rematch")
    tab.wait("location.hash.includes('seats=random,person')")
    tab.wait("document.querySelectorAll('[data-test=move-list] li').length === 2")  # the other one has begun
    assert tab.wait_text("turn", "Your move") == "Your move: O"
    assert not tab.part("rematch").is_visible()


def test_a_game_that_is_over_is_analysed_from_its_start_with_all_its_moves(tab: "Tab") -> None:
    tab.open("#/play?game=tic-tac-toe&seats=person,person&choices=1.4.2.5")
    assert not tab.part("analyse-game").is_visible()
    play(tab, 3)
    tab.wait_text("result", "X wins")
    tab.click("analyse-game")
    tab.page.wait_for_selector("html[data-ready=analyse]")
    assert tab.hash() == "#/analyse?game=tic-tac-toe&choices=1.4.2.5.3&at=0"
    assert past(tab) == ["1", "4", "2", "5", "3"]
    tab.click("go-on")
    tab.wait("document.querySelector('[data-test=last-move]')?.dataset.choice === '1'")


def test_perfect_play_says_beside_its_seat_that_a_game_is_too_large_for_as_long_as_it_is(tab: "Tab") -> None:
    tab.open("#/play?game=connect-four&seats=person,person")
    tab.part("seat-1").select_option("solved")
    assert "too large to be solved here" in tab.wait_text("note-1", "A search plays instead")
    tab.wait("location.hash.includes('seats=person,level:4')")
    play(tab, 4)
    tab.wait_text("info-1", "depth")  # the agent has moved, and said what it thought
    assert "too large to be solved here" in tab.text("note-1")
    assert tab.part("seat-1").locator("option[value=solved]").is_disabled()
    tab.part("seat-1").select_option("random")
    tab.wait("!document.querySelector('[data-test=note-1]').textContent")
    assert not tab.part("notice").count()


def test_a_man_that_is_placed_and_takes_another_is_no_arrow(tab: "Tab") -> None:
    tab.open("#/play?game=nine-mens-morris&seats=person,person&choices=0.14.1.13")
    shape = "import('/page/js/marks.js').then(({bestMark}) => { const mark = bestMark(document.querySelector('[data-test=board] svg'), 14338, 'g7xd2'); return [mark.dataset.shape, mark.children.length]; })"
    assert tab.page.evaluate(shape) == ["ring", 2]
