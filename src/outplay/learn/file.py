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

from outplay.atomic_write import atomic_file
from outplay.errors import LearnedError, OutplayError
from outplay.learn.cells import Cell, Term
from outplay.learn.identity import behaviour_digests, code_digests
from outplay.learn.network import LANES, PHASES, Network, Scale, Shape
from outplay.learn.progress import Moment
from outplay.learn.sections import Nonsense, exact_sections, fitted_sections, read_network
from outplay.learn.settings import Settings
from outplay.learn.watching import word_number
from outplay.rules.game import Game

MAGIC = b"outplay learn 1\n"
MAGIC_UNITS = b"outplay learn 2\n"  # of a network with hidden units, which an earlier Outplay would leave out
FIXED = struct.Struct("<16sQQ32s")  # magic, length of the header, length of the file, SHA-256
MOST_WEIGHTS = 1 << 30
MOST_TERMS = 256  # of a cell
MOST_UNITS = 1024
TRIALS = 20  # to fit a file into so many bytes


def write(
    path: Path, game: Game, network: Network, facts: dict[str, Any], *, resumable: bool, most_bytes: int | None = None
) -> None:
    """Write *network* and the *facts* about it to *path*, completely or not at all; *resumable* adds what further learning needs.

    With *most_bytes*, weights are rounded so far that the file is not larger than that.
    """
    header = {
        "game": game.name,
        "loaded_as": game.loaded_as,
        "python": platform.python_version(),
        **code_digests(game, facts["upon"]),
        "behaviour": behaviour_digests(game, facts["upon"]),
        **facts,
        "shape": shape_data(network.shape),
    }
    if most_bytes is None:
        content = _content(header, exact_sections(network, resumable=resumable), level=1)
    else:
        content = _fitting(header, network, most_bytes)
    try:
        with atomic_file(path, synced=True) as file:
            put(file, content)
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        why = "the disk is full: free some space" if full else f"{error.strerror or error}: choose another place for the file"
        raise OutplayError(f"{path} cannot be written; {why}. What the file held before is still there") from error


def _fitting(header: dict[str, Any], network: Network, most: int) -> bytes:
    """Return the content of a file of at most *most* bytes; weights are rounded, and rare weights left out, until it fits."""
    room, content = most, b""
    for _ in range(TRIALS):
        step, sections = fitted_sections(network, room)
        content = _content({**header, "step": step}, sections, level=9)
        if len(content) <= most:
            return content
        room -= max(len(content) - most, most // 100)
        if room <= 0:
            break
    raise LearnedError(f"{most:,} bytes are too few for this estimate; allow more")


def _content(header: dict[str, Any], sections: dict[str, bytes], *, level: int) -> bytes:
    """Return the bytes of a file; the *level* of compression is zlib's."""
    packed = {name: zlib.compress(data, level) for name, data in sections.items()}
    lengths = {name: [len(packed[name]), len(data)] for name, data in sections.items()}
    text = json.dumps({**header, "sections": lengths}, sort_keys=True).encode()
    body = text + b"".join(packed.values())
    magic = MAGIC_UNITS if header["shape"]["units"] else MAGIC
    size = FIXED.size + len(body)
    digest = hashlib.sha256(FIXED.pack(magic, len(text), size, bytes(32)) + body).digest()
    return FIXED.pack(magic, len(text), size, digest) + body


def put(file: Any, data: bytes) -> None:
    """Write *data* to *file*. Every write of a learned file passes here, so that tests can make it fail."""
    file.write(data)


def check_target(path: Path) -> None:
    """Refuse a *path* to which no file can be written, before anything is learned."""
    if not path.name or path.is_dir():
        raise LearnedError(f"{str(path)!r} is not a file; name one for the learned estimate, such as mygame.learned")
    if not path.parent.is_dir():
        raise LearnedError(f"there is no folder {str(path.parent)!r} for the learned estimate; make it, or name another place")


def game_of(path: Path) -> str:
    """Return the text by which `load` finds the built-in game of the file *path*; "" if its game is not built in."""
    header, _ = _opened(path)
    return str(header.get("loaded_as", ""))


def read(path: Path, game: Game) -> tuple[Network, dict[str, Any]]:
    """Return the network in the file *path*, and the facts about it; refuse a damaged file and one for other rules."""
    header, body = _opened(path)
    notes = _check_rules(path, header, game)
    try:
        shape = shape_from(header["shape"])
        check_shape(shape, word_number(game))
        network = read_network(game, shape, header["sections"], header.get("step", 0), body)
        facts = _facts(header)
    except (Nonsense, KeyError, TypeError, ValueError, AttributeError, OverflowError, zlib.error) as error:
        raise LearnedError(f"{path} is not sound although its checksum is right: {error}; learn the game again") from None
    facts["notes"] += notes
    return network, facts


def _opened(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return the header and the sections of the file *path*; refuse one that is damaged, or no such file."""
    if path.is_dir():
        raise LearnedError(f"{str(path)!r} is a folder; name the file of a learned estimate in it")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise LearnedError(
            f"{path} cannot be read ({error.strerror or error}); `learn(game, file=...)` writes such files"
        ) from error
    if content[:14] != MAGIC[:14]:
        raise LearnedError(
            f"{path} is not the file of a learned estimate; `learn(game, file=...)` or `learned.save(...)` writes one"
        )
    if content[:16] not in (MAGIC, MAGIC_UNITS):
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


def _check_rules(path: Path, header: dict[str, Any], game: Game) -> list[str]:
    """Refuse a file of other rules than the game's; return notes about rules that are only written in another way."""
    upon = str(header.get("upon"))
    if upon == "estimate" and game.estimate is None:
        raise LearnedError(f"{path} was learned upon the estimate of {header.get('game')!r}, and {game.name!r} has none")
    names = ("rules", "estimate", "cells")
    known = code_digests(game, upon)
    if all(header.get(name) == known.get(name) for name in names):
        return []
    # Another version of Python, or changed code: what counts is whether the rules still say the same.
    theirs, ours = header.get("behaviour"), behaviour_digests(game, upon)
    if not isinstance(theirs, dict):
        theirs = {}
    for name in names:
        if theirs.get(name) != ours.get(name):
            which = f": it is of {header.get('game')!r}" if header.get("game") != game.name else ""
            raise LearnedError(
                f"{path} was learned with other {name} than those of {game.name!r}{which}. Load it with the game that it was "
                "learned with, or learn again"
            )
    same_python = str(header.get("python")).split(".")[:2] == platform.python_version().split(".")[:2]
    return ["the code of the rules has changed since it was learned; in random games they say the same as before"] * same_python


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
    # The middle of a game of one move is its start: it would be played again as a whole.
    if not isinstance(settings.restart, int) or not (settings.restart == 0 or 2 <= settings.restart < 1 << 31):
        raise Nonsense("'restart' is not valid")
    if not 0 <= settings.hidden_rate < math.inf or not 0 < settings.slowed < math.inf:
        raise Nonsense("'hidden_rate' or 'slowed' is not valid")
    history = [Moment(*moment) for moment in header["history"]]
    if not all(isinstance(number, (int, float)) for moment in header["history"] for number in moment):
        raise Nonsense("'history' is not valid")
    notes = [str(note) for note in header["notes"]]
    return {**counts, "seconds": seconds, "upon": header["upon"], "settings": settings, "history": history, "notes": notes}


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
        tuple(data["ahead"]), data.get("units", 0), tuple(data.get("inputs", ())), float(data.get("span", 1.0)),
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
    _need(_is_int(shape.units, 0, MOST_UNITS) and shape.units % LANES == 0, "'units' are not valid")
    _need(bool(shape.units) == bool(shape.inputs), "'units' and 'inputs' do not go together")
    _need(all(_is_int(place, 0, len(shape.cells) - 1) for place in shape.inputs), "'inputs' name unknown cells")
    _need(math.isfinite(shape.span) and shape.span > 0, "'span' is not valid")
    _need(len(set(shape.inputs)) == len(shape.inputs), "'inputs' name a cell twice")
    _need(total + shape.hidden_weights <= MOST_WEIGHTS, "it has too many weights")


def _check_cell(cell: Cell, words: int) -> None:
    _need(
        _is_int(cell.size, 1, 1 << 20) and cell.kind in ("number", "digit", "square", "count"),
        f"the cell {cell.name!r} has an invalid size or kind",
    )
    _need(
        1 <= len(cell.terms) <= (2 if cell.kind in ("number", "square") else MOST_TERMS),
        f"the cell {cell.name!r} has no terms, or too many",
    )
    # Of two boards that never overlap; see `Network`.
    overlap = len(cell.terms) == 2 and cell.kind == "square" and not cell.nested
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
