"""A tournament that is killed at any moment loses no game, plays none twice, and ends with the same table."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from killed_tournament import OPTIONS
from patience import PATIENCE
from test_tournament import FIRST, LAST, MIDDLE, played_of

from outplay import load
from outplay.arena.store import Store
from outplay.arena.tournament import tournament

PROGRAM = Path(__file__).parent / "killed_tournament.py"


def table(found):
    """Return the standings but for what depends on the clock."""
    return [(one.agent, one.rank, one.wins, one.draws, one.losses, one.elo, one.elo_low, one.elo_high) for one in found.standings]


def kill_and_compare(tmp_path, *, games, kills, longest):
    for name, text in (("first", FIRST), ("last", LAST), ("middle", MIDDLE)):
        (tmp_path / f"{name}.py").write_text(text)
    files = [str(tmp_path / f"{name}.py") for name in ("first", "last", "middle")]
    disturbed, quiet = tmp_path / "disturbed.store", tmp_path / "quiet.store"
    command = [sys.executable, str(PROGRAM), str(tmp_path), str(disturbed), str(games), str(kills), str(longest)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
    assert json.loads(said)["killed"] == kills
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
    before = kill_and_compare(tmp_path, games=300, kills=100, longest=0.04)
    assert before > 0  # it was killed while it played, too


@pytest.mark.fuzz
def test_fuzz_a_tournament_killed_a_thousand_times_ends_as_if_nothing_had_happened(tmp_path):
    print(kill_and_compare(tmp_path, games=6000, kills=1000, longest=0.5), "games before the last run")
