"""`playouts`: many games of a state to their end, in compiled code."""

from collections import Counter
from typing import Any

from outplay.checking.trust import inspect_rules, trust_compiled
from outplay.compile.clock import now
from outplay.compile.engine import Engine
from outplay.errors import GameError, LimitError, OptionError, RuleRaised, StateError
from outplay.rules.bits import real_of, splitmix
from outplay.rules.fields import is_int
from outplay.rules.game import OVER, Game, State
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.opponents import Policy, facing
from outplay.runtime import meter
from outplay.runtime.crew import Crew
from outplay.runtime.faults import fault
from outplay.runtime.large_stack import on_large_stack, stack_for
from outplay.runtime.limits import Limits, check_seed
from outplay.runtime.overdue import SearchWatch
from outplay.runtime.stopper import Stopper
from outplay.runtime.threads import thread_count
from outplay.search.montecarlo import playout_layout as layout
from outplay.search.montecarlo.playout_kernel import play_games
from outplay.search.montecarlo.playout_result import Lengths, Playouts

PLIES = 10_000  # a longer game is cut
MOST_PLIES = 10_000_000


def playouts(
    game: Game[State],
    state: State | None = None,
    *,
    number: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    threads: int | None = 1,
    policy: Policy = "random",
    plies: int = PLIES,
    compiled: bool = True,
    check: bool = True,
    stopper: Stopper | None = None,
) -> Playouts:
    """Play games from *state* (the start, if none is given) to their end; return what came of them.

    A limit is required: the *number* of games, *seconds*, or both. *policy* plays for both players: "random" (any legal move,
    all equally likely), the name of one of the game's policies, or a function that returns a move or yields (move, probability).
    The same *seed* gives the same games at any number of *threads*. A game of more than so many *plies* (moves and outcomes)
    is cut; it has no score, and the result counts it apart. *compiled*, *check* and *stopper*: as for `search`.
    """
    limits, threads = check_options(number, seconds, seed=seed, threads=threads, plies=plies)
    state, played = _resolve(game, state, policy, check=check)
    engine = Engine(played, play_games, compiled=compiled)
    run = _Run(engine, state, limits, seed, threads, plies)
    run.prepare()
    if check and compiled:
        trust_compiled(played, state)
    name = policy if isinstance(policy, str) else getattr(policy, "__name__", "policy")
    return run.result(game, name, seed, stopper or Stopper())


def check_options(
    number: int | None, seconds: float | None, *, seed: int, threads: int | None, plies: int = PLIES
) -> tuple[Limits, int]:
    """Return the limits and the number of threads; refuse what cannot be."""
    if number is None and seconds is None:
        raise LimitError("playouts need a limit: give number or seconds, or both; such as number=10_000")
    if number is not None and (not _is_whole(number) or not 0 < number <= meter.NEVER):
        raise LimitError(f"number={number!r:.40} is not a valid limit; it must be a whole number of games above 0")
    check_seed(seed, "games")
    if not _is_whole(plies) or not 0 < plies <= MOST_PLIES:
        raise OptionError(
            f"plies={plies!r:.40} must be a whole number from 1 to {MOST_PLIES:,}: the length at which a game is cut"
        )
    return Limits(seconds, nodes=number or meter.NEVER), thread_count(threads)


def _is_whole(number: Any) -> bool:
    return is_int(number) and not isinstance(number, bool)


def _resolve(game: Game, state: Any, policy: Policy, *, check: bool) -> tuple[Any, Game]:
    """Return the state to play from, and the game as *policy* plays it; *check* its rules, if that was not done."""
    if not isinstance(game, Game):
        hint = f"; load({game!r}) gives the one of that name" if isinstance(game, str) else ""
        raise GameError(f"playouts take a Game, and got {game!r}{hint}")
    state = game.start if state is None else game.state(state)
    # A game in which a policy plays both sides has chance nodes alone.
    played = game if policy == "random" else facing(facing(game, 0, policy), 1, policy)
    for rules in {id(game): game, id(played): played}.values() if check else ():
        inspect_rules(rules, state)
    if game.acting(state) == OVER:
        raise StateError(f"the game is over, and there is nothing to play: {game.write_state(state)}")
    return state, played


class _Worker:
    """One thread: it plays every so many-th game."""

    def __init__(self, engine: Engine, state: Any, index: int, threads: int, plies: int) -> None:
        self.engine, self.state, self.plies = engine, state, plies
        room, top = engine.game.max_moves, layout.LENGTHS + plies + 1
        self.memory = engine.memory(top + 4 * room + sum(field.words for field in engine.game.fields))
        self.memory[meter.MAX_MOVES] = room
        self.memory[meter.STRIDE] = meter.FIRST_STRIDE
        self.memory[layout.GAME], self.memory[layout.STEP] = index, threads
        self.memory[layout.PLY_LIMIT] = plies
        self.memory[layout.TOP], self.memory[layout.STATE_AT] = top, top + 4 * room

    def run(self) -> None:
        """Play until a limit is reached, or the scores must be emptied."""
        self.memory[meter.NEXT_LOOK] = self.memory[meter.NODES] + 1
        self.memory[meter.WHY] = self.memory[meter.TRAIL_LENGTH] = 0
        self.engine.run(self.state, self.memory)

    def take_scores(self) -> Counter[float]:
        """Return how many games ended with each score since the last call."""
        memory, found = self.memory, Counter[float]()
        for slot in self._used(layout.SCORES + 1, 2 * layout.SLOTS - 1, 2):
            place = layout.SCORES + 2 * slot
            found[real_of(int(memory[place]))] = int(memory[place + 1])
        if self.engine.compiled:
            self.memory[layout.SCORES : layout.LENGTHS] = 0
        else:
            for place in range(layout.SCORES, layout.LENGTHS):
                self.memory.pop(place, None)
        self.memory[layout.USED] = 0
        return found

    def lengths(self) -> Counter[int]:
        """Return how many games had each length."""
        used = self._used(layout.LENGTHS, self.plies + 1, 1)
        return Counter({length: int(self.memory[layout.LENGTHS + length]) for length in used})

    def _used(self, place: int, words: int, step: int) -> list[int]:
        """Return which of these *words* of the memory, every so many-th, are not 0."""
        if self.engine.compiled:
            return self.memory[place : place + words : step].nonzero()[0].tolist()  # type: ignore[no-any-return]
        return [index for index in range(-(-words // step)) if self.memory[place + step * index]]


class _Run:
    """The games of one call, from the first to the result."""

    def __init__(self, engine: Engine, state: Any, limits: Limits, seed: int, threads: int, plies: int) -> None:
        self.engine, self.state, self.limits, self.seed, self.plies = engine, state, limits, seed, plies
        self.crew = Crew(engine, [_Worker(engine, state, index, threads, plies) for index in range(threads)])
        for memory in self.crew.memories:
            memory[layout.SEED] = splitmix(seed, 0)  # else neighbouring seeds would share games
            memory[layout.LAST] = limits.nodes

    def prepare(self) -> None:
        """Compile what the games take."""
        self.engine.prepare(self.crew.memories[0])

    def result(self, game: Game, policy: str, seed: int, stopper: Stopper) -> Playouts:
        """Play, and return what came of it; a rule that raises or never returns is reported with its name and line."""
        began = now()
        deadline = self.limits.deadline(began)
        self.crew.limit(deadline, None)
        if self.limits.seconds is not None:
            self.crew.watch_time(self.limits.seconds)
        overdue = SearchWatch(
            self.engine.game, self.state, self.crew.memories, self._repeat, compiled=self.engine.compiled
        )  # fmt: skip

        def work() -> Playouts:
            scores = self._play(stopper, deadline)
            lengths = sum((worker.lengths() for worker in self.crew.workers), Counter())
            cut = self.crew.total(layout.CUT)
            return Playouts.of(
                game, self.state, policy, scores, Lengths.of(lengths),
                cut=cut, plies=self.plies, positions=self.crew.nodes(), seed=seed, threads=self.crew.threads,
                seconds=(now() - began) / 1e9, stopped_by=self._why(stopper),
            )  # fmt: skip

        try:
            return on_large_stack(work, stack_for(self.engine.game), interrupt=stopper.stop, tick=overdue.look)
        except RuleRaised as error:
            if self.engine.compiled and error.place is None:
                self._repeat()
            raise error from None

    def _play(self, stopper: Stopper, deadline: int) -> Counter[float]:
        scores: Counter[float] = Counter()
        with self.crew, stopper.watching(self.crew.memories):
            while True:
                self.crew.run((), stopper)
                for worker in self.crew.workers:
                    why = int(worker.memory[meter.WHY])
                    if meter.BY_STOP < why < layout.SCORES_FULL:
                        raise self._fault(worker)
                    scores += worker.take_scores()
                if self._all_played() or stopper.stopped or now() >= deadline:
                    return scores

    def _all_played(self) -> bool:
        return all(int(memory[layout.GAME]) >= int(memory[layout.LAST]) for memory in self.crew.memories)

    def _why(self, stopper: Stopper) -> str:
        return "number" if self._all_played() else "stop" if stopper.stopped else "time"

    def _fault(self, worker: _Worker) -> GameError:
        """Return the error for which *worker* ended; its memory holds the state."""
        rules = self.engine.game
        state = InterpretedRules(rules).load_state(worker.memory, int(worker.memory[layout.STATE_AT]))
        return fault(rules, state, worker.memory)

    def _repeat(self) -> None:
        """Play the games at hand again, interpreted: there a rule that fails does so with its line."""
        for memory in self.crew.memories:
            number = int(memory[layout.GAME])
            again = _Run(
                Engine(self.engine.game, play_games, compiled=False),
                self.state,
                Limits(nodes=number + 1),
                self.seed,
                1,
                self.plies,
            )
            again.crew.memories[0][layout.GAME] = number
            again.result(self.engine.game, "", self.seed, Stopper())
