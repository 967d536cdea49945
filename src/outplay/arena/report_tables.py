"""The tables of a report: standings, matrices of agents, and what is listed: facts, faults and games."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outplay.arena.record import Verdict
from outplay.arena.report_plots import DASH, FAULTS, elo_words, seconds
from outplay.arena.report_text import escaped, figure, mean_words, named, percent
from outplay.arena.standings import Counted, Standing, Tournament
from outplay.arena.store import Store
from outplay.arena.time_control import KINDS, TimeControl
from outplay.errors import OutplayError

MOST_DETAIL = 3_000  # characters of what is told about a fault
MOST_KINDS = 8  # different faults of one agent that are told
MOST_IDS = 3  # games that are named for each
# What differs from game to game where one fault is repeated: numbers, the state and the legal moves.
VARYING = re.compile(r"(?<=which is not legal in )[^;]*|(?<=; legal moves: ).*|-?\d[\d.,]*")
FEWEST_LETTERS = 8  # of a game's name
FEW_AGENTS = 12  # for which a matrix has room for its words

# 1. Tables with a row for each agent.


@dataclass(frozen=True)
class Column:
    """A column of a table: its head, its class, and what it says about a standing, as HTML."""

    head: str
    kind: str
    said: Callable[[int, Standing], str]


def table(columns: Sequence[Column], rows: Sequence[Standing], caption: str) -> str:
    """Return a table of standings."""
    head = "".join(f'<th scope="col" class="{column.kind}">{column.head}</th>' for column in columns)
    body = "".join(
        "<tr>" + "".join(f'<td class="{column.kind}">{column.said(place, one)}</td>' for column in columns) + "</tr>"
        for place, one in enumerate(rows)
    )
    return f'<div class="scroll"><table class="standings"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div><p class="caption">{caption}</p>'


def matrix(result: Tournament, caption: str, cell: Callable[[int, int], str]) -> str:
    """Return a table with a row and a column for each agent; *cell* returns a whole cell."""
    ranks = range(len(result.standings))
    head = "".join(f'<th scope="col">{rank + 1}</th>' for rank in ranks)
    body = "".join(
        f'<tr><th scope="row"><span class="rank">{row + 1}</span> {named(result.standings[row].agent)}</th>'
        + "".join('<td class="self"></td>' if row == column else cell(row, column) for column in ranks)
        + "</tr>"
        for row in ranks
    )
    wide = " wide" * (len(ranks) > FEW_AGENTS)
    return (
        f'<div class="scroll"><table class="cross{wide}">'
        f'<thead><tr><th scope="col"><span class="rank">row against column</span></th>{head}</tr></thead><tbody>{body}</tbody></table></div><p class="caption">{caption}</p>'
    )


def coloured(share: float, *, fault: bool = False) -> str:
    """Return the class and the strength of the colour for a share of the points."""
    kind = "better" if share > 0.5 else "worse" if share < 0.5 else "even"
    return f'class="{kind}{" fault" * fault}" style="--much:{abs(share - 0.5) * 2:.2f}"'


def standings_table(result: Tournament) -> str:
    """Return the table of standings."""
    following = len(result.standings) - 1

    def likely(place: int, one: Standing) -> str:
        rated = place < following and one.elo is not None and result.standings[place + 1].elo is not None
        return f"{percent(result.superiority[place][place + 1])}" if rated else DASH

    rank = Column("", "rank", lambda place, one: str(one.rank))
    agent = Column(
        "Agent", "agent", lambda place, one: named(one.agent) + (' <span class="tag">did not start</span>' if one.refused else "")
    )
    games = Column("Games", "more", lambda place, one: f"{one.games:,}")
    faults = Column(
        "Faults", "number", lambda place, one: f'<span class="faulty">{one.fault_count:,}</span>' if one.fault_count else DASH
    )
    pace = Column("Time/move", "more", lambda place, one: seconds(one.seconds / one.moves) if one.moves else DASH)
    if result.solitaire:
        columns = [
            rank,
            agent,
            Column("Mean score", "number", lambda place, one: mean_words(one)),
            Column("Median", "number", lambda place, one: figure(one.median)),
            Column("Best", "number", lambda place, one: figure(one.best)),
            Column("Worst", "number", lambda place, one: figure(one.worst)),
            games,
            faults,
            pace,
        ]
        return table(columns, result.standings, "Beside the mean: its 95 % interval.")
    columns = [
        rank,
        agent,
        Column("Elo", "number", lambda place, one: elo_words(one)),
        Column("Points", "number", lambda place, one: DASH if one.rate is None else f"{one.rate:.1%}".replace("%", "&nbsp;%")),
        Column("Won", "more", lambda place, one: f"{one.wins:,}"),
        Column("Drawn", "more", lambda place, one: f"{one.draws:,}"),
        Column("Lost", "more", lambda place, one: f"{one.losses:,}"),
        games,
        Column("Superior to next", "more", likely),
        faults,
        pace,
    ]
    return table(
        columns,
        result.standings,
        "Elo is relative to the mean of all agents; ± is its 95 % interval. Superior to next: the likelihood that the agent is stronger "
        "than the one below it. A game that ends by a fault counts as lost.",
    )


# 2. What is listed: facts, faults and games.


def facts(result: Tournament, store: Store, games: Sequence[Counted]) -> list[tuple[str, str]]:
    """Return what was played, as pairs of a name and an HTML text; only what the store knows."""
    about = {name: store.about(name) for name in ("schedule", "games", "seed", "tier", "versions")}
    found = [("Game", escaped(result.game))]
    keys = [line.game.key for line in games]
    if about["schedule"] and not result.solitaire:
        each = f", {_words(about['games'])} games of every two agents that meet" if about["games"] else ""
        found.append(("Schedule", escaped(f"{_words(about['schedule'])}{each}")))
    if keys:
        found.append(("Time control", escaped("; ".join(sorted({_control(key.control) for key in keys})))))
        openings = {(key.start, key.opening) for key in keys}
        plies = sorted({len(key.opening) for key in keys})
        begins = "1 start" if len(openings) == 1 else f"{len(openings):,} different starts"
        random = (
            f", after {plies[0]} to {plies[-1]} random plies"
            if len(plies) > 1
            else f", after {plies[0]} random plies"
            if plies[0]
            else ""
        )
        how = (
            "every agent has the same starts and the same luck"
            if result.solitaire
            else "each pair of games has the same start and the same luck; the agents exchange seats"
        )
        found.append(("How games begin", f"{begins}{random}; {how}"))
    if about["seed"] is not None:
        found.append(("Seed", escaped(about["seed"])))
    if about["tier"]:
        found.append(("Isolation", escaped(_words(about["tier"]))))
    if about["versions"]:
        found.append(("Versions", escaped(_words(about["versions"]))))
    if keys:
        found.append(("Rules", f"<code>{escaped(', '.join(sorted({key.rules for key in keys})), 200)}</code>"))
    return found


def _words(said: Any) -> str:
    """Return a fact of the store in words."""
    if isinstance(said, Mapping):
        return ", ".join(f"{name} {_words(part)}" for name, part in said.items() if part not in (None, "", [], {}))
    if isinstance(said, (list, tuple)):
        return ", ".join(map(_words, said))
    return {True: "yes", False: "no"}.get(said, str(said)) if isinstance(said, bool) else str(said)


def control_of(text: str) -> TimeControl | None:
    """Return the time control that a game's key says; None if it says another thing."""
    try:
        said = json.loads(text)
        return TimeControl(**{name: said[name] for name in KINDS if name in said})
    except (ValueError, TypeError, OutplayError):
        return None


def _control(text: str) -> str:
    control = control_of(text)
    return text if control is None else str(control)


def faults_list(result: Tournament, games: Sequence[Counted], short: Callable[[str], str]) -> str:
    """Return every agent's faults with its last words; then errors of the rules, which are nobody's.

    Words that differ in numbers and states alone stand together, and the first ones are told.
    """
    found: dict[int, dict[tuple[Verdict, str], list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
    for line in games:
        if line.game.verdict is not Verdict.FINISHED:
            blamed = -1 if line.game.blamed is None else (line.first, line.second)[line.game.blamed]
            found[blamed][line.game.verdict, VARYING.sub("", line.game.detail)].append((line.game.id, line.game.detail))
    parts = []
    for place, one in enumerate(result.standings):
        if not found[place] and not one.refused:
            continue
        parts.append(f'<section class="faults"><h3><span class="rank">{one.rank}</span> {named(one.agent)}</h3>')
        if one.refused:
            parts.append(
                f'<p><span class="key refused">did not start</span></p><pre>{escaped(one.refused, MOST_DETAIL, lines=True)}</pre>'
            )
        parts.append(_told(found[place], short) + "</section>")
    if found[-1]:
        parts.append(
            f'<section class="faults"><h3>Errors of the rules</h3><p>These games count for nobody.</p>{_told(found[-1], short)}</section>'
        )
    return "".join(parts)


def _told(faults: Mapping[tuple[Verdict, str], Sequence[tuple[str, str]]], short: Callable[[str], str]) -> str:
    """Return each kind of fault with its games; a game has a name and a detail."""
    parts = []
    ordered = sorted(faults.items(), key=lambda item: (-len(item[1]), item[0]))
    for (verdict, _), games in ordered[:MOST_KINDS]:
        listed = ", ".join(f"<code>{short(name)}</code>" for name, _ in games[:MOST_IDS]) + " …" * (len(games) > MOST_IDS)
        many, detail = f"{len(games):,} game{'s' * (len(games) != 1)}", games[0][1]
        parts.append(
            f'<p><span class="key {FAULTS.get(verdict, "rule")}">{verdict}</span> in {many}: {listed}</p>'
            + f"<pre>{escaped(detail, MOST_DETAIL, lines=True)}</pre>" * bool(detail)
        )
        if any(other != detail for _, other in games):
            parts.append("<p>The words of the other games differ only in numbers, states and legal moves.</p>")
    if len(ordered) > MOST_KINDS:
        parts.append(f"<p>And {sum(len(games) for _, games in ordered[MOST_KINDS:]):,} games with other words.</p>")
    return "".join(parts)


def shortest(ids: Iterable[str]) -> int:
    """Return how many letters of the names of games tell them apart."""
    known = set(ids)
    for letters in range(FEWEST_LETTERS, 20):
        if len({name[:letters] for name in known}) == len(known):
            return letters
    return 20
