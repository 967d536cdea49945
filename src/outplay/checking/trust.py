"""The short check before the first search of a game: can the compiled rules be trusted?

It looks at a few hundred states, once: the verdict is kept beside the compiled code, in a file whose name is a hash of all
that it depends on. Wrong rules raise an error with the rule, the line and the remedy, and there is no search.
"""

import hashlib
import os
import platform
import sys
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from outplay.atomic_write import write_text
from outplay.checking.inspection import Inspection
from outplay.checking.problem import Problem
from outplay.compile.directory import VERDICT, directory, own_code
from outplay.compile.fingerprint import rules_fingerprint
from outplay.compile.traps import FAILS, WRONG, Trap, swapped_parameters, traps_in
from outplay.compile.watchdog import watched
from outplay.errors import Endless, GameError, OutplayError, RuleError, RuleRaised
from outplay.rules.game import Game

GAMES, STATES, SECONDS = 20, 200, 1.0  # from the start; half as many from another state
SETTLING = 2000  # nodes that are searched to check useful and bounds

_inspected: dict[str, Inspection | None] = {}  # by digest: the inspection of correct interpreted rules, until it is compared
_trusted: set[str] = set()  # digests of rules that are correct when compiled, too


def is_trusted(digest: str) -> bool:
    """Return whether this process has found the rules with this *digest* correct, interpreted and compiled."""
    return digest in _trusted


def inspect_rules(game: Game, state: Any = None) -> str:
    """Inspect the interpreted rules of *game*, unless that was done before; return their digest, or raise an error if they are wrong."""
    digest = rules_fingerprint(game).digest
    if digest in _trusted or digest in _inspected:
        return digest
    if _kept(digest):
        _trusted.add(digest)
        return digest
    wrong = [trap for trap in traps_in(game) if trap.effect == WRONG]
    if wrong:
        raise as_error(game, wrong[0])
    try:
        inspection = watched(game, lambda: _short_inspection(game, state))
    except Endless as error:
        raise error.of(game.name) from None
    if inspection.problems:
        raise as_error(game, root_cause(game, inspection))
    _inspected[digest] = inspection
    return digest


def trust_compiled(game: Game, state: Any = None) -> None:
    """Compare compiled with interpreted rules, unless that was done before; keep the verdict, or raise an error if they differ."""
    digest = rules_fingerprint(game).digest
    if digest in _trusted:
        return
    from outplay.checking.comparison import Comparison

    inspect_rules(game, state)
    inspection = _inspected.get(digest)
    if inspection is None:  # another thread was faster
        return
    comparison = Comparison(game)
    comparison.prepare()
    try:
        difference = comparison.under_watch(inspection)
    except Endless as error:
        raise error.of(game.name) from None
    if difference is not None:
        raise as_error(game, difference)
    _inspected[digest] = None  # its states are no longer needed
    _trusted.add(digest)
    _keep(digest)


def _short_inspection(game: Game, state: Any) -> Inspection:
    inspection = Inspection(game, settling=SETTLING)
    inspection.run(GAMES, states=STATES, seconds=SECONDS)
    if state is not None and not inspection.problems:
        inspection.run(GAMES // 2, states=STATES // 2, seconds=SECONDS / 2, start=state)
    return inspection


def root_cause(game: Game, inspection: Inspection) -> Problem | Trap:
    """Return the first problem, or a trap in the same line that explains it better."""
    first = inspection.problems[0]
    if swapped := swapped_parameters(game, first.rule):
        return swapped
    for trap in traps_in(game):
        if first.kind == "raises" and trap.effect == FAILS and (trap.file, trap.line) == (first.file, first.line):
            return trap
    return first


def as_error(game: Game, problem: Problem | Trap) -> GameError:
    """Return *problem* as an error of a search."""
    kind = RuleRaised if getattr(problem, "kind", "") == "raises" else RuleError
    return kind(f"{game.name!r} cannot be searched\n  {problem}")


def _file(digest: str) -> Path:
    parts = (sys.version, version("numba"), platform.machine(), own_code("checking", "compile", "rules"), digest)
    name = hashlib.sha256(repr(parts).encode()).hexdigest()[:40]
    return directory() / f"{name}{VERDICT}"


def _kept(digest: str) -> bool:
    path = _file(digest)
    try:
        if path.read_text() != digest:
            return False
    except (OSError, ValueError):  # missing or unreadable
        return False
    with suppress(OSError):
        os.utime(path)  # the least recently used files are deleted first
    return True


def _keep(digest: str) -> None:
    path = _file(digest)
    with suppress(OSError, OutplayError):  # a directory that cannot be written costs time, never a result
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, digest)
