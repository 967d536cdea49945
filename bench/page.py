"""The page in a browser: how soon values are on the screen, how fast a large tree is drawn, how much is loaded."""

import shutil
import time
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

from bench.figure import Figure
from bench.timing import Times
from bench.web import Served, served
from outplay.web.page_files import PAGE

FIRST_TARGET, TREE_TARGET, SIZE_TARGET = 300.0, 1000.0, 300.0  # milliseconds, milliseconds, kilobytes
TIMES = 7
POSITION = "game=connect-four&choices=4.4.3"
TREE = "#/search?game=connect-four&depth=4&only=plain"  # 2,801 nodes

# Notes the moment at which the first value is on the board, from when the room is opened.
WATCH = """() => { window.firstValue = new Promise((done) => {
  const began = performance.now();
  const look = () => document.querySelector('.labels text') ? done(performance.now() - began) : requestAnimationFrame(look);
  document.querySelector('a[href^="#/analyse"]').click();
  look();
}); return window.firstValue; }"""


def figures() -> Iterator[Figure]:
    """Yield what a person with a browser waits for."""
    with served() as server:
        yield from _sizes(server)
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        yield Figure("first values on the screen", note="no Chromium here")
        return
    from playwright.sync_api import sync_playwright

    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright, served() as server:
        chromium = playwright.chromium.launch(executable_path=browser, args=arguments)
        context = chromium.new_context()
        name, _, value = server.headers["Cookie"].partition("=")
        context.add_cookies([{"name": name, "value": value, "url": f"http://{server.host}"}])
        page = context.new_page()
        yield _first_values(page, server.host)
        yield _tree(page, server.host)
        chromium.close()


def _sizes(server: Served) -> Iterator[Figure]:
    """Yield how many bytes a browser receives when it loads every file of the page once; the note says how many that is unpacked."""
    files = [f"/page/{file.relative_to(PAGE).as_posix()}" for file in sorted(PAGE.rglob("*")) if file.is_file()]
    sizes = {}
    for encoding in ("gzip", "identity"):
        sizes[encoding] = 0.0
        for path in (*files, "/page/js/constants.js"):
            asked = Request(f"http://{server.host}{path}", headers={**server.headers, "Accept-Encoding": encoding})
            with urlopen(asked) as answer:
                sizes[encoding] += len(answer.read()) / 1000
    note = f"all {len(files) + 1} files; {sizes['identity']:.0f} kB unpacked"
    yield Figure(
        "the page's own files, as the browser receives them", sizes["gzip"], "kB", SIZE_TARGET, at_least=False, note=note
    )


def _first_values(page: Any, host: str) -> Figure:
    seconds = []
    for attempt in range(TIMES + 1):
        page.goto("about:blank")
        page.goto(f"http://{host}/#/play?{POSITION}")
        page.wait_for_selector("html[data-ready=play]")
        time.sleep(2 if attempt else 12)  # the first time the game may have to be compiled
        found = page.evaluate(WATCH)
        if attempt:
            seconds.append(found / 1000)
    times = Times.of(seconds)
    note = f"from the click on Analyse; worst of {TIMES}"
    return Figure("first values on the screen", 1000 * times.worst, "ms", FIRST_TARGET, at_least=False, ours=times, note=note)


def _tree(page: Any, host: str) -> Figure:
    seconds, nodes = [], 0
    for _ in range(TIMES):
        page.goto("about:blank")
        page.goto(f"http://{host}/{TREE}")
        drawing = page.wait_for_selector("svg[data-drawn-ms]", timeout=30_000)
        seconds.append(int(drawing.get_attribute("data-drawn-ms")) / 1000)
        nodes = int(page.locator('[data-test="visited"]').get_attribute("data-total") or 0)
    times = Times.of(seconds)
    return Figure(
        f"a tree of {nodes:,} nodes drawn",
        1000 * times.worst,
        "ms",
        TREE_TARGET,
        at_least=False,
        ours=times,
        note=f"worst of {TIMES}",
    )
