"""What the page and the server must agree on, served to the page as a module of JavaScript, `js/constants.js`."""

import re
from typing import Any

import msgspec

from outplay.draw.boxes import CUTS
from outplay.search.montecarlo.tree_trace import SIMULATIONS
from outplay.trees.examples import examples
from outplay.web import limits, messages
from outplay.web.traces import CHANCE_RUNGS, RUNGS

ANALYSIS_SECONDS = 120  # of one position; a search that proves its value ends before

TECHNIQUES = (
    ("pruning", "Alpha-beta", "Leave a node once it cannot matter any more."),
    ("ordering", "Ordering", "Look at promising moves first, so that more is cut off."),
    ("table", "Table", "Keep what was found, for when the same position comes again."),
    ("scout", "Scout", "Ask of each later move only whether it is better; if so, look again."),
    ("star1", "Star1", "Leave a chance node once no outcome can bring it back into the window."),
    ("star2", "Star2", "First look at one move of each outcome; that may settle a scout\u2019s question."),
)
BY_CHANCE = ("star1", "star2")  # they work at chance nodes
NEED_WINDOW = ("scout", *BY_CHANCE)  # they need the window that pruning keeps

EXAMPLES = {
    "every-technique": "Every technique saves",
    "textbook": "The textbook\u2019s",
    "four-moves-deep": "Four moves deep",
    "star1": "Star1\u2019s",
    "loaded-die": "A loaded die",
    "seed-001": "Coin tic-tac-toe",
}

# The agents of the levels. Nodes bound them too: a depth that is quick in one game takes minutes in another.
LEVELS = (
    "search:depth=1",
    "search:depth=2,nodes=10000",
    "search:depth=3,nodes=50000",
    "search:depth=4,nodes=100000",
    "search:depth=6,nodes=200000",
    "search:depth=8,nodes=500000",
    "search:depth=12,nodes=2000000",
    "search:seconds=3",
)


def constants() -> dict[str, Any]:
    """Return what the module exports, by name."""
    titles = {name: title for name, title, _ in TECHNIQUES}
    texts = examples()
    return {
        "QUICK": [kind.__struct_config__.tag for kind in messages.QUICK],
        "TRACE_NODES": limits.NODES,
        "SIMULATIONS": {
            "usual": SIMULATIONS,
            "most": limits.SIMULATIONS,
            "seconds": limits.SIMULATION_SECONDS,
            "seed": limits.SEED,
        },
        "ANALYSIS_SECONDS": ANALYSIS_SECONDS,
        "LEARN_SECONDS": limits.LEARN_SECONDS,
        "LEVELS": LEVELS,
        "TECHNIQUES": [
            {"name": name, "title": title, "help": sentence, "chance": name in BY_CHANCE, "needsWindow": name in NEED_WINDOW}
            for name, title, sentence in TECHNIQUES
        ],
        "RUNGS": [
            {"name": name, "title": _rung_title(name, added, titles), "added": added, "chance": name in BY_CHANCE}
            for name, added in RUNGS + CHANCE_RUNGS
        ],
        # What stands beside a node that ended early: the words of the drawings that `outplay tree` writes.
        "TAGS": {**CUTS, "table": "table", "bounds": "bounds"},
        "EXAMPLES": [
            {"name": name, "title": title, "text": re.sub(r"^#.*\n", "", texts[name], flags=re.MULTILINE).strip()}
            for name, title in EXAMPLES.items()
        ],
    }


def _rung_title(name: str, added: tuple[str, ...], titles: dict[str, str]) -> str:
    if not added:
        return "Plain"
    return titles[added[0]] if added == ("pruning",) else f"+ {titles[name]}"


def module(**more: Any) -> str:
    """Return the module as text; *more*: what differs from server to server."""
    told = {**constants(), **more}
    return "".join(f"export const {name} = {msgspec.json.encode(value).decode()};\n" for name, value in told.items())
