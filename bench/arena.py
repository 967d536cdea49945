"""The overhead of a tournament: complete games of tic-tac-toe a second, kept in a store on the disk, starts included."""

import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.figure import Figure
from outplay.arena.isolation.tiers import choose_isolation
from outplay.arena.tournament import tournament

GAMES = 2000
ISOLATED_GAMES = 300
RANDOM = (
    "from random import Random\nsource = Random({seed})\ndef choose(game, state):\n    return source.choice(game.legal(state))\n"
)


def figures() -> Iterator[Figure]:
    """Yield games a second with trusted agents in this process, and with isolated ones in processes of their own."""
    yield in_process()
    yield isolated(keep_alive=True)
    yield isolated(keep_alive=False)


def _processor() -> float:
    """Return the processor time of this process and of those that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def in_process() -> Figure:
    """Return the games a second of two random agents in this process, by processor time: the disk is shared with others."""
    with tempfile.TemporaryDirectory() as folder:
        tournament("tic-tac-toe", ["random", "random"], games=20, store=Path(folder) / "warm.store")
        began, used = time.perf_counter(), _processor()
        tournament("tic-tac-toe", ["random", "random"], games=GAMES, opening=2, store=Path(folder) / "games.store")
        wall, processor = time.perf_counter() - began, _processor() - used
    note = f"{GAMES:,} games, {GAMES / wall:,.0f} a second by the clock on the wall"
    return Figure("trusted agents in process, one core", GAMES / processor, "games/s", target=200, note=note)


def isolated(*, keep_alive: bool) -> Figure:
    """Return the games a second of two isolated agents on two jobs, starts included."""
    kept = "kept alive between games" if keep_alive else "started anew for each game"
    number = ISOLATED_GAMES if keep_alive else ISOLATED_GAMES // 3
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"agent{seed}.py" for seed in range(2)]
        for seed, file in enumerate(files):
            file.write_text(RANDOM.format(seed=seed))
        control = f"move=5,keep_alive={str(keep_alive).lower()}"
        began, used = time.perf_counter(), _processor()
        found = tournament(
            "tic-tac-toe", [str(file) for file in files], games=number, jobs=2, opening=2, store=Path(folder) / "games.store", control=control
        )  # fmt: skip
        wall, processor = time.perf_counter() - began, _processor() - used
    faults = sum(one.fault_count for one in found.standings)
    note = (
        f"tier {choose_isolation().tier}, {number} games, {number / processor:,.1f} a second of processor time, {faults} faults"
    )
    return Figure(f"isolated agents, {kept}, two cores", number / wall, "games/s", target=15 if keep_alive else None, note=note)
