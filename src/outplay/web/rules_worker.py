"""A process that runs the rules of one user's file, and answers the requests that its server passes on.

The server may kill it at any time: a rule that never returns, or crashes, costs this process and no other. It reads
(number, request) from its standard input, "stop" and "hurry" being requests too, and writes (number, kind, content).
"""

import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from outplay.compile.watchdog import LOOK, Call, Watchdog
from outplay.errors import Endless, LearnedError, UnknownGame
from outplay.games import catalogue
from outplay.learn.learned import Learned
from outplay.rules.game import Game
from outplay.web import answers, messages
from outplay.web.answers import Event
from outplay.web.game_registry import GameRegistry
from outplay.web.handlers import Handlers
from outplay.web.limits import Caps
from outplay.web.memory import SWITCH, give_memory_back, warm
from outplay.web.work import Stopped, Work, carried, step_back

STATE = 200  # characters of a state
ADVICE = "See whether a loop in it ends."


class Worker:
    """Answers requests, each in a thread of its own; looks at them, and says so where one does not come back."""

    def __init__(
        self, requests: IO[bytes], output: IO[bytes], label: str, game: Game, caps: Caps, given: Mapping[str, Learned]
    ) -> None:  # fmt: skip
        self.requests, self.output, self.caps = requests, output, caps
        self.registry = GameRegistry({label: game}, caps)
        self.handlers = Handlers(self.registry, caps, given=tuple(given.values()))
        self.watchdog = Watchdog([game])
        self.tasks: dict[int, Task] = {}
        self._sending = threading.Lock()

    def send(self, number: int, kind: str, content: Any) -> None:
        """Write to the server."""
        with self._sending:
            send(self.output, (number, kind, content))

    def answer(self, number: int, event: Event) -> None:
        """Answer a request, unless it is answered."""
        if self.tasks.pop(number, None) is not None:
            self.send(number, "answer", event)

    def serve(self) -> None:
        """Take requests until the server is gone."""
        threading.Thread(target=self._watch, name="outplay-watch", daemon=True).start()
        while True:
            number, asked = pickle.load(self.requests)
            if asked in ("stop", "hurry"):
                if number in self.tasks:
                    self.tasks[number].tell(hurry=asked == "hurry")
            else:
                task = self.tasks[number] = Task(self, number, asked)
                task.thread.start()

    def _watch(self) -> None:
        while True:
            time.sleep(LOOK)
            for task in list(self.tasks.values()):
                if why := task.overdue(time.monotonic()):
                    self.answer(task.number, answers.error_of(Endless(why)))


class Task(Work):
    """One request at work."""

    def __init__(self, worker: Worker, number: int, asked: Any) -> None:
        super().__init__()
        self.worker, self.number, self.asked = worker, number, asked
        self.lengthy = worker.handlers.lengthy.get(type(asked))
        self.began = time.monotonic()
        self.thread = threading.Thread(target=self.run, name="outplay-task", daemon=True)

    def post(self, event: Event) -> None:
        """Pass *event* on to the server."""
        self.worker.send(self.number, "event", event)

    def compiling_changed(self) -> None:
        """Tell the server."""
        self.worker.send(self.number, "compiling", self.compiling_game if self.compiling_since else "")

    def begin_search(self) -> None:
        """Tell the server, too."""
        super().begin_search()
        self.worker.send(self.number, "searching", True)

    def run(self) -> None:
        """Do the work, and answer."""
        try:
            if self.lengthy is None:
                event = self.worker.handlers.quick[type(self.asked)](self.asked)
            else:
                step_back()
                event = self.lengthy.answer(self, self.asked)
        except Stopped:
            event = answers.Stopped()
        except BaseException as error:
            event = answers.error_of(carried(error))
        self.worker.answer(self.number, event)

    def overdue(self, now: float) -> str:
        """Return why it has to be given up: a rule does not return, or it does not end though it was told to; "" if it need not.

        A search watches its rules itself; here it is about those that are called before it and after it.
        """
        caps, watchdog, ident = self.worker.caps, self.worker.watchdog, self.thread.ident or 0
        if self.lengthy is None:
            if now - self.began < caps.rules_seconds:
                return ""
            return f"No answer after {caps.rules_seconds:g} s, so it was given up. {sentence(watchdog.call_in(ident))}"
        given_up = f"{messages.name_of(self.asked)} did not end, so it was given up. "
        late = bool(self.told) and now - self.told > caps.stop_seconds
        if late or (self.compiling_since and now - self.compiling_since > caps.compile_most):
            return given_up + sentence(watchdog.call_in(ident))
        try:
            if not self.compiling_since:
                watchdog.look([ident], end=False)
        except Endless as error:
            return given_up + str(error)
        return ""


def sentence(call: Call | None) -> str:
    """Return which rule has not returned, in which line and at which state, as far as that is known, and what to look for."""
    if call is None:
        return f"A rule of the game has not returned. {ADVICE}"
    state = f", at {call.state[:STATE]}{'…' * (len(call.state) > STATE)}" if call.state else ""
    return f"The rule {call.rule} has not returned: line {call.line} of {call.file}{state}. {ADVICE}"


def send(output: IO[bytes], content: Any) -> None:
    """Write *content* to the other side."""
    output.write(pickle.dumps(content))
    output.flush()


def loaded(file: str) -> Game:
    """Return the game in a user's file."""
    game = catalogue.load(file)
    if game.loaded_as:
        raise UnknownGame(f"{file!r} is built in, and on the page already; name files of your own, such as mygame.py")
    return game


def fitting(files: Sequence[str], game: Game) -> dict[str, Learned]:
    """Return the learned estimates of *game* in *files*, by the names of the files; those of other games are left out."""
    found = {}
    for file in files:
        with suppress(LearnedError):
            found[Path(file).name] = Learned.load(file, game)
    return found


def main() -> None:
    """Load the file that the server names, say how that went, and answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's, and that ends this process
    requests, output = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a rule prints is no answer
    sys.setswitchinterval(SWITCH)
    give_memory_back()
    try:
        file, label, caps, learned = pickle.load(requests)
        try:
            game = loaded(file)
            given = fitting(learned, game)
            worker = Worker(requests, output, label, game, caps, given)
        except (Exception, SystemExit) as error:
            said = f"it calls exit({error})" if isinstance(error, SystemExit) else str(error) or type(error).__name__
            send(output, (type(error).__name__, said))
            return
        entry = worker.registry.entries(built_in=False)[0]
        entry.learned = list(given)
        send(output, ("", entry))
        threading.Thread(target=warm, name="outplay-warm", daemon=True).start()
        worker.serve()
    except (EOFError, OSError):  # the server is gone
        pass
    os._exit(0)  # whatever a rule does


if __name__ == "__main__":
    main()
