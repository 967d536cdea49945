"""The sections of a learned file: which weights were changed, the weights, their trust, and hidden weights.

`docs/learned-format.md` describes them.
"""

import math
import zlib
from typing import Any

import numpy as np

from outplay.learn.network import RESERVED, Network, Shape
from outplay.rules.game import Game

SECTIONS = ("changed", "weights", "trust")
HIDDEN_SECTIONS = ("hidden", "visits")  # only of a network with hidden units
MOST_STEPS = (1 << 15) - 1  # between 0 and the largest weight, where weights are rounded
STEPS = 12  # sizes of a step that are tried, each twice the one before


class Nonsense(Exception):
    """A file has an invalid entry."""


def exact_sections(network: Network, *, resumable: bool) -> dict[str, bytes]:
    """Return the sections of *network*, unpacked; *resumable* adds what further learning needs."""
    number = network.shape.weights
    changed = np.flatnonzero((network.trust[1::2] if resumable else network.weights)[:number])
    trust = network.trust.reshape(-1, 2)[changed].astype("<f4").tobytes() if resumable else b""
    found = {"changed": _bitmap(number, changed), "weights": network.weights[changed].astype("<f4").tobytes(), "trust": trust}
    return found | _hidden(network, "<f4", resumable=resumable)


def section_names(shape: Shape) -> tuple[str, ...]:
    """Return the names of the sections of a network of this *shape*, in their order."""
    return SECTIONS + HIDDEN_SECTIONS if shape.units else SECTIONS


def _hidden(network: Network, kind: str, *, resumable: bool) -> dict[str, bytes]:
    """Return the sections of hidden units, if there are any; their weights as floats of a *kind*."""
    shape = network.shape
    if not shape.units:
        return {}
    limit = np.finfo(kind).max
    held = np.clip(network.hidden[: shape.hidden_weights], -limit, limit).astype(kind)
    return {"hidden": held.tobytes(), "visits": network.visits[: shape.rows].astype("<f4").tobytes() if resumable else b""}


def fitted_sections(network: Network, room: int) -> tuple[float, dict[str, bytes]]:
    """Return a step, and the sections of *network* with its weights rounded to multiples of the step: about *room* bytes, packed.

    Rare weights are left out first. Several steps are tried; the one with the smallest mean error of a weight in use wins. Hidden weights
    are rounded to 16-bit floats.
    """
    number = network.shape.weights
    weights = network.weights[:number].astype(np.float64)
    # Errors that a weight has learned from tell how often it is in use; a network that was saved for use only does not know.
    uses = network.trust[1 : 2 * number : 2].astype(np.float64) if network.trust.any() else np.ones(number)
    largest = float(np.abs(weights).max(initial=0.0)) or 1.0
    importance = uses * weights**2
    ranked = np.argsort(-importance, kind="stable")
    best: tuple[float, float, Any] | None = None
    for halvings in range(STEPS):
        step = largest / (MOST_STEPS >> halvings)
        steps = np.rint(weights / step).astype(np.int32)
        kept = _most_that_fit(steps[ranked], number, 8 * room)
        chosen = ranked[:kept]
        error = importance.sum() - importance[chosen].sum() + (uses[chosen] * (weights[chosen] - step * steps[chosen]) ** 2).sum()
        if best is None or error < best[0]:
            rounded = np.zeros(number, np.int32)
            rounded[chosen] = steps[chosen]
            best = error, step, rounded
    assert best is not None
    _, step, rounded = best
    changed = np.flatnonzero(rounded)
    found = {"changed": _bitmap(number, changed), "weights": _planes(rounded[changed]), "trust": b""}
    return step, found | _hidden(network, "<f2", resumable=False)


def _most_that_fit(steps: Any, number: int, bits: int) -> int:
    """Return how many of the *steps*, in their order, fit into *bits*, together with the bitmap that marks them among *number* weights."""
    low, high = 0, len(steps)
    while low < high:
        middle = (low + high + 1) // 2
        share = middle / number
        marks = -number * (share * math.log2(share) + (1 - share) * math.log2(1 - share)) if share < 1 else 0.0
        if marks + _entropy(steps[:middle]) <= bits:
            low = middle
        else:
            high = middle - 1
    return low


def _entropy(steps: Any) -> float:
    """Return how many bits a good code takes for *steps*, with one code for their low bytes and one for their high bytes."""
    total = 0.0
    for plane in np.frombuffer(_planes(steps), np.uint8).reshape(2, -1):
        counts = np.bincount(plane)
        counts = counts[counts > 0]
        total -= float((counts * np.log2(counts / len(plane))).sum())
    return total


def read_network(game: Game, shape: Shape, lengths: dict[str, list[int]], step: Any, body: bytes) -> Network:
    """Return the network of *shape* whose sections are *body*; *lengths* are their lengths, packed and unpacked."""
    data = _unpacked(shape, lengths, body)
    if isinstance(step, bool) or not isinstance(step, (int, float)) or not 0 <= step < math.inf:
        raise Nonsense("'step' is not a number")
    bits = np.unpackbits(np.frombuffer(data["changed"], np.uint8), bitorder="little")
    changed = np.flatnonzero(bits)
    if len(bits) < shape.weights or (len(changed) and (changed[-1] >= shape.weights or changed[0] < RESERVED)):
        raise Nonsense("the changed weights are not among the weights")
    if len(data["weights"]) != (2 if step else 4) * len(changed):
        raise Nonsense("its weights do not fit its shape")
    weights = _from_planes(data["weights"]) * np.float32(step) if step else np.frombuffer(data["weights"], "<f4")
    trust = np.frombuffer(data["trust"], "<f4")
    if len(trust) not in (0, 2 * len(changed)) or not np.isfinite(weights).all() or not np.isfinite(trust).all():
        raise Nonsense("its weights do not fit its shape")
    hidden = np.frombuffer(data.get("hidden", b""), "<f2" if step else "<f4")
    if len(hidden) != shape.hidden_weights or not np.isfinite(hidden).all():
        raise Nonsense("its hidden weights do not fit its shape")
    visits = np.frombuffer(data.get("visits", b""), "<f4")
    if len(visits) not in (0, shape.rows) or not np.isfinite(visits).all():
        raise Nonsense("the visits of its hidden weights do not fit its shape")
    network = Network(game, shape)
    network.visits[: len(visits)] = visits
    network.hidden[: len(hidden)] = hidden
    network.weights[changed] = weights
    if len(trust):
        network.trust.reshape(-1, 2)[changed] = trust.reshape(-1, 2)
    return network


def _unpacked(shape: Shape, lengths: dict[str, list[int]], body: bytes) -> dict[str, bytes]:
    data, place = {}, 0
    number = shape.weights
    limits = {"changed": number // 8 + 1, "weights": 4 * number, "trust": 8 * number}
    limits |= {"hidden": 4 * shape.hidden_weights, "visits": 4 * shape.rows}
    for name in section_names(shape):
        packed, size = lengths[name]
        limit = limits[name]
        if not 0 <= packed <= len(body) - place or not 0 <= size <= limit:
            raise Nonsense(f"the section {name!r} has an impossible size")
        data[name] = zlib.decompressobj().decompress(body[place : place + packed], size + 1)
        if len(data[name]) != size:
            raise Nonsense(f"the section {name!r} has another size than the header says")
        place += packed
    return data


def _bitmap(number: int, changed: Any) -> bytes:
    marks = np.zeros(number, bool)
    marks[changed] = True
    return np.packbits(marks, bitorder="little").tobytes()


def _planes(steps: Any) -> bytes:
    """Return 16-bit ints as their low bytes and then their high bytes, in zigzag order (0, -1, 1, -2, ...): most high bytes are then 0."""
    folded = (steps << 1 ^ steps >> 31).astype(np.uint16)
    return bytes((folded & 255).astype(np.uint8)) + bytes((folded >> 8).astype(np.uint8))


def _from_planes(data: bytes) -> Any:
    low, high = np.frombuffer(data, np.uint8).astype(np.int32).reshape(2, -1)
    folded = low | high << 8
    return (folded >> 1 ^ -(folded & 1)).astype(np.float32)
