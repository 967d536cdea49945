"""An estimate with weights: compiled code reaches them through the kernel's memory, so that new weights compile nothing.

A `Game` takes it as its `estimate`. Interpreted, it is called like any other; compiled, the kernel's memory leads to it by
the word NETWORK, which `Engine.memory` writes.
"""

from collections.abc import Callable
from typing import Any

from outplay.compile.network_kernel import (
    EMPHASIS,
    HIGH,
    INDEXES_AT,
    LANES,
    LEAST,
    LOW,
    MOST,
    NET_AT,
    PARTS,
    STATE,
    TABLE_AT,
    TRUST_AT,
    WEIGHTS_AT,
    WORDS,
    learned_value,
)
from outplay.rules.game import Game
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.memory import Memory

REALS = (LOW, HIGH, EMPHASIS, LEAST, MOST)  # words of a network that are floats


class LearnedEstimate:
    """What a network says of the states of *game*.

    *net* is the network's block, as `network_kernel.py` lays it out; *keep* are the arrays to which it leads: weights, trust, table.
    *base*: the game's own estimate, to which the network's value is added, or None.
    """

    def __init__(self, game: Game, net: Any, keep: tuple[Any, Any, Any], base: Callable[[Any], float] | None) -> None:
        self.turn, self.base, self.max_moves = game.turn, base, game.max_moves
        self.net, self.keep = net, keep
        self._rules = InterpretedRules(game.replace(estimate=base))
        self._view = self.interpreted_view()

    def __call__(self, state: Any) -> float:
        return float(learned_value(self._rules, state, self._rules.turn(state), self._view))  # type: ignore[no-untyped-call]

    def check(self, game: Game) -> None:
        """Refuse a *game* for which this estimate is not."""

    @property
    def lanes(self) -> int:
        """How many lanes the network has."""
        return int(self.net[LANES])

    @property
    def view_words(self) -> int:
        """How many words the view of a thread takes, its indexes included."""
        net = self.net
        return STATE + int(net[WORDS]) + 1 + int(net[PARTS]) + self.max_moves + int(net[LANES])

    def write_view(self, memory: Any, place: int) -> int:
        """Set out a view for compiled code in *memory* from *place* on; return its address."""
        address = int(memory.ctypes.data) + 8 * place
        memory[place + NET_AT] = self.net.ctypes.data
        memory[place + INDEXES_AT] = address + 8 * (
            self.view_words - int(self.net[LANES])
        )  # two indexes a word: room for twice as many
        return address

    def interpreted_view(self) -> Memory:
        """Return a view for interpreted code."""
        reals = self.net.view("float64")
        net = Memory(enumerate(self.net.tolist()))
        for place in REALS:
            net[place] = float(reals[place])
        net[WEIGHTS_AT], net[TRUST_AT], net[TABLE_AT] = self.keep
        return Memory({NET_AT: net, INDEXES_AT: Memory()})
