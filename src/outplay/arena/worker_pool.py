"""Local worker processes that play the games of a tournament. One that dies or hangs is replaced, and its games are played again."""

import json
import mmap
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path
from typing import IO, Any

import outplay
from outplay.arena.fixture_player import Numbered
from outplay.arena.record import GameRecord, Verdict
from outplay.arena.worker import DOING
from outplay.errors import OutplayError
from outplay.rules.game import Game

LOOK = 0.2  # seconds from one look at the workers to the next
BATCH = 0.25  # seconds of work that a worker gets at once, estimated from its last batch
LARGEST_BATCH = 64
TRIES = 2  # workers that a game may end before an agent is blamed for it
STARTS = 3  # workers that may fail before their first game


class WorkerPool:
    """Plays games on *jobs* processes. *setup* is what a worker is told first: the game, the agents and the time control."""

    def __init__(self, game: Game, setup: Mapping[str, Any], jobs: int) -> None:
        self.game, self.setup, self.jobs = game, setup, jobs
        self._events: queue.Queue[tuple[Worker, dict[str, Any] | None]] = queue.Queue()
        self._workers: list[Worker] = []
        self._costs: Counter[int] = Counter()  # workers lost, by the number of the game
        self._failed = 0

    def play_all(self, games: Sequence[Numbered]) -> Iterator[tuple[int, GameRecord] | None]:
        """Play *games*; yield the number and the record of each as they end, and None now and then while nothing ends."""
        waiting = deque(games)
        wanted = len(waiting)
        while wanted:
            self._hand_out(waiting)
            ended = False
            for worker, message in self._heard():
                if message is None:
                    for number, record in self._lost(worker, waiting):
                        wanted, ended = wanted - 1, True
                        yield number, record
                elif "record" in message and worker.returned(message["number"]):
                    wanted, ended = wanted - 1, True
                    yield message["number"], GameRecord.from_dict(message["record"])
                elif "done" in message:
                    worker.rest()
            if not ended:
                yield None
                self._end_hung()

    def _hand_out(self, waiting: deque[Numbered]) -> None:
        while len(self._workers) < min(self.jobs, len(waiting) + sum(one.busy for one in self._workers)):
            self._workers.append(Worker(self.setup, self._events))
        for worker in self._workers:
            if waiting and not worker.busy:
                fair = -(-len(waiting) // (2 * self.jobs))
                worker.give([waiting.popleft() for _ in range(min(worker.batch, fair, len(waiting)))])

    def _heard(self) -> list[tuple["Worker", dict[str, Any] | None]]:
        """Return what the workers have said; wait a moment if they have said nothing."""
        found = []
        with suppress(queue.Empty):
            found.append(self._events.get(timeout=LOOK))
            while True:
                found.append(self._events.get_nowait())
        return [(worker, message) for worker, message in found if worker in self._workers]

    def _lost(self, worker: "Worker", waiting: deque[Numbered]) -> list[tuple[int, GameRecord]]:
        """Put the games of a lost *worker* back; return a verdict if the game that it played has ended too many workers."""
        self._workers.remove(worker)
        worker.close()
        number, seat, _ = worker.doing()
        left = [game for game in worker.games if game.number != number]
        fatal = [game for game in worker.games if game.number == number]
        if not worker.ready:
            self._failed += 1
            if self._failed >= STARTS:
                raise OutplayError(
                    f"{STARTS} worker processes ended before their first game (status {worker.status}); play with one job to see why"
                )
        waiting.extendleft(reversed([*fatal, *left]))
        if not fatal:
            return []
        self._costs[number] += 1
        if self._costs[number] < TRIES:
            return []
        waiting.popleft()
        return [(number, self._blamed(fatal[0], seat, worker.hung))]

    def _blamed(self, game: Numbered, seat: int, hung: bool) -> GameRecord:
        """Return the record of a game that ended its worker: the fault of the seat that was asked, or of nobody."""
        what = "does not return and cannot be interrupted" if hung else "ends its whole process"
        fixture = game.fixture
        if seat < 0:
            detail = f"a rule of {self.game.name} {what}"
            return GameRecord(Verdict.RULE, None, None, fixture.start, fixture.opening, (), detail)
        score = float(self.game.low if seat == 0 else self.game.high)
        verdict = Verdict.TIMEOUT if hung else Verdict.CRASH
        return GameRecord(verdict, seat, score, fixture.start, fixture.opening, (), f"the agent {what}")

    def _end_hung(self) -> None:
        now = time.monotonic()
        for worker in self._workers:
            number, _, until = worker.doing()
            if number >= 0 and until < now and worker.busy:
                worker.hung = True
                worker.kill()  # its end is heard as any other

    @property
    def processes(self) -> list[int]:
        """The ids of the worker processes."""
        return [worker.process.pid for worker in self._workers]

    def close(self) -> None:
        """End all workers."""
        while self._workers:
            worker = self._workers.pop()
            worker.kill()
            worker.close()


class Worker:
    """One worker process, and the games that it still has to play."""

    def __init__(self, setup: Mapping[str, Any], events: "queue.Queue[tuple[Worker, dict[str, Any] | None]]") -> None:
        self.games: list[Numbered] = []
        self.ready = self.hung = self.busy = False
        self.batch = 2
        self._began, self._given = 0.0, 0
        handle, name = tempfile.mkstemp(prefix="outplay-worker-")
        os.write(handle, DOING.pack(-1, -1, 0.0))
        self._memory = mmap.mmap(handle, DOING.size)
        os.close(handle)
        self._watch = Path(name)
        folder = str(Path(outplay.__file__).parent.parent)
        paths = [folder, *filter(None, [os.environ.get("PYTHONPATH")])]
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from outplay.arena.worker import main; main()", name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)}, start_new_session=True,  # Ctrl-C is not for them
        )  # fmt: skip
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(self.process.stdout, events), name="outplay-worker", daemon=True)
        self._reader.start()
        self._say(setup)

    @property
    def status(self) -> int | None:
        """The exit status of the process, once it has ended."""
        return self.process.poll()

    def give(self, games: list[Numbered]) -> None:
        """Let the worker play *games*."""
        self.games, self._began, self._given, self.busy = games, time.monotonic(), len(games), True
        self._say([[game.number, astuple(game.fixture)] for game in games])

    def returned(self, number: int) -> bool:
        """Note that a game has come back; return whether the worker had it."""
        before = len(self.games)
        self.games = [game for game in self.games if game.number != number]
        return len(self.games) < before

    def rest(self) -> None:
        """Note that the batch is done, and how large the next one should be."""
        seconds = (time.monotonic() - self._began) / max(self._given, 1)
        self.batch = max(1, min(LARGEST_BATCH, round(BATCH / max(seconds, 1e-6))))
        self.busy = False

    def doing(self) -> tuple[int, int, float]:
        """Return the number of the game that is played, the seat that is asked, and when it must have answered."""
        number, seat, until = DOING.unpack_from(self._memory, 0)
        return number, seat, until

    def kill(self) -> None:
        """End the process at once."""
        self.process.kill()

    def close(self) -> None:
        """Wait for the end of the process, and tidy up."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()
        self._watch.unlink(missing_ok=True)

    def _say(self, what: Any) -> None:
        assert self.process.stdin is not None
        with suppress(OSError):  # it has died: the reader hears it
            self.process.stdin.write(json.dumps(what, separators=(",", ":")) + "\n")
            self.process.stdin.flush()

    def _read(self, stream: IO[str], events: "queue.Queue[tuple[Worker, dict[str, Any] | None]]") -> None:
        with suppress(ValueError, OSError):  # half a line, by a worker that was killed
            for line in stream:
                message = json.loads(line)
                if not self.ready:
                    self.ready = True
                    self._watch.unlink(missing_ok=True)  # it is open on both sides
                events.put((self, message))
        events.put((self, None))
