"""What a table of values is known by: a digest of the rules that settle a value. Needs no Numba."""

from outplay.compile.fingerprint import Fingerprint
from outplay.rules.game import Game


def value_digest(game: Game) -> str:
    """Return a digest of all that a value depends on; the rules that are for speed or for people alone are not in it."""
    fields = tuple(repr(field) for field in game.fields)
    rules = (game.turn, game.moves, game.chances, game.play, game.score)
    return Fingerprint(fields, type(game.start)._fields, float(game.low), float(game.high), *rules).digest
