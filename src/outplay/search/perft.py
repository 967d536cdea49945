"""Perft: the number of ways in which a game can continue. The quickest test of rules."""

from outplay.compile.engine import Engine
from outplay.errors import LimitError, RuleError, TooDeep
from outplay.rules.game import CHANCE, OVER, Game, State
from outplay.runtime.large_stack import on_large_stack, stack_for
from outplay.runtime.meter import PLIES


def paths(game, state, plies, top, limit, memory):
    """Return the number of sequences of *plies* moves and outcomes from *state*; -1 if a node has more than *limit* choices."""
    if plies == 0:
        return 1
    who = game.turn(state)
    if who == OVER:
        return 0
    step = 1
    if who == CHANCE:
        step = 4
        number = game.fill_chances(state, memory, top, limit)
    else:
        number = game.fill_moves(state, memory, top, limit)
    if number > limit:
        return -1
    if plies == 1:
        return number
    total = 0
    for index in range(number):
        child = game.play(state, memory[top + step * index], game.room)
        found = paths(game, child, plies - 1, top + step * number, limit, memory)
        if found < 0:
            return -1
        total += found
    return total


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
