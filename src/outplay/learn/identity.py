"""What identifies the rules with which an estimate was learned: a digest of their code, and a digest of how they behave.

The code digest is exact, but bytecode differs between minor versions of Python. The behaviour digest covers what the rules say in
seeded random games, so that a file fits the same rules under any Python, and also rules that were only rewritten.
"""

import hashlib
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from outplay.compile.fingerprint import Fingerprint, value_digest
from outplay.learn.watching import words_of
from outplay.rules.bits import splitmix
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.interpreted_rules import InterpretedRules

SEED = 2024
STATES = 3000  # that are visited in all games together
PLIES = 400  # a longer game is left, and the next one begins
DIGITS = 9  # of a float: its last digits may depend on the machine's mathematical library

_known: WeakKeyDictionary[Game, tuple[str, dict[str, str]]] = WeakKeyDictionary()


def code_digests(game: Game, upon: str) -> dict[str, str]:
    """Return digests of code: of the rules, of `cells` if the game has them, and of `estimate` if the game was learned *upon* it."""
    found = {"rules": value_digest(game)}
    if upon == "estimate":
        found["estimate"] = Fingerprint(game.estimate).digest
    if game.cells is not None:
        found["cells"] = Fingerprint(game.cells).digest
    return found


def behaviour_digests(game: Game, upon: str) -> dict[str, str]:
    """Return digests of what the rules say in random games, under the names of `code_digests`."""
    code = " ".join(code_digests(game, upon).values())
    known = _known.get(game)
    if known is None or known[0] != code:
        known = _known[game] = code, _Walk(game, upon).digests()
    return known[1]


class _Walk:
    """Plays random games, and hashes what the rules say on the way."""

    def __init__(self, game: Game, upon: str) -> None:
        self.game, self.rules = game.replace(cells=None), InterpretedRules(game)
        self.hashes = {"rules": hashlib.sha256()}
        self.asked: dict[str, Callable[[Any], Any]] = {}
        if upon == "estimate":
            self.asked["estimate"] = lambda state: _real(game.estimate(state))  # type: ignore[misc]
        if game.cells is not None:
            self.asked["cells"] = lambda state: [int(cell) for cell in game.cells(state)]  # type: ignore[misc]
        self.hashes |= {name: hashlib.sha256() for name in self.asked}
        self.drawn = 0

    def digests(self) -> dict[str, str]:
        """Return the digests by name."""
        game, left = self.game, STATES
        self._say("rules", [(field.kind, field.words) for field in game.fields], _real(game.low), _real(game.high))
        while left > 0:
            left -= max(self._play(min(left, PLIES)), 1)
        return {name: held.hexdigest()[:24] for name, held in self.hashes.items()}

    def _play(self, most: int) -> int:
        """Play a game of *most* states at most; return how many were visited."""
        state = self.game.start
        for number in range(1, most + 1):
            try:
                after = self._visit(state)
            except Exception as error:  # in such a state the rules have nothing else to say
                self._say("rules", "raised", type(error).__name__)
                return number
            if after is None:
                return number
            state = after
        return most

    def _visit(self, state: Any) -> Any:
        """Hash what the rules say of *state*; return a state after it, or None if the game is over."""
        game, who = self.game, int(self.game.turn(state))
        self._say("rules", words_of(game, self.rules, state), who)
        if who == OVER:
            self._say("rules", _real(game.score(state)))
            return None
        for name, ask in self.asked.items():
            self._say(name, ask(state))
        if who == CHANCE:
            choices = sorted((choice, _real(probability)) for choice, probability in game.outcomes(state))
        else:
            choices = sorted((move, "") for move in game.legal(state))
        self._say("rules", choices)
        self.drawn += 1
        choice, _ = choices[splitmix(SEED, self.drawn) % len(choices)]
        if game.reward is not None:
            self._say("rules", choice, _real(game.reward(state, choice)))
        return game.state(game.play(state, choice))

    def _say(self, name: str, *words: Any) -> None:
        self.hashes[name].update(repr(words).encode())


def _real(value: float) -> str:
    """Return a number as text that is the same on every machine."""
    return f"{float(value) + 0.0:.{DIGITS}g}"
