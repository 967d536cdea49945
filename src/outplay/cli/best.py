"""`outplay best`: the best move of a position, in words or as JSON."""

from contextlib import suppress
from typing import Any

from rich.console import Console
from rich.markup import escape

from outplay.agents.named import policy
from outplay.cli.estimates import chosen_estimate, estimate_note
from outplay.cli.guard import guard
from outplay.cli.live import watching
from outplay.cli.position import position
from outplay.cli.printing import print_result
from outplay.errors import StateError
from outplay.rules.text import after_names
from outplay.runtime.limits import Limits
from outplay.search.prove_first import proof_pays, prove_first
from outplay.search.result import Result
from outplay.search.searcher import Searcher, check_limits
from outplay.search.techniques import mode_of


def best(
    console: Console,
    name: str,
    text: str,
    moves: str,
    *,
    limits: dict[str, Any],
    opponent: str,
    threads: int,
    only: tuple[str, ...] | None,
    without: tuple[str, ...],
    method: dict[str, Any],
    learned: str,
    verbose: bool,
    as_json: bool,
) -> None:
    """Search the position *text*, *moves* of the game *name*, and print the result."""
    game = guard.load(name)
    state = position(game, text, moves)
    if all(limit is None for limit in limits.values()):
        limits = {**limits, "seconds": 1.0}
    chosen: dict[str, Any] = {"only": only, "without": without}
    # What cannot be is refused before anything is compiled.
    check_limits(method["method"], Limits(**limits))
    mode_of(**chosen)
    estimate = chosen_estimate(learned, game, method=method["method"])
    options: dict[str, Any] = {"threads": threads, "opponent": policy(opponent, game), **chosen, **method}
    searcher = Searcher(game, estimate=estimate, **options)
    timed = all(limit is None for name, limit in limits.items() if name != "seconds") and method["method"] == "alpha-beta"
    plain = Searcher(game, **options) if timed and proof_pays(game, estimate) else None
    if not as_json:
        console.print(escape(str(game.show(state))))
    for one in (searcher, plain):
        if one is not None:
            one.prepare(state)

    def search() -> Result:
        with watching(console, searcher.game, state, quiet=as_json, verbose=verbose) as progress:
            if plain is not None:
                return prove_first(plain, searcher, state, seconds=limits["seconds"], progress=progress)
            return searcher.search(state, progress=progress, **limits)

    def explain(found: Result) -> str:
        text = found.explain(verbose=verbose).replace("explain(verbose=True)", "--verbose")
        return text if found.move is not None else f"{text}\n{outcome_hint(found, moves)}".rstrip()

    print_result(console, search, as_json=as_json, note=estimate_note(learned, game, estimate), explain=explain)


def outcome_hint(found: Result, moves: str) -> str:
    """Return a sentence that says how to name what chance does, because only a player has a best move; "" if no name can be read."""
    likeliest = max(found.candidates, key=lambda one: one.probability or 0.0)
    for name in (likeliest.name, str(likeliest.move)):
        with suppress(StateError):
            after_names(found.game, found.state, name)
            return f'For the best move after an outcome, name it: --moves "{" ".join([*moves.split(), name])}"'
    return ""
