"""The file format of a solved table: `docs/table-format.md` describes it."""

import hashlib
import json
import os
import platform
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from outplay.compile.fingerprint import value_digest
from outplay.errors import TableError
from outplay.rules.game import Game
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.memory import Memory
from outplay.solve.states.packing import Extent, Packing, words_of
from outplay.solve.tables import durable
from outplay.solve.tables.blocks import BLOCK, Blocks, Column
from outplay.solve.tables.header import Nonsense, check, check_game
from outplay.solve.tables.table import Rows, Table
from outplay.solve.values.value_codes import Scale

MAGIC = b"outplay table 2\n"
FIXED = struct.Struct("<16sQQQ32s")  # magic, length of the header, where the sections begin, length of the file, SHA-256
PAGE = 4096


def identity(game: Game, state: Any, endless: float) -> dict[str, Any]:
    """Return what identifies a table: its game, rules, root and `endless`."""
    root = words_of(InterpretedRules(game), sum(field.words for field in game.fields), state)
    return {"game": game.name, "rules": value_digest(game), "root": root, "endless": endless}


def packing_data(packing: Packing) -> dict[str, Any]:
    """Return *packing* as data for a header."""
    extents = [[extent.low, extent.high, extent.any, extent.all] for extent in packing.extents]
    return {"extents": extents, "words": packing.words, "runs": packing.runs, "bits": packing.bits}


def packing_from(data: dict[str, Any]) -> Packing:
    """Return the packing that the *data* of a header describes."""
    extents = tuple(Extent(*extent) for extent in data["extents"])
    words: Any = tuple(map(tuple, data["words"]))
    runs: Any = tuple(map(tuple, data["runs"]))
    return Packing(extents, words, runs, data["bits"])


@dataclass(frozen=True)
class TableFile:
    """The content of a file: a table, its game, the solved state, and how it was found (method, counts, error, proper)."""

    game: Game
    state: Any
    table: Table
    facts: dict[str, Any]

    @property
    def states(self) -> int:
        """How many states the table has."""
        return sum(len(rows.keys) for rows in self.table.rows)


def write(path: Path, content: TableFile, folder: Path | None = None) -> None:
    """Write *content* to *path*; until it is complete, the file is in *folder*, or beside *path*."""
    table, states = content.table, content.states
    codes_at = _aligned(8 * states)
    header = _header(content, codes_at)
    size = codes_at + np.dtype(table.scale.dtype).itemsize * states
    data_at = _aligned(FIXED.size + len(header) + 4 * -(-size // BLOCK))
    with durable.whole(path, forced=True, folder=folder) as file:
        file.seek(data_at)
        body = Body(file)
        for rows in table.rows:
            body.put(np.ascontiguousarray(rows.keys[:], "<i8"))
        body.put(np.zeros(codes_at - 8 * states, np.uint8))
        for rows in table.rows:
            body.put(np.ascontiguousarray(rows.codes[:], np.dtype(table.scale.dtype).newbyteorder("<")))
        rest = header + np.array(body.checksums(), "<u4").tobytes()
        rest += bytes(data_at - FIXED.size - len(rest))
        digest = hashlib.sha256(FIXED.pack(MAGIC, len(header), data_at, data_at + size, bytes(32)) + rest).digest()
        file.seek(0)
        durable.put(file, FIXED.pack(MAGIC, len(header), data_at, data_at + size, digest) + rest)


def _header(content: TableFile, codes_at: int) -> bytes:
    table = content.table
    data = {
        **identity(content.game, content.state, table.scale.endless),
        **content.facts,
        "loaded_as": content.game.loaded_as,
        "python": platform.python_version(),
        "packing": packing_data(table.packing),
        "scores": table.scale.scores,
        "span": table.scale.span,
        "rows": [{"states": len(rows.keys), "any": rows.any, "all": rows.all} for rows in table.rows],
        "sections": {
            "keys": {"type": "int64", "offset": 0, "states": content.states},
            "codes": {"type": table.scale.dtype, "offset": codes_at, "states": content.states},
        },
    }
    return json.dumps(data, sort_keys=True).encode()


class Body:
    """The sections as they are written, and the checksums of their blocks."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._found, self._checksum, self._filled = file, list[int](), 0, 0

    def put(self, array: Any) -> None:
        """Write the bytes of *array*."""
        data = memoryview(array).cast("B")
        durable.put(self._file, data)
        place = 0
        while place < len(data):
            piece = data[place : place + BLOCK - self._filled]
            self._checksum = zlib.crc32(piece, self._checksum)
            self._filled += len(piece)
            place += len(piece)
            if self._filled == BLOCK:
                self._found.append(self._checksum)
                self._checksum = self._filled = 0

    def checksums(self) -> list[int]:
        """Return the checksum of each block; the last block may be shorter."""
        return [*self._found, self._checksum] if self._filled else self._found


def game_in(path: Path) -> str:
    """Return the game of the table at *path*: the text that `load` takes, or else the game's name."""
    header = opened(path)[0]
    return str(header["loaded_as"] or header["game"])


def read(path: Path, game: Game) -> TableFile:
    """Return the content of the file at *path*; refuse it if it is not a table of *game* with its present rules."""
    header, checksums, data = opened(path)
    _refuse_other_rules(path, header, game)
    try:
        packing = check_game(header, game)
    except Nonsense as error:
        raise _nonsense(path, error) from None
    blocks = Blocks(path, data, checksums)
    sections = header["sections"]
    columns = [
        Column(blocks, sections[name]["type"], sections[name]["offset"], sections[name]["states"]) for name in ("keys", "codes")
    ]
    rows, start = [], 0
    for part in header["rows"]:
        stop = start + part["states"]
        rows.append(Rows(columns[0].part(start, stop), columns[1].part(start, stop), part["any"], part["all"]))
        start = stop
    scale = Scale(tuple(header["scores"]), header["span"], header["endless"], sections["codes"]["type"])
    facts = {name: header[name] for name in ("method", "error", "proper")} | {"counts": tuple(header["counts"])}
    try:
        state = InterpretedRules(game).load_state(Memory(enumerate(header["root"])), 0)
    except Exception:  # the words are not a state of the game
        raise TableError(f"{path} has no value for the state that was solved; do not use this table, solve again") from None
    return TableFile(game, state, Table(packing, scale, tuple(rows)), facts)


def opened(path: Path) -> tuple[dict[str, Any], Any, Any]:
    """Return the header, the checksums of the blocks, and the sections; all but the sections are checked."""
    try:
        with open(path, "rb") as file:
            fixed = file.read(FIXED.size)
            if len(fixed) < FIXED.size or not fixed.startswith(MAGIC):
                raise TableError(
                    f"{path} is not a table of this version of Outplay; a table begins with {MAGIC.decode().strip()!r}"
                )
            _, header_size, data_at, size, digest = FIXED.unpack(fixed)
            real_size = os.fstat(file.fileno()).st_size
            if real_size != size:
                raise TableError(
                    f"{path} has {real_size:,} bytes and should have {size:,}: it was cut short or added to; "
                    "copy it again, or delete it and solve again"
                )
            rest = file.read(max(min(data_at, size) - FIXED.size, 0))
    except IsADirectoryError:
        raise TableError(f"{str(path)!r} is a folder; name the file of a table in it") from None
    except OSError as error:
        raise TableError(
            f"{path} cannot be read ({error.strerror or error}); see whether it is there and yours to read"
        ) from None
    unsigned = FIXED.pack(MAGIC, header_size, data_at, size, bytes(32))
    if hashlib.sha256(unsigned + rest).digest() != digest:
        raise TableError(f"{path} is damaged: its header does not have its checksum; copy it again, or delete it and solve again")
    blocks = -(-(size - data_at) // BLOCK)
    if not FIXED.size < data_at < size or header_size + 4 * blocks > len(rest):
        raise _nonsense(
            path, Nonsense(f"{header_size:,} bytes of header and sections from {data_at:,} on do not fit {size:,} bytes")
        )
    try:
        header = json.loads(rest[:header_size])
        check(header, size - data_at)
    except (ValueError, RecursionError):
        raise _nonsense(path, Nonsense("it is not JSON")) from None
    except Nonsense as error:
        raise _nonsense(path, error) from None
    return header, np.frombuffer(rest, "<u4", blocks, header_size), np.memmap(path, np.uint8, "r", offset=data_at)


def _nonsense(path: Path, error: Nonsense) -> TableError:
    return TableError(f"the header of {path} makes no sense: {error}; do not use this table, solve again")


def _refuse_other_rules(path: Path, header: dict[str, Any], game: Game) -> None:
    if header["rules"] == value_digest(game):
        return
    if header["game"] != game.name:
        raise TableError(
            f"{path} is a table of {header['game']!r}, and not of {game.name!r}; load it with the game that it is of"
        )
    made, here = header["python"].rpartition(".")[0], platform.python_version().rpartition(".")[0]
    if made != here:
        raise TableError(
            f"{path} was made by Python {made}, and this is {here}: whether {game.name!r} still has the rules of then cannot be told; "
            "use that Python, or delete the file and solve again"
        )
    raise TableError(
        f"the rules of {game.name!r} have changed since {path} was made (turn, moves, chances, play, score, a field, low or high): "
        "its values may be wrong now; delete it and solve again, or restore the rules"
    )


def _aligned(place: int) -> int:
    return -(-place // PAGE) * PAGE
