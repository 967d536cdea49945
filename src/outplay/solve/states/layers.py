"""The states that can be reached, layer by layer. A layer holds the states first met after that many moves and outcomes."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from outplay.solve.progress import graph_bytes
from outplay.solve.states.keyset import merged, without
from outplay.solve.states.packing import WORD, Extent, Packing
from outplay.solve.states.repack import bits_in, repacked

CODE_BYTES, REAL_BYTES = 2, 8  # the value of a state in a layered game


@dataclass(frozen=True)
class Layer:
    """The keys of states, in order, and the bits that are set in any and in all of the unmixed keys."""

    keys: Any
    any: int
    all: int

    def apart(self, other: "Layer") -> bool:
        """Return whether a bit that is constant in each layer, but different, shows that they share no state."""
        return bool((self.all & ~other.any | other.all & ~self.any) & WORD)


@dataclass
class States:
    """The states enumerated so far.

    *layered*: no state has a child in its own layer or an earlier one. Then `layers` are all layers; otherwise only
    the last one is kept, and `seen` holds the keys of all in a few sorted arrays.
    """

    packing: Packing
    layers: list[Layer]
    counts: list[int]
    layered: bool = True
    chance: bool = False  # whether chance acts anywhere
    edges: int = 0
    scores: Any = field(default_factory=lambda: np.empty(0, np.float64))  # the different ones, in order
    seen: list[Any] = field(default_factory=list)

    @classmethod
    def of(cls, packing: Packing, root: int, *, compiled: bool) -> "States":
        """Return the root alone."""
        keys = np.array([root], np.int64)
        return cls(packing, [Layer(keys, *bits_in(keys, compiled=compiled))], [1])

    @property
    def number(self) -> int:
        """How many states there are."""
        return sum(self.counts)

    @property
    def bytes(self) -> int:
        """The memory of the keys, and an estimate for their values."""
        held = int(sum(layer.keys.nbytes for layer in self.layers) + sum(keys.nbytes for keys in self.seen))
        if self.layered:
            return held + self.number * (REAL_BYTES if self.chance else CODE_BYTES)
        return held + graph_bytes(self.number, self.edges, chance=self.chance)

    def add(self, layer: Layer) -> bool:
        """Add the states of *layer* that were not seen before; return whether there were any."""
        keys = layer.keys
        for earlier in [known.keys for known in self.layers if not known.apart(layer)] if self.layered else self.seen:
            keys = without(keys, earlier)
        if self.layered and len(keys) < len(layer.keys):
            self.flatten()
        if len(keys):
            self.put(Layer(keys, layer.any, layer.all))
        return bool(len(keys))

    def put(self, layer: Layer) -> None:
        """Add a layer of new states."""
        self.counts.append(len(layer.keys))
        if self.layered:
            self.layers.append(layer)
        else:
            self.layers = [layer]
            self._see(layer.keys)

    def flatten(self) -> None:
        """Forget the layers from here on, and keep only which states were seen: a layer leads back."""
        self.layered = False
        for layer in self.layers:
            self._see(layer.keys)
        del self.layers[:-1]

    def _see(self, keys: Any) -> None:
        """Add *keys* to the seen ones, in arrays that halve in size, so each key is merged only a few times."""
        self.seen.append(keys)
        while len(self.seen) > 1 and len(self.seen[-2]) < 2 * len(self.seen[-1]):
            last = self.seen.pop()
            self.seen[-1] = merged(self.seen[-1], last)

    def all_keys(self) -> Any:
        """Return the keys of all states, in order."""
        while len(self.seen) > 1:
            last = self.seen.pop()
            self.seen[-1] = merged(self.seen[-1], last)
        return self.seen[0]

    def widen(self, extents: list[Extent], name: str, *, compiled: bool) -> None:
        """Widen the packing for *extents*, and compute all keys again."""
        packing = self.packing.widened(extents, name)
        for place, layer in enumerate(self.layers):
            keys = repacked(layer.keys, self.packing, packing, compiled=compiled)
            self.layers[place] = Layer(keys, *bits_in(keys, compiled=compiled))
        self.seen = [repacked(keys, self.packing, packing, compiled=compiled) for keys in self.seen]
        self.packing = packing
