"""The plain oracle: every node visited, nothing pruned. All fast search is judged by it."""

from typing import NamedTuple

from outplay.compile.engine import Engine
from outplay.errors import LimitError, RuleError, TooDeep
from outplay.pictures.notebook import paragraph
from outplay.rules.game import CHANCE, OVER, Game, State
from outplay.rules.number_text import signed_value
from outplay.rules.probabilities import sums_to_one
from outplay.runtime.large_stack import on_large_stack, stack_for
from outplay.runtime.meter import METER, PLIES

INFINITY = float("inf")


def plain_value(game, state, depth, ply, meter):
    """Return the value of *state* to player 0, *depth* moves ahead; count nodes in meter[0], and chance nodes in error in meter[1]."""
    meter[0] += 1
    if ply > PLIES:
        raise RecursionError("the tree goes deeper than the stack")
    who = game.turn(state)
    if who == OVER:
        return game.score(state)
    if depth <= 0:
        return game.estimate(state, meter)
    if who == CHANCE:
        mean, total, valid = 0.0, 0.0, True
        for outcome, probability in game.chances(state):
            value = plain_value(game, game.play(state, outcome), depth - game.cost(state), ply + 1, meter)
            mean += probability * (game.reward(state, outcome) + value if game.has_reward else value)
            total += probability
            valid = valid and probability > 0.0
        if not valid or not sums_to_one(total):
            meter[1] += 1
        return mean
    best = -INFINITY if who == 0 else INFINITY
    for move in game.moves(state):
        value = plain_value(game, game.play(state, move), depth - 1, ply + 1, meter)
        if game.has_reward:
            value += game.reward(state, move)
        if (value > best) if who == 0 else (value < best):
            best = value
    return best


plain_value.by_value = True  # type: ignore[attr-defined]  # a generator of moves waits here while `play` empties the arena of rules


class Verdict(NamedTuple):
    """The result of `minimax`: the value to player 0, and the number of nodes visited."""

    value: float
    nodes: int

    def explain(self) -> str:
        """Return the result in words."""
        return f"Worth {signed_value(self.value)} to player 0, by plain minimax: {self.nodes:,} nodes."

    def to_dict(self) -> dict[str, float | int]:
        """Return it as plain data, such as JSON takes."""
        return self._asdict()

    def _repr_html_(self) -> str:
        return paragraph(self.explain())


def minimax(game: Game[State], state: State | None = None, *, depth: int, compiled: bool = True) -> Verdict:
    """Return the value of *state*, *depth* moves ahead, and the number of nodes, root and leaves included."""
    if depth < 0:
        raise LimitError(f"depth={depth}: a search cannot look back; give 0 or more")
    if depth > PLIES:
        raise TooDeep(f"depth={depth} is more than the stack holds; minimax goes to {PLIES} at most")
    state = game.start if state is None else game.state(state)
    engine = Engine(game, plain_value, "value", compiled=compiled)
    meter = engine.memory(METER)
    value = on_large_stack(lambda: engine.run(state, depth, 0, meter), stack_for(game))
    if meter[1]:
        raise RuleError(
            f"chances of {game.name!r} yields nothing, or probabilities that are not above 0 or do not sum to 1, in "
            f"{int(meter[1]):,} of the nodes visited; check(game) names such a state"
        )
    return Verdict(float(value), int(meter[0]))
