"""An estimate with weights. Compiled code finds them through the kernel's memory, so new weights need no compilation.

A `Game` takes it as its `estimate`. Interpreted code calls it like any other estimate. In compiled code, the word NETWORK of the
kernel's memory, which `Engine.memory` writes, holds its address.
"""

from collections.abc import Callable
from typing import Any

from outplay.compile.network_kernel import (
    EMPHASIS,
    HIGH,
    INDEXES_AT,
    INPUTS,
    LANES,
    LEAST,
    LOW,
    MOST,
    NET_AT,
    PARTS,
    SPAN,
    STATE,
    TABLE_AT,
    TRUST_AT,
    UNITS,
    UNITS_AT,
    VISITS_AT,
    WEIGHTS_AT,
    WORDS,
    learned_value,
)
from outplay.rules.game import Game
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.memory import Memory

REALS = (LOW, HIGH, EMPHASIS, LEAST, MOST, SPAN)  # words of a network that are floats


class LearnedEstimate:
    """The values that a network gives to the states of *game*.

    *net* is the network's block, as `network_kernel.py` lays it out. *keep* are the arrays that it points to: weights, trust, table,
    hidden weights, their visits. *base*: the game's own estimate, to which the network's value is added, or None.
    """

    def __init__(self, game: Game, net: Any, keep: tuple[Any, Any, Any, Any, Any], base: Callable[[Any], float] | None) -> None:
        self.turn, self.bounds, self.base, self.max_moves = game.turn, game.bounds, base, game.max_moves
        self.net, self.keep = net, keep
        self._rules = InterpretedRules(game.replace(estimate=base))
        self._view = self.interpreted_view()

    def __call__(self, state: Any) -> float:
        return float(learned_value(self._rules, state, self._rules.turn(state), self._view))  # type: ignore[no-untyped-call]

    def check(self, game: Game) -> None:
        """Refuse a *game* that this estimate does not fit. A plain network fits any; `Learned` checks the rules."""

    @property
    def lanes(self) -> int:
        """How many lanes the network has."""
        return int(self.net[LANES])

    @property
    def view_words(self) -> int:
        """How many words the view of a thread takes, its indexes included."""
        net = self.net
        return int(STATE + net[WORDS] + 1 + net[PARTS] + self.max_moves + self._index_words)

    @property
    def _index_words(self) -> int:
        """How many words the indexes of two states take, the activations of hidden units, and shares of their inputs."""
        return int(self.net[LANES] + (self.net[UNITS] + self.net[INPUTS] + 1) // 2)

    def write_view(self, memory: Any, place: int) -> int:
        """Write a view for compiled code to *memory*, from *place* on; return its address."""
        address = int(memory.ctypes.data) + 8 * place
        memory[place + NET_AT] = self.net.ctypes.data
        memory[place + INDEXES_AT] = address + 8 * (self.view_words - self._index_words)
        return address

    def interpreted_view(self) -> Memory:
        """Return a view for interpreted code."""
        reals = self.net.view("float64")
        net = Memory(enumerate(self.net.tolist()))
        for place in REALS:
            net[place] = float(reals[place])
        net[WEIGHTS_AT], net[TRUST_AT], net[TABLE_AT], net[UNITS_AT], net[VISITS_AT] = self.keep
        return Memory({NET_AT: net, INDEXES_AT: Memory()})
