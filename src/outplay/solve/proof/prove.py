"""`prove`: the exact value of one state, and a move that attains it."""

from collections.abc import Callable
from typing import Any

from outplay.compile import announce
from outplay.compile.clock import now
from outplay.errors import Interrupted, RuleError, StateError, TooDeep
from outplay.rules.game import OVER, Game
from outplay.runtime.meter import PLIES
from outplay.runtime.stopper import Stopper
from outplay.search.driver import Namer
from outplay.search.result import Candidate
from outplay.search.search import search
from outplay.solve.progress import Progress
from outplay.solve.proof.mean_prover import MeanProver
from outplay.solve.proof.prover import NotWhole, Prover
from outplay.solve.solution import Solution
from outplay.solve.values.value_codes import Scale


def prove(
    game: Game,
    state: Any,
    *,
    threads: int = 1,
    table_mb: float = 256,
    compiled: bool = True,
    progress: Callable[[Progress], None] | None = None,
    stopper: Stopper | None = None,
) -> Solution:
    """Return the value of *state* and a best move.

    By null windows if scores are whole and there is no chance. By means if one player plays against chance: nothing could be
    pruned there, and the value of every move, or outcome, of *state* comes with it. Else by a search.
    """
    began = now() / 1e9 - announce.spent()
    if game.acting(state) == OVER:
        raise StateError(f"the game is over, and there is nothing to prove: {game.write_state(state)}")
    try:
        if game.solitaire and game.chances is not None:
            return _by_means(game, state, threads, table_mb, compiled, progress, stopper)
        try:
            if game.reward is not None:
                raise NotWhole
            value, moves, nodes = _by_null_windows(game, state, threads, table_mb, compiled, progress, stopper)
        except NotWhole:
            value, moves, nodes = _by_search(game, state, threads, table_mb, compiled, stopper)
    except TooDeep:
        raise TooDeep(
            f"play of {game.name!r} goes on for more than {PLIES} plies, perhaps for ever, and cannot be proven move by move; "
            'method="cycles" makes a table in which states may come back, if one fits'
        ) from None
    seconds = now() / 1e9 - announce.spent() - began
    candidates = tuple(Candidate(move, value, "exact", 0, True, best=True, namer=Namer(game, state)) for move in moves)
    return Solution(game, state, "proof", value, moves, None, 1, nodes, seconds=seconds, candidates=candidates)


def _by_means(
    game: Game,
    state: Any,
    threads: int,
    table_mb: float,
    compiled: bool,
    progress: Callable[[Progress], None] | None,
    stopper: Stopper | None,
) -> Solution:
    began = now() / 1e9 - announce.spent()
    prover = MeanProver(game, threads=threads, table_mb=table_mb, compiled=compiled)
    started = now()

    def tick(nodes: int) -> None:
        if progress is not None:
            progress(Progress("proof", nodes, None, nodes, nodes * 1e9 / (now() - started), None))

    value = prover.value(state, stopper=stopper, progress=tick)
    who, choices = game.acting(state), list(game.choices(state))
    found = [prover.value(game.play(state, choice), stopper=stopper, progress=tick) for choice, _ in choices]  # from the table
    if game.reward is not None:
        found = [game.reward(state, choice) + after for (choice, _), after in zip(choices, found, strict=True)]
    best = Scale.of_reals(0.0).best(found, who, 0.0)
    candidates = tuple(
        Candidate(choice, after, "exact", 0, True, good, probability, namer=Namer(game, state))
        for (choice, probability), after, good in zip(choices, found, best, strict=True)
    )
    moves = tuple(candidate.move for candidate in candidates if candidate.best)
    seconds = now() / 1e9 - announce.spent() - began
    return Solution(game, state, "proof", value, moves, None, 1, prover.nodes, seconds=seconds, candidates=candidates)


def _by_null_windows(
    game: Game,
    state: Any,
    threads: int,
    table_mb: float,
    compiled: bool,
    progress: Callable[[Progress], None] | None,
    stopper: Stopper | None,
) -> tuple[float, tuple[int, ...], int]:
    prover = Prover(game, threads=threads, table_mb=table_mb, compiled=compiled, brief=False)
    began = now()

    def closing(low: int, high: int, nodes: int) -> None:
        if progress is not None:
            progress(Progress("proof", nodes, None, nodes, nodes * 1e9 / (now() - began), None, f"between {low} and {high}"))

    value = prover.value(state, stopper=stopper, progress=closing)
    return float(value), (_best_move(prover, state, value, stopper),), prover.nodes


def _best_move(prover: Prover, state: Any, value: int, stopper: Stopper | None) -> int:
    """Return the first move that keeps *value*. After the proof, the table holds nearly all that is needed."""
    game, who = prover.game, prover.game.turn(state)
    for move in game.legal(state):
        child = game.state(game.play(state, move))
        if prover.exceeds(child, value - 1, stopper=stopper) if who == 0 else not prover.exceeds(child, value, stopper=stopper):
            return move
    raise RuleError(
        f"bounds or useful of {game.name!r} promise {value} in {game.write_state(state)}, which no move keeps; "
        "outplay check may find where they are wrong"
    )


def _by_search(
    game: Game, state: Any, threads: int, table_mb: float, compiled: bool, stopper: Stopper | None
) -> tuple[float, tuple[int, ...], int]:
    """Do the same by a search to the end of the game, which handles chance, rewards and fractions."""
    result = search(
        game, state, depth=PLIES, threads=threads, table_mb=table_mb, without=("deepening",), compiled=compiled, check=False,
        stopper=stopper,
    )  # fmt: skip
    if result.stopped_by == "stop":
        raise Interrupted(None, "the proof was stopped before it came to its end")
    if not result.proven:
        raise TooDeep(f"the tree of {game.name!r} goes deeper than {PLIES} moves; method=None makes a table instead, if one fits")
    return result.value, () if result.move is None else (result.move,), result.nodes
