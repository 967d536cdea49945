"""`Searcher`: search and analysis of one position after another over one transposition table."""

import threading
from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from typing import Any, NamedTuple, NoReturn, TypeVar
from weakref import WeakKeyDictionary

from outplay.checking.trust import inspect_rules, is_trusted, trust_compiled
from outplay.compile.announce import together
from outplay.compile.clock import now
from outplay.compile.engine import Engine
from outplay.compile.fingerprint import rules_fingerprint
from outplay.compile.learned_estimate import LearnedEstimate
from outplay.errors import GameError, LimitError, OptionError, RuleRaised, StateError
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.opponents import Policy, facing, opponent_of
from outplay.rules.pickling import refused
from outplay.runtime.growing_table import TABLE_MB
from outplay.runtime.large_stack import on_large_stack, stack_for
from outplay.runtime.limits import Limits
from outplay.runtime.meter import NEVER
from outplay.runtime.overdue import SearchWatch
from outplay.runtime.stopper import Stopper
from outplay.runtime.threads import thread_count
from outplay.search.analysis import Analysis
from outplay.search.analyst import Analyst
from outplay.search.driver import Driver
from outplay.search.kernel import explore
from outplay.search.montecarlo.options import TreeOptions
from outplay.search.montecarlo.tree import Tree
from outplay.search.montecarlo.tree_driver import TreeDriver
from outplay.search.montecarlo.tree_kernel import grow
from outplay.search.result import Iteration, Result
from outplay.search.sampling import Sampling
from outplay.search.table import Storage
from outplay.search.techniques import mode_of

Found = TypeVar("Found")

METHODS = ("alpha-beta", "mcts")
PLAIN = TreeOptions()
NODES_TO_REPEAT, SECONDS_TO_REPEAT = 500_000, 15.0  # of a search that is interpreted to find a rule at fault

_transformed: WeakKeyDictionary[Game, dict[tuple[Any, ...], Game]] = WeakKeyDictionary()


class Searcher:
    """Searches states of *game*. Its table helps with the next state, until `clear` is called.

    The options are those of `search`. A searcher runs one search at a time: a call from a second thread waits.
    """

    def __init__(
        self,
        game: Game,
        *,
        opponent: Policy = "best",
        threads: int | None = 1,
        table_mb: float = TABLE_MB,
        only: Iterable[str] | None = None,
        without: Iterable[str] = (),
        method: str = "alpha-beta",
        leaves: str | None = None,
        exploration: float | None = None,
        seed: int = 0,
        compiled: bool = True,
        check: bool = True,
        samples: int | None = None,
        estimate: Callable[[Any], float] | None = None,
    ) -> None:
        self.sampling = None if samples is None else Sampling(samples, seed)
        if samples is not None and method == "mcts":
            raise OptionError(
                "samples is for alpha-beta; Monte Carlo tree search draws outcomes of chance anyway: leave samples out"
            )
        game = game if estimate is None else with_estimate(game, estimate)
        self.game, self.opponent, self.threads, self.table_mb = game, opponent, thread_count(threads), table_mb
        self.compiled, self.check = compiled, check
        self.mode = mode_of(only, without)
        self.method, self.leaves, self.exploration, self.seed = method, leaves, exploration, seed
        plain = leaves is None and exploration is None and (samples or (type(seed) is int and seed == 0))
        options = PLAIN if plain else TreeOptions(leaves, exploration, 0 if samples else seed)
        check_method(method, options, techniques=only is not None or bool(without))
        self._techniques = {"only": only, "without": without}
        self._lock = threading.RLock()
        self._known: dict[Game, tuple[str, Engine, Storage]] = {}  # each game with the digest of its rules
        self._trees: dict[Game, tuple[str, Engine, Tree]] = {}

    def __reduce__(self) -> NoReturn:
        refused("Searcher", "it holds threads and a transposition table", "make another one with Searcher(game)")

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._known.clear()
            self._trees.clear()

    def prepare(self, state: Any = None) -> None:
        """Compile everything that a search of *state* needs and check the rules, so that the search starts at once."""
        self.search(state, nodes=1)

    def search(
        self,
        state: Any = None,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        simulations: int | None = None,
        progress: Callable[[Iteration], None] | None = None,
        stopper: Stopper | None = None,
    ) -> Result:
        """Return the best move of *state* (the start, if none is given), as the function `search` does."""
        limits, stopper = Limits(seconds, depth, nodes, simulations), stopper or Stopper()
        check_limits(self.method, limits)
        start = resolve_start(self.game, state, self.opponent, check=self.check)
        with self._lock:
            driver = self._driver(start, limits)
            self._ready(driver, start.digest)
            began = now()
            return self._run(Searcher.search, driver, lambda: driver.run(stopper, began, progress), stopper)

    def _driver(self, start: "Start", limits: Limits) -> Driver | TreeDriver:
        if self.method == "mcts":
            engine, tree = self._tree(start.game, start.digest)
            options = TreeOptions(self.leaves, self.exploration, self.seed)
            return TreeDriver(engine, start.state, limits, tree=tree, options=options, threads=self.threads)
        engine, storage = self._memory(start.game, start.digest)
        return Driver(
            engine, start.state, self.mode, limits, who=start.who, threads=self.threads, storage=storage, sampling=self.sampling
        )  # fmt: skip

    def analyse(
        self,
        state: Any = None,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        progress: Callable[[Analysis], None] | None = None,
        tick: Callable[[int, float], None] | None = None,
        stopper: Stopper | None = None,
    ) -> Analysis:
        """Return the value of every move of *state*, as the function `analyse` does."""
        if self.sampling is not None:
            raise OptionError("an analysis looks at every outcome of chance; use a Searcher without samples")
        if self.method == "mcts":
            raise OptionError(
                'an analysis is by alpha-beta; use a Searcher without method="mcts", or its search, whose candidates tell every move'
            )
        limits, stopper = Limits(seconds, depth, nodes), stopper or Stopper()
        start = resolve_start(self.game, state, self.opponent, check=self.check)
        with self._lock:
            engine, storage = self._memory(start.game, start.digest)
            driver = Driver(engine, start.state, self.mode, limits, who=start.who, storage=storage)
            self._ready(driver, start.digest)
            analyst = Analyst(driver)

            def at_tick() -> None:
                if tick is not None:
                    tick(driver.crew.nodes(), analyst.seconds())

            return self._run(Searcher.analyse, driver, lambda: analyst.run(stopper, progress), stopper, at_tick)

    def analysis(self, state: Any = None, *, seconds: float | None = None, depth: int | None = None) -> "RunningAnalysis":
        """Return an iterator of ever deeper analyses of *state*, which goes on in the background until it is closed.

            with searcher.analysis(state) as running:
                for found in running:
                    print(found.explain())

        It ends by itself where every move is proven, or at a limit, if one is given.
        """
        return RunningAnalysis(self, state, seconds=seconds, depth=depth)

    def _memory(self, game: Game, digest: str) -> tuple[Engine, Storage]:
        """Return the engine and the table for *game*; keep those of the last search if the rules are the same."""
        known = self._known.get(game)
        if known is None or known[0] != digest:
            engine = Engine(game, explore, "searched", compiled=self.compiled)
            known = self._known[game] = digest, engine, Storage(engine, self.table_mb)
        _, engine, storage = known
        storage.earlier = storage.age
        return engine, storage

    def _tree(self, game: Game, digest: str) -> tuple[Engine, Tree]:
        """Return the engine and the tree for *game*, those of the last search if its rules are still the same."""
        known = self._trees.get(game)
        if known is None or known[0] != digest:
            engine = Engine(game, grow, compiled=self.compiled)
            known = self._trees[game] = digest, engine, Tree(engine, self.table_mb)
        return known[1], known[2]

    def _ready(self, driver: Driver | TreeDriver, digest: str) -> None:
        """Check the rules, whose *digest* was just looked up, and compile them, unless that was done before."""
        if not is_trusted(digest):
            _ = driver.roots  # moves that are wrong at the root have an error of their own
        if not self.check or not self.compiled or is_trusted(digest):
            driver.prepare(digest)
        else:
            with together():
                # First: it compiles in a tenth of the time, and finds what does not compile.
                trust_compiled(driver.game, driver.state)
                driver.prepare()
        if driver.limits.seconds is not None:
            driver.crew.watch_time(driver.limits.seconds)

    def _run(
        self,
        verb: Callable[..., Any],
        driver: Driver | TreeDriver,
        work: Callable[[], Found],
        stopper: Stopper,
        tick: Callable[[], None] | None = None,
    ) -> Found:
        """Run the *work* of a *verb* and return its result; report a rule that raises or never returns with its name and line."""

        def repeat() -> None:
            """Do the same interpreted, as far as the compiled search came: there a rule that fails does so with its line."""
            if isinstance(driver, TreeDriver):
                driver.repeat()
            visited = driver.crew.nodes()
            if visited <= NODES_TO_REPEAT:
                again = self._interpreted(driver.game)
                verb(
                    again, driver.state, seconds=SECONDS_TO_REPEAT, depth=driver.limits.depth, nodes=visited + 1, stopper=stopper
                )  # fmt: skip

        overdue: SearchWatch | None = None

        def at_tick() -> None:
            nonlocal overdue
            if overdue is None:  # most searches have ended before
                overdue = SearchWatch(driver.game, driver.state, driver.crew.memories, repeat, compiled=self.compiled)
            overdue.look()
            if tick is not None:
                tick()

        try:
            found = on_large_stack(work, stack_for(driver.game), interrupt=stopper.stop, tick=at_tick)
        except RuleRaised as error:
            if self.compiled and error.place is None:
                repeat()
            raise error from None
        if isinstance(driver, Driver) and not driver.crew.is_timed:
            driver.release()
        return found

    def _interpreted(self, game: Game) -> "Searcher":
        """Return a searcher that does the same on one thread, interpreted."""
        return Searcher(
            game, table_mb=self.table_mb, method=self.method, leaves=self.leaves, exploration=self.exploration,
            samples=None if self.sampling is None else self.sampling.samples, seed=self.seed, compiled=False, check=False,
            **self._techniques,  # type: ignore[arg-type]
        )  # fmt: skip


class RunningAnalysis(Iterator[Analysis]):
    """An iterator of ever deeper analyses of a state, found in the background. `close`, or the end of a `with` statement, stops it."""

    def __init__(self, searcher: Searcher, state: Any, *, seconds: float | None, depth: int | None) -> None:
        self._stopper = Stopper()
        self._found: SimpleQueue[Analysis | BaseException] = SimpleQueue()
        self._ended = False

        def work() -> None:
            try:
                unlimited = NEVER if seconds is None and depth is None else None
                last = searcher.analyse(
                    state, seconds=seconds, depth=depth, nodes=unlimited, progress=self._found.put, stopper=self._stopper
                )  # fmt: skip
                self._found.put(last)
                self._found.put(StopIteration())
            except BaseException as error:  # carried over to whoever iterates
                self._found.put(error)

        self._thread = threading.Thread(target=work, name="outplay-analysis", daemon=True)
        self._thread.start()

    def __enter__(self) -> "RunningAnalysis":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __next__(self) -> Analysis:
        if self._ended:
            raise StopIteration
        found = self._found.get()
        if isinstance(found, BaseException):
            self._ended = True
            raise found
        return found

    def close(self) -> None:
        """Stop, and wait until the searcher is free again."""
        self._stopper.stop()
        self._thread.join()


def check_method(method: str, options: TreeOptions, *, techniques: bool) -> None:
    """Refuse an unknown *method*, and what belongs to another one."""
    if method not in METHODS:
        raise OptionError(f"method={method!r:.40} is unknown; a search is by {' or '.join(METHODS)}")
    if method == "mcts" and techniques:
        raise OptionError('only and without name techniques of alpha-beta; leave them out with method="mcts"')
    if method != "mcts" and options is not PLAIN and options != PLAIN:
        raise OptionError(
            'leaves, exploration and seed belong to Monte Carlo tree search (a seed to samples, too); give method="mcts", or leave them out'
        )


def check_limits(method: str, limits: Limits) -> None:
    """Refuse limits that would not end a search by *method*."""
    if method != "mcts" and limits.simulations is not None:
        raise LimitError('simulations limit a Monte Carlo tree search; give method="mcts" too, or seconds, depth or nodes')
    if method == "mcts" and limits.seconds is None and limits.nodes is None and limits.simulations is None:
        raise LimitError(
            "a depth caps the tree of a Monte Carlo search and does not end it; give seconds, nodes or simulations, such as simulations=10_000"
        )


class Start(NamedTuple):
    """Where a search begins."""

    state: Any  # checked
    game: Game  # against the opponent
    who: int  # who acts in the state
    digest: str  # of the game's rules


def resolve_start(game: Game, state: Any, opponent: Policy, *, check: bool = True) -> Start:
    """Return where a search of *state* against *opponent* begins; *check*: check the rules, too, once."""
    if not isinstance(game, Game):
        hint = f"; load({game!r}) gives the one of that name" if isinstance(game, str) else ""
        raise GameError(f"a search takes a Game, and got {game!r}{hint}")
    state = game.start if state is None else game.state(state)
    digest = inspect_rules(game, state) if check else rules_fingerprint(game).digest
    who = game.acting(state)
    if who == OVER:
        raise StateError(f"the game is over, and there is no move to search for: {game.write_state(state)}")
    if who not in (0, 1, CHANCE):
        raise StateError(f"turn of {game.name!r} returns {who!r}; it must return 0, 1, CHANCE or OVER")
    if opponent == "best":
        return Start(state, game, who, digest)
    if who == CHANCE:
        raise StateError(
            "chance acts here, so it is open who searches and who is the opponent; "
            "use facing(game, player, policy), or search a state in which a player is to move"
        )
    game = _against(game, 1 - who, opponent)
    return Start(state, game, who, inspect_rules(game, state) if check else rules_fingerprint(game).digest)


def with_estimate(game: Game, estimate: Callable[[Any], float]) -> Game:
    """Return *game* with another *estimate*, such as a learned one: the same game for the same estimate."""
    if not isinstance(game, Game):
        return game  # which `resolve_start` refuses
    known = _transformed.setdefault(game, {})
    key = "estimate", estimate, getattr(estimate, "__code__", None)
    if key not in known:
        if isinstance(estimate, LearnedEstimate):
            estimate.check(game)
        known[key] = game.replace(estimate=estimate)
    return known[key]


def _against(game: Game, player: int, opponent: Policy) -> Game:
    """Return `facing(...)`, the same game for the same arguments: making it anew would cost more than a short search."""
    known = _transformed.setdefault(game, {})
    policy = opponent_of(game, opponent) if isinstance(opponent, str) else opponent
    key = player, opponent, policy, getattr(policy, "__code__", None)  # a policy may change in place
    if key not in known:
        known[key] = facing(game, player, opponent)
    return known[key]
