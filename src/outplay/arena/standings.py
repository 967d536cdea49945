"""The numbers of a tournament: standings, cross table and faults, with intervals."""

import html
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from statistics import median
from typing import Any

import numpy as np

from outplay.arena.ratings import Ratings, pairings, rate
from outplay.arena.record import Verdict
from outplay.arena.solo import mean_of
from outplay.arena.solo import mean_text as solo_text
from outplay.arena.sprt import Sprt, SprtResult
from outplay.arena.store import Store, StoredGame
from outplay.errors import StoreError
from outplay.intervals import clipped

EQUAL = 3  # decimal places of Elo: agents with equal results get ratings that differ less, by the rounding of sums
LEGEND = "Elo: relative to the mean of all agents, with how far its 95 % interval reaches up and down"
CONNECTED = 1500.0  # Elo: a wider interval means that the games do not connect the agents


@dataclass(frozen=True)
class Standing:
    """One agent. `rate` is its share of the points, a draw counting half; `elo` is relative to the mean of all agents.

    Agents whose results are equal share a `rank`, and the next agent's rank counts all of them: 1, 1, 3.
    `elo_low` and `elo_high` are the ends of its 95 % interval, and `elo_error` is half of their distance; `mean_low` and `mean_high` are
    the ends of the interval of `mean`. `faults` counts its own faults by verdict; `gifts` counts the games that it won by a fault of
    the opponent. `refused` says why it could not start. In a solitaire, `mean`, `median`, `best` and `worst` are scores, and the fields
    about wins are 0.
    """

    agent: str
    rank: int = 0
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    elo: float | None = None
    elo_error: float | None = None
    elo_low: float | None = None
    elo_high: float | None = None
    faults: Mapping[str, int] = field(default_factory=dict)
    gifts: int = 0
    moves: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    refused: str = ""
    mean: float | None = None
    mean_low: float | None = None
    mean_high: float | None = None
    median: float | None = None
    best: float | None = None
    worst: float | None = None

    @property
    def rate(self) -> float | None:
        """The share of the points; None before the first game, and in a solitaire."""
        return (self.wins + self.draws / 2) / self.games if self.games and self.mean is None else None

    @property
    def fault_count(self) -> int:
        """How many games ended by a fault of this agent."""
        return sum(self.faults.values())

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        return asdict(self) | {"faults": dict(self.faults), "rate": self.rate}


@dataclass(frozen=True)
class Cell:
    """The games of one agent (the row) against another (the column); `faults` are the row's own, `gifts` the column's."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: int = 0
    gifts: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2


@dataclass(frozen=True)
class Tournament:
    """The result of a tournament: `standings` from the first to the last; `cross[i][j]` and `superiority[i][j]` in the same order.

    `superiority` is the likelihood that agent i is stronger than j. `total` games are scheduled as far as is known; `rule_errors` of those
    played ended by an error of the rules and count for nobody. `notes` are plain sentences that a reader should know.
    `identities` are the players as the store calls them, in the order of the standings.
    """

    game: str
    standings: tuple[Standing, ...]
    cross: tuple[tuple[Cell, ...], ...]
    superiority: tuple[tuple[float, ...], ...]
    played: int
    total: int
    rule_errors: int = 0
    solitaire: bool = False
    sprt: SprtResult | None = None
    notes: tuple[str, ...] = ()
    identities: tuple[str, ...] = ()

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the agents, from the first to the last."""
        return tuple(standing.agent for standing in self.standings)

    def __getitem__(self, agent: str) -> Standing:
        """Return the standing of an agent."""
        for standing in self.standings:
            if standing.agent == agent:
                return standing
        raise KeyError(f"there is no agent {agent!r} in this tournament; there are {', '.join(self.agents)}")

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data, such as JSON takes."""
        return {
            "game": self.game,
            "played": self.played,
            "total": self.total,
            "rule_errors": self.rule_errors,
            "solitaire": self.solitaire,
            "standings": [standing.to_dict() for standing in self.standings],
            "cross": [[asdict(cell) for cell in row] for row in self.cross],
            "superiority": [list(row) for row in self.superiority],
            "identities": list(self.identities),
            "sprt": None if self.sprt is None else self.sprt.to_dict(),
            "notes": list(self.notes),
        }

    def explain(self) -> str:
        """Return the standings as a table of text, with remarks."""
        head, rows = standing_rows(self)
        widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
        left = head.index("agent")
        lines = [
            "  ".join(
                text.ljust(width) if place == left else text.rjust(width) for place, (text, width) in enumerate(columns)
            ).rstrip()
            for columns in (list(zip(row, widths, strict=True)) for row in [head, *rows])
        ]
        return "\n".join([f"{self.game}: {self.played:,} of {self.total:,} games played", *lines, *self.remarks()])

    def remarks(self) -> list[str]:
        """Return the sentences that belong beneath the table."""
        said = [LEGEND] if any(elo_text(one) != "-" for one in self.standings) else []
        said += [f"{one.agent}: {fault_text(one.faults)}" for one in self.standings if one.faults] + list(self.notes)
        if self.sprt is not None:
            said.append(self.sprt_words())
        if self.rule_errors:
            one = self.rule_errors == 1
            said.append(
                f"{self.rule_errors:,} game{'s' * (not one)} ended by an error of the rules and count{'s' * one} for nobody"
            )
        return said

    def sprt_words(self) -> str:
        """Return where the sequential test stands; if it is open, why, and what to do; "" if there is none."""
        if self.sprt is None or self.sprt.verdict:
            return "" if self.sprt is None else self.sprt.explain()
        if self.played < self.total:
            why = f"{self.played:,} of {self.total:,} games are played; --resume goes on"
        else:
            why = f"it stopped at its limit of {self.total:,} games; --resume --games {10 * self.total} goes on"
        return f"{self.sprt.explain()}; {why}"

    def __str__(self) -> str:
        return self.explain()

    def __repr__(self) -> str:
        first = f", first {self.agents[0]}" if self.agents else ""
        return f"<Tournament of {self.game}: {len(self.agents)} agents, {self.played} games{first}>"

    def _repr_html_(self) -> str:
        head, rows = standing_rows(self)

        def line(cells: Sequence[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.remarks())
        title = f"<p>{html.escape(self.game)}: {self.played:,} of {self.total:,} games played</p>"
        return f"{title}<table>{line(head, 'th')}{''.join(line(row, 'td') for row in rows)}</table>{notes}"


def standing_rows(result: Tournament) -> tuple[list[str], list[list[str]]]:
    """Return the head and the rows of the table of standings, as texts."""
    if result.solitaire:
        head = ["rank", "agent", "mean score", "median", "best", "worst", "games", "faults", "s/move"]
    else:
        head = ["rank", "agent", "Elo", "points", "games", "won", "drawn", "lost", "faults", "superior to next", "s/move"]
    rows = []
    for place, one in enumerate(result.standings):
        pace = f"{one.seconds / one.moves:.3f}" if one.moves else "-"
        faults = str(one.fault_count) if one.fault_count else "-"
        if result.solitaire:
            scores = [_number(number) for number in (one.median, one.best, one.worst)]
            rows.append([str(one.rank), one.agent, mean_text(one), *scores, str(one.games), faults, pace])
            continue
        counts = [str(number) for number in (one.games, one.wins, one.draws, one.losses)]
        rate = "-" if one.rate is None else f"{one.rate:.1%}"
        following = result.standings[place + 1 : place + 2]
        rated = one.elo is not None and any(other.elo is not None for other in following)
        likely = f"{result.superiority[place][place + 1]:.1%}" if rated else "-"
        rows.append([str(one.rank), one.agent, elo_text(one), rate, *counts, faults, likely, pace])
    return head, rows


def fault_text(faults: Mapping[str, int]) -> str:
    """Return faults by their kinds, such as "19 timeouts, 1 crash"."""
    kinds = [verdict for verdict in map(str, Verdict) if faults.get(verdict)]
    return ", ".join(f"{faults[kind]:,} {_plural(kind) if faults[kind] != 1 else kind}" for kind in kinds)


def _plural(kind: str) -> str:
    return f"{kind}es" if kind.endswith("sh") else f"{kind}s"


def elo_text(one: Standing) -> str:
    """Return the rating with its 95 % interval, or a dash before there is one."""
    if one.elo is None or one.elo_low is None or one.elo_high is None:
        return "-"
    up, down = round(one.elo_high - one.elo), round(one.elo - one.elo_low)  # as the report rounds them
    error = f"± {up}" if up == down else f"+{up} -{down}"
    return f"{signed_elo(one.elo)} {error}".replace("-", "−")


def signed_elo(elo: float) -> str:
    """Return a rating to a whole number, with its sign; zero has no sign."""
    return f"{elo:+.0f}" if round(elo) else "0"


def mean_text(one: Standing) -> str:
    """Return the mean score with its 95 % interval."""
    if one.mean is None:
        return "-"
    return solo_text(one.mean, None if one.mean_low is None or one.mean_high is None else (one.mean_low, one.mean_high))


def _number(number: float | None) -> str:
    return "-" if number is None else f"{number:,.6g}"


@dataclass(frozen=True)
class Counted:
    """A game as the table counts it: agents by number, the result to the first seat (1, 0.5, 0), None if it counts for nobody."""

    first: int
    second: int
    result: float | None
    game: StoredGame


def counted(games: Sequence[StoredGame], identities: Sequence[str]) -> list[Counted]:
    """Return the games with their agents by number. An agent that commits a fault has lost, whatever the score."""
    number = {identity: place for place, identity in enumerate(identities)}
    return [Counted(number[game.key.first], number[game.key.second], result_of(game), game) for game in games]


def result_of(game: StoredGame) -> float | None:
    """Return what a game is worth to its first agent, from 0 to 1; None if it counts for nobody."""
    if game.score is None:
        return None
    if game.blamed is not None:
        return float(game.blamed)
    return 0.5 + 0.5 * ((game.score > 0) - (game.score < 0))


def tabulate(
    game: str,
    names: Sequence[str],
    identities: Sequence[str],
    games: Sequence[StoredGame],
    *,
    total: int,
    solitaire: bool = False,
    scale: tuple[float, float] = (-math.inf, math.inf),
    sprt: Sprt | None = None,
    refused: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
) -> Tournament:
    """Return the result of *games* between agents with these *names* and *identities*. *refused*: why some could not start, by name.

    *scale*: the lowest and the highest score of the game. *sprt* tests the first agent against the second.
    """
    lines = counted(games, identities)
    tallies = [_tally(name, place, lines, solitaire, (refused or {}).get(name, "")) for place, name in enumerate(names)]
    errors = sum(line.result is None for line in lines)
    if solitaire:
        return _solo(game, tallies, identities, lines, total, errors, notes, scale)
    active = [place for place, one in enumerate(tallies) if one.games]  # an agent without a game has no rating
    ratings = rate(_pair_counts(lines, active), len(active)) if len(active) > 1 else None
    number = {place: row for row, place in enumerate(active)}
    rated = [_rated(one, number.get(place), ratings) for place, one in enumerate(tallies)]
    order, ranks = _ranked([_merit(one) for one in rated], names, identities)
    return Tournament(
        game,
        tuple(replace(rated[place], rank=rank) for rank, place in zip(ranks, order, strict=True)),
        _cross(lines, order),
        tuple(
            tuple(
                ratings.superiority(number[one], number[other])
                if ratings and one != other and {one, other} <= set(active)
                else 0.5
                for other in order
            )
            for one in order
        ),
        len(lines),
        max(total, len(lines)),
        errors,
        sprt=None if sprt is None else sprt.decide(list(pair_points(lines, 0, 1).values())),
        notes=tuple(notes),
        identities=tuple(identities[place] for place in order),
    )


def tournament_of(store: Store) -> Tournament:
    """Return the standings of the tournament in *store*, from the games so far.

    Games that are in the store, but not scheduled, belong to earlier versions of the agents or to other settings, and do not count.
    """
    agents = store.about("agents")
    if agents is None:
        raise StoreError(f"{store.path} says nothing about its tournament; name a file that outplay tournament has written")
    identities = [one["identity"] for one in agents]
    low, high = store.about("scale") or (None, None)
    test = store.about("sprt")
    return tabulate(
        store.about("game"),
        [one["name"] for one in agents],
        identities,
        store.scheduled_games(),
        total=store.about("total") or 0,
        solitaire=bool(store.about("solitaire")),
        scale=(-math.inf if low is None else low, math.inf if high is None else high),
        sprt=None if test is None else Sprt(**test),
        refused={one["name"]: one["refused"] for one in agents if one.get("refused")},
        notes=store.about("notes") or (),
    )


def _merit(one: Standing) -> tuple[float, ...]:
    """Return what ranks an agent, the largest first: its rating, then its points; those without a game come last."""
    return (-math.inf if one.elo is None else round(one.elo, EQUAL), float(one.games > 0), round(one.rate or 0.0, 9))


def _ranked(merits: Sequence[Any], names: Sequence[str], identities: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return the agents from the first to the last, those with equal merits by name, and their ranks: equal merits share one."""
    order = sorted(range(len(merits)), key=lambda place: (names[place], identities[place]))
    order.sort(key=lambda place: merits[place], reverse=True)  # a stable sort, even when reversed
    ranks: list[int] = []
    for row, place in enumerate(order):
        ranks.append(ranks[-1] if row and merits[place] == merits[order[row - 1]] else row + 1)
    return order, ranks


def _tally(name: str, agent: int, lines: Sequence[Counted], solitaire: bool, refused: str) -> Standing:
    """Return the standing of *agent* without its rank and rating."""
    wins = draws = losses = gifts = moves = 0
    seconds = longest = 0.0
    faults: Counter[str] = Counter()
    for line in lines:
        for seat, who in enumerate((line.first, line.second)):
            if who != agent or (solitaire and seat == 1):
                continue
            effort = line.game.efforts[seat]
            moves, seconds, longest = moves + effort.moves, seconds + effort.seconds, max(longest, effort.longest)
            if line.result is None:
                continue
            got = line.result if seat == 0 else 1 - line.result
            wins, draws, losses = wins + (got == 1), draws + (got == 0.5), losses + (got == 0)
            if line.game.blamed is not None:
                if line.game.blamed == seat or solitaire:
                    faults[str(line.game.verdict)] += 1
                else:
                    gifts += 1
    return Standing(
        name, games=wins + draws + losses, wins=wins, draws=draws, losses=losses, faults=dict(faults), gifts=gifts, moves=moves,
        seconds=seconds, longest=longest, refused=refused,
    )  # fmt: skip


def _rated(one: Standing, number: int | None, ratings: Ratings | None) -> Standing:
    if ratings is None or number is None or ratings.error[number] > CONNECTED:
        return one
    elo, error, low, high = (float(found[number]) for found in (ratings.elo, ratings.error, ratings.low, ratings.high))
    return replace(one, elo=elo, elo_error=error, elo_low=low, elo_high=high)


def pair_points(lines: Sequence[Counted], one: int, other: int) -> dict[int, float]:
    """Return the points of agent *one* in each complete pair of games against *other*, by the number of the pair, in their order."""
    found: dict[int, list[float]] = defaultdict(list)
    for line in lines:
        if line.result is not None and {line.first, line.second} == {one, other}:
            found[line.game.key.pair].append(line.result if line.first == one else 1 - line.result)
    return {pair: sum(points) for pair, points in sorted(found.items()) if len(points) == 2}


def _pair_counts(lines: Sequence[Counted], agents: Sequence[int]) -> Any:
    """Return the counts of complete pairs of *agents*, as `rate` takes them."""
    rows = {(agents[one], agents[other]): row for row, (one, other) in enumerate(pairings(len(agents)))}
    points: dict[tuple[int, int], list[float]] = defaultdict(list)  # by row and pair
    for line in lines:
        if line.result is not None and line.first != line.second:
            low_first = line.first < line.second
            row = rows[(line.first, line.second) if low_first else (line.second, line.first)]
            points[row, line.game.key.pair].append(line.result if low_first else 1 - line.result)
    counts = np.zeros((len(rows), 5))
    for (row, _), got in points.items():
        if len(got) == 2:
            counts[row, round(2 * sum(got))] += 1
    return counts


def _cross(lines: Sequence[Counted], order: Sequence[int]) -> tuple[tuple[Cell, ...], ...]:
    tally: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0, 0, 0])
    for line in lines:
        if line.result is None:
            continue
        for one, other, seat, got in ((line.first, line.second, 0, line.result), (line.second, line.first, 1, 1 - line.result)):
            cell = tally[one, other]
            cell[{1.0: 0, 0.5: 1, 0.0: 2}[got]] += 1
            if line.game.blamed is not None:
                cell[3 if line.game.blamed == seat else 4] += 1
    return tuple(tuple(Cell(*tally[one, other]) if (one, other) in tally else Cell() for other in order) for one in order)


def _solo(
    game: str,
    tallies: Sequence[Standing],
    identities: Sequence[str],
    lines: Sequence[Counted],
    total: int,
    errors: int,
    notes: Sequence[str],
    scale: tuple[float, float],
) -> Tournament:
    scored = []
    for place, one in enumerate(tallies):
        mine = [line for line in lines if line.first == place and line.game.score is not None]
        scores = [float(line.game.score) for line in mine if line.game.score is not None]
        if scores:
            mean, error = mean_of(scores, len({(line.game.key.start, line.game.key.luck) for line in mine}))
            low, high = clipped(mean, error, *scale) or (None, None)
            one = replace(
                one, mean=mean, mean_low=low, mean_high=high, median=median(scores), best=max(scores), worst=min(scores)
            )
        scored.append(replace(one, wins=0, draws=0, losses=0, games=len(scores)))
    merits = [-math.inf if one.mean is None else round(one.mean, 9) for one in scored]
    order, ranks = _ranked(merits, [one.agent for one in scored], identities)
    standings = tuple(replace(scored[place], rank=rank) for rank, place in zip(ranks, order, strict=True))
    return Tournament(
        game, standings, (), (), len(lines), max(total, len(lines)), errors, solitaire=True, notes=tuple(notes),
        identities=tuple(identities[place] for place in order),
    )  # fmt: skip
