"""The projects' experiments, run anew."""

import json
import subprocess
import sys

from outplay.arena.reproduce import coin, scrabble
from outplay.arena.reproduce.row import AGREES, CORRECTED


def test_two_of_the_41_values_of_project_001_are_corrected_and_its_decision_stands():
    rows = list(coin.experiment(quick=True))
    values = rows[:41]
    corrected = [(row.claim, row.found) for row in values if row.verdict == CORRECTED]
    assert corrected == [("-1/4", "1/2"), ("-1/4", "1/2")]
    assert sum(row.verdict == AGREES for row in values) == 39
    assert (rows[41].claim, rows[41].verdict) == ("bottom left", AGREES)
    assert rows[42].found == "1/2"


def test_all_known_numbers_of_project_002_agree():
    rows = list(scrabble.experiment(quick=True))
    assert [row.found for row in rows[:7]] == ["255168", "131184", "77904", "46080", "5478", "549946", "0"]
    assert not [row for row in rows if row.verdict == CORRECTED]


def test_reproduce_prints_rows_or_json_and_refuses_an_unknown_project():
    command = [sys.executable, "-m", "outplay", "reproduce"]
    done = subprocess.run([*command, "001", "--json"], capture_output=True, text=True, check=True)
    rows = json.loads(done.stdout)
    assert len(rows) == 43
    assert set(rows[0]) == {"project", "what", "claim", "found", "verdict", "why"}
    plain = subprocess.run([*command, "002", "--quick"], capture_output=True, text=True, check=True)
    assert "002  games drawn: the project 46080; Outplay 46080: agrees" in plain.stdout
    refused = subprocess.run([*command, "017"], capture_output=True, text=True, check=False)
    assert (refused.returncode, "there is no project '017'" in refused.stderr) == (2, True)
