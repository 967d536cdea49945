"""What each technique is worth: the same search with all of them, and with each left out."""

from collections.abc import Iterator

from bench.figure import Figure
from bench.timing import Times, timed
from outplay import Result, load, search
from outplay.search.techniques import TECHNIQUES

SEARCHES = (("connect-four", "44353", 20), ("pig", "40,38,9,0", 9))  # game, state, depth
PATIENCE = 5.0  # seconds, for a search that misses its technique badly
ROUNDS = 5


def figures() -> Iterator[Figure]:
    """Yield the nodes and times of an ablation for each game."""
    for name, text, depth in SEARCHES:
        yield from ablation(name, text, depth)


def ablation(name: str, text: str, depth: int) -> Iterator[Figure]:
    """Yield the nodes and times of a search of the state that *text* says, and of the same without each technique."""
    game = load(name)
    state = game.read_state(text)

    def measured(*without: str) -> tuple[Result, Times]:
        return timed(lambda: search(game, state, depth=depth, seconds=PATIENCE, without=without), repeats=1)

    measured()  # compiles, and touches memory
    found: dict[str, Result] = {}
    seconds: dict[str, list[float]] = {}
    for _ in range(ROUNDS):  # each in turn, so that a busy moment of the machine falls on all alike
        for technique in ("", *TECHNIQUES):
            if technique in found and found[technique].stopped_by == "time":
                continue
            found[technique], times = measured(*filter(None, [technique]))
            seconds.setdefault(technique, []).append(times.best)
    for technique, result in found.items():
        title = f"{name} {text}, depth {depth}, " + (f"without {technique}" if technique else "every technique")
        times, whole_times = Times.of(seconds[technique]), Times.of(seconds[""])
        note = f"{result.nodes / found[''].nodes:.2f} times the nodes, {times.best / whole_times.best:.2f} times the time"
        if result.stopped_by == "time":
            note = f"out of time after depth {result.depth}"
        elif abs(result.value - found[""].value) > 1e-9:
            note = f"VALUES DIFFER: {result.value} without, {found[''].value} with; {note}"
        if technique:
            yield Figure(title, result.nodes, "nodes", ours=times, beside=whole_times, note=note)
        else:
            yield Figure(title, result.nodes, "nodes", ours=times)
