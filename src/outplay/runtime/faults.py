"""The errors of kernels, each with the state in which it occurred."""

from typing import Any

from outplay.errors import GameError, RuleError, TooDeep
from outplay.rules.game import Game, stuck
from outplay.rules.probabilities import ILLEGAL, bad_probabilities, illegal_choice
from outplay.runtime import meter


def fault(game: Game, state: Any, memory: Any) -> GameError:
    """Return the error that ended the search in *memory*; the search left a trail from the root to the place."""
    why = int(memory[meter.WHY])
    trail = [int(memory[meter.TRAIL + ply]) for ply in range(int(memory[meter.TRAIL_LENGTH]))]
    if why == meter.TOO_DEEP:
        return TooDeep(
            f"the tree of {game.name!r} goes deeper than the stack, which holds {meter.PLIES} plies: "
            "give a smaller depth, or see whether chance nodes follow each other without end"
        )
    paid = trail.pop() if why == meter.BAD_REWARD else None
    for choice in trail:
        state = game.play(state, choice)
    where = f"in {game.write_state(state)}"
    if why == meter.BAD_TURN:
        return RuleError(f"turn of {game.name!r} is {_called(game.turn, state)} {where}; it must return 0, 1, CHANCE or OVER")
    if why == meter.BAD_SCORE:
        return RuleError(
            f"score of {game.name!r} is {_called(game.score, state)} {where}; "
            f"a score lies between low={game.low} and high={game.high}: give the Game the low and high that its scores have"
        )
    if why == meter.BAD_ESTIMATE:
        return RuleError(
            f"estimate of {game.name!r} is {_called(game.estimate, state)} {where}; "
            f"an estimate is on the scale of the scores, between low={game.low} and high={game.high}"
        )
    if why == meter.BAD_BOUNDS:
        return RuleError(
            f"bounds of {game.name!r} is {_called(game.bounds, state)} {where}; it must return (low, high), numbers with low not above high"
        )
    if paid is not None:
        return RuleError(
            f"reward of {game.name!r} is {_called(lambda state: game.reward(state, paid), state)} for {paid} {where}, which takes the total "  # type: ignore[misc]
            f"beyond low={game.low} and high={game.high}: give the Game a low and a high that hold all rewards still to come and the score"
        )
    if why == meter.BAD_CHANCES:
        outcomes = game.outcomes(state)
        if game.cost is not None and (illegal := [move for move, probability in outcomes if probability == ILLEGAL]):
            return illegal_choice(f"the policy of {game.name!r}", illegal[0], where, game.legal(state))
        return bad_probabilities(f"chances of {game.name!r}", outcomes, where)
    if why == meter.NO_MOVES:
        return stuck(game, state, "moves (or useful)")
    if why == meter.TOO_MANY:
        return RuleError(
            f"{game.name!r} has more than max_moves={game.max_moves} moves or outcomes {where}; give the Game a larger max_moves"
        )
    return RuleError(f"turn of {game.name!r} returns CHANCE {where}, but the game has no chances; give the Game chances=...")


def _called(rule: Any, state: Any) -> str:
    try:
        return repr(rule(state))
    except Exception as error:
        return f"{type(error).__name__} when interpreted, and not finite when compiled,"
