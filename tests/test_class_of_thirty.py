"""An instructor's evening: thirty agent files, ten of them broken in different ways, two hostile; one command, right verdicts."""

import json
import time

import pytest
from test_tournament_files import outplay

from outplay.arena.isolation.tiers import problem

SOUND = "def choose(game, state):\n    legal = game.legal(state)\n    return legal[({number} * 7 + len(legal)) % len(legal)]\n"
REFUSED = {
    "syntax": "def choose(state:\n",
    "nothing": "x = 1\n",
    "raises_at_once": "1 / 0\n",
    "leaves_at_once": "import sys\nsys.exit(1)\n",
    "wants_too_much": "def choose(state, wisdom):\n    return 0\n",
    "missing_module": "import no_such_module\ndef choose(state):\n    return 0\n",
}
FAULTY = {
    "illegal": ("def choose(state):\n    return 99\n", "illegal move"),
    "no_number": ("def choose(state):\n    return 'centre'\n", "illegal move"),
    "raises": ("def choose(state):\n    return {}['x']\n", "crash"),
    "endless": ("def choose(state):\n    while True:\n        pass\n", "timeout"),
}
HOSTILE = {
    "forks": "import os\ndef choose(state):\n    while True:\n        os.fork()\n",
    "eats_memory": "def choose(state):\n    kept = []\n    while True:\n        kept.append(bytearray(10**8))\n",
}


@pytest.mark.fuzz
@pytest.mark.skipif(problem("L") is not None, reason="this machine cannot isolate agents")
def test_fuzz_thirty_agents_of_which_twelve_are_broken_or_hostile_have_their_table_within_ten_minutes(tmp_path, monkeypatch):
    files = {f"student{number:02}": SOUND.format(number=number) for number in range(18)}
    files |= REFUSED | {name: text for name, (text, _) in FAULTY.items()} | HOSTILE
    assert len(files) == 30
    (tmp_path / "agents").mkdir()
    for name, text in files.items():
        (tmp_path / "agents" / f"{name}.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    began = time.monotonic()
    said = outplay(
        "tournament", "tic-tac-toe", "agents/*.py", "--untrusted", "--games", "2", "--jobs", "2", "--time", "move=0.2,bank=0.5", "--json"
    )  # fmt: skip
    seconds = time.monotonic() - began
    found = {one["agent"]: one for one in json.loads(said[said.index("{\n") :])["standings"]}
    print(f"{seconds:.0f} s")
    assert {name for name, one in found.items() if one["refused"]} == set(REFUSED)
    others = 30 - len(REFUSED) - 1
    bad = {name: {verdict} for name, (_, verdict) in FAULTY.items()}
    bad |= {name: {"crash", "timeout"} for name in HOSTILE}  # the limit of memory or the limit of time, whichever comes first
    for name, one in found.items():
        if name in REFUSED:
            assert one["games"] == 0
        elif name in bad:
            assert one["faults"], name
            assert set(one["faults"]) <= bad[name], (name, one["faults"])
            assert one["wins"] == one["gifts"]
        else:
            assert one["faults"] == {}, (name, one["faults"])
            assert one["games"] == 2 * others
    assert seconds < 600
