"""`search` and `analyse`: the best move of a state, or a value for every move, within a limit."""

from collections.abc import Callable, Iterable
from typing import Any

from outplay.rules.game import Game, State
from outplay.rules.opponents import Policy
from outplay.runtime.growing_table import TABLE_MB
from outplay.runtime.stopper import Stopper
from outplay.search.analysis import Analysis
from outplay.search.result import Iteration, Result
from outplay.search.searcher import Searcher


def prepare(game: Game, state: Any = None, *, opponent: Policy = "best", method: str = "alpha-beta") -> None:
    """Compile everything that a search of *state* needs, so that the search starts at once."""
    Searcher(game, opponent=opponent, method=method).prepare(state)


def search(
    game: Game[State],
    state: State | None = None,
    *,
    seconds: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    opponent: Policy = "best",
    threads: int | None = 1,
    table_mb: float = TABLE_MB,
    only: Iterable[str] | None = None,
    without: Iterable[str] = (),
    method: str = "alpha-beta",
    simulations: int | None = None,
    leaves: str | None = None,
    exploration: float | None = None,
    seed: int = 0,
    compiled: bool = True,
    check: bool = True,
    samples: int | None = None,
    estimate: Callable[[Any], float] | None = None,
    progress: Callable[[Iteration], None] | None = None,
    stopper: Stopper | None = None,
) -> Result:
    """Return the best move of *state* (the start, if none is given) for the player to move, and why.

    A limit is required: *seconds*, *depth* (the players' moves; dice are free), *nodes*, or several. The time to compile
    the rules, once, does not count. *opponent* is "best", "random" or a policy: its name, or a function. *threads*: None
    means all cores. *table_mb*: the largest transposition table, in MB. *only* and *without* choose techniques by name.
    *estimate* replaces the game's own: a function of the state, or what `learn` returns.
    *progress* is called after each depth; *stopper* stops the search from another thread. Ctrl-C raises `Interrupted`,
    a KeyboardInterrupt that carries the result so far.

    With *samples*, a chance node with more outcomes is sampled, by *seed*. The result then has a statistical error, and it is
    never proven where a sample was drawn.

    *method* "mcts" is Monte Carlo tree search. Its limits are *seconds*, *nodes* and *simulations*; *depth* limits the depth of the
    tree, and *table_mb* its memory. *leaves*: how a leaf is valued, by a "playout", by the game's "estimate", or by the mean of both
    ("mix", the default if there is an estimate). *exploration*: how often moves are tried that look worse. With one thread, the
    same *seed* gives the same result.

    The first search of a game checks its rules in some hundred states, interpreted and compiled; *check*=False skips that.
    """
    searcher = Searcher(
        game, opponent=opponent, threads=threads, table_mb=table_mb, only=only, without=without, method=method, leaves=leaves,
        exploration=exploration, samples=samples, seed=seed, compiled=compiled, check=check, estimate=estimate,
    )  # fmt: skip
    return searcher.search(
        state, seconds=seconds, depth=depth, nodes=nodes, simulations=simulations, progress=progress, stopper=stopper
    )


def analyse(
    game: Game[State],
    state: State | None = None,
    *,
    seconds: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    opponent: Policy = "best",
    table_mb: float = TABLE_MB,
    compiled: bool = True,
    check: bool = True,
    estimate: Callable[[Any], float] | None = None,
    progress: Callable[[Analysis], None] | None = None,
    tick: Callable[[int, float], None] | None = None,
    stopper: Stopper | None = None,
) -> Analysis:
    """Return the value of every move of *state*, or of every outcome where chance acts, searched deeper and deeper.

    A limit is required, as for `search`. *progress* receives the analysis so far after each depth, and at the first depth after
    each move (beyond 256 moves, after 512, 1,024 and so on). *tick* receives nodes and seconds several times a second.
    The other options are those of `search`.
    """
    searcher = Searcher(game, opponent=opponent, table_mb=table_mb, compiled=compiled, check=check, estimate=estimate)
    return searcher.analyse(
        state, seconds=seconds, depth=depth, nodes=nodes, progress=progress, tick=tick, stopper=stopper
    )  # fmt: skip
