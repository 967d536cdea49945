"""Blacksin beside the project's own code, which is loaded from where it stands and never copied."""

import random
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.figure import Figure
from bench.timing import Times
from outplay.arena.reproduce.blacksin import series
from outplay.games.blacksin import blacksin, deal, house

PROJECTS = Path(__file__).parent.parent.parent / "shared" / "seeds"
THEIR_GAMES, OUR_GAMES, CARDS = 12, 500, 21


def figures() -> Iterator[Figure]:
    """Yield how many times as fast as the project's pruned search our best response plays a game, while being exact."""
    game = blacksin(CARDS)
    decks = [random.Random(number).sample(range(1, CARDS + 1), CARDS) for number in range(OUR_GAMES)]
    found = series(game, [deal(deck) for deck in decks], depth=60, opponent=house(CARDS))
    note = f"{found.won} of {OUR_GAMES} won, {found.drawn} drawn"
    yield Figure(f"Blacksin, best response, {OUR_GAMES} games", found.seconds, "s", 5, at_least=False, note=note)
    theirs = project_code()
    name = "Blacksin, a game, against the project's pruned search"
    if theirs is None:
        yield Figure(name, unit="times", target=20, note="the project documents are not beside the repository")
        return
    times, wins = [], 0
    for deck in decks[:THEIR_GAMES]:
        table = theirs["Blacksin"](prune=True, deck_count=CARDS)
        table.deck = list(deck)
        began = time.perf_counter()
        wins += table.run(log=False) == 1
        times.append(time.perf_counter() - began)
    ours = found.seconds / OUR_GAMES
    mean = sum(times) / len(times)
    note = f"ours {1000 * ours:.2f} ms and exact; theirs {1000 * mean:.0f} ms, {wins} of {THEIR_GAMES} won"
    yield Figure(name, mean / ours, "times", 20, beside=Times.of(times), note=note)


def project_code() -> dict[str, Any] | None:
    """Return what the Python blocks of project 003 that define classes define; None where the projects are not there."""
    files = sorted(PROJECTS.glob("003_*.txt"))
    if not files:
        return None
    scope: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", files[0].read_text(), re.DOTALL):
        if block.lstrip().startswith(("import ", "class ")):
            exec(block, scope)
    return scope
