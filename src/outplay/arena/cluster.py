"""A tournament on a Ray cluster. A task is a batch of games; each of Ray's workers plays its batches on a worker process of its own.

The schedule, the luck and the store stay with the process that began the tournament; only games travel. So the records are the
same as those of local processes, as long as the agents are deterministic. A task that is lost with its worker or its machine is
played again. Before its first game a worker checks that it has the same rules and agents, and the required isolation.

Ray is an extra, and is imported only here.
"""

import os
import platform
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, astuple
from typing import TYPE_CHECKING, Any

from outplay.arena.fixture_player import Numbered
from outplay.arena.isolation.tiers import choose_isolation
from outplay.arena.player import identity_of
from outplay.arena.record import GameRecord
from outplay.arena.schedule import Fixture
from outplay.arena.worker_pool import WorkerPool
from outplay.compile.fingerprint import rules_fingerprint
from outplay.errors import OptionError, OutplayError
from outplay.games.catalogue import load

if TYPE_CHECKING:
    from outplay.arena.tournament import Settings

BATCH = 1.0  # seconds of work in a task, estimated from the last one: a task of less than 10 ms costs more than it saves
FIRST_BATCH, LARGEST_BATCH = 4, 500  # games
AHEAD = 2  # tasks for each processor, so that none of them waits
CONNECTING = 10.0  # seconds until an address counts as not reachable
LOOK = 0.2  # seconds from one look at the tasks to the next
RETRIES = 3  # of a task, by Ray itself
TRIES = 3  # times that a batch is handed out again when those have failed

Setup = dict[str, Any]
Played = list[tuple[int, dict[str, Any]]]

_pools: dict[str, WorkerPool] = {}  # in a process of Ray: at most one pool, by the tournament that it plays


def on_cluster(address: str) -> "Callable[[Settings], Cluster]":
    """Return the argument `plays` of `tournament` for the Ray cluster at *address*."""
    ray = imported_ray()
    return lambda settings: Cluster(settings, address, ray)


def imported_ray() -> Any:
    """Import Ray with its usage statistics switched off; raise an OptionError if it is not installed."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ModuleNotFoundError as error:
        raise OptionError(
            f"a cluster needs {error.name}, which is not installed: pip install 'outplay[cluster]', or play without --cluster"
        ) from None
    return ray


def check_reachable(address: str) -> None:
    """Raise an OutplayError if no server listens at *address*, HOST:PORT. Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdigit():
        return  # a name, such as auto, that Ray looks up
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECTING).close()
    except (OSError, OverflowError) as error:
        raise OutplayError(no_cluster(address, error)) from None


def no_cluster(address: str, error: Exception) -> str:
    """Return the message for an *address* without a cluster."""
    why = str(error).strip().partition("\n")[0]
    return f"there is no Ray cluster at {address!r}: {why}; start one with ray start --head, and name the address that it says"


class Cluster:
    """Plays games on a Ray cluster. *address* is one that `ray.init` takes: "auto", HOST:PORT or ray://HOST:PORT."""

    def __init__(self, settings: "Settings", address: str, ray: Any) -> None:
        self.ray = ray
        setup = asdict(settings)
        told = (os.getcwd(), setup, present(setup))
        self._own = not ray.is_initialized()  # a connection that existed before stays open
        if self._own:
            check_reachable(address)
            try:
                ray.init(address=address, log_to_driver=False, logging_level="ERROR", configure_logging=False)
            except (OSError, RuntimeError, ValueError) as error:
                raise OutplayError(no_cluster(address, error)) from None
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(play_batch)
        self._told = ray.put(told)
        self._batch = FIRST_BATCH
        self._lost: Counter[int] = Counter()  # by the number of the first game of a batch

    @property
    def processors(self) -> int:
        """How many tasks the cluster can run at once."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def play_all(self, games: Sequence[Numbered]) -> Iterator[tuple[int, GameRecord] | None]:
        """Play *games*; yield the number and the record of each as they end, and None now and then while nothing ends."""
        waiting = deque(games)
        running: dict[Any, list[Numbered]] = {}
        try:
            while waiting or running:
                self._hand_out(waiting, running)
                ended, _ = self.ray.wait(list(running), num_returns=1, timeout=LOOK)
                if not ended:
                    yield None
                for task in ended:
                    batch = running.pop(task)
                    found = self._result(task, batch)
                    if found is None:
                        waiting.extendleft(reversed(batch))
                        continue
                    for number, record in found:
                        yield number, GameRecord.from_dict(record)
        finally:
            for task in running:
                with suppress(Exception):  # it may be over, or its worker gone
                    self.ray.cancel(task, force=True)

    def _hand_out(self, waiting: deque[Numbered], running: dict[Any, list[Numbered]]) -> None:
        """Keep all processors busy, with smaller batches towards the end."""
        processors = self.processors
        while waiting and len(running) < AHEAD * processors:
            fair = -(-len(waiting) // (AHEAD * processors))
            batch = [waiting.popleft() for _ in range(min(self._batch, fair, len(waiting)))]
            running[self._task.remote(self._told, [(game.number, astuple(game.fixture)) for game in batch])] = batch

    def _result(self, task: Any, batch: Sequence[Numbered]) -> Played | None:
        """Return the records of a batch; None if it was lost with its worker and has to be played again."""
        errors = self.ray.exceptions
        try:
            found, seconds = self.ray.get(task)
        except errors.RayTaskError as error:
            if isinstance(error.cause, OutplayError):
                raise error.cause from None
            raise OutplayError(f"a worker of the cluster failed: {error.cause!r:.500}") from None
        except errors.RayError as error:  # a worker, a machine or a result was lost
            self._lost[batch[0].number] += 1
            if self._lost[batch[0].number] > TRIES:
                raise OutplayError(
                    f"the cluster lost the same games {TRIES + 1} times ({type(error).__name__}); see the logs of its workers"
                ) from None
            return None
        self._batch = max(1, min(LARGEST_BATCH, round(BATCH * len(batch) / max(seconds, 1e-6))))
        return list(found)

    def close(self) -> None:
        """Leave the cluster."""
        if self._own and self.ray.is_initialized():
            self.ray.shutdown()


# On a worker


def play_batch(told: tuple[str, Setup, Mapping[str, str]], games: Sequence[tuple[int, tuple[Any, ...]]]) -> tuple[Played, float]:
    """Play *games* on a process that stays for the next batch; return the records, and the seconds that they took.

    *told* is the folder in which the tournament began, the settings of a worker process, and what `present` returned there.
    """
    folder, setup, expected = told
    key = repr((folder, setup, sorted(expected.items())))
    if key not in _pools:
        with suppress(OSError):  # check_present names the files that are then missing
            os.chdir(folder)
        check_present(setup, expected)
        while _pools:
            _pools.popitem()[1].close()  # of an earlier tournament
        _pools[key] = WorkerPool(load(setup["game"]), setup, 1)
    began = time.monotonic()
    numbered = [Numbered(number, Fixture(*fixture)) for number, fixture in games]
    found = [(one[0], one[1].to_dict()) for one in _pools[key].play_all(numbered) if one is not None]
    return found, time.monotonic() - began


def present(setup: Setup) -> dict[str, str]:
    """Return the hashes and versions, on this machine, of all that a game depends on besides the schedule."""
    import outplay

    found = {"Outplay": outplay.__version__, "Python": platform.python_version()}
    found[f"the rules of {setup['game']}"] = rules_fingerprint(load(setup["game"])).digest
    return found | {f"the agent {text}": identity_of(text) for text in setup["agents"]}


def check_present(setup: Setup, expected: Mapping[str, str]) -> None:
    """Raise an OptionError unless `present` is as *expected* on this machine, and its tier of isolation works."""
    here = platform.node()
    if setup["isolation"] is not None:
        try:
            choose_isolation(setup["isolation"]["tier"], untrusted=setup["untrusted"])
        except OptionError as error:
            raise OptionError(f"the worker on {here} refuses to play: {error}") from None
    try:
        found = present(setup)
    except OutplayError as error:
        raise OptionError(
            f"the worker on {here} cannot play: {error}; copy the files of the tournament to the same place there"
        ) from None
    for name, value in expected.items():
        if found.get(name) != value:
            raise OptionError(
                f"{name} differs on the worker on {here}: it has {found.get(name)}, and the tournament {value}; install the same versions "
                "on all machines, and copy the files of the tournament to the same place"
            )
