"""Perft, for everybody."""

from outplay.compile.engine import Engine
from outplay.errors import LimitError, RuleError, TooDeep
from outplay.rules.game import Game, State
from outplay.rules.perft import paths
from outplay.runtime.large_stack import on_large_stack, stack_for
from outplay.runtime.meter import PLIES


def perft(game: Game[State], state: State | None = None, *, depth: int | None = None, compiled: bool = True) -> int:
    """Return in how many ways the game can go on for *depth* plies, moves and outcomes alike.

    Lines that end earlier do not count. perft(game, 5) is short for perft(game, depth=5). Connect Four: 7, 49, 343, 2401, 16807, 117649, 823536, ...
    """
    if isinstance(state, int):
        state, depth = None, state
    if depth is None or depth < 0:
        raise LimitError(f"depth={depth}: perft counts plies ahead; give 0 or more, such as perft(game, depth=5)")
    if depth > PLIES:
        raise TooDeep(f"depth={depth} is more than the stack holds; perft goes to {PLIES} plies at most")
    state = game.start if state is None else game.state(state)
    engine = Engine(game, paths, "count", compiled=compiled)
    memory = engine.memory(4 * game.max_moves * (depth + 1))
    total = int(on_large_stack(lambda: engine.run(state, depth, 0, game.max_moves, memory), stack_for(game)))
    if total < 0:
        raise RuleError(
            f"{game.name!r} has a state with more than max_moves={game.max_moves} moves or outcomes; "
            "give the Game a larger max_moves"
        )
    return total
