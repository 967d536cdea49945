"""Digests of rules: they name compiled rules and solved tables. Needs no Numba."""

from weakref import WeakKeyDictionary

from outplay.compile.fingerprint import Fingerprint
from outplay.rules.game import OPTIONAL, REQUIRED, Game

RULES = REQUIRED + OPTIONAL

_fingerprints: WeakKeyDictionary[Game, Fingerprint] = WeakKeyDictionary()


def value_fingerprint(game: Game) -> Fingerprint:
    """Return a fingerprint of all that a value depends on, without the rules that serve only speed or people."""
    fields = tuple(repr(field) for field in game.fields)
    rules: tuple[object, ...] = (game.turn, game.moves, game.chances, game.play, game.score)
    if game.reward is not None:
        rules += (game.reward,)
    return Fingerprint(fields, type(game.start), float(game.low), float(game.high), *rules)


def value_digest(game: Game) -> str:
    """Return the digest of `value_fingerprint`."""
    return value_fingerprint(game).digest


def rules_fingerprint(game: Game) -> Fingerprint:
    """Return the fingerprint of all that compiling *game* depends on; compute it again if something has changed."""
    fingerprint = _fingerprints.get(game)
    if fingerprint is None or not fingerprint.holds():
        rules = tuple(getattr(game, rule) for rule in RULES)
        fields = tuple(repr(field) for field in game.fields)
        fingerprint = Fingerprint(fields, type(game.start), float(game.low), float(game.high), *rules)
        _fingerprints[game] = fingerprint
    return fingerprint
