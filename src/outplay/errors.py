"""Every exception that Outplay raises on purpose.

    OutplayError
    ├── GameError               the rules are at fault
    │   ├── CompileError        they cannot be compiled; says which rule, which line, what to write instead
    │   ├── RuleError           one of them misbehaved while it was being searched
    │   │   ├── RuleRaised      it raised an exception
    │   │   └── Endless         it did not return
    │   └── TooDeep             the tree goes deeper than the stack
    ├── UnknownGame             no game of that name, or no game in that file
    ├── StateError              a state that cannot be read, searched or played from
    ├── IllegalMove             a move that the rules do not allow
    ├── LimitError              a search without a limit, or with an impossible one
    ├── OptionError             an unknown technique, opponent or parameter
    ├── TooLarge                a game with more states than a table, or more nodes than a tree, can hold
    ├── TableError              a file that is damaged or not a table of this game
    ├── LearnedError            a file that is damaged or not a learned estimate of this game
    ├── StoreError              a file that is damaged or not the store of this tournament
    ├── NotSaved                a learned estimate that could not be written; the error carries it
    ├── NotPickled              something that pickle cannot hold; also a pickle.PicklingError
    └── TreeError               a text that is not a game tree, or a tree that does not fit the question

All but `OutplayError` itself are also `ValueError`s: they say that something handed to Outplay was wrong.
`Interrupted` stands apart: it is the `KeyboardInterrupt` of a search, and carries what the search had found.
"""

import pickle
import sysconfig
import traceback
from pathlib import Path
from typing import Any

_ROOT = str(Path(__file__).parent)


def file_name(path: str) -> str:
    """Return the name of a file with code; for a notebook, "the cell"."""
    is_cell = path.startswith("<ipython-input-") or Path(path).parent.name.startswith("ipykernel_")
    return "the cell" if is_cell else Path(path).name


def _in_a_notebook(error: BaseException) -> list[str]:
    """Return the lines that a notebook shows of *error*: the user's own, none of ours, and the message."""
    installed = [sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")]  # among them the notebook itself
    lines = []
    for frame in traceback.extract_tb(error.__traceback__):
        packaged = not {"site-packages", "dist-packages"}.isdisjoint(Path(frame.filename).parts)
        generated = frame.filename.startswith("<") and not frame.filename.startswith("<ipython-input-")
        if not packaged and not generated and not frame.filename.startswith((_ROOT, *installed)):
            code = f":  {frame.line}" if frame.line else ""
            lines.append(f"line {frame.lineno} of {file_name(frame.filename)}{code}")
    return [*lines, *([""] if lines else []), f"{type(error).__name__}: {error}"]


class OutplayError(Exception):
    """What went wrong, why, and what to do about it."""

    def _render_traceback_(self) -> list[str]:
        """Return what IPython prints instead of a traceback."""
        return _in_a_notebook(self)


class GameError(OutplayError, ValueError):
    """The rules of a game are at fault."""


class CompileError(GameError):
    """The rules cannot be compiled."""


class RuleError(GameError):
    """A rule misbehaved while it was being searched."""


class RuleRaised(RuleError):
    """A rule raised an exception while it was being searched; `place` is its function and line, `why` what is wrong and the remedy.

    Both are empty where they are not known.
    """

    def __init__(self, message: str, place: tuple[str, int] | None = None, why: tuple[str, str] | None = None) -> None:
        super().__init__(message)
        self.place, self.why = place, why


class Endless(RuleError):
    """A rule did not return; `rule` is its name, or empty where it could not be found out."""

    def __init__(self, message: str, rule: str = "") -> None:
        super().__init__(message)
        self.rule = rule

    def of(self, game: str) -> "Endless":
        """Return the same error as a search of *game* raises it."""
        if str(self).startswith(f"{game!r} cannot be searched"):
            return self
        return Endless(f"{game!r} cannot be searched\n  {self}", self.rule)


class TooDeep(GameError):
    """The tree goes deeper than the stack."""


class UnknownGame(OutplayError, ValueError):
    """No game of that name, or no game in that file."""


class StateError(OutplayError, ValueError):
    """A state that cannot be read, searched or played from."""


class IllegalMove(OutplayError, ValueError):
    """A move that the rules do not allow."""


class LimitError(OutplayError, ValueError):
    """A search without a limit, or with an impossible one."""


class OptionError(OutplayError, ValueError):
    """An unknown technique, opponent or parameter."""


class AgentError(OptionError):
    """An agent that was mistyped, or a file of one that is missing. `agent` is what was typed."""

    def __init__(self, message: str, agent: str) -> None:
        super().__init__(message)
        self.agent = agent


class TooLarge(OutplayError, ValueError):
    """A game with more states than a table, or more nodes than a tree, can hold."""


class TableError(OutplayError, ValueError):
    """A file that is damaged or not a table of this game."""


class LearnedError(OutplayError, ValueError):
    """A file that is damaged or not a learned estimate of this game."""


class StoreError(OutplayError, ValueError):
    """A file that is damaged or not the store of this tournament."""


class NotSaved(OutplayError, ValueError):
    """A learned estimate that could not be written to its file; `result` is the estimate itself."""

    def __init__(self, message: str, result: Any = None) -> None:
        super().__init__(message)
        self.result = result


class NotPickled(OutplayError, ValueError, pickle.PicklingError):
    """Something cannot be pickled: it holds threads, memory or a function without a name of its own."""


class TreeError(OutplayError, ValueError):
    """A text that is not a game tree. `line` and `column`, counted from 1, say where; they are None if the whole text is meant."""

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a search or a solve; `result` is what the search had found by then, or None.

    `stuck` says that the search did not come back when it was told to: a rule had not returned. `compiling` says that code
    was being compiled.
    """

    def __init__(
        self,
        result: Any = None,
        message: str = "search interrupted; .result holds what it had found",
        *,
        stuck: bool = False,
        compiling: bool = False,
    ) -> None:
        super().__init__(message)
        self.result = result
        self.stuck = stuck
        self.compiling = compiling

    def _render_traceback_(self) -> list[str]:
        """Return what IPython prints instead of a traceback."""
        return _in_a_notebook(self)
