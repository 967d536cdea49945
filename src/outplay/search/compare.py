"""`compare`: what each technique is worth, and Monte Carlo beside them, on the same positions as the depth grows."""

import html
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from outplay.errors import OptionError
from outplay.rules.game import CHANCE, OVER, Game, State
from outplay.rules.key import key_of
from outplay.runtime.limits import check_seed
from outplay.search.result import Result
from outplay.search.searcher import Searcher

# Each rung adds one technique to all before it. A rung that a game has no use for is left out.
LADDER = ("pruning", "ordering", "table", "scout", "star1", "star2", "useful", "bounds", "deepening")
PLAIN, MONTE_CARLO = "minimax", "mcts"
MOST_NODES = 2_000_000  # of one search: a rung that needs more ends there
LONGEST_WALK = 12  # random plies from the state to a position
TRIES = 50  # walks for each position, until there are enough different ones
SHORT, REPEATS = 0.05, 3  # a search that takes fewer seconds is run so many times, and the fastest run counts
PLOTS = (".svg", ".png", ".pdf")  # how the file of a plot ends
AS_GOOD, VALUE = "as good", "value"  # the last rows
LITTLE = 0.02  # a share of the nodes that is not worth a sentence


@dataclass(frozen=True)
class Row:
    """What one rung took at one depth, over all positions: nodes and seconds together, and the mean value.

    `depth` is None for Monte Carlo: `beside` is then the depth whose nodes, by every technique together, it was given, and
    `kept` is the share of positions in which its move was as good as the search's by that depth.
    """

    technique: str
    depth: int | None
    nodes: int
    seconds: float
    value: float | None  # None if a search ended before it reached the depth
    hit_rate: float = 0.0
    beside: int | None = None
    kept: float | None = None


@dataclass(frozen=True)
class Comparison:
    """Rungs by depth, and sentences about what surprises."""

    game: str
    seed: int
    positions: tuple[str, ...]
    rows: tuple[Row, ...]
    remarks: tuple[str, ...]
    most_nodes: int = MOST_NODES
    techniques: tuple[str, ...] = field(default=())

    def row(self, technique: str, depth: int) -> Row | None:
        """Return what *technique* took at *depth*, or None if it was not tried there."""
        for row in self.rows:
            if row.technique == technique and depth in (row.depth, row.beside):
                return row
        return None

    @property
    def depths(self) -> tuple[int, ...]:
        return tuple(sorted({row.depth for row in self.rows if row.depth is not None}))

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        return asdict(self)

    def explain(self) -> str:
        """Return a table of nodes and time, a row for each rung and two columns for each depth, what it means, and the remarks."""
        table = [["", *(head for _ in self.depths for head in ("nodes", "time"))]]
        for technique in self.techniques:
            name = technique if technique in (PLAIN, MONTE_CARLO) else f"+ {technique}"
            table.append([name, *(cell for depth in self.depths for cell in self._cells(self.row(technique, depth)))])
        simulated = [self.row(MONTE_CARLO, depth) for depth in self.depths]
        if any(simulated):
            kept = ["-" if row is None or row.kept is None else f"{row.kept:.0%}" for row in simulated]
            table.append([AS_GOOD, *(cell for share in kept for cell in ("", share))])
        table.append([VALUE, *(cell for depth in self.depths for cell in ("", self._value(depth)))])
        widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
        pairs = (widths[1 + 2 * place] + 2 + widths[2 + 2 * place] for place in range(len(self.depths)))
        over = (f"depth {depth}".rjust(width) for depth, width in zip(self.depths, pairs, strict=True))
        positions = f"{len(self.positions)} position{'s' * (len(self.positions) != 1)} (seed {self.seed})"
        lines = [f"{self.game}: {positions}, nodes and time of all together. Each row with a + adds a technique to those above."]
        lines.append(("  " + "  ".join([" " * widths[0], *over])).rstrip())
        for line in table:
            cells = [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))]
            lines.append("  " + "  ".join(cells).rstrip())
        if any(simulated):
            lines.append(
                f"{MONTE_CARLO}: Monte Carlo tree search instead, with as many nodes as the row above. {AS_GOOD}: the share of positions "
                "in which its move is as good as that of the search to this depth."
            )
        lines.append(f"{VALUE}: the mean over the positions, to player 0; no technique changes it.")
        return "\n".join([*lines, *self.remarks])

    def _value(self, depth: int) -> str:
        found = [row.value for row in self.rows if row.depth == depth and row.value is not None]
        return f"{found[0]:+.4g}" if found else "-"

    def _cells(self, row: Row | None) -> tuple[str, str]:
        if row is None:
            return "-", "-"
        return (f"> {row.nodes:,}", "-") if row.value is None else (f"{row.nodes:,}", _time(row.seconds))

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.explain())}</pre>"

    def plot(self, file: str | Path) -> None:
        """Write a plot of nodes by depth, a line for each rung, to *file* (.svg, .png or .pdf). Needs matplotlib."""
        try:
            from matplotlib.figure import Figure
        except ImportError:
            raise OptionError(
                "a plot needs matplotlib, which is not installed: pip install 'outplay[plots]', or leave the plot out"
            ) from None
        figure = Figure(figsize=(8, 5), layout="constrained")
        axes = figure.subplots()
        for technique in self.techniques:
            drawn = [(depth, row.nodes) for depth in self.depths if (row := self.row(technique, depth)) and row.value is not None]
            if drawn and technique != MONTE_CARLO:
                name = technique if technique == PLAIN else f"+ {technique}"
                axes.plot(*zip(*drawn, strict=True), marker="o", label=name)
        axes.set(xlabel="depth, in moves", ylabel="nodes", yscale="log", title=f"{self.game}: nodes by technique")
        axes.set_xticks(self.depths)
        axes.grid(visible=True, alpha=0.3)
        axes.legend()
        try:
            figure.savefig(file)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise OptionError(
                f"the plot cannot be written to {str(file)!r} ({why}); name a file in a folder that is there"
            ) from None


def check_plot(file: Path) -> None:
    """Refuse a *file* that no plot can be written to, before anything is measured."""
    if file.suffix.lower() not in PLOTS:
        raise OptionError(
            f"the plot cannot be written to {str(file)!r}: the name of a plot ends in {', '.join(PLOTS[:-1])} or {PLOTS[-1]}"
        )
    if not file.absolute().parent.is_dir():
        raise OptionError(f"the plot cannot be written to {str(file)!r}: there is no folder {str(file.parent)!r}; make it first")


def compare(
    game: Game[State],
    state: State | None = None,
    *,
    depth: int = 6,
    positions: int = 10,
    nodes: int = MOST_NODES,
    seed: int = 0,
    compiled: bool = True,
    progress: Callable[[str], None] | None = None,
) -> Comparison:
    """Search the same random positions after *state*, drawn by *seed*, at depths 1 to *depth*, each time with one technique more.

    A search that needs more than *nodes* nodes ends there, and deeper ones of that rung are left out. Monte Carlo tree search
    is given as many nodes as all techniques together took. *progress* hears what is measured next.
    """
    for name, number in (("depth", depth), ("positions", positions), ("nodes", nodes)):
        if not isinstance(number, int) or number < 1:
            raise OptionError(f"{name}={number!r}: give a whole number, 1 or more")
    check_seed(seed, "positions")
    begin = game.start if state is None else game.state(state)
    chosen = draw_positions(game, begin, positions, seed)
    return _Measuring(game, chosen, depth, nodes, seed, compiled, progress or (lambda _: None)).run()


def draw_positions(game: Game, state: Any, number: int, seed: int) -> list[Any]:
    """Return different unfinished states, *number* of them if there are so many, each after a random walk from *state*."""
    dice = Random(seed)
    found: dict[int, Any] = {}
    for attempt in range(TRIES * number):
        here = state
        for _ in range(dice.randrange(LONGEST_WALK + 1) if attempt else 0):
            if game.turn(here) == OVER:
                break
            here = game.state(
                game.play(here, game.roll(here, dice) if game.turn(here) == CHANCE else dice.choice(game.legal(here)))
            )
        if game.acting(here) in (0, 1):
            found.setdefault(key_of(here), here)
        if len(found) == number:
            break
    if not found:
        raise OptionError(f"no position of {game.name!r} was found in which a player is to move; begin with another state")
    return list(found.values())


class _Measuring:
    def __init__(
        self, game: Game, states: list[Any], depth: int, nodes: int, seed: int, compiled: bool, progress: Callable[[str], None]
    ) -> None:
        self.game, self.states, self.deepest, self.most = game, states, depth, nodes
        self.seed, self.compiled, self.progress = seed, compiled, progress
        self.rows: list[Row] = []
        self.rungs = [rung for rung in LADDER if self._applies(rung)]

    def _applies(self, technique: str) -> bool:
        if technique in ("star1", "star2"):
            return self.game.chances is not None
        return technique not in ("useful", "bounds") or getattr(self.game, technique) is not None

    def run(self) -> Comparison:
        ladder = [(PLAIN, ()), *((rung, tuple(self.rungs[: place + 1])) for place, rung in enumerate(self.rungs))]
        self._search(0, (), 1)  # compiles, and touches memory
        for name, techniques in ladder:
            for depth in range(1, self.deepest + 1):
                self.progress(f"{name}, depth {depth}")
                row = self._measured(name, techniques, depth)
                self.rows.append(row)
                if row.value is None:
                    break
        self._monte_carlo()
        names = tuple(str(self.game.write_state(state)) for state in self.states)
        rungs = (PLAIN, *self.rungs, MONTE_CARLO)
        found = Comparison(self.game.name, self.seed, names, tuple(self.rows), (), self.most, rungs)
        return Comparison(
            self.game.name, self.seed, names, tuple(self.rows), tuple(remarks_on(self.game, found)), self.most, rungs
        )

    def _search(self, place: int, techniques: tuple[str, ...], depth: int) -> Result:
        return fastest(
            lambda: Searcher(self.game, only=techniques, compiled=self.compiled).search(
                self.states[place], depth=depth, nodes=self.most
            )
        )

    def _measured(self, name: str, techniques: tuple[str, ...], depth: int) -> Row:
        found = []
        for place in range(len(self.states)):
            found.append(self._search(place, techniques, depth))
            if found[-1].stopped_by == "nodes":
                return Row(name, depth, found[-1].nodes, found[-1].seconds, None)
        probes = sum(one.probes for one in found)
        return Row(
            name,
            depth,
            sum(one.nodes for one in found),
            math.fsum(one.seconds for one in found),
            fmean(one.value for one in found),
            sum(one.hits for one in found) / probes if probes else 0.0,
        )

    def _monte_carlo(self) -> None:
        whole = tuple(self.rungs)
        for depth in range(1, self.deepest + 1):
            self.progress(f"{MONTE_CARLO}, beside depth {depth}")
            found, kept = [], 0
            for place, state in enumerate(self.states):
                best = self._search(place, whole, depth)
                if best.stopped_by == "nodes":
                    return
                found.append(self._simulated(state, max(best.nodes, 2)))
                kept += self._as_good(state, found[-1].move, best, depth)
            nodes, seconds = sum(one.nodes for one in found), math.fsum(one.seconds for one in found)
            value = fmean(one.value for one in found)
            self.rows.append(Row(MONTE_CARLO, None, nodes, seconds, value, beside=depth, kept=kept / len(found)))

    def _simulated(self, state: Any, nodes: int) -> Result:
        return fastest(
            lambda: Searcher(self.game, method="mcts", seed=self.seed, compiled=self.compiled).search(state, nodes=nodes)
        )

    def _as_good(self, state: Any, move: int | None, best: Result, depth: int) -> bool:
        """Return whether *move* is as good as the best one, by a search of the same depth."""
        if move == best.move or move is None:
            return True
        after = self.game.state(self.game.play(state, move))
        value = 0.0 if self.game.reward is None else float(self.game.reward(state, move))
        if self.game.turn(after) == OVER:
            value += float(self.game.score(after))
        elif depth > 1:
            value += Searcher(self.game, compiled=self.compiled).search(after, depth=depth - 1, nodes=self.most).value
        else:
            value += float(self.game.estimate(after)) if self.game.estimate else 0.0
        return math.isclose(value, best.value, rel_tol=1e-9, abs_tol=1e-9)


def fastest(search: Callable[[], Result]) -> Result:
    """Return the result of a *search*. A short one is run several times, because the first use of code and memory is slow."""
    found = [search()]
    while found[0].seconds < SHORT and len(found) < REPEATS:
        found.append(search())
    return min(found, key=lambda result: result.seconds)


def remarks_on(game: Game, found: Comparison) -> Iterator[str]:
    """Yield a sentence for each technique that saves little or nothing, or costs nodes, with the usual reason."""
    for before, technique in zip(found.techniques, found.techniques[1:], strict=False):
        pairs = [pair for depth in found.depths if (pair := _beside(found, before, technique, depth))]
        if technique == MONTE_CARLO or not pairs:
            continue
        costly = [depth for depth, one, other, _ in pairs if other > one * (1 + LITTLE)]
        depth, one, other, hit_rate = pairs[-1]
        if costly:
            most = max(pairs, key=lambda pair: pair[2] / pair[1])
            where = f"at depth {costly[0]}" if len(costly) == 1 else f"at depths {', '.join(map(str, costly))}"
            yield f"{technique} costs nodes {where}, {most[2] / most[1] - 1:.0%} at depth {most[0]}: {_why_costs(technique)}"
        elif other > one * (1 - LITTLE):
            saved = (
                f"little at depth {depth} ({one:,} nodes without it, {other:,} with it)"
                if other < one
                else f"nothing at depth {depth}"
            )
            yield f"{technique} saves {saved}: {_why_saves_nothing(game, technique, hit_rate, little=other < one)}"
    whole = [(row.value, row.depth) for row in found.rows if row.value is not None and row.depth is not None]
    for depth in found.depths:
        values = [value for value, deep in whole if deep == depth]
        if values and max(values) - min(values) > 1e-9 * (game.high - game.low):
            yield f"VALUES DIFFER at depth {depth}, from {min(values)} to {max(values)}: please report this"


def _beside(found: Comparison, before: str, technique: str, depth: int) -> tuple[int, int, int, float] | None:
    """Return the depth, the nodes without and with *technique*, and its hit rate; None unless both searches came to their end."""
    one, other = found.row(before, depth), found.row(technique, depth)
    if one is None or other is None or one.value is None or other.value is None:
        return None
    return depth, one.nodes, other.nodes, other.hit_rate


def _why_costs(technique: str) -> str:
    return {
        "deepening": "it searches every shallower depth first. That pays where the table then orders the moves well, and under a time "
        "limit it is needed anyway, for a result at any moment.",
        "scout": "a scout that finds a better move must search it again. It pays where the first move is mostly the best one; a `rank` helps.",
        "ordering": "what cut before, `rank`, or `estimate` where chance acts after each move, led to worse moves here than the order in which "
        "`moves` yields them.",
        "table": "entries of other positions took the place of ones that were needed, or the order of moves changed.",
        "star2": "it looks at one move of each outcome first, which is lost where that does not settle the question.",
        "star1": "its narrower windows gave values that the table could use less often.",
    }.get(technique, "the order in which moves are searched has changed.")


def _why_saves_nothing(game: Game, technique: str, hit_rate: float, *, little: bool) -> str:
    if technique == "ordering":
        rank = "" if game.rank else " The game has no `rank`, which would tell it more."
        return f"`moves` yields good moves first already, or the tree is too shallow for killers and history to learn.{rank}"
    if technique == "table":
        return f"positions hardly repeat within so few moves: {hit_rate:.0%} of the look-ups found something."
    if technique == "star2":
        return "it works within narrow windows alone, which scouts make; few of these reached a chance node."
    if technique == "star1":
        return f"{'few partial means' if little else 'no partial mean'} went out of the window; that takes outcomes far apart, or a scale that fits the scores."
    if technique == "scout":
        return "most windows were narrow already."
    if technique == "deepening":
        return f"the table's moves were {'hardly' if little else 'no'} better than the order before."
    if technique == "pruning":
        if game.chances is not None:
            return "below a chance node it has no window to cut by; Star1 gives it one."
        return (
            "there was little to cut."
            if little
            else "there was nothing to cut: one move in every position, or all moves equally good."
        )
    return f"{'few positions were' if little else 'no position was'} met in which it applies."


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"
