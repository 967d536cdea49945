"""A search whose rules do not return: noticed from the thread that waits for it, and told with the rule, its line and its state."""

import time
from collections.abc import Callable
from typing import Any

from outplay.compile.inspection import Inspection
from outplay.compile.watchdog import PATIENCE, Watchdog, watched
from outplay.errors import Endless, OutplayError
from outplay.rules.game import Game
from outplay.search.layout import BUSY, NODES

STILL = 4.0  # seconds in which a compiled search visits no node at all
SOON = 0.5  # seconds of the processor for one call of a rule, where one is known not to return
GAMES, SECONDS = 1000, 2.0  # random games that look for the place, where the search cannot be repeated


class Overdue:
    """Looks now and then at a search in *memories*; raises an `Endless` once a rule has had its time.

    *repeat* runs the same search interpreted, as far as it came.
    """

    def __init__(self, game: Game, state: Any, memories: list[Any], repeat: Callable[[], Any], *, compiled: bool) -> None:
        self.game, self.state, self.memories, self.repeat = game, state, memories, repeat
        self.watchdog = None if compiled else Watchdog([game])
        self.nodes, self.since, self.used = -1, 0.0, 0.0

    def look(self) -> None:
        """Raise an Endless if a rule does not return."""
        if self.watchdog is not None:
            try:
                self.watchdog.look()
            except Endless as error:
                raise error.of(self.game.name) from None
            return
        nodes = sum(int(memory[NODES]) for memory in self.memories)
        if nodes != self.nodes or not any(int(memory[BUSY]) for memory in self.memories):
            self.nodes, self.since, self.used = nodes, time.monotonic(), time.process_time()
        elif time.monotonic() - self.since > STILL and time.process_time() - self.used > PATIENCE:
            raise self._found()

    def _found(self) -> Endless:
        """Return the error, with the rule and its line where interpreting the rules comes to the same place."""

        def play() -> None:
            Inspection(self.game).run(GAMES, seconds=SECONDS, start=self.state)

        found = endless_in(self.game, self.repeat) or endless_in(self.game, play)
        if found is None:
            found = Endless(
                "a rule does not return, and random games do not come to the place; see whether each loop in the rules comes to an end"
            )
        return found.of(self.game.name)


def endless_in(game: Game, work: Callable[[], Any]) -> Endless | None:
    """Return the error for a rule that does not return in *work*, which interprets the rules of *game*; None if all return."""
    try:
        watched(game, work, patience=SOON)
    except Endless as error:
        return error
    except OutplayError:  # another fault, which is not the one looked for
        pass
    return None
