"""The command line's watchdog: ends the command if a rule, called by the main thread, does not return."""

import os
import sys
import threading
import time

from outplay.cli.keys import listen
from outplay.compile.watchdog import COMING_BACK, LOOK, Watchdog
from outplay.errors import Endless
from outplay.games import catalogue
from outplay.rules.game import Game


class Guard:
    """Watches the main thread from another one; `error` names the rule that did not return, `game` is the last game loaded."""

    def __init__(self) -> None:
        self.error: Endless | None = None
        self.game: Game | None = None

    def load(self, text: str) -> Game:
        """Return the game that *text* names, and watch its rules from now on."""
        game = self.game = catalogue.load(text)
        if not game.loaded_as:  # a built-in one is sound
            threading.Thread(target=self._watch, args=(Watchdog([game]),), name="outplay-guard", daemon=True).start()
        return game

    def _watch(self, watchdog: Watchdog) -> None:
        main = threading.main_thread().ident or 0
        while self.error is None:
            time.sleep(LOOK)
            try:
                watchdog.look([main])
            except Endless as error:
                self.error = error
        time.sleep(COMING_BACK)
        # The main thread would have ended the process by now: it waits inside something that is not Python.
        listen()
        print(f"Error: {self.error}", file=sys.stderr, flush=True)
        os._exit(2)


guard = Guard()
