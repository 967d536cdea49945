"""Random numbers for kernels. They are counted, not drawn from a generator: number *n* of a key is `splitmix(key, n)`.

So each game of a seed is the same game, whichever thread plays it, interpreted or compiled.
"""

LOW_32 = (1 << 32) - 1
LOW_53 = (1 << 53) - 1
UNIT = 2.0**-53


def index_below(word, number):
    """Return an index from 0 to *number* - 1, all equally likely, from the random *word*.

    A multiplication and a shift, without a division; the bias is at most number / 2**32.
    """
    return (word >> 32 & LOW_32) * number >> 32


def share(word):
    """Return a float from 0 to 1, 1 excluded, from the random *word*."""
    return (word >> 11 & LOW_53) * UNIT
