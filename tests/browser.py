"""A real browser for tests of the page: Debian's chromium, a running server, and a tab that must end without a fault.

A test module says `pytest_plugins = ["browser"]` (and imports nothing from here, or pytest cannot rewrite it) and takes `tab` (one page, opened by `tab.open("#/play?...")`), or `tabs`
to open several, each in a context of its own. After the test every page must have logged no error, failed no request and
moved nothing of its own accord. If the test failed, its last screenshots are kept in artefacts/screenshots; with SCREENSHOTS=1, also if not
(they take a third of the time).

A test acts, then waits for what should follow: the answer of a busy machine comes late. `BROWSER_DELAY=300 pytest tests/test_browser_*`
makes each message of the server that many milliseconds late, so that a test that does not wait fails at once and not one day.
"""

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE, compile_once, shared_folder
from web_server import Running, running_server, wait_until

from outplay import load
from outplay.search.search import prepare

FAILED = pytest.StashKey[bool]()
SCREENSHOTS = Path(__file__).parent.parent / "artefacts" / "screenshots"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DELAY = int(os.environ.get("BROWSER_DELAY", "0"))
# What moves soon after somebody did something, or soon after the answer to what that asked for, has a cause.
SHIFTS = f"""
window.shifts = [];
let cause = -Infinity;
const caused = new Set();
for (const kind of ["pointerdown", "keydown", "change", "hashchange"]) addEventListener(kind, () => {{ cause = performance.now(); }}, true);
window.WebSocket = class extends WebSocket {{
  send(data) {{
    if (performance.now() - cause < 6000) caused.add(JSON.parse(data).id);
    super.send(data);
  }}
  addEventListener(kind, listener) {{
    const heard = (event) => {{
      if (kind === "message" && caused.has(JSON.parse(event.data).id)) cause = performance.now();
      listener(event);
    }};
    super.addEventListener(kind, (event) => ({DELAY} && kind === "message" ? setTimeout(() => heard(event), {DELAY}) : heard(event)));
  }}
}};
new PerformanceObserver((list) => {{
  for (const entry of list.getEntries()) {{
    const own = !entry.hadRecentInput && entry.startTime - cause > 6000;
    if (own && entry.value > 0.02) {{
      const moved = entry.sources.map(({{node}}) => node?.className?.baseVal ?? node?.className ?? node?.nodeName).join(", ");
      window.shifts.push(`${{entry.value.toFixed(4)}}: ${{moved}}`);
    }}
  }}
}}).observe({{type: "layout-shift", buffered: true}});
"""

SEARCHED = ("tic-tac-toe", "connect-four", "pig", "countdown.py")  # by the tests of the page, which wait for what is found

COUNTDOWN = '''
"""Countdown: take one, two or three; whoever takes the last one wins."""

from typing import NamedTuple

from outplay import OVER, Game


class State(NamedTuple):
    left: int
    player: int


def turn(state):
    return OVER if state.left == 0 else state.player


def moves(state):
    for many in range(1, 4):
        if many <= state.left:
            yield many


def play(state, choice):
    return State(state.left - choice, 1 - state.player)


def score(state):
    return 1 if state.player == 1 else -1


def name_move(state, move):
    return f"take {move}"


game = Game(name="countdown", start=State(7, 0), turn=turn, moves=moves, play=play, score=score, name_move=name_move)
'''


class Tab:
    """One page in a context of its own, with what a user does to it."""

    def __init__(self, context: Any, website: Running) -> None:
        self.context, self.website = context, website
        self.page = context.new_page()
        self.problems: list[str] = []
        self.page.on("console", self._logged)
        self.page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        self.page.on("requestfailed", self._failed)
        self.page.on(
            "response", lambda response: response.status >= 400 and self.problems.append(f"{response.status}: {response.url}")
        )

    def _failed(self, request: Any) -> None:
        if "ERR_ABORTED" not in str(request.failure):  # what was still on its way when the page was left
            self.problems.append(f"failed: {request.url} {request.failure}")

    def _logged(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"{message.type}: {message.text}")

    def open(self, route: str) -> "Tab":
        """Open the page at a route such as `#/play?game=pig`, and wait until its room is ready."""
        self.page.goto(self.website.address.rstrip("/") + "/" + route)
        room = re.match(r"#/(\w+)", route)
        self.page.wait_for_selector(f"html[data-ready={room.group(1)}]" if room else "html[data-ready]")
        return self

    def part(self, name: str) -> Any:
        """Return what is called *name* in the page's data-test."""
        return self.page.locator(f'[data-test="{name}"]')

    def text(self, name: str) -> str:
        """Return its text."""
        return str(self.part(name).inner_text())

    def click(self, name: str) -> None:
        self.part(name).click()

    def wait(self, condition: str) -> None:
        """Wait for an expression of the page to be true."""
        # Not wait_for_function: it evaluates inside the page, which the content security policy forbids.
        until = time.monotonic() + PATIENCE
        while not self.page.evaluate(f"Boolean({condition})"):
            assert time.monotonic() < until, f"it never came to be that {condition}"
            self.page.wait_for_timeout(15)

    def wait_text(self, name: str, pattern: str) -> str:
        """Wait until the text of a part matches *pattern*, and return it."""
        found = self.part(name).filter(has_text=re.compile(pattern))
        found.first.wait_for(state="attached")
        return str(found.first.inner_text())

    def hash(self) -> str:
        """Return what the address says after the #."""
        return str(self.page.evaluate("location.hash"))

    def shot(self, name: str) -> None:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """One browser for all tests of this process."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed, so the page is not tested")
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip(f"there is no browser to test the page in; install one of {', '.join(BROWSERS)}")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.fixture(scope="session")
def compiled_games(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compile what these tests search, once for all processes of a run."""
    own = tmp_path_factory.mktemp("games") / "countdown.py"
    own.write_text(COUNTDOWN)
    compile_once(
        shared_folder(tmp_path_factory) / "compiled",
        SEARCHED,
        lambda name: prepare(load(str(own) if name == own.name else name)),
    )


@pytest.fixture(scope="session")
def website(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One server for all tests of this process, with a game out of a user's file that does not draw."""
    file = tmp_path_factory.mktemp("games") / "countdown.py"
    file.write_text(COUNTDOWN)
    with running_server([str(file)]) as running:
        yield running


@pytest.fixture
def tabs(chromium: Any, compiled_games: None, website: Running, request: pytest.FixtureRequest) -> Iterator[Callable[..., Tab]]:
    """Return what opens tabs; each must end without a fault."""
    opened: list[Tab] = []

    def open_tab(width: int = 1280, height: int = 720, **options: Any) -> Tab:
        context = chromium.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **options)
        context.set_default_timeout(PATIENCE * 1000)
        context.add_init_script(SHIFTS)
        context.add_cookies([{"name": website.cookie_name, "value": website.cookie, "url": website.address}])
        opened.append(Tab(context, website))
        return opened[-1]

    yield open_tab
    faults = [fault for tab in opened for fault in tab.problems]
    faults += [f"moved by {shift}" for tab in opened for shift in tab.page.evaluate("window.shifts ?? []")]
    shown = faults or FAILED in request.node.stash or os.environ.get("SCREENSHOTS")
    for number, tab in enumerate(opened):
        if shown:
            name = re.sub(r"\W+", "-", request.node.name.removeprefix("test_")).strip("-")
            tab.shot(name if number == 0 else f"{name}-{number + 1}")
        tab.context.close()
    assert not faults, "\n".join(faults)
    # Whoever leaves leaves no search behind; what is being compiled is kept for the next.
    wait_until(lambda: all(job.kind == "prepare" for job in list(website.service.jobs.running)))


@pytest.fixture
def tab(tabs: Callable[..., Tab]) -> Tab:
    """Return one tab of the usual size."""
    return tabs()
