"""Who plays whom, from which start, with which luck: the same for the same seed, however often a tournament is begun.

Games come in pairs: same start and same luck, seats exchanged. The start and the luck of a pair depend on the game, the seed and
the number of the pair alone, never on the agents. So all pairings play the same starts, and an agent that joins later changes
nothing for the others.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from outplay.arena.opening import opened, plies_to_differ
from outplay.arena.record import exact_text
from outplay.errors import OptionError
from outplay.rules.game import OVER, Game
from outplay.rules.key import key_of
from outplay.rules.text import read_state

SCHEDULES = ("round-robin", "gauntlet", "swiss")
ATTEMPTS = 200  # draws of an opening that must differ from all before it
FIRST_PAIRS = 8  # that the shortest openings are long enough for


@dataclass(frozen=True)
class Fixture:
    """One game of a schedule: agents by number at seats 0 and 1, the number of its pair, its start, its opening and its luck."""

    first: int
    second: int
    pair: int
    start: str
    opening: tuple[int, ...]
    luck: str


class Openings:
    """The starts of the pairs of games, one after the other, and all different as long as the game has enough of them.

    *plies*: random plies before the agents take over; None if the game needs some to differ. *listed*: starts instead of the game's,
    as states or as texts.
    """

    def __init__(self, game: Game, seed: int, *, plies: int | None = None, listed: Sequence[Any] = ()) -> None:
        self.game, self.seed, self.plies = game, seed, plies
        self.listed = [read_state(game, state) if isinstance(state, str) else game.state(state) for state in listed]
        for number, state in enumerate(self.listed, 1):
            if game.turn(state) == OVER:
                raise OptionError(
                    f"opening {number} of the list, {game.write_state(state)}, is a game that is over; leave it out"
                )
        self.repeated = 0  # pairs that begin as an earlier one does, although they were meant to differ
        self._made: list[tuple[str, tuple[int, ...]]] = []
        self._attempts = ATTEMPTS
        self._seen: set[tuple[int, int]] = set()
        self._needed: dict[int, int] = {}

    def __getitem__(self, pair: int) -> tuple[str, tuple[int, ...]]:
        """Return the start of a pair as text, and the choices of its opening."""
        while len(self._made) <= pair:
            self._made.append(self._next(len(self._made)))
        return self._made[pair]

    def _next(self, pair: int) -> tuple[str, tuple[int, ...]]:
        game, plies = self.game, self._plies(pair)
        varies = plies > 0 or (game.deal is not None and not self.listed)
        for attempt in range(self._attempts if varies else 1):
            source = Random(f"{self.seed}/{pair}/start/{attempt}")
            if self.listed:
                start = self.listed[pair % len(self.listed)]
            else:
                start = game.dealt(source)
            state, choices = opened(game, start, plies, source)
            if (what := (key_of(start), key_of(state))) not in self._seen:
                break
        else:
            self._attempts = max(1, self._attempts // 2)  # there are hardly any more
            self.repeated += varies or game.chances is None  # else luck makes the games differ
        self._seen.add(what)
        return exact_text(game, start), tuple(int(choice) for choice in choices)

    def _plies(self, pair: int) -> int:
        """Return the random plies before *pair*; without dice and deals, enough for twice as many pairs, at each power of two."""
        if self.plies is not None:
            return self.plies
        if self.listed or self.game.chances is not None or self.game.deal is not None or self.game.solitaire:
            return 0
        pairs = max(FIRST_PAIRS, 1 << pair.bit_length())
        if pairs not in self._needed:
            self._needed[pairs] = plies_to_differ(self.game, self.game.start, pairs)
        return self._needed[pairs]


def round_robin(agents: int) -> list[tuple[int, int]]:
    """Return all pairings, in rounds in which nobody plays twice."""
    ring = [*range(agents), *([-1] if agents % 2 else [])]
    found = []
    for _ in range(len(ring) - 1):
        half = len(ring) // 2
        found += [(min(pair), max(pair)) for pair in zip(ring[:half], reversed(ring[half:]), strict=True) if -1 not in pair]
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return found


def gauntlet(agents: int, challengers: int = 1) -> list[tuple[int, int]]:
    """Return the pairings of the first *challengers* agents with all others."""
    return [(one, other) for other in range(challengers, agents) for one in range(challengers)]


def swiss_round(
    points: Sequence[float], met: Iterable[tuple[int, int]], byes: Iterable[int], order: Sequence[int]
) -> tuple[list[tuple[int, int]], int | None]:
    """Return the pairings of a Swiss round, and who has a bye: agents with similar points, nobody twice as long as that is possible.

    *order* decides between agents with equal points.
    """
    ranked = sorted(order, key=lambda agent: (-points[agent], order.index(agent)))
    had, bye = Counter(byes), None
    if len(ranked) % 2:
        bye = min(reversed(ranked), key=lambda agent: had[agent])  # the last of those who had the fewest
        ranked.remove(bye)
    played = {frozenset(pair) for pair in met}
    found = _paired(ranked, played, [20_000])
    if found is None:
        found = list(zip(ranked[::2], ranked[1::2], strict=True))
    return found, bye


def _paired(ranked: list[int], played: set[frozenset[int]], budget: list[int]) -> list[tuple[int, int]] | None:
    """Return pairings of neighbours in *ranked* who have not met; None if there are none, or too many attempts were needed."""
    if not ranked:
        return []
    first, rest = ranked[0], ranked[1:]
    for place, other in enumerate(rest):
        budget[0] -= 1
        if budget[0] < 0:
            return None
        if frozenset((first, other)) in played:
            continue
        following = _paired(rest[:place] + rest[place + 1 :], played, budget)
        if following is not None:
            return [(first, other), *following]
    return None


def pair_fixtures(one: int, other: int, pairs: Iterable[int], openings: Openings, seed: int) -> list[Fixture]:
    """Return the games of a pairing: each pair has one start and one luck, and the agents exchange their seats."""
    found = []
    for pair in pairs:
        start, opening = openings[pair]
        luck = f"{seed}/{pair}"
        found += [Fixture(one, other, pair, start, opening, luck), Fixture(other, one, pair, start, opening, luck)]
    return found


def solo_fixtures(agent: int, games: Iterable[int], openings: Openings, seed: int) -> list[Fixture]:
    """Return the games of an agent that plays alone: the same starts and luck for every agent."""
    return [Fixture(agent, agent, number, *openings[number], f"{seed}/{number}") for number in games]
