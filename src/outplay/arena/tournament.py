"""`tournament`: many agents play each other, and the result is a table with intervals.

Every game is written to the store soon after it has ended. A killed tournament can be resumed from the store. If an agent is new or
changed, only its games are played.
"""

import math
import platform
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Protocol

import outplay
from outplay.agents.agent import Agent
from outplay.arena.entrants import Entrant, entrants, is_foreign, tried
from outplay.arena.fixture_player import MOST_OPEN, FixturePlayer, Numbered
from outplay.arena.isolation.tiers import Isolation, choose_isolation
from outplay.arena.player import AgentPlayer, Player, open_player
from outplay.arena.record import GameRecord
from outplay.arena.schedule import (
    SCHEDULES,
    Fixture,
    Openings,
    gauntlet,
    pair_fixtures,
    round_robin,
    solo_fixtures,
    swiss_round,
)
from outplay.arena.sprt import Sprt
from outplay.arena.standings import Tournament, counted, pair_points, tabulate
from outplay.arena.store import GameKey, Store, check_place, control_text
from outplay.arena.time_control import TimeControl, read_time_control, time_control
from outplay.arena.worker_pool import WorkerPool
from outplay.compile.fingerprint import rules_fingerprint
from outplay.compile.watchdog import watched
from outplay.errors import Interrupted, OptionError, StoreError
from outplay.games.catalogue import load
from outplay.rules.game import Game
from outplay.runtime.limits import check_seconds, check_seed
from outplay.runtime.stopper import Stopper

DEFAULT_CONTROL = TimeControl(move_seconds=1.0, bank=10.0)
GAMES = 20  # of every two agents
MOST_TESTED = 100_000  # games of a sequential test that nobody limits
FIRST_TESTED = 64  # pairs of games that a sequential test schedules first
TILE = MOST_OPEN // 2  # agents whose pairings stand next to each other in the schedule
BLOCK = 5  # pairs of games in a row of the same two agents: players stay open, and the table still fills evenly
SEED_BITS = 128  # of a seed that is drawn
GUESSED_BITS = 64  # of a seed that can be guessed: whoever sees some luck can try them all
LONGEST_DELAY = 0.25  # seconds until a game that has ended is written to the disk
WRITING_SHARE = 0.1  # of the time, which writing may take before it is delayed: a fast disk gets every game at once


@dataclass(frozen=True)
class TournamentProgress:
    """How far a tournament is. `fresh` games were played in the `seconds` since it began or was resumed.

    `table()` returns the standings so far.
    """

    played: int
    total: int
    fresh: int
    seconds: float
    table: Callable[[], Tournament] = field(repr=False)

    @property
    def seconds_left(self) -> float | None:
        """The seconds that the other games will probably take; None before the first game."""
        return self.seconds / self.fresh * (self.total - self.played) if self.fresh else None


@dataclass(frozen=True)
class Start:
    """What is known before the first game. `total` games are scheduled, and `known` of them are in the store already."""

    game: str
    entrants: tuple[Entrant, ...]
    control: TimeControl
    isolation: str
    total: int
    known: int
    notes: tuple[str, ...]


class Plays(Protocol):
    """Plays the games of a schedule: in this process, in worker processes, or on a cluster."""

    def play_all(self, games: Sequence[Numbered]) -> Iterator[tuple[int, GameRecord] | None]:
        """Play *games*; yield the number and the record of each, and None now and then while nothing ends."""
        ...

    def close(self) -> None:
        """End all that plays."""
        ...


def tournament(
    game: Game | str,
    agents: Sequence[Agent | str],
    *,
    schedule: str = "round-robin",
    games: int | None = None,
    rounds: int | None = None,
    challengers: int = 1,
    seed: int | None = None,
    jobs: int = 1,
    store: Path | str | Store | None = None,
    resume: bool = False,
    drop: bool = False,
    control: TimeControl | str | None = None,
    preset: str | None = None,
    seconds: float = 0.1,
    opening: int | None = None,
    openings: Sequence[Any] = (),
    names: Sequence[str | None] = (),
    sprt: Sprt | str | None = None,
    trusted: bool = False,
    untrusted: bool = False,
    tier: str | None = None,
    begun: Callable[[Start], None] | None = None,
    progress: Callable[[TournamentProgress], None] | None = None,
    stopper: Stopper | None = None,
    plays: "Callable[[Settings], Plays] | None" = None,
    game_text: str = "",
) -> Tournament:
    """Play a tournament of *game* between *agents*, named as on the command line, and return the standings.

    In a *schedule* "round-robin", every two agents play *games* games, 20 if it is None; in a "gauntlet", the first *challengers* agents play all
    others; in a "swiss", agents with similar points play in each of *rounds* rounds. Games come in pairs: the same start and the
    same luck, seats exchanged. Starts are *openings*, or the game's own after *opening* random plies. All of it depends on *seed*;
    if that is None, it is the seed of the store, or one that nobody can guess, which the store keeps.

    *store* is a file that keeps every game; *resume* goes on with one that has games. A store of another game is refused, and so is one
    with agents that are not named here, unless *drop* leaves them out of the table; their games stay in the file. *control* limits the time, as "move=0.1" or
    "game=60,increment=1", and *preset* names one; a search that names no limit takes *seconds* a move. *jobs* processes play.
    *sprt* tests the first of two agents against the second and ends the tournament when that is decided, or after *games* games.

    Agents that are files run in processes of their own, with the isolation of *tier*, or the best of this machine. With *untrusted*,
    a machine without isolation is an error. *trusted* runs Python files in this process. An agent that cannot start plays no game.

    *begun* is called before the first game, *progress* whenever games were written. *stopper* ends the tournament: that raises an
    `Interrupted` whose `result` is the standings so far. *plays* returns what plays the games in place of this process and its
    worker processes, such as `on_cluster(...)`. *game_text* is the text by which other processes load a *game* that is an object.
    """
    run = _Run(
        game, agents, schedule=schedule, games=games, drop=drop, rounds=rounds, challengers=challengers, seed=seed, jobs=jobs,
        control=_control(control, preset), seconds=seconds, opening=opening, openings=openings, names=names,
        sprt=Sprt.read(sprt) if isinstance(sprt, str) else sprt, trusted=trusted, untrusted=untrusted, tier=tier,
        begun=begun, progress=progress, stopper=stopper, plays=plays, game_text=game_text,
    )  # fmt: skip
    with ExitStack() as stack:
        stack.callback(run.close)
        new = isinstance(store, (str, Path)) and not Path(store).exists()
        if new:
            check_place(Path(store))  # type: ignore[arg-type]
            run.ready()  # what is refused leaves no file behind
        kept = store if isinstance(store, Store) else stack.enter_context(_opened(store, resume))
        if not new:
            run.ready()
        run.prepare(kept)
        try:
            return run.play()
        except KeyboardInterrupt as error:
            run.flush()
            raise Interrupted(run.table(), _interrupted(kept)) from (None if isinstance(error, Interrupted) else error)


def _control(control: TimeControl | str | None, preset: str | None) -> TimeControl:
    if isinstance(control, TimeControl):
        if preset is not None:
            raise OptionError("give control or preset, not both")
        return control
    if control is not None:
        return read_time_control(control if preset is None else f"{preset},{control}")
    return DEFAULT_CONTROL if preset is None else time_control({}, preset=preset)


def _opened(store: Path | str | None, resume: bool) -> Store:
    if resume and store is None:
        raise OptionError("there is nothing to resume without a store; name the file that the tournament was kept in")
    kept = Store(store)
    if not resume and (number := kept.changes()):
        kept.close()
        raise StoreError(
            f"{store} has {number:,} games already; resume to go on with it, or name another file for a new tournament"
        )
    return kept


def _interrupted(store: Store) -> str:
    kept = "nothing is kept, because it has no store" if store.path is None else f"{store.path} keeps its games; resume to go on"
    return f"tournament interrupted; {kept}"


@dataclass(frozen=True)
class Settings:
    """What a player of games must know about the tournament. A worker process receives it as a dictionary."""

    game: str
    agents: tuple[str, ...]
    control: dict[str, Any]
    seconds: float
    isolation: dict[str, Any] | None
    untrusted: bool


class _Run:
    """A tournament while it is played."""

    def __init__(
        self,
        game: Game | str,
        agents: Sequence[Agent | str],
        *,
        schedule: str,
        games: int | None,
        drop: bool,
        rounds: int | None,
        challengers: int,
        seed: int | None,
        jobs: int,
        control: TimeControl,
        seconds: float,
        opening: int | None,
        openings: Sequence[Any],
        names: Sequence[str | None],
        sprt: Sprt | None,
        trusted: bool,
        untrusted: bool,
        tier: str | None,
        begun: Callable[[Start], None] | None,
        progress: Callable[[TournamentProgress], None] | None,
        stopper: Stopper | None,
        plays: Callable[[Settings], Plays] | None,
        game_text: str,
    ) -> None:
        self.game_text = game_text or (game if isinstance(game, str) else game.loaded_as)
        self.game = load(game) if isinstance(game, str) else game
        self.solitaire = bool(watched(self.game, lambda: self.game.solitaire))
        if seed is not None:
            check_seed(seed, "starts and dice")
        self.typed, self.drawn = seed is not None, False
        self.open_ended = sprt is not None and games is None
        games = games if games is not None else MOST_TESTED if sprt is not None else GAMES
        self.drop = drop
        self.runner: Plays | None = None
        _check_numbers(games=games, jobs=jobs, challengers=challengers, **({} if rounds is None else {"rounds": rounds}))
        if schedule not in SCHEDULES:
            raise OptionError(f"there is no schedule {schedule!r}; there are {', '.join(SCHEDULES)}")
        if untrusted and trusted:
            raise OptionError("agents are trusted or untrusted, not both; leave one out")
        check_seconds(seconds)
        self.schedule, self.games, self.rounds, self.challengers = schedule, games, rounds, challengers
        self.seed, self.jobs, self.control, self.seconds, self.sprt = seed or 0, jobs, control, seconds, sprt
        self.openings = Openings(self.game, self.seed, plies=opening, listed=openings)
        self.trusted, self.untrusted, self.tier = trusted, untrusted, tier
        self.begun, self.progress, self.stopper, self.plays_with = begun, progress, stopper, plays
        self.isolation: Isolation | None = None
        self.entrants = entrants(agents, names)
        if jobs > 1 or plays is not None:
            self._check_texts(agents)

    def _check_texts(self, agents: Sequence[Agent | str]) -> None:
        """Refuse a game or an agent that another process cannot load."""
        if not self.game_text:
            raise OptionError(
                f"{self.game.name} is not named by a text, so other processes cannot load it; give its name or its file, or play with one job"
            )
        if objects := [one.name for one in agents if not isinstance(one, str)]:
            raise OptionError(
                f"the agent {objects[0]!r} is an object, which stays in this process; name it by a text, or play with one job"
            )

    # Before the first game

    def ready(self) -> None:
        """Try all agents, and open what plays the games."""
        if self.untrusted or self.tier or (not self.trusted and any(is_foreign(one.agent) for one in self.entrants)):
            self.isolation = choose_isolation(self.tier, untrusted=self.untrusted)
        known = tried(self.entrants, self.game, self.control, self._open, apart=self.isolation is not None)
        able = [one for one in known if not one.refused]
        self.entrants = [*able, *(one for one in known if one.refused)]  # the numbers of a fixture count only agents that play
        self.able = len(able)
        self._check_able(known)
        self.rules = rules_fingerprint(self.game).digest
        self.control_text = control_text({**self.control.to_dict(), "seconds": self.seconds})
        self.runner = self._runner()

    def prepare(self, store: Store) -> None:
        """Find out what there is to play, beside what the store has."""
        self.store = store
        self._check_store()
        self.fixtures: list[Fixture] = []
        self.ids: list[str] = []
        self.done: set[str] = store.ids()
        if not self.typed:
            kept = store.about("seed")
            self.drawn = kept is None
            self.seed = self.openings.seed = secrets.randbits(SEED_BITS) if kept is None else int(kept)
        self.pending: list[tuple[GameKey, GameRecord]] = []
        self.complete_test = False
        self.complete = 0  # pairs that are complete, counted from the first, for the sequential test
        self.fresh, self.began, self.next_write, self.next_test = 0, time.monotonic(), 0.0, 0.0
        self._schedule(self._next_fixtures(0))
        if self.begun is not None:
            self.begun(self._start())

    def _check_able(self, known: Sequence[Entrant]) -> None:
        """Refuse a tournament in which too few agents can start for its schedule."""
        if self.able < (1 if self.solitaire else 2):
            why = "; ".join(f"{one.name}: {one.refused}" for one in known if one.refused) or "name another"
            raise OptionError(f"a tournament of {self.game.name} needs {1 if self.solitaire else 2} agents that can start; {why}")
        if self.sprt is not None and (self.able != 2 or self.solitaire or self.schedule == "swiss"):
            raise OptionError(
                "sprt tests one agent against another; name two agents of a game for two players, and no Swiss system"
            )
        if self.schedule == "gauntlet" and not self.solitaire and self.challengers >= self.able:
            raise OptionError(f"{self.challengers} challengers of {self.able} agents leave nobody to play against")

    def _check_store(self) -> None:
        """Refuse a store whose table would be lost: one of another game, or one with agents that are not named."""
        if not self.store.changes():
            return
        text, known = self.game_text or self.game.name, self.store.about("game")
        if known is not None and known != text and self.store.rules() != {self.rules}:
            raise StoreError(f"{self._store_name} is a tournament of {known}, not of {text}; name another file for this one")
        names, identities = {one.name for one in self.entrants}, {one.identity for one in self.entrants}
        agents = self.store.about("agents") or []
        left = [one["name"] for one in agents if one["name"] not in names and one["identity"] not in identities]
        if left and not self.drop:
            raise StoreError(
                f"the table in {self._store_name} also has {', '.join(left)}, and would lose {'it' if len(left) == 1 else 'them'}; "
                "name every agent of the store, or leave out the others with --drop (in Python, drop=True); their games stay in the file, and outplay export --all writes them"
            )

    @property
    def _store_name(self) -> str:
        return "the store" if self.store.path is None else str(self.store.path)

    def _runner(self) -> Plays:
        """Return what plays the games."""
        texts = tuple(one.text for one in self.entrants[: self.able])
        settings = Settings(
            self.game_text, texts, asdict(self.control), self.seconds,
            None if self.isolation is None else asdict(self.isolation), self.untrusted,
        )  # fmt: skip
        if self.plays_with is not None:
            return self.plays_with(settings)
        if self.jobs > 1:
            return WorkerPool(self.game, asdict(settings), self.jobs)
        return FixturePlayer(
            self.game, lambda number: self._open(self.entrants[number].agent), self.control, stopper=self.stopper
        )

    def _start(self) -> Start:
        """Return what is known before the first game."""
        notes = [*self._notes(), *self._seed_notes()]
        if self.games % 2 and not self.solitaire:
            notes.append(
                f"games come in pairs, with seats exchanged: every two agents play {self.games + 1:,} games, not {self.games:,}"
            )
        if self.open_ended:
            notes.append(f"the test goes on until it is decided, for {self.games:,} games at most; --games sets another limit")
        if others := len(self.done) - self.played:
            notes.append(f"{others:,} games in the store belong to other agents, rules or settings, and do not count")
        return Start(
            self.game_text or self.game.name,
            tuple(self.entrants),
            self.control,
            "" if self.isolation is None else self.isolation.describe(),
            self.total,
            self.played,
            tuple(notes),
        )

    def _seed_notes(self) -> Iterator[str]:
        """Yield what is to be said about the seed: how to repeat one that was drawn, and that a short one can be guessed."""
        if self.drawn:
            yield f"the seed is {self.seed}; name it to play the same starts and the same luck again"
        if self.untrusted and abs(self.seed) >> GUESSED_BITS == 0:
            yield (
                f"an agent can guess the seed {self.seed}, and with it all luck and all starts to come; "
                "leave the seed out, and one is drawn that nobody can guess"
            )

    def _open(self, agent: Agent | str) -> Player:
        if not isinstance(agent, str):
            return AgentPlayer(agent)
        return open_player(agent, self.game, seconds=self.seconds, isolation=self.isolation, game_text=self.game_text or None)

    # The schedule

    @property
    def pairs(self) -> int:
        """The pairs of games that two agents play, in one round of a Swiss system."""
        return -(-self.games // 2)

    @property
    def all_rounds(self) -> int:
        """The number of rounds. Each round is scheduled after the last, because it depends on its results."""
        if self.sprt is not None:
            return 1 + max(0, math.ceil(math.log2(self.pairs / FIRST_TESTED)))
        if self.schedule != "swiss" or self.solitaire:
            return 1
        return self.rounds or max(1, math.ceil(math.log2(self.able)) + 1)

    @property
    def total(self) -> int:
        """All games of the tournament; of a test without a limit of its own, those that are scheduled so far."""
        if self.sprt is not None and not self.open_ended and not self.complete_test:
            return 2 * self.pairs
        if self.schedule == "swiss" and not self.solitaire:
            return self.all_rounds * (self.able // 2) * 2 * self.pairs
        return len(self.fixtures)

    @property
    def played(self) -> int:
        """The games of the tournament that are in the store."""
        return sum(name in self.done for name in self.ids)

    def _next_fixtures(self, number: int) -> list[Fixture]:
        """Return the games of a round."""
        if self.solitaire:
            return [
                one for agent in range(self.able) for one in solo_fixtures(agent, range(self.games), self.openings, self.seed)
            ]
        if self.schedule == "swiss":
            return self._swiss_fixtures(number)
        pairings = round_robin(self.able) if self.schedule == "round-robin" else gauntlet(self.able, self.challengers)
        if self.able > MOST_OPEN:  # neighbours in the schedule share players, of which only some stay open
            pairings.sort(key=lambda pairing: (pairing[0] // TILE, pairing[1] // TILE, pairing))
        found = []
        start, end = 0, self.pairs
        if self.sprt is not None:  # which may end soon: each part is as long as all before it
            start, end = FIRST_TESTED * 2**number // 2 if number else 0, min(self.pairs, FIRST_TESTED * 2**number)
        for block in range(start, end, BLOCK):
            pairs = range(block, min(block + BLOCK, end))
            for one, other in pairings:
                found += pair_fixtures(one, other, pairs, self.openings, self.seed)
        return found

    def _swiss_fixtures(self, number: int) -> list[Fixture]:
        """Return the games of a round of a Swiss system, by the points of all rounds before it. A bye is worth as much as winning."""
        points, met, byes = [0.0] * self.able, [], []
        for line in counted(self.store.scheduled_games() if number else [], [one.identity for one in self.entrants[: self.able]]):
            met.append((line.first, line.second))
            if line.result is not None:
                points[line.first] += line.result
                points[line.second] += 1 - line.result
        present = [{fixture.first for fixture in self.fixtures if fixture.pair // self.pairs == past} for past in range(number)]
        for past in present:
            byes += [agent for agent in range(self.able) if agent not in past]
        for agent in byes:
            points[agent] += 2 * self.pairs
        order = list(range(self.able))
        Random(f"{self.seed}/swiss").shuffle(order)
        pairings, _ = swiss_round(points, met, byes, order)
        pairs = range(number * self.pairs, (number + 1) * self.pairs)
        return [one for first, second in pairings for one in pair_fixtures(first, second, pairs, self.openings, self.seed)]

    def _schedule(self, more: list[Fixture]) -> None:
        """Add games to the schedule, and write it to the store."""
        self.fixtures += more
        self.ids += [self._key(fixture).id for fixture in more]
        self._describe()

    def _describe(self) -> None:
        low, high = float(self.game.low), float(self.game.high)
        agents = [{"name": one.name, "identity": one.identity, "text": one.text, "refused": one.refused} for one in self.entrants]
        self.store.schedule(
            self.ids, game=self.game_text or self.game.name, title=self.game.name, agents=agents, total=self.total,
            solitaire=self.solitaire,
            scale=[low if math.isfinite(low) else None, high if math.isfinite(high) else None],
            sprt=None if self.sprt is None else asdict(self.sprt), control=str(self.control), schedule=self.schedule,
            games=self.games, seed=self.seed, rules=self.rules, tier="" if self.isolation is None else self.isolation.describe(),
            notes=list(self._notes()), versions={"Outplay": outplay.__version__, "Python": platform.python_version()},
        )  # fmt: skip

    def _key(self, fixture: Fixture) -> GameKey:
        first, second = self.entrants[fixture.first].identity, self.entrants[fixture.second].identity
        return GameKey(
            self.rules, first, second, fixture.pair, fixture.luck, self.control_text, fixture.start, fixture.opening
        )  # fmt: skip

    def _notes(self) -> tuple[str, ...]:
        notes = [f"{one.name} could not start and played no game: {one.refused}" for one in self.entrants if one.refused]
        if self.openings.repeated:
            notes.append(
                f"{self.openings.repeated:,} pairs of games begin as an earlier one does: {self.game.name} has no more openings of that length"
            )
        return tuple(notes)

    # The games

    def play(self) -> Tournament:
        """Play all that is not in the store yet; return the standings."""
        for number in range(self.all_rounds):
            if number:
                self._schedule(self._next_fixtures(number))
            if self._play_round():
                break
        return self.table()

    def _play_round(self) -> bool:
        """Play the games scheduled so far; return whether the sequential test is decided."""
        if self._decided():
            return True
        assert self.runner is not None  # `ready` has opened it
        wanted = [Numbered(place, fixture) for place, fixture in enumerate(self.fixtures) if self.ids[place] not in self.done]
        for found in self.runner.play_all(wanted):
            if found is not None:
                number, record = found
                self.pending.append((self._key(self.fixtures[number]), record))
            if self.stopper is not None and self.stopper.stopped:
                raise Interrupted(message="stopped")
            if time.monotonic() >= self.next_write:
                self.flush()
                if time.monotonic() >= self.next_test and self._decided():
                    return True
        self.flush()
        return self._decided()

    def flush(self) -> None:
        """Write the games that have ended to the disk. A game counts when it is written."""
        if not self.pending:
            return
        began = time.monotonic()
        self.store.add_all(self.pending)
        ended = time.monotonic()
        self.next_write = ended + min(LONGEST_DELAY, (ended - began) / WRITING_SHARE)
        self.done |= {key.id for key, _ in self.pending}
        self.fresh += len(self.pending)
        self.pending = []
        if self.progress is not None:
            seconds = time.monotonic() - self.began
            self.progress(TournamentProgress(self.played, self.total, self.fresh, seconds, self.table))

    def _decided(self) -> bool:
        """Return whether the sequential test is decided, by the complete pairs in their order; then drop the pairs after the verdict."""
        if self.sprt is None:
            return False
        complete = self.complete
        while 2 * complete + 1 < len(self.ids) and {self.ids[2 * complete], self.ids[2 * complete + 1]} <= self.done:
            complete += 1
        if complete == self.complete:
            return False
        self.complete = complete
        began = time.monotonic()
        lines = counted(self.store.scheduled_games(), [one.identity for one in self.entrants])
        points = {pair: got for pair, got in pair_points(lines, 0, 1).items() if pair < complete}
        result = self.sprt.decide(list(points.values()))
        self.next_test = time.monotonic() + 10 * (time.monotonic() - began)  # a test of many games takes its time
        if not result.verdict:
            return False
        last = list(points)[sum(result.counts) - 1]
        self.ids, self.fixtures = self.ids[: 2 * last + 2], self.fixtures[: 2 * last + 2]
        self.complete_test = True
        self._describe()
        return True

    def table(self) -> Tournament:
        """Return the standings."""
        refused = {one.name: one.refused for one in self.entrants if one.refused}
        return tabulate(
            self.game_text or self.game.name,
            [one.name for one in self.entrants],
            [one.identity for one in self.entrants],
            self.store.scheduled_games(),
            total=self.total,
            solitaire=self.solitaire,
            scale=(float(self.game.low), float(self.game.high)),
            sprt=self.sprt,
            refused=refused,
            notes=self._notes(),
        )

    def close(self) -> None:
        """End all players."""
        if self.runner is not None:
            self.runner.close()


def _check_numbers(**numbers: Any) -> None:
    for name, number in numbers.items():
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise OptionError(f"{name}={number!r:.40} must be a whole number, 1 or more")
