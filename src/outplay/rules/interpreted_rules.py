"""The rules of a game as kernels call them, interpreted. `compile/compiled_rules.py` has the same methods, compiled."""

from collections.abc import Iterator
from operator import index
from typing import Any

from outplay.errors import RuleError
from outplay.rules.bits import bits_of, mix, real_of
from outplay.rules.fields import PLAIN, Field, another_shape, plain, shaped
from outplay.rules.game import Game
from outplay.rules.key import key_of
from outplay.rules.memory import put_real


class InterpretedRules:
    """The rules of one game, with the names and the defaults that kernels rely on."""

    room = None  # where compiled rules write a state

    def __init__(self, game: Game) -> None:
        self.low, self.high = float(game.low), float(game.high)
        self.has_rank, self.has_useful = game.rank is not None, game.useful is not None
        self.has_chances, self.has_bounds = game.chances is not None, game.bounds is not None
        self.has_reward, self._reward = game.reward is not None, game.reward
        self.has_cells, self._cells = game.cells is not None, game.cells
        self.turn, self._moves, self._key = game.turn, game.moves, game.key
        self._name, self._play = game.name, game.play
        self._sized = [(place, field) for place, field in enumerate(game.fields) if field.kind in ("tuple", "array")]
        self._reals = [place for place, field in enumerate(game.fields) if field.kind == "float"]
        self.play = self._play_sized if self._sized else self._play_plain
        self._chances = game.chances or (lambda state: ())
        self._score, self._estimate, self._useful = game.score, game.estimate, game.useful or game.moves
        # A learned estimate builds upon the game's own, and asks the original `turn` and `bounds`, which `facing` may have changed.
        self.base_turn = getattr(game.estimate, "turn", game.turn)
        self._base_bounds = getattr(game.estimate, "bounds", game.bounds)
        self.has_base_bounds = self._base_bounds is not None
        self._base = getattr(game.estimate, "base", game.estimate)
        self._rank, self._bounds, self._cost, self.has_cost = game.rank, game.bounds, game.cost, game.cost is not None
        self._fields, self._state = game.fields, type(game.start)
        if any(field.kind == "array" for field in game.fields):
            self.play = self._play_with_cells

    def _play_plain(self, state: Any, choice: int, room: Any = None) -> Any:
        """Return the state after *choice*, with plain numbers, as states have. Compiled rules write it to *room*."""
        after = self._play(state, choice)
        if isinstance(after, self._state) and (self._reals or not PLAIN.issuperset(map(type, after))):
            values = list(map(plain, after))
            for place in self._reals:
                values[place] = float(values[place]) + 0.0  # no state holds -0.0: it has the key of 0.0
            return self._state(*values)
        return after

    def _play_with_cells(self, state: Any, choice: int, room: Any = None) -> Any:
        """Return the state after *choice*; its arrays have plain items and are read-only, whatever arrays the rules made."""
        from outplay.rules.cells import cells

        after = self._play_sized(state, choice)
        if not isinstance(after, self._state):
            return after
        return self._state(*(cells(value) if hasattr(value, "dtype") else value for value in after))

    def moves(self, state: Any) -> Iterator[Any]:
        """Return the moves of *state*: plain ints, as compiled rules pass them on."""
        return map(plain, self._moves(state))

    def chances(self, state: Any) -> Iterator[tuple[Any, Any]]:
        """Return the outcomes of *state*, plain ints, each with its probability."""
        return ((plain(outcome), probability) for outcome, probability in self._chances(state))

    def key(self, state: Any) -> int:
        """Return the key of *state*. A game's own key is mixed here; the default key is mixed already."""
        return mix(0, int(self._key(state))) if self._key else key_of(state)

    def _play_sized(self, state: Any, choice: int, room: Any = None) -> Any:
        """Return the state after *choice*; raise a RuleError if a tuple or an array has another shape than at the start."""
        after = self._play_plain(state, choice)
        for place, field in self._sized:
            if isinstance(after, tuple) and place < len(after) and not shaped(field, after[place]):
                raise RuleError(f"{another_shape(field, after[place])} (in {self._name!r}, after {choice})")
        return after

    def score(self, state: Any) -> float:
        return float(self._score(state))

    def reward(self, state: Any, choice: int) -> float:
        return float(self._reward(state, choice)) if self._reward else 0.0

    def estimate(self, state: Any, ints: Any = None) -> float:
        """Return the estimate of *state*. Compiled code finds the weights of a learned one through *ints*."""
        return float(self._estimate(state)) if self._estimate else 0.0

    def base_estimate(self, state: Any) -> float:
        """Return the estimate that a learned one builds upon, or the game's own; 0 if there is none."""
        return float(self._base(state)) if self._base else 0.0

    def base_bounds(self, state: Any) -> tuple[float, float]:
        """Return the bounds that the rules prove, as the game has them that a learned estimate was learned for."""
        if self._base_bounds is None:
            return self.low, self.high
        low, high = self._base_bounds(state)
        return float(low), float(high)

    def rank(self, state: Any, move: int) -> float:
        return float(self._rank(state, move)) if self._rank else 0.0

    def bounds(self, state: Any) -> tuple[float, float]:
        if self._bounds is None:
            return self.low, self.high
        low, high = self._bounds(state)
        return float(low), float(high)

    def cost(self, state: Any) -> int:
        return int(self._cost(state)) if self._cost else 0

    def store_state(self, state: Any, ints: Any, at: int) -> None:
        """Write *state* to ints[at:]: one word for each field or item, a float as its bits."""
        for field, value in zip(self._fields, state, strict=True):
            if field.kind == "float":
                ints[at] = bits_of(float(value) + 0.0)  # -0.0 and 0.0 are one value, so one word
            elif field.kind in ("tuple", "array"):
                for place, item in enumerate(getattr(value, "flat", value)):
                    ints[at + place] = int(item)
            else:
                ints[at] = int(value)
            at += field.words

    def load_state(self, ints: Any, at: int, room: Any = None) -> Any:
        """Return the state that `store_state` wrote to ints[at:]."""
        values = []
        for field in self._fields:
            values.append(_loaded(field, [int(ints[at + place]) for place in range(field.words)]))
            at += field.words
        return self._state(*values)

    def fill_moves(self, state: Any, ints: Any, top: int, limit: int) -> int:
        """Write the moves of *state* to ints[top:], at most *limit*; return the number of moves."""
        return _fill(self.moves(state), ints, top, limit)

    def fill_until(self, state: Any, ints: Any, top: int, limit: int, enough: int, wanted: int) -> int:
        """Write moves of *state* to ints[top:] until there are more than *limit*, or more than *enough* with *wanted* among them.

        Return the number of moves written.
        """
        number = 0
        for move in self.moves(state):
            ints[top + number] = index(move)
            number += 1
            if move == wanted:
                limit = enough
            if number > limit:
                break
        return number

    def fill_useful(self, state: Any, ints: Any, top: int, limit: int) -> int:
        """Write the useful moves of *state* as `fill_moves` does."""
        return _fill(self._useful(state), ints, top, limit)

    def fill_cells(self, state: Any, ints: Any, top: int, limit: int) -> int:
        """Write the cells of *state* as `fill_moves` does."""
        return _fill(self._cells(state), ints, top, limit) if self._cells else 0

    def fill_chances(self, state: Any, ints: Any, top: int, limit: int) -> int:
        """Write each outcome and its probability to every fourth word from *top*; return the number of outcomes."""
        number = 0
        for outcome, probability in self.chances(state):
            if number < limit:
                ints[top + 4 * number] = index(outcome)
                put_real(ints, top + 4 * number + 1, probability)
            number += 1
        return number


def _loaded(field: Field, words: list[int]) -> Any:
    if field.kind == "tuple":
        return tuple(words)
    if field.kind == "array":
        from numpy import array

        from outplay.rules.cells import cells

        return cells(array(words, field.dtype).reshape(field.shape))
    if field.kind == "float":
        return real_of(words[0])
    return bool(words[0]) if field.kind == "bool" else words[0]


def _fill(moves: Any, ints: Any, top: int, limit: int) -> int:
    number = 0
    for move in moves:
        if number < limit:
            ints[top + number] = index(move)  # an int of NumPy would overflow
        number += 1
    return number
