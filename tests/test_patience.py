"""A test's patience does not decide: minutes are the limit, and what is searched is compiled once for all processes."""

import inspect
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from patience import PATIENCE, compile_once
from web_server import Page, running_server, wait_until

TESTS = Path(__file__).parent
PAGE_TESTS = sorted(
    {*TESTS.glob("test_browser_*.py"), *TESTS.glob("test_web_*.py"), TESTS / "browser.py", TESTS / "web_server.py"}
)


def test_no_wait_for_the_page_or_its_server_is_shorter_than_minutes():
    from browser import Tab  # it needs no browser

    assert PATIENCE >= 300
    for wait in (Tab.wait, Tab.wait_text, wait_until, running_server):
        assert "seconds" not in inspect.signature(wait).parameters  # nobody can ask for less
    for ask in (Page.event, Page.events):
        assert inspect.signature(ask).parameters["timeout"].default >= 300


@pytest.mark.parametrize("file", PAGE_TESTS, ids=lambda file: file.name)
def test_no_test_of_the_page_names_a_shorter_time(file: Path):
    short = re.findall(r"(?:\btimeout=|set_default_timeout\()(\d[\d_.]*)", file.read_text())
    assert short == []


def test_each_game_is_compiled_by_one_process_and_awaited_by_all(tmp_path: Path):
    compiled: list[str] = []
    names = [f"game:size={size}" for size in range(40)]
    with ThreadPoolExecutor(4) as processes:
        runs = [processes.submit(compile_once, tmp_path / "games", names, compiled.append) for _ in range(4)]
        for run in runs:
            run.result()
            assert len(compiled) == len(names)
    assert sorted(compiled) == sorted(names)
