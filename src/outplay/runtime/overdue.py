"""Detects rules that do not return: the thread that waits for a search reports the rule, its line and its state."""

import threading
from collections.abc import Callable
from typing import Any

from outplay.checking.inspection import Inspection
from outplay.compile.watchdog import PATIENCE, Stillness, Watchdog, watched
from outplay.errors import Endless, OutplayError
from outplay.rules.game import Game
from outplay.runtime.meter import BUSY, NODES

SOON = 0.5  # seconds of the processor for one call of a rule, where one is known not to return
_own = threading.local()  # patience: seconds for one call of a rule in the searches that this thread starts
GAMES, SECONDS = 1000, 2.0  # random games that look for the place, where the search cannot be repeated


class SearchWatch:
    """Watches a search in *memories*; raises an `Endless` if a rule takes too long.

    *repeat* runs the same search interpreted, up to the same node.
    """

    def __init__(self, game: Game, state: Any, memories: list[Any], repeat: Callable[[], Any], *, compiled: bool) -> None:
        self.game, self.state, self.memories, self.repeat = game, state, memories, repeat
        self.watchdog = None if compiled else Watchdog([game], patience=getattr(_own, "patience", PATIENCE))
        self.stillness = Stillness()

    def look(self) -> None:
        """Raise an Endless if a rule does not return."""
        threads = [int(memory[BUSY]) for memory in self.memories if memory[BUSY]]
        if self.watchdog is not None:
            try:
                self.watchdog.look(threads)
            except Endless as error:
                raise error.of(self.game.name) from None
        elif not threads:
            self.stillness = Stillness()
        elif self.stillness.lasts(sum(int(memory[NODES]) for memory in self.memories)):
            raise self._found()

    def _found(self) -> Endless:
        """Return the error, with the rule and its line if the interpreted rules hang as well."""

        def play() -> None:
            Inspection(self.game).run(GAMES, seconds=SECONDS, start=self.state)

        found = endless_in(self.game, self.repeat) or endless_in(self.game, play)
        if found is None:
            found = Endless(
                "a rule does not return, and random games did not find which one; check that every loop in the rules ends"
            )
        return found.of(self.game.name)


def endless_in(game: Game, work: Callable[[], Any]) -> Endless | None:
    """Return the error for a rule that does not return in *work*, which interprets the rules of *game*; None if all return."""

    def hurried() -> Any:
        _own.patience = SOON  # a search that *work* starts has a watchdog of its own
        return work()

    try:
        watched(game, hurried, patience=SOON)
    except Endless as error:
        return error.of(game.name)
    except OutplayError:  # another fault, which is not the one looked for
        pass
    return None
