"""`check`: is my game written right? It plays random games, interpreted and compiled, and compares the results."""

import random
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from outplay.checking.check_display import wrong_deals, wrong_for_people, wrong_policies
from outplay.checking.comparison import Comparison
from outplay.checking.games_seen import has_winners, remarks_on, winner
from outplay.checking.inspection import MOST_PLIES, Inspection, wrong_symmetry
from outplay.checking.trust import root_cause
from outplay.compile.traps import WRONG, traps_in
from outplay.compile.watchdog import watched
from outplay.errors import CompileError, Endless, OptionError, OutplayError
from outplay.games.catalogue import load
from outplay.pictures.notebook import report
from outplay.rules.game import CHANCE, OVER, Game, written

SHOWN, ASKED = 12, 100  # states of each player that are drawn, and in which policies are called
IMAGES = 300  # states that are given to the symmetries
SECONDS_SHOWN = 1.0  # for drawing, which may be slow


@dataclass(frozen=True)
class Report:
    """The result of `check`. It is true if no problem was found; a remark is none, but may be a mistake."""

    game: str
    problems: tuple[str, ...]
    games: int  # random games that were played
    states: int  # states that were checked, interpreted and compiled
    seconds: float = field(compare=False)
    remarks: tuple[str, ...] = ()  # on what may not be intended
    saw: tuple[str, ...] = ()  # a summary of the random games

    @property
    def ok(self) -> bool:
        return not self.problems

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        return self.explain()

    def explain(self) -> str:
        """Return the report as text."""
        both = ", interpreted and compiled," if self.ok else ""
        head = f"{self.game}: {self._verdict()} ({_many(self.games, 'random game')}, {_many(self.states, 'state')}{both} in {self.seconds:.1f} s)"
        problems, remarks = (f"  - {problem}" for problem in self.problems), (f"  a remark: {remark}" for remark in self.remarks)
        return "\n".join([head, *problems, *remarks, *(f"  {line}" for line in self.saw)])

    def _verdict(self) -> str:
        """Return what was found in a few words: a remark may be a mistake, so beside one not all is said to be well."""
        if self.problems:
            return "one problem" if len(self.problems) == 1 else f"{len(self.problems)} problems"
        if self.remarks:
            return f"no problem found, but see {'the remark' if len(self.remarks) == 1 else f'{len(self.remarks)} remarks'}"
        return "all is well"

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data for JSON."""
        return {**asdict(self), "ok": self.ok}

    def _repr_html_(self) -> str:
        return report(self.ok, self.explain().partition("\n")[0], self.problems, self.remarks, self.saw)


def check(game: Game | str | Path, *, games: int = 100, seconds: float = 3.0, seed: int = 0) -> Report:
    """Play random games of *game* (a Game, a built-in name or a file) and report what is wrong with its rules.

    It plays *games* games, or fewer if the *seconds* are over first; the report says so.
    """
    if not isinstance(games, int) or games < 1:
        raise OptionError(f"games={games!r}: give a whole number of random games, 1 or more")
    return _Check(game if isinstance(game, Game) else load(str(game)), seed).run(games, seconds)


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


class _Check:
    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.random = game, random.Random(seed)
        self.inspection = Inspection(game, seed)
        self.problems: list[str] = []

    def run(self, games: int, seconds: float) -> Report:
        began = time.perf_counter()
        traps = traps_in(self.game)
        self.problems += [str(trap) for trap in traps if trap.effect == WRONG]
        if not self.problems:
            self._follow_rules(games, seconds)
        if self.inspection.seen and not self.inspection.stopped:
            self._compare()
        counts = self.inspection.statistics
        if not self.problems and counts.endless and not counts.ended:
            self.problems.append(
                f"none of {_many(counts.games, 'random game')} came to an end within {MOST_PLIES:,} moves; check that turn returns OVER at the end, and that play leads there"
            )
        remarks: tuple[str, ...] = ()
        saw: tuple[str, ...] = ()
        if not self.problems:
            saw = self._shown()
        if not self.problems:
            remarks = tuple(self._remarks(games, seconds))
        return Report(
            self.game.name,
            tuple(self.problems),
            counts.games,
            len(self.inspection.seen),
            time.perf_counter() - began,
            remarks,
            saw,
        )

    def _follow_rules(self, games: int, seconds: float) -> None:
        """Inspect the interpreted rules; report the cause of a failure, not its consequences."""
        try:
            watched(self.game, lambda: self.inspection.run(games, seconds=seconds))
            if not self.inspection.problems:
                watched(self.game, self._try_symmetries)
        except Endless as error:
            self.problems.append(str(error))
            self.inspection.stopped = True
            return
        if self.inspection.stopped:
            self.problems.append(str(root_cause(self.game, self.inspection)))
        else:
            self.problems += map(str, self.inspection.problems)

    def _try_symmetries(self) -> None:
        """Ask the symmetries for images of some of the states that were seen."""
        seen = self.inspection.seen
        found = wrong_symmetry(self.game, (state for _, state in seen[:: max(len(seen) // IMAGES, 1)]))
        if found is not None:
            self.inspection.say(found)

    def _compare(self) -> None:
        """Compile the rules and compare them; report why rules do not compile."""
        comparison = Comparison(self.game)
        try:
            comparison.prepare()
            difference = comparison.under_watch(self.inspection)
        except CompileError as error:
            self.problems += [line.strip() for line in str(error).splitlines()[1:]] or [str(error)]
        except OutplayError as error:
            self.problems.append(str(error))
        else:
            self.problems += [] if difference is None else [str(difference)]

    def _shown(self) -> tuple[str, ...]:
        """Check what people see, and return a summary of the games."""
        try:
            watched(self.game, self._look_for_people)
            return () if self.problems else watched(self.game, lambda: tuple(self._seen()))
        except Endless as error:
            self.problems.append(str(error))
            return ()

    def _look_for_people(self) -> None:
        """Deal, draw some of the states, and call the policies in more of them; report only the first error of each function."""
        self.problems += wrong_deals(self.game)
        until, faulty = time.perf_counter() + SECONDS_SHOWN, set[str]()
        for who in (0, 1, CHANCE, OVER):
            met = [state for acting, state in self.inspection.seen if acting == who]
            self.random.shuffle(met)
            met[:0] = [state for acting, state in self._told() if acting == who]
            for number, state in enumerate(met[:ASKED]):
                found = list(wrong_policies(self.game, state)) if who in (0, 1) else []
                if number < SHOWN and time.perf_counter() < until:
                    found += wrong_for_people(self.game, state, who)
                self.problems += [problem for function, problem in found if function not in faulty]
                faulty |= {function for function, _ in found}

    def _told(self) -> list[tuple[int, Any]]:
        """Return the states that `_seen` shows, and who acts there."""
        counts = self.inspection.statistics
        told = [(OVER, counts.final[0])] if counts.final else []
        return told + ([(int(self.game.turn(counts.last[0])), counts.last[0])] if counts.last else [])

    def _remarks(self, games: int, seconds: float) -> Iterator[str]:
        counts = self.inspection.statistics
        if counts.games < games:
            yield f"only {counts.games} of {games} games were played in {seconds:g} s; give check(..., seconds=...) more time"
        yield from remarks_on(self.game, self.inspection.seen, counts)
        unheeded = counts.dice and counts.dice == counts.unheeded
        yield from (remark for kind, remark in self.inspection.remarks.items() if not (kind == "outcomes" and unheeded))

    def _seen(self) -> Iterator[str]:
        """Yield a summary of the games, in which a person can see a wrong sign or a wrong end."""
        counts, (first, second) = self.inspection.statistics, self.game.players
        if not counts.ended:
            return
        shortest, longest = min(counts.lengths), max(counts.lengths)
        length = f"{shortest} move{'s' * (shortest != 1)}" if shortest == longest else f"{shortest} to {longest} moves"
        choices = f", {counts.choices / counts.decisions:.1f} choices on average" if counts.decisions else ""
        unfinished = f", {counts.games - counts.ended} did not end" if counts.games > counts.ended else ""
        results = f"{first} won {counts.wins[0]}, {second} {counts.wins[1]}, {counts.draws} drawn"
        if not self._has_winners:
            results = f"scores from {counts.lowest:g} to {counts.highest:g}"
        yield f"{_many(counts.games, 'random game')}: {results}{unfinished}; {length} long{choices}{self._rolls()}"
        assert counts.final is not None  # a game has ended
        state, value = counts.final
        won = winner(value)
        result = ""
        if self._has_winners:
            result = ", a draw" if won is None else f", a win for {self.game.players[won]}"
        last = ""
        if counts.last is not None:
            before, move = counts.last
            last = f", after {self.game.players[self.game.turn(before)]} played {self.game.name_move(before, move)}"
        whose = f" to {first}" if 1 in {who for who, _ in self.inspection.seen} else ""
        yield f"one of them ended with score {value:g}{whose}{result}{last}:"
        shown = self.game.show(state)
        yield from (f"  {line}" for line in (shown if isinstance(shown, str) else written(state)).splitlines())

    @property
    def _has_winners(self) -> bool:
        return has_winners(self.game) and 1 in {who for who, _ in self.inspection.seen}

    def _rolls(self) -> str:
        """Return how often chance acted in a game, so that a person notices a die that is rolled only once."""
        rolls = self.inspection.statistics.rolls
        if not any(rolls):
            return ""
        fewest, most = min(rolls), max(rolls)
        number = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        return f"; chance acts {'once' if number == '1' else f'{number} times'} a game"
