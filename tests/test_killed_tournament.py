"""A tournament that is killed at any moment loses no game, plays none twice, and ends with the same table."""

import json
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from killed_tournament import OPTIONS
from patience import PATIENCE, wait_until
from test_tournament import FIRST, LAST, MIDDLE, played_of

from outplay import load
from outplay.arena.store import Store
from outplay.arena.tournament import tournament
from outplay.errors import StoreError

PROGRAM = Path(__file__).parent / "killed_tournament.py"


def table(found):
    """Return the standings but for what depends on the clock."""
    return [(one.agent, one.rank, one.wins, one.draws, one.losses, one.elo, one.elo_low, one.elo_high) for one in found.standings]


def kill_and_compare(tmp_path, *, games, kills):
    for name, text in (("first", FIRST), ("last", LAST), ("middle", MIDDLE)):
        (tmp_path / f"{name}.py").write_text(text)
    files = [str(tmp_path / f"{name}.py") for name in ("first", "last", "middle")]
    disturbed, quiet = tmp_path / "disturbed.store", tmp_path / "quiet.store"
    command = [sys.executable, str(PROGRAM), str(tmp_path), str(disturbed), str(games), str(kills)]
    said = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout)
    assert said["killed"] == kills
    games = said["games"]
    with Store(disturbed) as store:
        before = len(store.ids())
        assert store.problems(load("tic-tac-toe")) == []
    resumed = tournament("tic-tac-toe", files, games=games, store=disturbed, resume=True, **OPTIONS)
    undisturbed = tournament("tic-tac-toe", files, games=games, store=quiet, **OPTIONS)
    assert table(resumed) == table(undisturbed)
    assert played_of(disturbed) == played_of(quiet)
    assert resumed.played == resumed.total == 3 * games
    with Store(disturbed, readonly=True) as store:
        assert store.problems(load("tic-tac-toe")) == []
    print(f"{before} of {resumed.total} games were played by processes that were killed")
    return before


def test_a_tournament_killed_a_hundred_times_ends_as_if_nothing_had_happened(tmp_path):
    before = kill_and_compare(tmp_path, games=300, kills=100)
    assert before > 0  # it was killed while it played, too


@pytest.mark.fuzz
def test_fuzz_a_tournament_killed_a_thousand_times_ends_as_if_nothing_had_happened(tmp_path):
    print(kill_and_compare(tmp_path, games=6000, kills=1000), "games before the last run")


def test_a_killed_tournament_leaves_no_process_behind(tmp_path):
    (tmp_path / "first.py").write_text(FIRST)
    store = tmp_path / "t.store"
    call = f"tournament('tic-tac-toe', [{str(tmp_path / 'first.py')!r}, 'random'], games=20_000, opening=2, jobs=2, store={str(store)!r}, trusted=True)"
    program = subprocess.Popen([sys.executable, "-c", f"from outplay import tournament; {call}"])
    try:
        wait_until(lambda: store.exists() and games_in(store) > 0)
        workers = psutil.Process(program.pid).children(recursive=True)
        assert len(workers) == 2
    finally:
        program.kill()
        program.wait()
    wait_until(lambda: not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in workers))


def games_in(file):
    try:
        with Store(file, readonly=True) as store:
            return store.changes()
    except StoreError:  # it is being made
        return 0
