"""What `learn` reaches in a given time, wholly by itself: every figure that issue 13 asks for, with intervals.

Learning is limited by the processor time of the process, not by the clock, so that a busy machine changes little; each note states
both. Seeds and positions are not those that settings were chosen with. `python -m bench learned` measures everything, which
takes many hours; `python -m bench.learned PART ... [--seeds 101,102] [--games 100] [--scale 0.1]` measures parts of it.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from bench import report
from bench.figure import Figure
from bench.othello_8 import othello_8
from outplay import Game, Learned, SearchAgent, Stopper, judge, load, match
from outplay.arena.match import Match
from outplay.intervals import mean_within, share_within
from outplay.learn.layout import RESULTS
from outplay.learn.network import Network
from outplay.learn.progress import Counts, Progress
from outplay.learn.selfplay import SelfPlayer, engine_for
from outplay.learn.session import learn_games
from outplay.search.searcher import Searcher

SEEDS = (101, 102, 103)  # of learning; matches and positions have the same seed
GAMES = 400  # of a match
POSITIONS = 1000  # to judge
SEARCHED, REPEATS = 14, 5  # plies, to count nodes a second; the best of so many times
LANES = 80
# Built-in games with more than 10,000 states; those with hidden cards have no states to search, and 2048 has one player.
LARGE = (
    "backgammon", "cant-stop", "connect-four", "dots-and-boxes:columns=3,rows=3", "domineering:columns=6,rows=6", "einstein",
    "extended-connect-four", "hog", "kalah", "nine-mens-morris", "othello", "pig", "two-dice-pig",
)  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """What to measure with: seeds of learning, games of a match, and the share of the time that is asked for."""

    seeds: Sequence[int] = SEEDS
    games: int = GAMES
    scale: float = 1.0


@dataclass(frozen=True)
class Lesson:
    """An estimate, and the time that it took: of the processor, and by the clock."""

    learned: Learned
    processor: float
    clock: float


def lesson(game: Game, seconds: float, seed: int, *, threads: int = 1, file: Path | None = None) -> Lesson:
    """Learn *game* until the process has used so many *seconds* of processor time for each thread; go on from *file* if it exists."""
    stopper, began = Stopper(), list[float]()

    def look(at: Progress) -> None:
        if at.phase == "looking":
            return
        if not began:
            began.extend((time.process_time(), time.monotonic()))
        if time.process_time() - began[0] >= threads * seconds:
            stopper.stop()

    found = learn_games(game, games=None, seconds=1e6, threads=threads, seed=seed, progress=look, stopper=stopper, file=file)
    return Lesson(found, time.process_time() - began[0], time.monotonic() - began[1])


def told(lessons: Sequence[Lesson]) -> str:
    """Return how long was learned, in words."""
    processor, clock = fmean(one.processor for one in lessons), fmean(one.clock for one in lessons)
    games = fmean(one.learned.games for one in lessons)
    return f"{processor:,.0f} s of processor time ({clock:,.0f} s by the clock), {games:,.0f} games of self-play"


def connect_four(plan: Plan) -> Iterator[Figure]:
    """Yield agreement with perfect play after a minute and after five, and points at depth 8."""
    game = load("connect-four")
    with TemporaryDirectory() as folder:
        for seconds, more, target in ((60, 60, 90), (300, 240, 93)):
            lessons = [lesson(game, plan.scale * more, seed, file=Path(folder) / str(seed)) for seed in plan.seeds]
            yield agreement(f"Connect Four after {seconds} s, greedy agreement", game, lessons, plan, target)
        yield contest("Connect Four after 300 s, depth 8 against none", game.replace(estimate=None), lessons, 8, plan, 75)
    # The rules `bounds` and `useful` are the game's own knowledge. What is learned without them:
    plain = game.replace(bounds=None, useful=None)
    lessons = [lesson(plain, plan.scale * 60, seed) for seed in plan.seeds]
    yield agreement("Connect Four without `bounds` and `useful`, after 60 s", plain, lessons, plan, None)


def agreement(name: str, game: Game, lessons: Sequence[Lesson], plan: Plan, target: float | None) -> Figure:
    """Return the share of decisive positions in which the best move at depth 1 keeps the result."""
    found = [
        judge(game, one.learned, depth=1, positions=POSITIONS, seed=seed, seconds=7200.0).level
        for one, seed in zip(lessons, plan.seeds, strict=True)
    ]
    levels = [level for level in found if level is not None]
    kept, decisive = sum(level.kept for level in levels), sum(level.decisive for level in levels)
    low, high = share_within(kept, decisive)
    each = ", ".join(f"{100 * level.rate:.1f}" for level in levels)
    chance = fmean(level.kept_by_chance for level in levels)
    note = (
        f"95 %: {100 * low:.1f} to {100 * high:.1f}; {decisive:,} decisive of {sum(level.positions for level in levels):,} random positions; "
        f"seeds: {each}; a random move {100 * chance:.0f}; {told(lessons)}"
    )
    return Figure(name, 100 * kept / decisive, "%", target, note=note)


def contest(name: str, game: Game, lessons: Sequence[Lesson], depth: int, plan: Plan, target: float | None) -> Figure:
    """Return the share of points that a search with what was learned takes from one of the same depth with the estimate of *game*."""
    found = []
    for one, seed in zip(lessons, plan.seeds, strict=False):
        taught = SearchAgent(depth=depth, estimate=one.learned, name="learned")
        played = match(game, taught, SearchAgent(depth=depth, name="own"), games=plan.games, seed=seed)
        assert isinstance(played, Match)
        found.append(played)
    share, error = joined(found)
    each = ", ".join(f"{100 * played.rate[0]:.1f}" for played in found)
    counts = (
        f"{sum(one.wins for one in found)} won, {sum(one.draws for one in found)} drawn, {sum(one.losses for one in found)} lost"
    )
    note = f"± {100 * error:.1f} (95 %); seeds: {each}; {counts}; {told(lessons)}"
    return Figure(name, 100 * share, "% of the points", target, note=note)


def joined(matches: Sequence[Match]) -> tuple[float, float]:
    """Return the share of points over several matches of as many games, and the half-width of its 95 % interval."""
    errors = [one.rate[1] for one in matches]
    return fmean(one.rate[0] for one in matches), sum(error**2 for error in errors) ** 0.5 / len(errors)


def boards(plan: Plan) -> Iterator[Figure]:
    """Yield the points of Othello, Kalah and nine men's morris against their own estimates, after a minute."""
    for name, game, depths, target in (
        ("Othello 6 by 6", load("othello"), (2, 4), 80),
        ("Kalah", load("kalah"), (2, 4), 80),
        ("Nine men's morris", load("nine-mens-morris"), (4,), 50),
        ("Othello 8 by 8", othello_8(), (2,), 90),
    ):
        lessons = [lesson(game, plan.scale * 60, seed) for seed in plan.seeds]
        other = "positional weights" if "8" in name else "its own estimate"
        for depth in depths:
            yield contest(f"{name} after 60 s, depth {depth} against {other}", game, lessons, depth, plan, target)


def tiles(plan: Plan) -> Iterator[Figure]:
    """Yield the mean score of 2048 without search, after 5 and after 15 minutes, and moves a second of learning."""
    game = load("2048")
    with TemporaryDirectory() as folder:
        for seconds, more, target in ((300, 300, 100_000), (900, 600, 130_000)):
            lessons = [lesson(game, plan.scale * more, seed, file=Path(folder) / str(seed)) for seed in plan.seeds]
            scores = [alone(one.learned, seed, plan.games) for one, seed in zip(lessons, plan.seeds, strict=True)]
            mean, error = mean_within([score for each in scores for score in each])
            means = ", ".join(f"{fmean(each):,.0f}" for each in scores)
            reached = fmean(score >= 20_000 for each in scores for score in each)
            note = f"± {error:,.0f} (95 %), {len(scores) * plan.games:,} games; seeds: {means}; {100 * reached:.0f} % score 20,000; {told(lessons)}"
            yield Figure(f"2048 without search, after {seconds} s", mean, "points", target, note=note)
            if seconds == 300:
                speed = fmean(one.learned.moves / one.processor for one in lessons)
                yield Figure("2048, moves a second while it learns", speed, "moves/s", 400_000, note="one thread, processor time")


def alone(learned: Learned, seed: int, games: int) -> list[float]:
    """Return the scores of games in which each move is the best one by what was learned, without search."""
    game = learned.original.replace(estimate=None)
    player = SelfPlayer(engine_for(game), 0, 1, seed=seed, room=1)
    player.use(learned.network.estimate(game, None))
    player.set(replace(learned.settings, opening=0, epsilon=0.0, restart=0, trains=False))
    totals = [0.0]
    for number in range(1, games + 1):
        player.unlimited()
        player.run(number)
        totals.append(player.real(RESULTS))
    return [after - before for before, after in pairwise(totals)]


def dice(plan: Plan) -> Iterator[Figure]:
    """Yield what is given away in Pig to 50, and the points of backgammon against the shipped estimate."""
    pig = load("pig:goal=50")
    lessons = [lesson(pig, plan.scale * 60, seed) for seed in plan.seeds]
    levels = [
        judge(pig, one.learned, positions=POSITIONS, seed=seed).level for one, seed in zip(lessons, plan.seeds, strict=True)
    ]
    losses = [level.loss for level in levels if level is not None]
    note = f"seeds: {', '.join(f'{loss:.5f}' for loss in losses)}; by a solved table; {told(lessons)}"
    yield Figure("Pig to 50 after 60 s, given away a move", fmean(losses), "", 0.005, at_least=False, note=note)
    game = load("backgammon")
    lessons = [lesson(game, plan.scale * 600, seed) for seed in plan.seeds]
    yield contest("Backgammon after 600 s, depth 1 against its own estimate", game, lessons, 1, plan, 90)


def large(plan: Plan) -> Iterator[Figure]:
    """Yield the points of each large built-in game at depth 4 against no estimate; at least even within the interval is asked."""
    for name in LARGE:
        game = load(name)
        lessons = [lesson(game, plan.scale * 60, seed) for seed in plan.seeds[:1]]
        plain = game.replace(estimate=None)
        depth = 4 if game.chances is None or game.max_moves < 100 else 2
        yield contest(f"{name} after 60 s, depth {depth} against none", plain, lessons, depth, plan, 50)


def speed(plan: Plan) -> Iterator[Figure]:
    """Yield nodes a second of a search with 80 lanes, and what a second thread adds to learning."""
    game = load("connect-four")
    made = lesson(game, plan.scale * 10, plan.seeds[0]).learned
    shape = made.network.shape
    shape = replace(shape, tuples=shape.tuples[: LANES // len(shape.symmetries)])
    learned = Learned(game, Network(game, shape), made.settings, Counts(), upon="nothing", seed=0)
    learned.network.weights[:] = made.network.weights[: len(learned.network.weights)]
    rates = []
    for _ in range(REPEATS):
        searcher = Searcher(game, estimate=learned)
        searcher.prepare()
        began = time.process_time()
        nodes = searcher.search(game.start, depth=SEARCHED).nodes
        rates.append(nodes / (time.process_time() - began) / 1e6)
    rate = max(rates)
    yield Figure(
        f"Connect Four, {len(shape.lanes)} lanes, depth {SEARCHED}",
        rate,
        "M nodes/s",
        5,
        note=f"{nodes:,} nodes, processor time, best of {REPEATS}",
    )
    one, two = (lesson(game, plan.scale * 20, plan.seeds[0], threads=threads) for threads in (1, 2))
    times = (two.learned.games / two.clock) / (one.learned.games / one.clock)
    each = (two.learned.games / two.processor) / (one.learned.games / one.processor)
    note = (
        f"by the clock, which says little on a busy machine; each thread does {each:.2f} of one alone in the same processor time"
    )
    yield Figure("Connect Four, games a second by two threads", times, "times one", 1.7, note=note)


PARTS: dict[str, Callable[[Plan], Iterator[Figure]]] = {
    "connect-four": connect_four,
    "boards": boards,
    "2048": tiles,
    "dice": dice,
    "large": large,
    "speed": speed,
}


def figures(plan: Plan = Plan()) -> Iterator[Figure]:
    """Yield all figures."""
    for part in PARTS.values():
        yield from part(plan)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.learned", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all if none is named")
    parser.add_argument("--seeds", default=",".join(map(str, SEEDS)), help="seeds of learning, separated by commas")
    parser.add_argument("--games", type=int, default=GAMES, help="games of a match")
    parser.add_argument("--scale", type=float, default=1.0, help="learn this share of the time that is asked for")
    arguments = parser.parse_args()
    for part in arguments.parts:
        if part not in PARTS:
            parser.error(f"there is no part {part!r}; there are {', '.join(PARTS)}")
    plan = Plan(tuple(map(int, arguments.seeds.split(","))), arguments.games, arguments.scale)
    console = report.console()
    for part in arguments.parts or PARTS:
        for figure in PARTS[part](plan):
            console.print(report.table(part, [figure], beside=""), highlight=False)


if __name__ == "__main__":
    main()
