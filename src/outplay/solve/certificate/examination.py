"""Checks a table against the rules for `verify.py`: part by part, on all threads."""

import threading
from typing import Any

import numpy as np

from outplay.compile.engine import Engine
from outplay.compile.procedure import procedure
from outplay.rules.interpreted_rules import InterpretedRules
from outplay.rules.memory import Memory
from outplay.runtime.threads import spread
from outplay.solve.certificate import claims
from outplay.solve.certificate import follow as following
from outplay.solve.certificate.follow import STATES, Follower, follow
from outplay.solve.progress import Reporter
from outplay.solve.solution import Solution
from outplay.solve.states.packing import WORD, words_of

SHOWN = 5  # wrong states that are named
ROUNDING = 1e-12  # of a mean, as a part of the range of scores

WHY = {
    following.BAD_TURN: "turn returns none of 0, 1, CHANCE and OVER",
    following.BAD_SCORE: "its score does not lie between low and high",
    following.BAD_CHANCES: "its probabilities do not sum to 1",
    following.NO_MOVES: "moves yields nothing",
    following.TOO_MANY: "it has more moves or outcomes than max_moves",
    following.NO_STATE: "its key is not that of a state",
    following.CHILD_UNFIT: "a move leads to a state that is not in the table",
    claims.MISSING: "a move leads to a state that is not in the table",
    claims.SCORE: "the game is over there, and the table has another value than the score",
    claims.VALUE: "its value does not follow from those of its children",
    claims.DISTANCE: "its distance to the end does not follow from those of its children",
    claims.GAP: "its value is further than the error that the table states from what can be proven by its children",
    claims.UNREACHED: "no move leads to it",
    claims.STUCK: "its bound is better than play without end, and no way leads to what it promises",
}


class Part:
    """Some states of a table: a layer, whose children are in the next part, or the whole table."""

    root = -1  # the place of the state that was solved, where it is here

    def __init__(self, keys: Any, codes: Any, scale: Any) -> None:
        self.keys = _fixed(keys, np.int64)
        bits = max(1, min(30, (len(self.keys) // 4).bit_length()))
        self.shift = 64 - bits
        limits = (np.arange(1 << bits) - (1 << bits - 1)) << self.shift
        self.offsets = np.append(np.searchsorted(self.keys, limits), len(self.keys))
        self.reached = np.zeros(len(self.keys), np.bool_)
        self.distances: Any = None
        if not scale.span:
            self.values = _fixed(codes, np.float64)
            return
        place, rest = np.divmod(np.asarray(codes).astype(np.int64), scale.span)
        behind, ahead = scale.level
        scores = np.array([*scale.scores, np.nan])  # a number beyond the scores is not a value
        self.values = _fixed(scores[np.minimum(place, len(scale.scores))], np.float64)
        self.distances = np.where(place < behind, rest, np.where(place >= ahead, scale.span - 1 - rest, -1 - rest))

    @property
    def in_order(self) -> bool:
        """Whether the keys are in order, without repetition."""
        return bool((self.keys[1:] > self.keys[:-1]).all())


def _fixed(array: Any, kind: Any) -> Any:
    """Return *array* as read-only, like one from a file: procedures are compiled for such arrays."""
    fixed = np.ascontiguousarray(array, kind).view()
    fixed.flags.writeable = False
    return fixed


class Examination:
    """Checks a table against the rules."""

    def __init__(self, solution: Solution, threads: int, report: Reporter, compiled: bool) -> None:
        self.solution, self.report, self.compiled = solution, report, compiled
        self.game, self.table = solution.game, solution._table()
        self.scale, self.rows = self.table.scale, self.table.rows
        self.states = sum(len(rows.keys) for rows in self.rows)
        self.slack = ROUNDING * (self.game.high - self.game.low)
        # With cycles and chance, values are known to within the error.
        self.margin = solution.error + self.slack if solution.method == "cycles" and not self.scale.span else 0.0
        engine = Engine(self.game, follow, compiled=compiled)
        self.followers = [Follower(engine, solution.state, self.table.packing) for _ in range(threads)]
        self.count, self.done = 0, 0
        self.found: list[tuple[int, int]] = []  # key and why, of the first wrong entries
        self.general: list[str] = []  # what is wrong with the table at large
        self._lock = threading.Lock()

    def run(self) -> None:
        """Examine everything; count the mistakes and keep the first ones."""
        if tuple(self.solution.counts) != self._sizes() or self.solution.states != self.states:
            self.object(f"the counts by depth say {sum(self.solution.counts):,} states, and the table holds {self.states:,}")
        part = self._part(0)
        root = self.table.packing.key(words_of(InterpretedRules(self.game), len(self.table.packing.words), self.solution.state))
        if root is None or not (part.keys == root).any():
            self.object(f"the state that was solved, {self.game.write_state(self.solution.state)}, is not in the table")
            return
        part.root = int(np.flatnonzero(part.keys == root)[0])
        part.reached[part.root] = True
        if len(self.rows) > 1:
            self.note(part.keys, np.where(part.reached, 0, claims.UNREACHED), again=True)
        for depth in range(len(self.rows)):
            below = self._part(depth + 1) if len(self.rows) > 1 else part
            Sweep(self, part, below).run()
            part = below

    def _sizes(self) -> tuple[int, ...]:
        """The counts by depth, as far as they follow from the table."""
        return tuple(len(rows.keys) for rows in self.rows) if len(self.rows) > 1 else tuple(self.solution.counts)

    def _part(self, depth: int) -> Part:
        if depth >= len(self.rows):
            return Part(np.empty(0, np.int64), np.empty(0), self.scale)
        rows = self.rows[depth]
        part = Part(rows.keys[:], rows.codes[:], self.scale)
        if len(rows.codes) != len(rows.keys) or not part.in_order:
            self.object("the keys do not stand in order, or not each has an entry")
        some, every = procedure(claims.bits_of_keys, compiled=self.compiled)(part.keys)
        if some & ~rows.any & WORD or rows.all & ~every & WORD:
            self.object("keys have other bits than their part of the table is said to have: they would not be found")
        return part

    def object(self, why: str) -> None:
        """Count a mistake that concerns the whole table."""
        self.count += 1
        self.general.append(why)

    def note(self, keys: Any, verdict: Any, *, again: bool = False) -> None:
        """Count the mistakes in *verdict* and keep the first ones; *again*: these states were counted before."""
        wrong = np.flatnonzero(verdict)
        with self._lock:
            self.done += 0 if again else len(verdict)
            self.count += len(wrong)
            for place in wrong[: SHOWN - len(self.found)]:
                self.found.append((int(keys[place]), int(verdict[place])))

    def watch(self) -> None:
        """Say how far it is."""
        self.report("verify", self.done, self.states, self.states)

    def named(self) -> list[tuple[str, str]]:
        """Return the first mistakes in words: the state (empty for the whole table) and the reason."""
        return [*(("", why) for why in self.general), *(self._words(key, why) for key, why in self.found)]

    def _words(self, key: int, why: int) -> tuple[str, str]:
        """Return the state with this *key* as the game writes it, and *why* its entry is wrong."""
        state = InterpretedRules(self.game).load_state(Memory(enumerate(self.table.packing.unpacked(key))), 0)
        said = WHY[why]
        if why in (claims.VALUE, claims.DISTANCE):
            choices = [choice for choice, _ in self.game.choices(state)]
            children = [self._entry(self.game.play(state, choice)) for choice in choices]
            said = f"{said}: it says {self._entry(state)}, and leads to {', '.join(children)}"
        return self.game.write_state(state), said

    def _entry(self, state: Any) -> str:
        """Return the table's entry of *state* in words."""
        key = self.table.packing.key(words_of(InterpretedRules(self.game), len(self.table.packing.words), state))
        for rows in self.rows:
            place = None if key is None else rows.find(key)
            if place is not None:
                held = Part([key], rows.codes[place : place + 1], self.scale)
                distance = "" if held.distances is None or held.distances[0] < 0 else f" in {held.distances[0]}"
                return f"{held.values[0]:.12g}{distance}"
        return "nothing"


class Sweep:
    """One part of the table being examined; the children of its states are in the part *below*."""

    def __init__(self, examination: "Examination", part: Part, below: Part) -> None:
        self.examination, self.part, self.below = examination, part, below
        self.compiled = examination.compiled
        self.pieces: dict[int, tuple[Any, ...]] = {}  # who acts, children, their number and chances, where states may come back

    def run(self) -> None:
        """Examine the part."""
        examination = self.examination
        starts = range(0, len(self.part.keys), STATES)
        spread(self._work, starts, min(len(examination.followers), len(starts)), watch=examination.watch)
        if self.part is self.below:
            if examination.count == 0:  # what follows goes from child to child, so each must be there
                self._judge_whole()
        else:
            examination.note(self.below.keys, np.where(self.below.reached, 0, claims.UNREACHED), again=True)

    def _work(self, worker: int, start: int) -> None:
        stop = min(start + STATES, len(self.part.keys))
        while start < stop:
            number, words = self.examination.followers[worker].run(self.part.keys, start, stop - start)
            self._judge(start, number, words)
            start += number

    def _run(self, function: Any, *arguments: Any) -> Any:
        return procedure(function, compiled=self.compiled)(*arguments)

    def _judge(self, start: int, number: int, words: Any) -> None:
        part, below, examination = self.part, self.below, self.examination
        who, first = np.empty(number, np.int64), np.empty(number + 1, np.int64)
        scores, verdict = np.empty(number), np.zeros(number, np.int64)
        index = below.keys, below.offsets, below.shift
        places, chances, rewards = self._run(claims.look_up, words, number, *index, who, scores, first, verdict)
        below.reached[places[places >= 0]] = True
        here, edges = slice(start, start + number), (first, places, chances, rewards)
        values, endless, slack = part.values[here], examination.scale.endless, examination.slack
        margins = examination.margin, max(examination.margin, slack)
        self._run(claims.judge_values, who, scores, *edges, values, below.values, *margins, verdict)
        if part.distances is not None:
            own, theirs = (values, part.distances[here]), (below.values, below.distances)
            self._run(claims.judge_distances, who, first, places, *own, *theirs, endless, verdict)
        if part is below:
            kind = np.int32 if len(part.keys) < 1 << 31 else np.int64
            self.pieces[start] = (
                who.astype(np.int8),
                np.diff(first),
                places.astype(kind),
                chances if examination.margin else chances[:0],
                rewards if examination.margin else rewards[:0],
            )
        examination.note(part.keys[start : start + number], verdict)

    def _judge_whole(self) -> None:
        """Examine what cannot be seen state by state where states can repeat."""
        examination, part = self.examination, self.part
        pieces = [self.pieces[start] for start in sorted(self.pieces)]
        who, counts, places, chances, rewards = (np.concatenate([piece[place] for piece in pieces]) for place in range(5))
        first = np.append(0, np.cumsum(counts))
        sizes, reached = self._run(claims.layer_sizes, first, places, part.root)
        examination.note(part.keys, np.where(reached, 0, claims.UNREACHED), again=True)
        if tuple(sizes.tolist()) != tuple(examination.solution.counts):
            examination.object("the counts by depth are not those of the states")
        if part.distances is None and not self._run(claims.acyclic, first, places):
            self._judge_cycles(who, first, places, chances, rewards)

    def _judge_cycles(self, who: Any, first: Any, places: Any, chances: Any, rewards: Any) -> None:
        """Examine the values of a game with cycles and chance: find bounds within the error that prove themselves."""
        examination, part = self.examination, self.part
        solution, margin = examination.solution, examination.margin
        if solution.method != "cycles":
            examination.object("states can come back, and the table says that they cannot")
            return
        if solution.proper and self._run(claims.goes_on, who, first, places).any():
            examination.object("play can go on for ever, and the table says that it cannot")
        verdict = np.zeros(len(part.keys), np.int64)
        for player in (0, 1):
            found = first, places, chances, rewards, part.values, solution.error, examination.slack
            bound = self._run(claims.borne_out, player, who, *found)
            self._run(claims.judge_bound, part.values, bound, margin, verdict)
            endless = examination.scale.endless
            self._run(claims.judge_ways_out, player, who, first, places, rewards, bound, endless, margin, verdict)
        examination.note(part.keys, verdict, again=True)
