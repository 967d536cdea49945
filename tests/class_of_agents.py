"""A class of thirty agents as an instructor collects them: eighteen that play, ten that are broken in different ways, two hostile.

All play every game for two players: they know nothing but the rules.
"""

from dataclasses import dataclass
from pathlib import Path

from outplay.arena.record import Verdict
from outplay.arena.time_control import TimeControl

# The broken ones that take too long do so beyond this; the others are far from it.
CONTROL = TimeControl(move_seconds=1.0, margin=0.5, idle_seconds=0.5, start_seconds=30.0)


@dataclass(frozen=True)
class Member:
    """The file of an agent, and the verdict that blames it in each of its games; None if it plays as it should."""

    file: Path
    verdict: Verdict | None
    hostile: bool = False


FIRST = "def choose(game, state):\n    return game.legal(state)[0]\n"
LAST = "def choose(game, state):\n    return game.legal(state)[-1]\n"
RANDOM = "def choose(game, state, dice):\n    return dice.choice(game.legal(state))\n"
NTH = "def choose(game, state):\n    moves = game.legal(state)\n    return moves[{number} % len(moves)]\n"
HASHED = "def choose(game, state):\n    moves = game.legal(state)\n    return moves[sum(map(hash, game.write_state(state).encode())) * {number} % len(moves)]\n"
GREEDY = """
from outplay import OVER
def choose(game, state):
    sign = 1 if game.turn(state) == 0 else -1
    best = None
    for move in game.legal(state):
        after = game.play(state, move)
        worth = sign * game.score(after) if game.turn(after) == OVER else 0
        if best is None or worth > best[0]:
            best = worth, move
    return best[1]
"""
CHATTY = "print('hello')\ndef choose(game, state, clock):\n    print('I think', clock)\n    return game.legal(state)[0]\n"
CLASSY = """
from outplay import Choice
class Player:
    def __init__(self):
        self.asked = 0
    def choose(self, game, state, clock):
        self.asked += 1
        return Choice(game.legal(state)[0], value=0.0, nodes=self.asked)
choose = Player().choose
"""
MIXED = "def choose(game, state):\n    moves = game.legal(state)\n    for move in moves:\n        yield move, 1 / len(moves)\n"

SOUND = {
    "first": FIRST,
    "last": LAST,
    "greedy": GREEDY,
    "chatty": CHATTY,
    "classy": CLASSY,
    "mixed": MIXED,
    **{f"random{number}": RANDOM for number in range(3)},
    **{f"nth{number}": NTH.replace("{number}", str(number)) for number in range(1, 5)},
    **{f"hashed{number}": HASHED.replace("{number}", str(number)) for number in range(1, 6)},
}
BROKEN = {
    "no_syntax": ("def choose(game, state)\n    return 0\n", Verdict.REFUSED),
    "no_function": ("def chose(game, state):\n    return game.legal(state)[0]\n", Verdict.REFUSED),
    "no_module": ("import a_module_that_is_not_installed\n" + FIRST, Verdict.REFUSED),
    "no_such_argument": ("def choose(board, colour, time_left):\n    return 0\n", Verdict.REFUSED),
    "raises": ("def choose(game, state):\n    return [][0]\n", Verdict.CRASH),
    "leaves": ("import os\ndef choose(game, state):\n    os._exit(0)\n", Verdict.CRASH),
    "illegal": ("def choose(game, state):\n    return 1 + max(game.legal(state))\n", Verdict.ILLEGAL),
    "says_nothing": ("def choose(game, state):\n    game.legal(state)[0]\n", Verdict.ILLEGAL),
    "never_returns": ("def choose(game, state):\n    while True:\n        pass\n", Verdict.TIMEOUT),
    "sleeps": ("import time\ndef choose(game, state):\n    time.sleep(600)\n    return game.legal(state)[0]\n", Verdict.TIMEOUT),
}
HOSTILE = {
    "copies_others": (
        "import glob, os\ndef choose(game, state):\n"
        "    for name in glob.glob(os.path.join(os.path.dirname(__file__), '*.py')) or ['first.py']:\n"
        "        if not __file__.endswith(name):\n            print(open(os.path.join(os.path.dirname(__file__), name)).read())\n"
        "    raise RuntimeError('all of them were read')\n",
        Verdict.CRASH,
    ),
    "bomb": ("import os\ndef choose(game, state):\n    for _ in range(20):\n        os.fork()\n    return 0\n", Verdict.CRASH),
}


def write_class(folder: Path) -> list[Member]:
    """Write the agents to *folder*, and return them, the sound ones first."""
    folder.mkdir(exist_ok=True)
    members = []
    for name, source in SOUND.items():
        members.append(Member(folder / f"{name}.py", None))
        members[-1].file.write_text(source)
    for name, (source, verdict) in {**BROKEN, **HOSTILE}.items():
        members.append(Member(folder / f"{name}.py", verdict, hostile=name in HOSTILE))
        members[-1].file.write_text(source)
    return members
