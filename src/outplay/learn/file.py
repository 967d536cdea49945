"""The file of a learned estimate: `docs/learned-format.md` describes it."""

import errno
import hashlib
import json
import math
import platform
import struct
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from outplay.atomic_write import atomic_file
from outplay.compile.fingerprint import Fingerprint, value_digest
from outplay.errors import LearnedError, OutplayError
from outplay.learn.cells import Cell, Term
from outplay.learn.network import PHASES, RESERVED, Network, Scale, Shape
from outplay.learn.progress import Moment
from outplay.learn.settings import Settings
from outplay.learn.watching import word_number
from outplay.rules.game import Game

MAGIC = b"outplay learn 1\n"
FIXED = struct.Struct("<16sQQ32s")  # magic, length of the header, length of the file, SHA-256
MOST_WEIGHTS = 1 << 30
SECTIONS = ("changed", "weights", "trust")


class Nonsense(Exception):
    """A header has an invalid entry."""


def digests(game: Game, upon: str) -> dict[str, str]:
    """Return digests that identify the rules with which an estimate is learned."""
    found = {"rules": value_digest(game)}
    if upon == "estimate":
        found["estimate"] = Fingerprint(game.estimate).digest
    if game.cells is not None:
        found["cells"] = Fingerprint(game.cells).digest
    return found


def write(path: Path, game: Game, network: Network, facts: dict[str, Any], *, resumable: bool) -> None:
    """Write *network* and the *facts* about it to *path*, completely or not at all; *resumable* adds what further learning needs."""
    number = network.shape.weights
    changed = np.flatnonzero((network.trust[1::2] if resumable else network.weights)[:number])
    bitmap = np.zeros(number, bool)
    bitmap[changed] = True
    sections = {
        "changed": np.packbits(bitmap, bitorder="little").tobytes(),
        "weights": network.weights[changed].astype("<f4").tobytes(),
        "trust": network.trust.reshape(-1, 2)[changed].astype("<f4").tobytes() if resumable else b"",
    }
    packed = {name: zlib.compress(data, 1) for name, data in sections.items()}
    header = {
        "game": game.name,
        "loaded_as": game.loaded_as,
        "python": platform.python_version(),
        **digests(game, facts["upon"]),
        **facts,
        "shape": shape_data(network.shape),
        "sections": {name: [len(packed[name]), len(sections[name])] for name in SECTIONS},
    }
    text = json.dumps(header, sort_keys=True).encode()
    size = FIXED.size + len(text) + sum(map(len, packed.values()))
    digest = hashlib.sha256(FIXED.pack(MAGIC, len(text), size, bytes(32)) + text)
    for name in SECTIONS:
        digest.update(packed[name])
    try:
        with atomic_file(path, synced=True) as file:
            put(file, FIXED.pack(MAGIC, len(text), size, digest.digest()) + text)
            for name in SECTIONS:
                put(file, packed[name])
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        why = "the disk is full: free some space" if full else f"{error.strerror or error}: choose another place for the file"
        raise OutplayError(f"{path} cannot be written; {why}. What the file held before is still there") from error


def put(file: Any, data: bytes) -> None:
    """Write *data* to *file*. All writing in this room passes here, so that tests can make it fail."""
    file.write(data)


def check_target(path: Path) -> None:
    """Refuse a *path* to which no file can be written, before anything is learned."""
    if not path.name or path.is_dir():
        raise LearnedError(f"{str(path)!r} is not a file; name one for the learned estimate, such as mygame.learned")
    if not path.parent.is_dir():
        raise LearnedError(f"there is no folder {str(path.parent)!r} for the learned estimate; make it, or name another place")


def read(path: Path, game: Game) -> tuple[Network, dict[str, Any]]:
    """Return the network in the file *path*, and the facts about it; refuse a damaged file and one for other rules."""
    if path.is_dir():
        raise LearnedError(f"{str(path)!r} is a folder; name the file of a learned estimate in it")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise LearnedError(
            f"{path} cannot be read ({error.strerror or error}); `learn(game, file=...)` writes such files"
        ) from error
    header, body = _opened(path, content)
    _check_rules(path, header, game)
    try:
        shape = shape_from(header["shape"])
        check_shape(shape, word_number(game))
        network = _network(game, shape, header["sections"], body)
        facts = _facts(header)
    except (Nonsense, KeyError, TypeError, ValueError, AttributeError, OverflowError, zlib.error) as error:
        raise LearnedError(f"{path} is not sound although its checksum is right: {error}; learn the game again") from None
    return network, facts


def _opened(path: Path, content: bytes) -> tuple[dict[str, Any], bytes]:
    if content[:14] != MAGIC[:14]:
        raise LearnedError(
            f"{path} is not the file of a learned estimate; `learn(game, file=...)` or `learned.save(...)` writes one"
        )
    if content[:16] != MAGIC:
        raise LearnedError(f"{path} is a learned estimate of another version of Outplay; learn the game again")
    if len(content) < FIXED.size:
        raise LearnedError(f"{path} is cut off: it has {len(content)} bytes; copy it again, or learn the game again")
    _, length, size, digest = FIXED.unpack_from(content)
    if len(content) != size:
        raise LearnedError(f"{path} has {len(content):,} bytes and should have {size:,}; copy it again, or learn the game again")
    if hashlib.sha256(content[: FIXED.size - 32] + bytes(32) + content[FIXED.size :]).digest() != digest:
        raise LearnedError(f"{path} is damaged: its checksum is wrong; copy it again, or learn the game again")
    try:
        header = json.loads(content[FIXED.size : FIXED.size + length])
    except ValueError:
        header = None
    if not isinstance(header, dict):
        raise LearnedError(f"{path} is not sound although its checksum is right: it has no header; learn the game again")
    return header, content[FIXED.size + length :]


def _check_rules(path: Path, header: dict[str, Any], game: Game) -> None:
    upon = header.get("upon")
    if upon == "estimate" and game.estimate is None:
        raise LearnedError(f"{path} was learned upon the estimate of {header.get('game')!r}, and {game.name!r} has none")
    known = digests(game, str(upon))
    for name in ("rules", "estimate", "cells"):
        if header.get(name) != known.get(name):
            why = f"{path} was learned with other {name} than those of {game.name!r}"
            theirs, ours = str(header.get("python")), platform.python_version()
            if header.get("game") != game.name:
                why += f": it is of {header.get('game')!r}"
            elif theirs.split(".")[:2] != ours.split(".")[:2]:
                why += f", or with another version of Python ({theirs}; this is {ours})"
            raise LearnedError(f"{why}. Load it with the game that it was learned with, or learn again")


def _facts(header: dict[str, Any]) -> dict[str, Any]:
    counts = {name: header[name] for name in ("games", "moves", "endless", "seed")}
    if not all(isinstance(value, int) and (value >= 0 or name == "seed") for name, value in counts.items()):
        raise Nonsense("a count of games or moves, or the seed, is not valid")
    seconds = float(header["seconds"])
    if not 0 <= seconds < math.inf or header["upon"] not in ("nothing", "estimate"):
        raise Nonsense("'seconds' or 'upon' is not valid")
    settings = Settings(**header["settings"])
    if settings.plies < 1 or settings.plies > 1 << 40 or not -1 <= settings.opening < 1 << 31:
        raise Nonsense("'settings' are not valid")
    history = [Moment(*moment) for moment in header["history"]]
    if not all(isinstance(number, (int, float)) for moment in header["history"] for number in moment):
        raise Nonsense("'history' is not valid")
    notes = [str(note) for note in header["notes"]]
    return {**counts, "seconds": seconds, "upon": header["upon"], "settings": settings, "history": history, "notes": notes}


def _network(game: Game, shape: Shape, sections: dict[str, list[int]], body: bytes) -> Network:
    data, place = {}, 0
    for name in SECTIONS:
        packed, size = sections[name]
        limit = {"changed": shape.weights // 8 + 1, "weights": 4 * shape.weights, "trust": 8 * shape.weights}[name]
        if not 0 <= packed <= len(body) - place or not 0 <= size <= limit:
            raise Nonsense(f"the section {name!r} has an impossible size")
        data[name] = zlib.decompressobj().decompress(body[place : place + packed], size + 1)
        if len(data[name]) != size:
            raise Nonsense(f"the section {name!r} has another size than the header says")
        place += packed
    bits = np.unpackbits(np.frombuffer(data["changed"], np.uint8), bitorder="little")
    changed = np.flatnonzero(bits)
    if len(bits) < shape.weights or (len(changed) and changed[-1] >= shape.weights) or (len(changed) and changed[0] < RESERVED):
        raise Nonsense("the changed weights are not among the weights")
    weights, trust = np.frombuffer(data["weights"], "<f4"), np.frombuffer(data["trust"], "<f4")
    if len(weights) != len(changed) or len(trust) not in (0, 2 * len(changed)) or not np.isfinite(weights).all():
        raise Nonsense("its weights do not fit its shape")
    network = Network(game, shape)
    network.weights[changed] = weights
    if len(trust):
        if not np.isfinite(trust).all():
            raise Nonsense("its weights do not fit its shape")
        network.trust.reshape(-1, 2)[changed] = trust.reshape(-1, 2)
    return network


def shape_data(shape: Shape) -> dict[str, Any]:
    """Return *shape* as data for a header."""
    return asdict(shape)


def shape_from(data: dict[str, Any]) -> Shape:
    """Return the shape that the *data* of a header describes."""
    cells = tuple(
        Cell(
            str(cell["name"]),
            cell["size"],
            tuple(
                Term(term["word"], term["base"], term["shift"], term["mask"], bool(term["clamped"]), tuple(term["codes"]))
                for term in cell["terms"]
            ),
            cell["kind"],
            str(cell["group"]),
            bool(cell["nested"]),
        )
        for cell in data["cells"]
    )
    flip = None if data["flip"] is None else tuple(data["flip"])
    return Shape(
        cells, tuple(map(tuple, data["tuples"])), tuple(map(tuple, data["symmetries"])), tuple(data["phases"]),
        data["side"], flip, data["words"], Scale(**{name: float(value) for name, value in data["scale"].items()}),
        tuple(data["ahead"]),
    )  # fmt: skip


def check_shape(shape: Shape, words: int) -> None:
    """Raise `Nonsense` unless every index of *shape* leads to a weight of its own: compiled code trusts it."""
    _need(shape.words == words, "its words are not those of a state")
    _need(_is_int(shape.side, -1, words - 1), "'side' is not a word of a state")
    _need(
        shape.phases and all(_is_int(phase, 0, PHASES - 1) for phase in (*shape.phases, *shape.ahead)), "'phases' are not valid"
    )
    for cell in shape.cells:
        _check_cell(cell, words)
    everywhere = range(len(shape.cells))
    _need(shape.tuples, "'tuples' are missing")
    for chosen in shape.tuples:
        _need(all(_is_int(place, 0, len(shape.cells) - 1) for place in chosen), "'tuples' name unknown cells")
    _need(shape.symmetries and shape.symmetries[0] == tuple(everywhere), "'symmetries' do not begin with the identity")
    for symmetry in shape.symmetries:
        sizes = [shape.cells[place].size for place in symmetry] if sorted(symmetry) == list(everywhere) else None
        _need(sizes == [cell.size for cell in shape.cells], "'symmetries' are not permutations of like cells")
    _need(shape.flip is None or sorted(shape.flip) == list(range(words)), "'flip' is not a permutation of words")
    scale = shape.scale
    _need(all(map(math.isfinite, asdict(scale).values())) and scale.low < scale.high, "'scale' is not a scale")
    _need(
        0 <= scale.emphasis < 1 and scale.least > 0 and (scale.emphasis == 0 or scale.least < scale.most),
        "'scale' is not a scale",
    )
    total = len(shape.sets) * sum(math.prod(shape.sizes(chosen)) for chosen in shape.tuples)
    _need(total <= MOST_WEIGHTS, "it has too many weights")


def _check_cell(cell: Cell, words: int) -> None:
    _need(
        _is_int(cell.size, 1, 1 << 20) and cell.kind in ("number", "digit", "square"),
        f"the cell {cell.name!r} has an invalid size or kind",
    )
    _need(1 <= len(cell.terms) <= 2, f"the cell {cell.name!r} must have one term or two")
    overlap = len(cell.terms) == 2 and not cell.nested  # of two boards that never overlap; see `Network`
    _need(
        sum(max(term.codes, default=0) for term in cell.terms) < cell.size + overlap,
        f"the cell {cell.name!r} has codes beyond its size",
    )
    for term in cell.terms:
        sound = _is_int(term.word, 0, words - 1) and _is_int(term.shift, 0, 62) and _is_int(term.mask, 0, (1 << 62) - 1)
        sound = sound and _is_int(term.base, -(1 << 62), 1 << 62) and all(_is_int(code, 0, cell.size - 1) for code in term.codes)
        _need(sound, f"the cell {cell.name!r} reads what is not there")
        rows = (term.mask >> term.shift) + 1 if term.clamped else term.mask + 1
        _need(
            len(term.codes) == rows and (term.clamped or term.mask & term.mask + 1 == 0),
            f"the cell {cell.name!r} has too few codes",
        )
        _need(rows <= 1 << 17 and term.base + term.mask < 1 << 62, f"the cell {cell.name!r} reads what is not there")


def _need(holds: Any, why: str) -> None:
    if not holds:
        raise Nonsense(why)


def _is_int(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
