"""What a simulation did, played again with the plain rules: to be looked at, or to find the rule that failed in it."""

from typing import Any

from outplay.rules.bits import splitmix
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.rule_errors import rule_errors
from outplay.search.montecarlo.draws import index_below, share
from outplay.search.montecarlo.tree_kernel import PLAYOUT_KEY


def playout_choices(game: Game, state: Any, seed: int, number: int, plies: int) -> tuple[int, ...]:
    """Return the choices of the playout from *state* in simulation *number*: random numbers are counted, so it can be played again."""
    key = splitmix(splitmix(seed, number), PLAYOUT_KEY)
    choices: list[int] = []
    while len(choices) < plies and (who := game.turn(state)) != OVER:
        word = splitmix(key, len(choices))
        if who == CHANCE:
            point, outcomes = share(word), game.outcomes(state)
            choice = outcomes[-1][0]
            for outcome, probability in outcomes[:-1]:
                point -= probability
                if point < 0.0:
                    choice = outcome
                    break
        else:
            legal = game.legal(state)
            choice = legal[index_below(word, len(legal))]
        choices.append(choice)
        state = game.play(state, choice)
    return tuple(choices)


def call_rules(game: Game, state: Any) -> None:
    """Call every rule that a simulation may call in *state* and in the states that follow it."""
    with rule_errors(game):
        if game.turn(state) == OVER:
            game.score(state)
            return
        if game.useful is not None:
            list(game.useful(state))
        if game.estimate is not None:
            game.estimate(state)
        for choice, probability in game.choices(state):
            if game.reward is not None:
                game.reward(state, choice)
            if game.rank is not None and probability is None:
                game.rank(state, choice)
            after = game.play(state, choice)
            if game.turn(after) == OVER:
                game.score(after)
            elif game.bounds is not None:
                game.bounds(after)
