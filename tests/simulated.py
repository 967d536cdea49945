"""Simulated tournaments with known strengths: what the tests of ratings and of the sequential test draw from."""

import numpy as np

from outplay.arena.ratings import ELO, PAIR_POINTS, pairings


def pair_chances(share, draws, decided):
    """Return the probabilities of 0, ½, 1, 1½, 2 points of a pair, in the last axis, for an agent whose expected share is *share*.

    *draws*: how much of what could be drawn is drawn. *decided*: the share of starts that win for the same seat in both games.
    """
    share = np.asarray(share, dtype=float)
    drawn = draws * 2 * np.minimum(share, 1 - share)
    single = np.stack([1 - share - drawn / 2, drawn, share - drawn / 2], axis=-1)
    free = np.zeros((*share.shape, 5))
    for one in range(3):
        for other in range(3):
            free[..., one + other] += single[..., one] * single[..., other]
    lead = 2 * share - 1
    fixed = np.zeros((*share.shape, 5))
    fixed[..., 2] = 1 - np.abs(lead)
    fixed[..., 4], fixed[..., 0] = np.maximum(lead, 0), np.maximum(-lead, 0)
    return (1 - decided) * free + decided * fixed


def tournaments(number, agents, pairs, *, spread, draws, decided, source):
    """Return the true ratings of *number* tournaments, relative to their means, and the counts of pairs as `rate` takes them."""
    elo = source.normal(0.0, spread, (number, agents))
    rows = pairings(agents)
    shares = np.stack([1 / (1 + 10 ** ((elo[:, other] - elo[:, one]) / 400)) for one, other in rows], axis=1)
    counts = source.multinomial(pairs, pair_chances(shares, draws, decided))
    return elo - elo.mean(1, keepdims=True), counts


def sequential(test, elo, number, *, draws, decided, source):
    """Return the verdicts of *number* sequential tests where the true difference is *elo*, and how many pairs each took."""
    chances = pair_chances(1 / (1 + np.exp(-elo / ELO)), draws, decided)
    counts = np.zeros((number, len(PAIR_POINTS)), dtype=int)
    verdicts, taken = np.zeros(number, dtype=int), np.zeros(number, dtype=int)
    open_ = np.arange(number)
    while len(open_):
        counts[open_] += source.multinomial(1, chances, len(open_))
        taken[open_] += 1
        verdicts[open_] = test.verdict(counts[open_])
        open_ = open_[verdicts[open_] == 0]
    return verdicts, taken
