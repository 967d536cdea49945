"""The work of an unfinished solve, on disk: an interrupted solve continues from it.

The folder FILE.work holds a part for each finished layer: keys while states are enumerated, then codes. Each part
carries its checksum and what it belongs to: one that is damaged, torn or of something else is dropped, never
believed; so parts need not be forced to the disk. A change of packing starts a new folder inside, and the file `packing`,
written last, says which one holds.
"""

import hashlib
import json
import re
import shutil
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from outplay.errors import OutplayError, TableError
from outplay.solve.states.layers import Layer, States
from outplay.solve.states.packing import Packing
from outplay.solve.states.repack import bits_in, repacked
from outplay.solve.tables import durable
from outplay.solve.tables.file import packing_data, packing_from

MAGIC = b"outplay part 1\n\n"
FIXED = struct.Struct("<16sQ32s")  # magic, length of the header, SHA-256 of header and array
NOTHING = np.empty(0, np.int64)


class Checkpoint:
    """The parts of one solve in *folder*; if that is None, nothing is kept. *identity* says what is being solved."""

    def __init__(self, folder: Path | None, identity: dict[str, Any], *, compiled: bool) -> None:
        self.folder, self.compiled = folder, compiled
        self._identity = json.dumps(identity, sort_keys=True)
        self._packing: Packing | None = None

    def states(self) -> tuple[States, bool] | None:
        """Return the states that were enumerated, and whether they are all; None if there is nothing to continue from."""
        if self.folder is None or (found := self._read(self.folder / "packing")) is None:
            return None
        self._packing = packing_from(found[0]["packing"])
        states: States | None = None
        depth = 0
        while (found := self._read(self._place(f"keys-{depth}"))) is not None:
            states = _added(states, self._packing, *found)
            depth += 1
        if states is None:
            self._packing = None
            return None
        end = self._read(self._place("end"))
        whole = end is not None and end[0]["layers"] == depth
        if end is not None and whole:
            _settle(states, end[0])
        return states, whole

    def keep(self, states: States) -> None:
        """Keep the last layer of *states*; all of them again, if the packing has changed."""
        if self.folder is None:
            return
        if self._packing != states.packing:
            self._change(states)
        layer = states.layers[-1]
        data = {**_known(states), "any": layer.any, "all": layer.all}
        self._write(self._place(f"keys-{len(states.counts) - 1}"), data, layer.keys)

    def keep_end(self, states: States) -> None:
        """Record that there are no more states."""
        if self.folder is not None:
            self._write(self._place("end"), {**_known(states), "layers": len(states.counts)}, NOTHING)

    def keep_codes(self, depth: int, codes: Any) -> None:
        """Keep the codes of a layer."""
        if self.folder is not None:
            self._write(self._place(f"codes-{depth}"), {}, codes)

    def codes(self, states: States, dtype: str) -> dict[int, Any]:
        """Return the known codes by layer."""
        known = {}
        for depth, number in enumerate(states.counts) if self.folder is not None else ():
            found = self._read(self._place(f"codes-{depth}"))
            if found is not None and len(found[1]) == number and found[1].dtype == dtype:
                known[depth] = found[1]
        return known

    def refuse_others(self) -> None:
        """Raise a TableError if the folder holds anything that no solve has put there."""
        if self.folder is None or not self.folder.exists():
            return
        others = [] if not self.folder.is_dir() else [path.name for path in self.folder.iterdir() if not _ours(path)]
        if others or not self.folder.is_dir():
            what = f"holds {others[0]!r}, which is" if others else "is"
            raise TableError(f"{self.folder} {what} not of a solve, and a solve would keep its work there; choose another file")

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes out of the folder while the solve runs."""
        if self.folder is None:
            yield
            return
        from filelock import FileLock, Timeout

        lock = FileLock(self.folder / "lock", timeout=0)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock.acquire()
        except Timeout:
            raise TableError(
                f"another process is solving into the same file, and keeps its work in {self.folder}; wait for it, or choose another file"
            ) from None
        except OSError as error:
            raise durable.said(self.folder, error) from error
        try:
            yield
        finally:
            lock.release()

    def remove(self) -> None:
        """Delete the files of this checkpoint, and no others."""
        if self.folder is None or not self.folder.is_dir():
            return
        for path in filter(_ours, list(self.folder.iterdir())):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        with suppress(OSError):  # something of somebody else's is in it
            self.folder.rmdir()

    def _change(self, states: States) -> None:
        """Write the kept layers again in the new packing of *states*, and only then record that packing."""
        assert self.folder is not None
        before = self._packing
        old = None if before is None else self._place("")
        self._packing = states.packing
        try:
            self._place("").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise durable.said(self.folder, error) from error
        if before is not None and old is not None:
            for depth in range(len(states.counts) - 1):
                self._repack(old / f"keys-{depth}", before, states.packing)
        self._write(self.folder / "packing", {"packing": packing_data(states.packing)}, NOTHING)
        if old is not None:
            shutil.rmtree(old, ignore_errors=True)

    def _repack(self, path: Path, before: Packing, after: Packing) -> None:
        found = self._read(path)
        if found is None:
            raise OutplayError(f"{path} was changed or removed while it was needed; solve again, and leave its folder alone")
        keys = repacked(found[1], before, after, compiled=self.compiled)
        some, every = bits_in(keys, compiled=self.compiled)
        self._write(self._place(path.name), {**found[0], "any": some, "all": every}, keys)

    def _place(self, name: str) -> Path:
        assert self.folder is not None
        assert self._packing is not None
        digest = hashlib.sha256(json.dumps(packing_data(self._packing)).encode()).hexdigest()
        return self.folder / digest[:16] / name

    def _write(self, path: Path, data: dict[str, Any], array: Any) -> None:
        header = json.dumps({"of": self._identity, "name": path.name, "type": array.dtype.name, "data": data}).encode()
        content = memoryview(array).cast("B")
        digest = hashlib.sha256(header)
        digest.update(content)
        with durable.whole(path, forced=False) as file:
            durable.put(file, FIXED.pack(MAGIC, len(header), digest.digest()) + header)
            durable.put(file, content)

    def _read(self, path: Path) -> tuple[dict[str, Any], Any] | None:
        """Return the header and the array of the part at *path*, or None if it is damaged."""
        try:
            with open(path, "rb") as file:
                magic, size, digest = FIXED.unpack(file.read(FIXED.size))
                content = bytearray(file.read())
        except (OSError, struct.error):
            return None
        if magic != MAGIC or hashlib.sha256(content).digest() != digest:
            return None
        header = json.loads(bytes(content[:size]))
        if (header["of"], header["name"]) != (self._identity, path.name):
            return None
        return header["data"], np.frombuffer(content, header["type"], offset=size).copy()


def _ours(path: Path) -> bool:
    """Return whether the name of *path* is that of a part."""
    return bool(re.fullmatch(r"[0-9a-f]{16}|packing|lock|.*\.part", path.name))


def _known(states: States) -> dict[str, Any]:
    facts = {"layered": states.layered, "chance": states.chance, "edges": states.edges}
    return {**facts, "scores": states.scores.tolist()}


def _settle(states: States, data: dict[str, Any]) -> None:
    if states.layered and not data["layered"]:
        states.flatten()
    states.chance, states.edges, states.scores = data["chance"], data["edges"], np.array(data["scores"], np.float64)


def _added(states: States | None, packing: Packing, data: dict[str, Any], keys: Any) -> States:
    layer = Layer(keys, data["any"], data["all"])
    if states is None:
        return States(packing, [layer], [len(keys)])
    _settle(states, data)
    states.put(layer)
    return states
