"""`python -m bench.ship [NAME ...]`: learn the estimates that ship with Outplay, and keep those that win a match.

A run counts games instead of seconds, with one thread and a fixed seed, so that the same versions of Python, NumPy and Numba make the same
weights again. An estimate ships if it beats the game's own estimate (no estimate, if the game has none) in a match of equal depth.
`python -m bench.ship --check` plays the matches of the files that ship, and learns nothing.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from outplay import Game, Learned, Match, load, match
from outplay.agents.search import SearchAgent
from outplay.learn.progress import Counts
from outplay.learn.session import learn_games
from outplay.learn.shipped import ENDING, FOLDER

SEED = 1
MATCH = 200  # games


class Plan(NamedTuple):
    """How many games are learned, the depth of the match that judges, and the size of the file at most."""

    games: int
    depth: int = 4
    most_mb: float = 0.5


PLANS = {
    "connect-four": Plan(3_000_000, depth=6),
    "kalah": Plan(300_000),
    "othello": Plan(300_000, most_mb=0.25),
    "nine-mens-morris": Plan(300_000),
}


def timeless(learned: Learned) -> Learned:
    """Return *learned* without the times that it took: they differ from run to run, and the file must not."""
    counts = learned.counts
    history = [replace(moment, seconds=0.0) for moment in counts.history]
    return Learned(
        learned.original, learned.network, learned.settings, Counts(counts.games, counts.moves, counts.endless, 0.0, history),
        upon=learned.upon, seed=learned.seed, notes=learned.notes,
    )  # fmt: skip


def make(name: str, plan: Plan, folder: Path) -> None:
    """Learn the game *name*, write its file, and play the match. Delete the file again unless it wins."""
    game, path = load(name), folder / f"{name}{ENDING}"
    folder.mkdir(exist_ok=True)
    began = time.process_time()
    learned = timeless(learn_games(game, games=plan.games, seed=SEED))
    learned.save(path, resumable=False, most_mb=plan.most_mb)
    spent = time.process_time() - began
    print(f"{name}: {plan.games:,} games, {spent:.0f} s of processor time, {path.stat().st_size / 1e6:.2f} MB", flush=True)
    found = judged(game, path, plan.depth)
    share, error = found.rate
    if share - error <= 0.5:
        path.unlink()
        print("  It is not clearly better, so it does not ship.", flush=True)


def judged(game: Game, path: Path, depth: int) -> Match:
    """Play the match of the estimate in *path* against the game's own estimate, or none; print it."""
    mine = SearchAgent(depth=depth, estimate=Learned.load(path, game), name=f"learned, depth {depth}")
    other = SearchAgent(depth=depth, name=f"{'its own estimate' if game.estimate else 'no estimate'}, depth {depth}")
    found = match(game, mine, other, games=MATCH, seed=SEED)
    print(f"  {found}", flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.ship", description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"which of {', '.join(PLANS)}, or any built-in game with --games; all if none is named",
    )
    parser.add_argument("--games", type=int, metavar="NUMBER", help="learn so many games instead, for a trial")
    parser.add_argument("--depth", type=int, metavar="NUMBER", help="the depth of the match")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the files are written, for a trial")
    parser.add_argument("--check", action="store_true", help="only play the matches of the files that are there")
    arguments = parser.parse_args()
    for name in arguments.names or PLANS:
        if name not in PLANS and arguments.games is None:
            parser.error(f"there is no plan for {name!r}; there are {', '.join(PLANS)}; give --games to try another game")
        plan = PLANS.get(name, Plan(0))
        plan = Plan(arguments.games or plan.games, arguments.depth or plan.depth, plan.most_mb)
        if not arguments.check:
            make(name, plan, arguments.folder)
        elif (path := arguments.folder / f"{name}{ENDING}").exists():
            print(f"{name}: {path.stat().st_size / 1e6:.2f} MB", flush=True)
            judged(load(name), path, plan.depth)


if __name__ == "__main__":
    main()
