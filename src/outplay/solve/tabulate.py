"""Makes a table: enumerates the states, finds their values, looks the root up."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from outplay.compile import announce
from outplay.compile.engine import Engine
from outplay.compile.watchdog import watched
from outplay.errors import Interrupted, OptionError, TableError
from outplay.rules.game import Game
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.runtime.stopper import Stopper
from outplay.solve.progress import Budget, Progress, Reporter
from outplay.solve.solution import Solution
from outplay.solve.states.forward import enumerate_states
from outplay.solve.states.layers import States
from outplay.solve.states.packing import learnt, words_of
from outplay.solve.states.repack import bits_in
from outplay.solve.states.unfold import unfold
from outplay.solve.tables.checkpoint import Checkpoint
from outplay.solve.tables.durable import work_folder
from outplay.solve.tables.file import identity
from outplay.solve.tables.table import Rows, Table
from outplay.solve.values.backward import codes_of_layers
from outplay.solve.values.build_graph import graph_of
from outplay.solve.values.graph import solve_graph
from outplay.solve.values.value_codes import Scale


def tabulate(
    game: Game,
    state: Any,
    *,
    method: str | None,
    most: int | None,
    file: Path | None,
    threads: int,
    memory_mb: float | None,
    endless: float,
    accuracy: float,
    compiled: bool,
    progress: Callable[[Progress], None] | None,
    stopper: Stopper | None = None,
) -> Solution:
    """Return the solution of *game* from *state* by a table; more than *most* states raise `TooLarge`."""
    folder = None if file is None else work_folder(file)
    if file is not None and not file.parent.is_dir():
        raise TableError(f"there is no folder {str(file.parent)!r} for the table; make it first, or choose another place")
    if file is not None and file.exists():
        return _read(file, game, state, endless, method)
    began = time.monotonic() - announce.spent()
    report = Reporter(progress, stopper)
    budget = Budget(memory_mb, game.name, most)
    checkpoint = Checkpoint(folder, identity(game, state, endless), compiled=compiled)
    checkpoint.refuse_others()
    making = TableBuilder(game, state, checkpoint, Engine(game, unfold, compiled=compiled), threads, budget, report)
    try:
        with checkpoint.held():
            states = making.states()
            found = making.by_layers(states, endless) if states.layered else making.by_graph(states, endless, accuracy)
            _refuse_cycles(found["method"], method, game)
            solution = Solution.from_table(game, state, counts=tuple(states.counts), **found)
            if file is not None:
                report("file", 0, solution.states, solution.states)
                solution.write(file, folder)
                checkpoint.remove()
    except KeyboardInterrupt:
        raise Interrupted(None, _interrupted(folder)) from None
    return replace(solution, seconds=time.monotonic() - announce.spent() - began)


def _read(file: Path, game: Game, state: Any, endless: float, method: str | None) -> Solution:
    """Return the solution in the existing *file*, if it is the one asked for."""
    solution = Solution.load(file, game)
    assert solution.table is not None
    held = identity(game, solution.state, solution.table.scale.endless)
    if held != identity(game, state, endless):
        raise TableError(
            f"{file} holds the table from {game.write_state(solution.state)} with endless={held['endless']}, and not the one asked for; "
            "choose another name for the file, or delete it"
        )
    _refuse_cycles(solution.method, method, game)
    return solution


def _refuse_cycles(found: str, asked: str | None, game: Game) -> None:
    if (found, asked) == ("cycles", "table"):
        raise OptionError(
            f'states of {game.name!r} can repeat, so its values do not follow from one another in an order: use method="cycles", or none'
        )


def _interrupted(folder: Path | None) -> str:
    if folder is None:
        return "solve interrupted; nothing of it is kept: give file=... to go on later where it was"
    return f"solve interrupted; {folder} holds what is done, and the same call goes on from there"


@dataclass(frozen=True)
class TableBuilder:
    """A table being made."""

    game: Game
    state: Any
    checkpoint: Checkpoint
    engine: Engine
    threads: int
    budget: Budget
    report: Reporter

    def states(self) -> States:
        """Return every state that can be reached."""
        self.report("memory", 0, self.budget.states, 0)
        states, whole = self.checkpoint.states() or (None, False)
        if states is None:
            self.checkpoint.remove()
            states = self._root()
            self.checkpoint.keep(states)
        if not whole:
            enumerate_states(
                states, self.engine, self.state,
                threads=self.threads, budget=self.budget, report=self.report, keep=self.checkpoint.keep,
            )  # fmt: skip
            self.checkpoint.keep_end(states)
        return states

    def _root(self) -> States:
        packing = watched(self.game, lambda: learnt(self.game, self.state))  # by random games, interpreted
        root = packing.key(words_of(InterpretedRules(self.game), len(packing.words), self.state))
        assert root is not None
        return States.of(packing, root, compiled=self.engine.compiled)

    def _of_reals(self, states: States) -> bool:
        """Return whether values are sums and means, of which there are too many to number."""
        return bool(states.chance) or self.game.reward is not None

    def by_layers(self, states: States, endless: float) -> dict[str, Any]:
        """Return the table, found by going back over the layers."""
        scale = Scale.of_reals(endless) if self._of_reals(states) else Scale.of(states.scores, len(states.layers), endless)
        known = self.checkpoint.codes(states, scale.dtype)
        codes = codes_of_layers(
            states, scale, self.engine, self.state,
            threads=self.threads, report=self.report, known=known, keep=self.checkpoint.keep_codes,
        )  # fmt: skip
        rows = tuple(Rows(layer.keys, found, layer.any, layer.all) for layer, found in zip(states.layers, codes, strict=True))
        return {"table": Table(states.packing, scale, rows), "method": "table"}

    def by_graph(self, states: States, endless: float, accuracy: float) -> dict[str, Any]:
        """Return the table, found in the graph of all states."""
        keys, graph = graph_of(
            states, self.engine, self.state, threads=self.threads, budget=self.budget, report=self.report
        )  # fmt: skip
        self.report("values", 0, states.number, states.number)
        low, high, compiled = float(self.game.low), float(self.game.high), self.engine.compiled
        values = solve_graph(graph, low=low, high=high, endless=endless, accuracy=accuracy, compiled=compiled)
        if self._of_reals(states):
            scale = Scale.of_reals(endless)
        else:
            scale = Scale.of(np.union1d(states.scores, [endless]), int(values.distances.max(initial=0)), endless)
        rows = Rows(keys, scale.codes(values.values, values.distances), *bits_in(keys, compiled=compiled))
        method = "cycles" if values.cyclic else "table"
        return {"table": Table(states.packing, scale, (rows,)), "method": method, "error": values.error, "proper": values.proper}
