"""The files that were given at the command line: each runs in a process of its own, and is read again when it changes."""

import importlib.util
from collections.abc import Iterable, Sequence
from pathlib import Path

from outplay.errors import LearnedError
from outplay.games import catalogue
from outplay.web.limits import Caps
from outplay.web.rules_process import RulesProcess

Stamp = tuple[int, int]  # when a file was written, and its size


class OwnGames:
    """The user's games of one server, by the labels that the page knows them by."""

    def __init__(self, files: Iterable[str], caps: Caps, learned: Sequence[str] = ()) -> None:
        """*learned*: files of learned estimates, each for one of these games."""
        self.processes: dict[str, RulesProcess] = {}
        self._read: dict[str, tuple[Path, Stamp | None]] = {}  # a label's file, as it was when it was read
        self._broken: dict[str, str] = {}  # why the file of a label cannot be read again
        try:
            for file in files:
                path, label = Path(catalogue.parted(file)[0]).absolute(), self._label(file)
                self._read[label] = path, _stamp(path)
                self.processes[label] = RulesProcess(file, label, caps, learned)
            for process in self.processes.values():
                process.wait()
            self._check_learned(learned)
        except BaseException:
            self.close()
            raise

    def _label(self, file: str) -> str:
        """Return what the page calls a file: its name without the folder, unless another one is called so."""
        short = Path(file).name
        return file if short in self.processes else short

    def _check_learned(self, learned: Sequence[str]) -> None:
        """Refuse a learned estimate that fits none of the games."""
        used = {name for process in self.processes.values() if process.entry is not None for name in process.entry.learned}
        for file in learned:
            if Path(file).name not in used:
                if not self.processes:
                    raise LearnedError(
                        f"{file} is of a game that is not built in; name the game's file, too, as in outplay web mygame.py --learned {file}"
                    )
                games = ", ".join(self.processes)
                raise LearnedError(
                    f"{file} was learned with other rules than those of {games}; give the game that it was learned with, or learn again"
                )

    def path(self, label: str) -> Path:
        """Return where the file is."""
        return self._read[label][0]

    def changed(self) -> list[str]:
        """Return the labels of the files that are no longer those that were read."""
        return [label for label, (path, stamp) in self._read.items() if _stamp(path) not in (stamp, None)]

    def reload(self, label: str) -> None:
        """Read a user's file again, by its new rules from now on; keep the old ones, and why, where that fails."""
        path, process = self.path(label), self.processes[label]
        self._read[label] = path, _stamp(path)  # first: a file that fails is not read again until it changes
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)  # its time counts whole seconds
        try:
            process.reload()
            self._broken.pop(label, None)
        except Exception as error:
            self._broken[label] = str(error).removeprefix(f"{process.file} cannot be loaded: ")

    def broken(self, label: str) -> str:
        """Return why the changed file of a game could not be read; "" where there is no such thing."""
        return self._broken.get(label, "")

    def close(self) -> None:
        """End all processes."""
        for process in self.processes.values():
            process.close()


def _stamp(path: Path) -> Stamp | None:
    """Return what tells one version of a file from the next, None where there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
