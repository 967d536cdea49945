"""`check`: is my game written right? Plays random games, interpreted and compiled, and compares all they say."""

import math
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from outplay.compile.engine import Engine
from outplay.compile.people import wrong_for_people, wrong_policies
from outplay.compile.traps import traps_in
from outplay.errors import OutplayError, StateError
from outplay.games.catalogue import load
from outplay.rules.blame import raised
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.memory import put_real, real_at

# What `examine` writes, word by word, before the moves.
TURN, KEY, VALUE, LOW, HIGH, USEFUL, TOP = 0, 1, 2, 3, 4, 5, 6

MOST_PLIES = 1000
MOST_PROBLEMS = 10
SETTLED_NODES = 400  # how much of a tree is played out to judge useful and bounds
SHOWN, ASKED = 12, 100  # states of each turn that are drawn and named, and in which policies are asked
SECONDS_SHOWN = 1.0  # a drawing may take long


@dataclass(frozen=True)
class Report:
    """What `check` found. True if all is well."""

    game: str
    problems: tuple[str, ...]
    games: int  # played at random
    states: int  # looked at, interpreted and compiled
    seconds: float = field(compare=False)
    remarks: tuple[str, ...] = ()  # what is no fault, but may not be meant

    @property
    def ok(self) -> bool:
        return not self.problems

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        seen = f"{self.games} random games, {self.states} states, interpreted and compiled, in {self.seconds:.1f} s"
        many = "all is well" if self.ok else "one problem" if len(self.problems) == 1 else f"{len(self.problems)} problems"
        problems, remarks = (f"  - {problem}" for problem in self.problems), (f"  a remark: {remark}" for remark in self.remarks)
        return "\n".join([f"{self.game}: {many} ({seen})", *problems, *remarks])


def check(game: Game | str | Path, *, games: int = 100, seconds: float = 3.0, seed: int = 0) -> Report:
    """Play random games of *game* (a Game, a built-in name or a file) and report what is wrong with its rules."""
    return _Check(game if isinstance(game, Game) else load(str(game)), seed).run(games, seconds)


def examine(game, state, limit, memory):  # type: ignore[no-untyped-def]
    """Write what the rules say of *state* to *memory*; return how many moves or outcomes there are."""
    who = game.turn(state)
    memory[TURN] = who
    memory[KEY] = game.key(state)
    if who == OVER:
        put_real(memory, VALUE, game.score(state))
        return 0
    put_real(memory, VALUE, game.estimate(state))
    low, high = game.bounds(state)
    put_real(memory, LOW, low)
    put_real(memory, HIGH, high)
    if who == CHANCE:
        return game.fill_chances(state, memory, TOP, limit)
    memory[USEFUL] = game.fill_useful(state, memory, TOP + 2 * limit, limit)
    number = game.fill_moves(state, memory, TOP, limit)
    for index in range(min(number, limit)):
        put_real(memory, TOP + limit + index, game.rank(state, memory[TOP + index]))
    return number


def step(game, state, choice):  # type: ignore[no-untyped-def]
    """Play *choice*."""
    return game.play(state, choice)


class _Check:
    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.random = game, random.Random(seed)
        self.problems: dict[str, int] = {}  # and how often each was met
        self.ended = 0  # random games that came to their end
        self.states = 0
        self.keys: dict[int, tuple[int, Any]] = {}
        self.slow = Engine(game, examine, compiled=False)
        self.fast: Engine | None = None
        self.fast_step: Engine | None = None

    def run(self, games: int, seconds: float) -> Report:
        began = time.perf_counter()
        for trap in traps_in(self.game):
            self.say(str(trap))
        self._compile()
        until, played = time.perf_counter() + seconds, 0
        while played < games and time.perf_counter() < until and len(self.problems) < MOST_PROBLEMS:
            if not self._game():
                break
            played += 1
        if played and not self.ended and not self.problems:
            self.say(
                f"none of {played} random games came to an end within {MOST_PLIES} plies; see whether turn ever returns OVER"
            )
        if played:
            self._look_for_people()
        remarks = tuple(self._remarks()) if played else ()
        return Report(self.game.name, self.told(), played, self.states, time.perf_counter() - began, remarks)

    def say(self, problem: str) -> None:
        """Note a problem, the same one in another state only once: what follows the last colon is where."""
        what = problem.rpartition(": ")[0] or problem
        for known in self.problems:
            if (known.rpartition(": ")[0] or known) == what:
                self.problems[known] += 1
                return
        if len(self.problems) < MOST_PROBLEMS:
            self.problems[problem] = 1

    def told(self) -> tuple[str, ...]:
        return tuple(problem + (f" (and {times - 1} like it)" if times > 1 else "") for problem, times in self.problems.items())

    def _compile(self) -> None:
        try:
            fast, fast_step = Engine(self.game, examine), Engine(self.game, step)
            fast.prepare(self.game.max_moves, fast.memory(1))
            fast_step.prepare(0)
            self.fast, self.fast_step = fast, fast_step
        except OutplayError as error:
            if not self.problems:  # else the traps have said it better
                self.say(str(error))

    def _game(self) -> bool:
        """Play one random game, looking at every state; return False once the rules cannot be followed any further."""
        state = self.game.start
        for _ in range(MOST_PLIES):
            try:
                choices = self._look(state)
                if not choices:
                    self.ended += 1
                    return bool(self.game.turn(state) == OVER)
                state = self._play(state, self.random.choice(choices))
            except OutplayError as error:
                self.say(str(error))
                return False
            if len(self.problems) >= MOST_PROBLEMS:
                return False
        return True

    def _look_for_people(self) -> None:
        """Draw and name some of the states met, and ask the policies in more of them; say of each function only the first fault."""
        until, faulty = time.perf_counter() + SECONDS_SHOWN, set[str]()
        for who in (0, 1, CHANCE, OVER):
            met = [state for acting, state in self.keys.values() if acting == who]
            self.random.shuffle(met)
            for number, state in enumerate(met[:ASKED]):
                found = list(wrong_policies(self.game, state)) if who in (0, 1) else []
                if number < SHOWN and time.perf_counter() < until:
                    found += wrong_for_people(self.game, state, who)
                for function, problem in found:
                    if function not in faulty:
                        self.say(problem)
                    faulty.add(function)

    def _remarks(self) -> Iterator[str]:
        """Yield what is no fault, but may not be meant."""
        acting = {who for who, _ in self.keys.values()}
        if acting == {OVER}:
            yield "the game is over at its start, so nobody ever moves; see whether start and turn are as they should be"
            return
        for player in {0, 1} - acting:
            yield f"player {player} never moved in these games; see whether play hands the turn over"

    def _look(self, state: Any) -> list[int]:
        """Examine *state* both ways; return its moves or outcomes."""
        self.states += 1
        game, limit = self.game, self.game.max_moves
        slow = self.slow.memory(0)
        number = self.slow.run(state, limit, slow)
        who = slow[TURN]
        if who not in (0, 1, CHANCE, OVER):
            self.say(f"turn returns {who!r}; it must return 0, 1, CHANCE or OVER: {state}")
            return []
        self._look_at_value(state, "score" if who == OVER else "estimate", float(slow[VALUE]))
        if number > limit:
            self.say(f"{number} moves or outcomes, and max_moves={limit}; give the Game a larger max_moves: {state}")
            return []
        if who == OVER:
            choices = []
        elif who == CHANCE:
            choices = [slow[TOP + 4 * index] for index in range(number)]
            self._look_at_chances(state, choices, [float(slow[TOP + 4 * index + 1]) for index in range(number)])
        else:
            choices = [slow[TOP + index] for index in range(number)]
            useful = [slow[TOP + 2 * limit + index] for index in range(slow[USEFUL])]
            self._look_at_moves(state, who, choices, useful, (float(slow[LOW]), float(slow[HIGH])))
        other_turn, other = self.keys.setdefault(slow[KEY], (who, state))
        if OVER not in (who, other_turn) and other_turn != who:
            self.say(
                f"key is the same for two states in which not the same player acts; put the player into it: {other}, {state}"
            )
        if self.fast is not None:
            self._compare(state, who, slow, number)
        if game.chances is None and who == CHANCE:
            self.say(f"turn returns CHANCE, but the game has no chances; give the Game chances=...: {state}")
        return choices

    def _look_at_value(self, state: Any, rule: str, value: float) -> None:
        if not math.isfinite(value) or not self.game.low <= value <= self.game.high:
            self.say(
                f"{rule} is {value!r}, outside of low={self.game.low} and high={self.game.high}; "
                f"bring it onto that scale, or give the Game the low and high that it has: {state}"
            )

    def _look_at_chances(self, state: Any, outcomes: list[int], probabilities: list[float]) -> None:
        if not all(probability > 0 for probability in probabilities):
            self.say(f"chances yields a probability that is not above 0; leave that outcome out: {state}")
        if abs(sum(probabilities) - 1) > 1e-6:
            self.say(f"probabilities of chances sum to {sum(probabilities):.6g} and not to 1: {state}")
        if len(set(outcomes)) < len(outcomes):
            self.say(f"chances yields an outcome twice; add up its probabilities: {state}")

    def _look_at_moves(self, state: Any, who: int, moves: list[int], useful: list[int], bounds: tuple[float, float]) -> None:
        if not moves:
            self.say(
                f"moves yields nothing, and turn says that player {who} is to move; return OVER there, or yield a pass: {state}"
            )
            return
        if not all(isinstance(move, int) for move in moves):
            self.say(f"moves yields {moves}; a move is an int: {state}")
            return
        if len(set(moves)) < len(moves):
            self.say(f"moves yields a move twice: {moves} in {state}")
        if not useful or not set(useful) <= set(moves):
            self.say(f"useful yields {useful}, which is no subset of moves {moves} with at least one in it: {state}")
        low, high = bounds
        if not low <= high:
            self.say(f"bounds returns {bounds}; the low one must not be above the high one: {state}")
        if self.game.useful is None and self.game.bounds is None:
            return
        left, values = [SETTLED_NODES], []
        for move in moves:
            values.append(self._settled(self.game.play(state, move), left))
            if values[-1] is None:
                return  # too large a tree to play out
        best = max if who == 0 else min
        value = best(values)  # type: ignore[type-var]
        if not low - 1e-9 <= value <= high + 1e-9:  # type: ignore[operator]
            self.say(f"bounds returns {bounds}, but the value is {value:g}: {state}")
        if set(useful) <= set(moves) and useful and value not in [values[moves.index(move)] for move in useful]:
            self.say(f"useful yields {useful}, but no best move is among them; the moves {moves} are worth {values}: {state}")

    def _settled(self, state: Any, left: list[int]) -> float | None:
        """Return the true value of *state*, or None where the tree below it is too large."""
        left[0] -= 1
        if left[0] < 0:
            return None
        who = self.game.turn(state)
        if who == OVER:
            return float(self.game.score(state))
        if who == CHANCE:
            total = 0.0
            for outcome, probability in self.game.chances(state) if self.game.chances else ():
                value = self._settled(self.game.play(state, outcome), left)
                if value is None:
                    return None
                total += probability * value
            return total
        values = []
        for move in self.game.moves(state):
            values.append(self._settled(self.game.play(state, move), left))
            if values[-1] is None:
                return None
        return (max if who == 0 else min)(values, default=None)  # type: ignore[type-var]

    def _compare(self, state: Any, who: int, slow: Any, number: int) -> None:
        assert self.fast is not None
        limit = self.game.max_moves
        fast = self.fast.memory(TOP + 4 * limit)
        fast_number = int(self.fast.run(state, limit, fast))
        differences = []
        if int(fast[TURN]) != who:
            differences.append(f"turn {who} and {int(fast[TURN])}")
        if int(fast[KEY]) != slow[KEY]:
            differences.append("key")
        reals = [("score" if who == OVER else "estimate", VALUE)]
        if who != OVER:
            reals += [("bounds", LOW), ("bounds", HIGH)]
        ints = []
        if fast_number != number:
            differences.append(f"{number} and {fast_number} moves or outcomes")
        elif who == CHANCE:
            ints = [("outcomes", TOP + 4 * index) for index in range(number)]
            reals += [("probabilities", TOP + 4 * index + 1) for index in range(number)]
        elif who != OVER:
            ints = [("moves", TOP + index) for index in range(number)]
            ints += [("useful", TOP + 2 * limit + index) for index in range(slow[USEFUL])]
            reals += [("rank", TOP + limit + index) for index in range(number)]
        differences += [f"{rule} {slow[place]} and {int(fast[place])}" for rule, place in ints if int(fast[place]) != slow[place]]
        for rule, place in reals:
            one, other = real_at(slow, place), self.fast.reals(fast, place, 1)[0]
            if not (
                one == other or (math.isnan(one) and math.isnan(other)) or math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)
            ):
                differences.append(f"{rule} {one!r} and {other!r}")
        if differences:
            self.say(
                f"interpreted and compiled differ in {'; '.join(dict.fromkeys(differences))}: {state}. "
                "Look for ints above 63 bits, and for division or shifts of negative numbers"
            )

    def _play(self, state: Any, choice: int) -> Any:
        before = [value.copy() if hasattr(value, "copy") else value for value in state]
        try:
            after = self.game.play(state, choice)
            if type(after) is not type(state):
                self.say(
                    f"play returns a {type(after).__name__} and not a {type(state).__name__}; write {type(state).__name__}(...): {after}"
                )
            made = self.game.state(after)
        except StateError as error:
            raise StateError(f"play({state}, {choice}): {error}") from None
        except OutplayError:
            raise
        except Exception as error:
            raise StateError(f"play({state}, {choice}) raised {raised(error)}") from None
        if not _same(before, state):
            raise StateError(f"play changes the state that it is given; copy the array first: play({state}, {choice})")
        if self.fast_step is not None and not _same(made, compiled := self.fast_step.run(state, choice)):
            self.say(f"interpreted and compiled differ in play: play({state}, {choice}) is {made} and {type(state)(*compiled)}")
        return made


def _same(one: Any, other: Any) -> bool:
    return all(bool((a == b).all()) if hasattr(a, "all") else a == b for a, b in zip(one, other, strict=True))
