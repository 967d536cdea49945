"""Perft: the number of ways in which a game can continue. The quickest test of rules."""

from outplay.rules.game import CHANCE, OVER


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
        found = paths(game, game.play(state, memory[top + step * index]), plies - 1, top + step * number, limit, memory)
        if found < 0:
            return -1
        total += found
    return total
