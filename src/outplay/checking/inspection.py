"""An inspection of interpreted rules in the states of random games: does each rule keep its contract?

Rules are called in the order in which they depend on each other. The first one that fails ends the inspection, because
later failures would be consequences of the same mistake.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any, NoReturn

from outplay.checking.games_seen import Statistics, winner
from outplay.checking.problem import Mistake, Problem, kind_in_words, line_after_which, line_returned, raised_in
from outplay.compile.watchdog import GivenUp, symmetry_name
from outplay.errors import StateError
from outplay.rules.fields import is_int
from outplay.rules.game import CHANCE, OVER, Game, written
from outplay.rules.probabilities import ILLEGAL, sums_to_one

MOST_PLIES = 1000
MOST_PLAYED = 12  # choices that are played in one state; if there are more, a random sample
SETTLED_NODES = 400  # most nodes of a tree that is searched to check useful, bounds and key
MOST_CELLS = 4096  # what the rule `cells` may yield for a state
MOST_VALUES = 100_000  # true values that are kept
ENCODE = "number them, such as row * COLUMNS + column, and take a move apart again with divmod(move, COLUMNS)"


class Inspection:
    """Plays random games and checks the rules in every state."""

    def __init__(self, game: Game, seed: int = 0, *, settling: float = math.inf) -> None:
        self.game, self.random = game, Random(seed)
        self.settling = settling  # nodes that may still be searched to check useful, bounds and key
        self.problems: list[Problem] = []
        self.remarks: dict[str, str] = {}  # by kind
        self.seen: list[tuple[int, Any]] = []  # every state that was checked, and who acts there
        self.played: list[tuple[Any, int]] = []  # moves and outcomes, each with the state in which it was played
        self.statistics = Statistics()
        self.keys: dict[int, tuple[int, Any, float | None, Any]] = {}  # who acts, score or choices, the value if known, a state
        self.values: dict[Any, float] = {}  # true values that were found
        self.cells = 0  # how many ints the rule `cells` yields; 0 if that is not known yet
        self.stopped = False  # whether a rule failed so that no game can go on

    def run(self, games: int, *, states: float = math.inf, seconds: float = math.inf, start: Any = None) -> None:
        """Play at most *games* games from *start*, until *states* states were checked or the *seconds* are over."""
        until, most = time.monotonic() + seconds, len(self.seen) + states
        start = self.game.start if start is None else start
        try:
            for _ in range(games):
                if not self._one_game(start, most, until):
                    break
        except Mistake as mistake:
            self.say(mistake.problem)
            self.stopped = True

    def say(self, problem: Problem) -> None:
        """Record *problem*, unless the same mistake is recorded already."""
        if not any((known.rule, known.kind) == (problem.rule, problem.kind) for known in self.problems):
            self.problems.append(problem)

    def _one_game(self, state: Any, most: float, until: float) -> bool:
        """Play one game to its end; return False if the limit of states or seconds is reached."""
        counts, length, rolls = self.statistics, 0, 0
        rewards: list[tuple[Any, int, float]] = []  # paid in this game, each with its state and choice
        last: tuple[Any, int] | None = None
        counts.games += 1
        for _ in range(MOST_PLIES):
            who, choices = self.look(state)
            if who == OVER:
                self._count_end(state, length, rolls, last, rewards)
                return len(self.seen) < most and time.monotonic() < until
            if who == CHANCE:
                rolls += 1
            else:
                length += 1
                counts.decisions += 1
                counts.choices += len(choices)
            if len(self.seen) >= most or time.monotonic() >= until:
                return False
            choice, after = self._play_some(who, state, choices)
            if self.game.reward is not None:
                rewards.append((state, choice, self._number("reward", state, choice)))
            if who != CHANCE:
                last = state, choice
            state = after
        counts.endless += 1
        return True

    def _count_end(
        self, state: Any, length: int, rolls: int, last: tuple[Any, int] | None, rewards: list[tuple[Any, int, float]]
    ) -> None:
        counts, value = self.statistics, float(self.game.score(state))
        for before, choice, pay in reversed(rewards):
            value += pay
            if not self.game.low <= value <= self.game.high:
                self.say(
                    self._problem(
                        "reward", "scale", f"and what comes after it add up to {value:g}, beyond low={self.game.low} and high={self.game.high}",
                        "pass Game(low=..., high=...) wide enough for the largest total of rewards and score", before, choice,
                    )
                )  # fmt: skip
                break
        counts.ended += 1
        won = winner(value)
        if won is None:
            counts.draws += 1
        else:
            counts.wins[won] += 1
        counts.lengths.append(length)
        counts.rolls.append(rolls)
        counts.lowest, counts.highest = min(counts.lowest, value), max(counts.highest, value)
        if counts.final is None or won is not None:
            counts.final, counts.last = (state, value), last

    # One method for each rule, in the order of dependence.

    def look(self, state: Any) -> tuple[int, list[int]]:
        """Check every rule in *state*; return who acts, and the moves or outcomes. Raise a Mistake if the game cannot go on."""
        game = self.game
        who = self._turn(state)
        self.seen.append((who, state))
        choices: list[int] = []
        if who == OVER:
            self._number("score", state)
        else:
            if game.estimate is not None:
                self._number("estimate", state)
            if game.bounds is not None:
                self._bounds(state)
            if who == CHANCE:
                choices = self._policy(state) if game.cost is not None and game.cost(state) else self._chances(state)
            else:
                choices = self._moves("moves", state, who)
                useful = self._moves("useful", state, who) if game.useful is not None else choices
                self._judge(state, who, choices, useful)
                if game.rank is not None:
                    for move in choices[:MOST_PLAYED]:
                        self._number("rank", state, move)
        self._key(state, who, len(choices))
        if game.cells is not None:
            self._cells(state)
        return who, choices

    def _turn(self, state: Any) -> int:
        who = self._asked("turn", state)
        if type(who).__name__ in ("bool", "bool_"):
            self._fail("turn", "bool", f"returns {who}, a bool", "return 0 or 1 for the player to move", state)
        if who is None:
            self._fail("turn", "None", "returns None", "every path must return 0, 1, CHANCE or OVER", state)
        if not is_int(who):
            self._fail("turn", "type", f"returns {who!r}", "it must return 0, 1, CHANCE or OVER", state)
        if who not in (0, 1, CHANCE, OVER):
            hint = "it must return 0, 1, CHANCE or OVER" + ("; players are counted from 0" if who == 2 else "")
            self._fail("turn", "value", f"returns {int(who)}", hint, state)
        if who == CHANCE and self.game.chances is None:
            remedy = "give the Game chances=..., or return OVER if the game ends there"
            self._fail("turn", "chance", "returns CHANCE, but the game has no chances", remedy, state)
        return int(who)

    def _number(self, rule: str, state: Any, *more: int) -> float:
        value = self._asked(rule, state, *more)
        if value is None:
            self._fail(rule, "None", "returns None", "every path must return a number", state, *more)
        try:
            real = float(value) if not isinstance(value, (str, bytes)) else None
        except (TypeError, ValueError):
            real = None
        if real is None:
            self._fail(rule, "type", f"returns {value!r:.60}", "it must return a number", state, *more)
        if rule == "reward" and not math.isfinite(real):
            self._fail(rule, "finite", f"returns {real:g}", "it must return a finite number", state, *more)
        if rule not in ("rank", "reward") and (not math.isfinite(real) or not self.game.low <= real <= self.game.high):
            self.say(
                self._problem(
                    rule, "scale", f"returns {real:g}, outside of low={self.game.low} and high={self.game.high}",
                    "bring it onto that scale, or give the Game the low and high that it has", state, *more,
                )
            )  # fmt: skip
        return real

    def _bounds(self, state: Any) -> None:
        found = self._asked("bounds", state)
        try:
            low, high = (float(bound) for bound in found)
        except (TypeError, ValueError):
            self._fail("bounds", "type", f"returns {found!r:.60}", "it must return two numbers, (low, high)", state)
        if not low <= high:
            self.say(
                self._problem("bounds", "order", f"returns {(low, high)}", "the low one must not be above the high one", state)
            )

    def _moves(self, rule: str, state: Any, who: int) -> list[int]:
        found, line = self._yielded(rule, state, "moves, ints, one after the other")
        for move in found:
            if isinstance(move, (tuple, list)):
                self._fail(rule, "type", f"yields {move!r:.60}; a move is an int", ENCODE, state, line=line(move))
            if isinstance(move, (str, bytes)):
                self._fail(
                    rule, "type", f"yields {move!r:.60}; a move is an int",
                    "number the moves, and let name_move(state, move) say what each is called", state, line=line(move),
                )  # fmt: skip
            if not is_int(move):
                remedy = "write // instead of /, or int(...)" if isinstance(move, float) else "yield a whole number for each move"
                self._fail(rule, "type", f"yields {move!r:.60}; a move is an int", remedy, state, line=line(move))
            self._fits(rule, move, "number the moves", state, line(move))
        if not found and rule == "useful":
            remedy = "yield at least one of the moves; where all may be needed, yield them all"
            self._fail(rule, "nothing", "yields nothing, and there are moves", remedy, state)
        if not found:
            name = f"player {who}" if self.game.players[who] == f"player {who}" else f"player {who} ({self.game.players[who]})"
            self._fail(
                rule, "nothing", f"yields nothing, and turn says that {name} is to move",
                "return OVER there in turn, or yield a move such as a pass", state,
            )  # fmt: skip
        moves = [int(move) for move in found]
        if len(set(moves)) < len(moves):
            twice = next(move for move in moves if moves.count(move) > 1)
            self.say(self._problem(rule, "twice", f"yields the move {twice} twice", "yield each move once", state))
        return moves

    def _judge(self, state: Any, who: int, moves: list[int], useful: list[int]) -> None:
        """Check useful, bounds and key against the true value, in *state* and below it, if the tree is small."""
        game = self.game
        if not set(useful) <= set(moves):
            self.say(
                self._problem(
                    "useful",
                    "subset",
                    f"yields {useful}, which is not a subset of moves {moves}",
                    "leave moves out, add none",
                    state,
                )
            )
            return
        if (game.useful is not None or game.bounds is not None or game.key is not None) and self.settling > 0:
            self._settled(state, [SETTLED_NODES])

    def _settled(self, state: Any, left: list[int]) -> float | None:
        """Return the true value of *state*, or None if the tree below it is too large, or if a rule fails there.

        On the way the rules for speed are checked in every state whose value is found.
        """
        known = frozen(state)
        if known in self.values:
            return self.values[known]
        left[0] -= 1
        self.settling -= 1
        if left[0] < 0:
            return None
        try:
            who = self.game.turn(state)
            if who == OVER:
                value = float(self.game.score(state))
                self._value_found(state, who, [], [], value)
                return value
            pairs = self.game.outcomes(state) if who == CHANCE else []
            # `Game.legal` would check each of many moves, and most of them are never played here.
            moves = [move for move, _ in pairs] if pairs else list(islice(self.game.moves(state), self.game.max_moves))
            values: list[float] = []
            for move in moves:
                below = self._settled(self.game.play(_copied(state), move), left)
                if below is None:
                    return None
                values.append(self._paid(state, move) + below)
            if who == CHANCE:
                value = math.fsum(share * value for (_, share), value in zip(pairs, values, strict=True))
            else:
                value = (max if who == 0 else min)(values)
            self._value_found(state, who, moves, values, value)
        except Exception:  # the failing state is checked by itself if a game reaches it
            return None
        if len(self.values) < MOST_VALUES:
            self.values[known] = value
        return value

    def _value_found(self, state: Any, who: int, moves: list[int], values: list[float], value: float) -> None:
        """Check useful, bounds and key in *state*, whose moves are worth *values* and which is worth *value*."""
        game, slack = self.game, 1e-9 * max(1.0, abs(value))
        if game.key is not None and is_int(key := game.key(state)):
            self._compare_key(int(key), who, value if who == OVER else len(moves), state, value)
        if who == OVER:
            return
        if game.bounds is not None:
            low, high = map(float, game.bounds(state))
            if low <= high and not low - slack <= value <= high + slack:
                what = f"returns {(low, high)}, but the value is {value:g}"
                self.say(self._problem("bounds", "value", what, "return only what is proven", state))
        if game.useful is not None and who != CHANCE:
            useful = [int(move) for move in islice(game.useful(state), game.max_moves)]
            kept = [values[moves.index(move)] for move in useful if move in moves]
            if kept and min(abs(one - value) for one in kept) > slack:
                self.say(
                    self._problem(
                        "useful", "best", f"yields {useful}, but no best move is among them; the moves {moves} are worth {values}",
                        "leave out only moves that are provably not better", state,
                    )
                )  # fmt: skip

    def _paid(self, state: Any, choice: int) -> float:
        return 0.0 if self.game.reward is None else float(self.game.reward(state, choice))

    def _policy(self, state: Any) -> list[int]:
        """Return the moves of a described opponent, whose turns are chance nodes; a mistake is reported as the policy's."""
        try:
            return self._chances(state)
        except Mistake as mistake:
            raised = mistake.problem.kind == "raises"
            raise Mistake(replace(mistake.problem, rule="the policy", line=mistake.problem.line if raised else None)) from None

    def _chances(self, state: Any) -> list[int]:
        found, line = self._yielded("chances", state, "pairs of an outcome and its probability")
        outcomes, shares = [], []
        for pair in found:
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                self._fail(
                    "chances", "type", f"yields {pair!r:.60}", "it must yield pairs of an int outcome and its probability", state,
                    line=line(pair),
                )  # fmt: skip
            outcome, share = pair
            if not is_int(outcome) and share == ILLEGAL:  # what a policy returned stands for an outcome
                legal = [int(move) for move in islice(self.game.moves(state), self.game.max_moves)]
                self._fail(
                    "chances", "type", f"returns {outcome!r:.60}, which is no move", f"let it choose one of {legal}", state
                )
            if not is_int(outcome):
                turned = isinstance(outcome, float) and is_int(share)
                remedy = "the outcome comes first, then its probability" if turned else "an outcome is an int: number them"
                self._fail("chances", "type", f"yields {pair!r:.60}", remedy, state, line=line(pair))
            self._fits("chances", outcome, "number the outcomes", state, line(pair))
            if isinstance(share, (str, bytes)):
                remedy = "a probability is a number: write it without quotes"
                self._fail("chances", "type", f"yields {pair!r:.60}", remedy, state, line=line(pair))
            try:
                shares.append(float(share))
            except (TypeError, ValueError):
                self._fail("chances", "type", f"yields {pair!r:.60}", "a probability is a number above 0", state, line=line(pair))
            outcomes.append(int(outcome))
        if ILLEGAL in shares and self.game.cost is not None:
            move = outcomes[shares.index(ILLEGAL)]
            legal = [int(legal) for legal in islice(self.game.moves(state), self.game.max_moves)]
            text = f"chooses {move}, which is not legal; legal moves: {legal}"
            raise Mistake(Problem("the policy", "illegal", text, "let it choose one of those", None, written(state)))
        total = sum(shares)
        if not found:
            self._fail("chances", "nothing", "yields nothing", "yield every outcome with its probability", state)
        for pair, share in zip(found, shares, strict=True):
            if not share > 0:
                remedy = "leave that outcome out" if share == 0 else "see how it is computed"
                if share == 0 and is_int(pair[1]):
                    remedy = "write / instead of //, for 1 // 6 is 0; leave out what cannot happen"
                what = f"yields {tuple(pair)!r:.60}, a probability that is not above 0"
                self._fail("chances", "zero", what, remedy, state, line=line(pair))
        if not sums_to_one(total):
            what = f"yields probabilities that sum to {total:.6g} and not to 1"
            self._fail("chances", "sum", what, _sum_mended(shares, total), state)
        if len(set(outcomes)) < len(outcomes):
            self.say(self._problem("chances", "twice", "yields an outcome twice", "add up its probabilities", state))
        return outcomes

    def _cells(self, state: Any) -> None:
        """Check what a learner looks at: ints, as many of them in every state."""
        found, line = self._yielded("cells", state, "ints, one after the other", most=MOST_CELLS)
        for cell in found:
            if not is_int(cell):
                self._fail(
                    "cells",
                    "type",
                    f"yields {cell!r:.60}; a cell is an int",
                    "write // instead of /, or int(...)",
                    state,
                    line=line(cell),
                )
            self._fits("cells", cell, "use smaller numbers", state, line(cell))
        if not found:
            self._fail("cells", "nothing", "yields nothing", "yield what a learner looks at, as small ints", state)
        self.cells = self.cells or len(found)
        if len(found) != self.cells:
            what = f"yields {len(found)} ints here, and {self.cells} in another state"
            self._fail("cells", "number", what, "yield as many in every state", state)

    def _key(self, state: Any, who: int, choices: int) -> None:
        if self.game.key is None:
            return
        key = self._asked("key", state)
        if not is_int(key):
            self._fail("key", "type", f"returns {key!r:.60}", "it must return an int", state)
        self._compare_key(int(key), who, self.game.score(state) if who == OVER else choices, state)

    def _compare_key(self, key: int, who: int, counted: Any, state: Any, value: float | None = None) -> None:
        """Compare *state* with the first one of the same *key*: who acts, its score or number of choices, its value if known."""
        key &= (1 << 64) - 1  # a search sees no more of it
        there = self.keys.setdefault(key, (who, counted, value, state))
        what = ""
        if who != there[0]:
            what = "another player to act"
        elif counted != there[1]:
            what = "another score" if who == OVER else "another number of choices"
        elif value is not None and there[2] is None and frozen(state) == frozen(there[3]):
            self.keys[key] = (who, counted, value, there[3])
        elif value is not None and there[2] is not None and abs(value - there[2]) > 1e-9 * max(1.0, abs(value)):
            what = f"the values {there[2]:g} and {value:g}"
        if what:
            text = f"{written(there[3])}, {written(state)}"
            remedy = "put into it all that tells them apart"
            line = line_returned(self.game.key, _copied(state)) if self.game.key is not None else None
            self.say(Problem("key", "shared", f"is the same for two states with {what}", remedy, line, text))

    def _play_some(self, who: int, state: Any, choices: list[int]) -> tuple[int, Any]:
        """Play some of the *choices*; return a random one of them, and the state after it."""
        some = choices if len(choices) <= MOST_PLAYED else self.random.sample(choices, MOST_PLAYED)
        children: dict[Any, int] = {}
        after = {}
        for choice in some:
            child = after[choice] = self._play(state, choice)
            pay = 0.0 if self.game.reward is None else self._number("reward", state, choice)
            other = children.setdefault((frozen(child), pay), choice)
            if other != choice:
                kind = "outcomes" if who == CHANCE else "moves"
                self.remarks.setdefault(kind, f"the {kind} {other} and {choice} lead to the same state, in {written(state)}")
        if who == CHANCE and len(some) > 1:
            self.statistics.dice += 1
            self.statistics.unheeded += len(children) == 1
        drawn = self.random.choice(some)
        return drawn, after[drawn]

    def _play(self, state: Any, choice: int) -> Any:
        after = self._asked("play", state, choice)
        name = type(self.game.start).__name__
        if after is None:
            self._fail("play", "None", "returns None", f"every path must return a {name}", state, choice)
        if type(after) is not type(self.game.start):
            what, remedy = (
                f"returns {kind_in_words(type(after).__name__)} and not a {name}",
                f"write return {name}(...) with every field",
            )
            if type(after).__name__ == name:
                what = f"returns a {name} of another class than the start's {name}"
                remedy = f"define the class {name} once, above the start"
            self._fail("play", "type", what, remedy, state, choice)
        try:
            made = self.game.state(after)
        except StateError as error:
            what, _, remedy = str(error).partition("; ")
            self._fail(
                "play", "field", f"returns a wrong state: {what}", remedy or "return what the start has there", state, choice
            )
        self.played.append((state, choice))
        return made

    # How rules are called.

    def _asked(self, rule: str, state: Any, *more: int) -> Any:
        """Call *rule* twice and return its value; raise a Mistake if it changes the state, or returns two different values."""
        function = getattr(self.game, rule)
        before = frozen(state)
        try:
            said = function(state, *more)
            self._unchanged(rule, function, before, state, *more)
            again = function(state, *more)
        except (Mistake, GivenUp):
            raise
        except BaseException as error:
            raise Mistake(raised_in(self.game, rule, error, written(_thawed(before, state)))) from None
        if not _alike(said, again):
            self._fail(
                rule, "luck", f"answers {_short(said)} and then {_short(again)} to the same question",
                "a rule may depend on nothing but its arguments; luck belongs into chances", state, *more,
            )  # fmt: skip
        return said

    def _yielded(
        self, rule: str, state: Any, what: str, most: int | None = None
    ) -> tuple[list[Any], Callable[[Any], int | None]]:
        """Return the list that *rule* yields, and a function that returns the line on which an item was yielded."""
        function, mended = getattr(self.game, rule), "see whether the rule comes to an end"
        if most is None:
            most, many, mended = (
                self.game.max_moves,
                f"max_moves={self.game.max_moves}",
                f"{mended}, or give the Game a larger max_moves",
            )
        else:
            many = f"{most} ints"
        before = frozen(state)
        rounds: list[list[Any]] = []
        lines: list[int | None] = []
        try:
            for _ in range(2):
                found = function(state)
                if not hasattr(found, "__iter__") or isinstance(found, (str, dict)):
                    said = "nothing" if found is None else f"{found!r:.60}"
                    self._fail(rule, "type", f"returns {said}", f"it must yield {what}", state)
                rounds.append([])
                end: list[Any] = []
                for item in islice(_to_the_end(found, end), most + 1):
                    rounds[-1].append(item)
                    lines.append(getattr(getattr(found, "gi_frame", None), "f_lineno", None))
                if end and isinstance(end[0], (list, tuple, set, range)) and len(end[0]):
                    what = f"returns {end[0]!r:.60}, and has a yield: what a rule that yields returns is lost"
                    self._fail(rule, "lost", what, "yield each of them: for move in ...: yield move", state)
            self._unchanged(rule, function, before, state)
        except (Mistake, GivenUp):
            raise
        except BaseException as error:
            raise Mistake(raised_in(self.game, rule, error, written(_thawed(before, state)))) from None
        if len(rounds[0]) > most:
            self._fail(rule, "many", f"yields more than {many}", mended, state, line=lines[most])
        if not _alike(rounds[0], rounds[1]):
            self._fail(
                rule, "luck", f"yields {_short(rounds[0])} and then {_short(rounds[1])} for the same state",
                "a rule may depend on nothing but its arguments", state,
            )  # fmt: skip
        return rounds[0], lambda item: lines[next(place for place, other in enumerate(rounds[0]) if other is item)]

    def _unchanged(self, rule: str, function: Any, before: Any, state: Any, *more: int) -> None:
        if frozen(state) == before:
            return
        original = _thawed(before, state)
        again = _copied(original)
        line = line_after_which(function, (again, *more), lambda: frozen(again) != before)
        text = f"{rule}({', '.join([written(original), *map(str, more)])})"
        what = "changes the state that it is given"
        raise Mistake(Problem(rule, "changes", what, "copy the array first: board = state.board.copy()", line, text))

    def _fits(self, rule: str, number: int, remedy: str, state: Any, line: int | None) -> None:
        if not -(1 << 63) <= number < 1 << 63:
            self._fail(rule, "large", f"yields {number}, which needs more than 63 bits", remedy, state, line=line)

    def _problem(self, rule: str, kind: str, what: str, remedy: str, state: Any, *more: int) -> Problem:
        line = line_returned(getattr(self.game, rule), _copied(state), *more)
        text = written(state) if not more else f"{rule}({', '.join([written(state), *map(str, more)])})"
        return Problem(rule, kind, what, remedy, line, text)

    def _fail(self, rule: str, kind: str, what: str, remedy: str, state: Any, *more: int, line: int | None = None) -> NoReturn:
        problem = self._problem(rule, kind, what, remedy, state, *more)
        if line is not None:
            problem = Problem(rule, kind, what, remedy, line, problem.state)
        raise Mistake(problem)


def image_of(game: Game, symmetry: Callable[[Any], Any], state: Any) -> Any:
    """Return the image of *state* by one of the *game*'s symmetries; raise a Mistake if it is not a state."""
    rule = f"the symmetry {symmetry_name(symmetry)}"
    try:
        made = symmetry(state)
    except GivenUp:
        raise
    except BaseException as error:
        raise Mistake(raised_in(game, rule, error, written(state))) from None
    try:
        return game.state(made)
    except StateError as error:
        name = type(game.start).__name__
        what, _, remedy = str(error).partition("; ")
        if not isinstance(made, type(game.start)):
            what, remedy = f"returns {kind_in_words(type(made).__name__)} and not a {name}", f"every path must return a {name}"
        else:
            what = f"returns a wrong state: {what}"
        line = line_returned(symmetry, state)
        raise Mistake(Problem(rule, "image", what, remedy or "return what the start has there", line, written(state))) from None


def wrong_symmetry(game: Game, states: Iterable[Any]) -> Problem | None:
    """Return the first problem of the *game*'s symmetries in these *states*."""
    try:
        for state in states:
            for symmetry in game.symmetries:
                image_of(game, symmetry, state)
    except Mistake as mistake:
        return mistake.problem
    return None


def _to_the_end(found: Any, end: list[Any]) -> Iterator[Any]:
    """Yield the items of *found*; append the return value of a generator to *end*."""
    end.append((yield from found))


def _sum_mended(shares: list[float], total: float) -> str:
    """Return the remedy for probabilities whose sum is not 1."""
    if abs(total - 100) < 1e-3:
        return "write 0.5 for 50 percent"
    if abs(total - 1) < 0.02:
        return "write fractions in full, such as 1 / 3 instead of 0.33"
    if total < 1:
        return "see whether an outcome is missing"
    if all(share == int(share) for share in shares):
        return f"divide each by their sum, {total:g}"
    return "see whether one is too large, or whether there is an outcome too many"


def frozen(state: Any) -> tuple[Any, ...]:
    """Return *state* as a tuple that can be hashed and compared: its arrays are bytes."""
    return tuple(
        (str(value.dtype), value.shape, value.tobytes()) if hasattr(value, "tobytes") and hasattr(value, "shape") else value
        for value in state
    )


def _copied(state: Any) -> Any:
    return type(state)(*(value.copy() if hasattr(value, "copy") else value for value in state))


def _thawed(before: tuple[Any, ...], state: Any) -> Any:
    """Return the state from which `frozen` made *before*; *state* has the same fields."""
    values = []
    for kept, value in zip(before, state, strict=True):
        if hasattr(value, "tobytes") and hasattr(value, "shape"):
            import numpy

            values.append(numpy.frombuffer(kept[2], kept[0]).reshape(kept[1]).copy())
        else:
            values.append(kept)
    return type(state)(*values)


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(_alike, one, other))
    if hasattr(one, "tobytes") and hasattr(other, "tobytes"):
        return bool(one.tobytes() == other.tobytes())
    if isinstance(one, float) and isinstance(other, float) and one != one and other != other:
        return True
    try:
        plain: Any = object.__eq__
        return bool(one == other) or type(one).__eq__ is plain
    except Exception:
        return True


def _short(said: Any) -> str:
    text = written(said) if hasattr(said, "_fields") else repr(said)
    return text if len(text) <= 80 else f"{text[:77]}..."
