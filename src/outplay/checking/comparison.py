"""Interpreted against compiled rules: do they return the same in the states of an inspection?"""

import math
from typing import Any, TypeVar

from outplay.checking.inspection import Inspection
from outplay.checking.problem import Problem
from outplay.compile.engine import Engine
from outplay.compile.traps import DIFFERS, MAY_FAIL, traps_of
from outplay.compile.watchdog import watched
from outplay.errors import RuleRaised
from outplay.rules.game import CHANCE, OVER, Game, written
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.memory import NETWORK, put_real, real_at

# The words that `examine` writes before the moves.
TURN, KEY, VALUE, LOW, HIGH, USEFUL, TOP = 0, 1, 2, 3, 4, 5, NETWORK + 1

MOST = 2000  # states that are compared
Item = TypeVar("Item")

# The rules in the order in which they depend on each other: the first that differs is the cause.
ORDER = ("turn", "play", "moves", "chances", "useful", "score", "reward", "estimate", "bounds", "rank", "key")


def examine(game, state, playing, choice, limit, memory):  # type: ignore[no-untyped-def]
    """Write what the rules return for *state*, or, if *playing*, the state after *choice*; return the number of choices."""
    if playing:
        put_real(memory, 0, game.reward(state, choice))
        game.store_state(game.play(state, choice, game.room), memory, 1)
        return 0
    who = game.turn(state)
    memory[TURN] = who
    memory[KEY] = game.key(state)
    if who == OVER:
        put_real(memory, VALUE, game.score(state))
        return 0
    put_real(memory, VALUE, game.estimate(state, memory))
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


def _some(items: list[Item]) -> list[Item]:
    """Return *items*; if there are too many, the first ones and others at even distances."""
    if len(items) <= MOST:
        return items
    return items[: MOST // 2] + items[MOST // 2 :: 2 * (len(items) - MOST // 2) // MOST + 1]


class Comparison:
    """The rules of one game, called both interpreted and compiled."""

    def __init__(self, game: Game) -> None:
        self.game, self.plain = game, InterpretedRules(game)
        self.slow, self.fast = Engine(game, examine, compiled=False), Engine(game, examine)
        self.words = sum(field.words for field in game.fields)
        self.differences: dict[str, Problem] = {}
        self.asked = 0  # calls so far: it grows as long as compiled rules return

    def prepare(self) -> None:
        """Compile the rules, or raise a CompileError that says why they do not compile."""
        self.fast.prepare(0, 0, self.game.max_moves, self.fast.memory(1))

    def under_watch(self, inspection: Inspection) -> Problem | None:
        """Call `run` under a watchdog."""
        return watched(self.game, lambda: self.run(inspection), pulse=lambda: self.asked)

    def run(self, inspection: Inspection) -> Problem | None:
        """Compare the rules in the states of *inspection*; return the first difference, in the order of dependence."""
        try:
            for who, state in _some(inspection.seen):
                self.asked += 1
                self._compare_answers(who, state)
            for state, choice in _some(inspection.played):
                self.asked += 1
                self._compare_play(state, choice)
        except RuleRaised as error:
            if error.place is not None and error.why is not None:
                (rule, line), (what, remedy) = error.place, error.why
                return Problem(rule, "raises", what, remedy, line)
            return Problem(
                "a rule", "differs", f"raises when it is compiled, but not when it is interpreted ({error})", self._remedy(ORDER)
            )
        return next((self.differences[rule] for rule in ORDER if rule in self.differences), None)

    def _differs(self, rule: str, interpreted: Any, compiled: Any, state: str) -> None:
        if rule not in self.differences:
            text = f"is {interpreted} when interpreted and {compiled} when compiled"
            self.differences[rule] = Problem(rule, "differs", text, self._remedy((rule,)), self._line(rule), state)

    def _line(self, rule: str) -> int | None:
        for trap in traps_of(self.game, (rule,)):
            if trap.effect == DIFFERS:
                return trap.line
        code = getattr(getattr(self.game, rule), "__code__", None)
        return None if code is None else int(code.co_firstlineno)

    def _remedy(self, rules: tuple[str, ...]) -> str:
        """Return what in these *rules* may be the reason."""
        suspects = traps_of(self.game, [rule for rule in rules if getattr(self.game, rule) is not None])
        for effect in (DIFFERS, MAY_FAIL):
            for trap in suspects:
                if trap.effect == effect:
                    return f"see {trap.function}, line {trap.line}: {trap.what}; {trap.remedy}"
        return "see whether ints outgrow 63 bits, or small array types overflow; compiled code keeps 63 bits and a sign"

    def _compare_play(self, state: Any, choice: int) -> None:
        if "play" in self.differences:
            return
        slow, fast = self.slow.memory(0), self.fast.memory(1 + self.words)
        self.slow.run(state, 1, choice, 0, slow)
        self.fast.run(state, 1, choice, 0, fast)
        where = f"play({written(state)}, {choice})"
        self._compare_reals("reward", real_at(slow, 0), self.fast.reals(fast, 0, 1)[0], where.replace("play", "reward", 1))
        one, other = self.slow.words(slow, 1, self.words), self.fast.words(fast, 1, self.words)
        if one != other:
            slow_state, fast_state = (written(self.plain.load_state(words, 0)) for words in (one, other))
            self._differs("play", slow_state, fast_state, where)

    def _compare_answers(self, who: int, state: Any) -> None:
        limit = self.game.max_moves
        slow, fast = self.slow.memory(0), self.fast.memory(TOP + 4 * limit)
        number, fast_number = self.slow.run(state, 0, 0, limit, slow), int(self.fast.run(state, 0, 0, limit, fast))
        where, answers = written(state), "chances" if who == CHANCE else "moves"
        if int(fast[TURN]) != who:
            self._differs("turn", who, int(fast[TURN]), where)
            return
        if int(fast[KEY]) != slow[KEY]:
            self._differs("key", slow[KEY], int(fast[KEY]), where)
        ints: list[tuple[str, int]] = []
        reals = [("score" if who == OVER else "estimate", VALUE)]
        if who != OVER:
            reals += [("bounds", LOW), ("bounds", HIGH)]
        if fast_number != number:
            self._differs(answers, f"{number} choices", f"{fast_number} choices", where)
        elif who == CHANCE:
            ints = [("chances", TOP + 4 * index) for index in range(number)]
            reals += [("chances", TOP + 4 * index + 1) for index in range(number)]
        elif who != OVER:
            ints = [("moves", TOP + index) for index in range(number)]
            if int(fast[USEFUL]) != slow[USEFUL]:
                self._differs("useful", f"{slow[USEFUL]} moves", f"{int(fast[USEFUL])} moves", where)
            else:
                ints += [("useful", TOP + 2 * limit + index) for index in range(slow[USEFUL])]
            reals += [("rank", TOP + limit + index) for index in range(number)]
        for rule, place in ints:
            if int(fast[place]) != slow[place]:
                self._differs(rule, slow[place], int(fast[place]), where)
        for rule, place in reals:
            self._compare_reals(rule, real_at(slow, place), self.fast.reals(fast, place, 1)[0], where)

    def _compare_reals(self, rule: str, one: float, other: float, where: str) -> None:
        if not (one == other or (one != one and other != other) or math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)):
            self._differs(rule, f"{one:.17g}", f"{other:.17g}", where)
