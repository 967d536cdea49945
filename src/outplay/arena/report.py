"""`write_report`: a tournament as one HTML file that an instructor can hand out.

The file needs no network, no script and no other file. Names of agents and what they said are hostile input: every such text goes
through `plain` and is escaped, and the file's own policy forbids scripts in case that fails.
"""

import html
import json
import shlex
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from outplay.arena.record import Verdict
from outplay.arena.report_plots import (
    FAULTS, elo_words, faults_plot, minus, ratings_plot, results_plot, scores_plot, seconds, time_plot,
)  # fmt: skip
from outplay.arena.standings import Cell, Counted, Standing, Tournament, counted
from outplay.arena.store import Store
from outplay.arena.time_control import KINDS, TimeControl
from outplay.atomic_write import write_text
from outplay.errors import OutplayError

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
MOST_NAME = 48  # characters of an agent's name
MOST_DETAIL = 3_000  # characters of what is told about a fault
MOST_KINDS = 8  # different faults of one agent that are told
MOST_IDS = 3  # games that are named for each
MOST_GAMES = 20_000  # that are listed
FEWEST_LETTERS = 8  # of a game's name
FEW_AGENTS = 12  # for which a matrix has room for its words
SURE = 0.95  # a likelihood of superiority that is coloured


def write_report(tournament: Tournament, store: Store, path: Path | str) -> None:
    """Write the standings of *tournament*, its plots, faults and games, which are in *store*, to the HTML file *path*."""
    write_text(Path(path), report(tournament, store))


def report(tournament: Tournament, store: Store) -> str:
    """Return the report as the text of an HTML file."""
    return _Report(tournament, store).text()


# 1. Texts of strangers.


def plain(text: object, most: int, *, lines: bool = False) -> str:
    """Return *text* with its invisible characters written out, and cut to *most* characters; *lines*: ends of lines stay."""
    said = str(text)
    cut = said[:most]
    shown = "".join(_shown(letter) if letter not in ("\n", "\t") or not lines else letter for letter in cut)
    return shown + "…" * (len(said) > most)


def _shown(letter: str) -> str:
    """Return a character as it is if it can be seen: controls, half characters and what turns the direction are written as numbers."""
    if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        code = ord(letter)
        return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
    return letter


def escaped(text: object, most: int = 400, *, lines: bool = False) -> str:
    """Return a stranger's text as HTML."""
    return html.escape(plain(text, most, lines=lines))


@cache
def named(agent: str) -> str:
    """Return an agent's name as HTML, in a direction of its own."""
    whole = f' title="{escaped(agent)}"' if len(agent) > MOST_NAME else ""
    return f'<bdi class="name"{whole}>{escaped(agent, MOST_NAME)}</bdi>'


def points(number: float) -> str:
    """Return points, with a half as a fraction."""
    whole, half = divmod(number, 1)
    return f"{whole:g}"[: None if whole or not half else 0] + "½" * (half > 0)


# 2. The tables and matrices.


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
    return f'<div class="scroll"><table class="standings"><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


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
        f'<div class="scroll"><table class="cross{wide}"><caption>{caption}</caption>'
        f'<thead><tr><th scope="col"><span class="rank">row against column</span></th>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _coloured(share: float) -> str:
    """Return the class and the strength of the colour for a share of the points."""
    kind = "better" if share > 0.5 else "worse" if share < 0.5 else "even"
    return f'class="{kind}" style="--much:{abs(share - 0.5) * 2:.2f}"'


def standings_table(result: Tournament) -> str:
    """Return the table of standings."""
    following = len(result.standings) - 1

    def likely(place: int, one: Standing) -> str:
        return f"{percent(result.superiority[place][place + 1])}" if place < following and one.elo is not None else "–"

    rank = Column("", "rank", lambda place, one: str(one.rank))
    agent = Column("Agent", "agent", lambda place, one: named(one.agent) + (' <span class="tag">did not start</span>' if one.refused else ""))
    games = Column("Games", "more", lambda place, one: f"{one.games:,}")
    faults = Column("Faults", "number", lambda place, one: f'<span class="faulty">{one.fault_count:,}</span>' if one.fault_count else "–")
    pace = Column("Time/move", "more", lambda place, one: seconds(one.seconds / one.moves) if one.moves else "–")
    if result.solitaire:
        columns = [
            rank,
            agent,
            Column("Mean score", "number", lambda place, one: _mean(one)),
            Column("Median", "number", lambda place, one: _figure(one.median)),
            Column("Best", "number", lambda place, one: _figure(one.best)),
            Column("Worst", "number", lambda place, one: _figure(one.worst)),
            games,
            faults,
            pace,
        ]
        return table(columns, result.standings, "± is the 95 % interval of the mean.")
    columns = [
        rank,
        agent,
        Column("Elo", "number", lambda place, one: elo_words(one)),
        Column("Points", "number", lambda place, one: "–" if one.rate is None else f"{one.rate:.1%}".replace("%", " %")),
        Column("Won", "more", lambda place, one: f"{one.wins:,}"),
        Column("Drawn", "more", lambda place, one: f"{one.draws:,}"),
        Column("Lost", "more", lambda place, one: f"{one.losses:,}"),
        games,
        Column("Superior to next", "number", likely),
        faults,
        pace,
    ]
    return table(
        columns,
        result.standings,
        "Elo is relative to the mean of all agents; ± is its 95 % interval. Superior to next: the likelihood that the agent is stronger "
        "than the one below it. A game that ends by a fault counts as lost.",
    )


def _figure(number: float | None) -> str:
    return "–" if number is None else minus(f"{number:,.6g}")


def _mean(one: Standing) -> str:
    if one.mean is None:
        return "–"
    if one.mean_low is None or one.mean_high is None:
        return _figure(one.mean)
    return f'{minus(f"{one.mean:,.4g}")} <span class="error">{minus(f"{one.mean_low:,.4g}")} to {minus(f"{one.mean_high:,.4g}")}</span>'


def percent(share: float) -> str:
    """Return a likelihood; one that is not quite certain is not called so."""
    if share < 0.001:
        return "&lt; 0.1 %"
    return "&gt; 99.9 %" if share > 0.999 else f"{share:.1%}".replace("%", " %")


# 3. What is listed: facts, faults and games.


def facts(result: Tournament, store: Store, games: Sequence[Counted]) -> list[tuple[str, str]]:
    """Return what was played, as pairs of a name and an HTML text; only what the store knows."""
    about = {name: store.about(name) for name in ("schedule", "seed", "tier", "versions", "command")}
    found = [("Game", escaped(result.game))]
    keys = [line.game.key for line in games]
    if about["schedule"]:
        found.append(("Schedule", escaped(_words(about["schedule"]))))
    if keys:
        found.append(("Time control", escaped("; ".join(sorted({_control(key.control) for key in keys})))))
        openings = {(key.start, key.opening) for key in keys}
        plies = sorted({len(key.opening) for key in keys})
        begins = "1 start" if len(openings) == 1 else f"{len(openings):,} different starts"
        random = f", after {plies[0]} to {plies[-1]} random plies" if len(plies) > 1 else f", after {plies[0]} random plies" if plies[0] else ""
        how = "every agent has the same starts and the same luck" if result.solitaire else "each pair of games has the same start and the same luck; the agents exchange seats"
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
    """Return every agent's faults with its last words, equal ones together; then errors of the rules, which are nobody's."""
    found: dict[int, dict[tuple[Verdict, str], list[str]]] = defaultdict(lambda: defaultdict(list))
    for line in games:
        if line.game.verdict is not Verdict.FINISHED:
            blamed = -1 if line.game.blamed is None else (line.first, line.second)[line.game.blamed]
            found[blamed][line.game.verdict, line.game.detail].append(line.game.id)
    parts = []
    for place, one in enumerate(result.standings):
        if not found[place] and not one.refused:
            continue
        parts.append(f'<section class="faults"><h3><span class="rank">{one.rank}</span> {named(one.agent)}</h3>')
        if one.refused:
            parts.append(f'<p><span class="key refused">did not start</span></p><pre>{escaped(one.refused, MOST_DETAIL, lines=True)}</pre>')
        parts.append(_told(found[place], short) + "</section>")
    if found[-1]:
        parts.append(f'<section class="faults"><h3>Errors of the rules</h3><p>These games count for nobody.</p>{_told(found[-1], short)}</section>')
    return "".join(parts)


def _told(faults: Mapping[tuple[Verdict, str], Sequence[str]], short: Callable[[str], str]) -> str:
    parts = []
    ordered = sorted(faults.items(), key=lambda item: (-len(item[1]), item[0]))
    for (verdict, detail), ids in ordered[:MOST_KINDS]:
        listed = ", ".join(f"<code>{short(name)}</code>" for name in ids[:MOST_IDS]) + " …" * (len(ids) > MOST_IDS)
        many = f"{len(ids):,} game{'s' * (len(ids) != 1)}"
        parts.append(
            f'<p><span class="key {FAULTS.get(verdict, "rule")}">{verdict}</span> in {many}: {listed}</p>'
            + f"<pre>{escaped(detail, MOST_DETAIL, lines=True)}</pre>" * bool(detail)
        )
    if len(ordered) > MOST_KINDS:
        parts.append(f"<p>And {sum(len(ids) for _, ids in ordered[MOST_KINDS:]):,} games with other words.</p>")
    return "".join(parts)


def shortest(ids: Iterable[str]) -> int:
    """Return how many letters of the names of games tell them apart."""
    known = set(ids)
    for letters in range(FEWEST_LETTERS, 20):
        if len({name[:letters] for name in known}) == len(known):
            return letters
    return 20


# 4. The whole.


class _Report:
    """A report while it is written."""

    def __init__(self, result: Tournament, store: Store) -> None:
        self.result, self.store = result, store
        belonging = set(result.identities)
        games = [game for game in store.scheduled_games() if {game.key.first, game.key.second} <= belonging]
        self.games = counted(games, result.identities)
        self.letters = shortest(line.game.id for line in self.games)

    def text(self) -> str:
        result = self.result
        title = f"{plain(result.game, MOST_NAME)}: tournament report"
        sections = [
            ("standings", "Standings", self._standings()),
            ("cross", "Who beat whom", self._cross()),
            ("superiority", "Likelihood of superiority", self._superiority()),
            ("time", "Time used", time_plot(result, named, self._limit())),
            ("faults", "Faults", self._faults()),
            ("games", "Games", self._list()),
            ("played", "What was played", self._facts()),
        ]
        shown = [(name, head, body) for name, head, body in sections if body]
        links = "".join(f'<a href="#{name}">{head}</a>' for name, head, _ in shown)
        parts = "".join(f'<section id="{name}"><h2>{head}</h2>{body}</section>' for name, head, body in shown)
        style = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{html.escape(POLICY)}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="color-scheme" content="light dark">\n'
            f'<meta name="referrer" content="no-referrer">\n<title>{html.escape(title)}</title>\n<style>\n{style}</style>\n</head>\n'
            f"<body>\n<main>\n{self._head()}<nav>{links}</nav>\n{parts}\n</main>\n{self._foot()}</body>\n</html>\n"
        )

    def _head(self) -> str:
        result = self.result
        agents, moves = len(result.standings), sum(one.moves for one in result.standings)
        of = f" of {result.total:,}" if result.total > result.played else ""
        figures = [(f"{agents:,}", "agents"), (f"{result.played:,}{of}", "games"), (f"{moves:,}", "moves")]
        figures.append((f"{sum(one.fault_count for one in result.standings):,}", "faults"))
        shown = "".join(f"<div><dd>{number}</dd><dt>{what}</dt></div>" for number, what in figures)
        notes = [*result.notes, *([result.sprt.explain()] if result.sprt is not None else [])]
        if result.total > result.played:
            notes.insert(0, f"The tournament is not over: {result.total - result.played:,} games are still to be played.")
        if result.rule_errors:
            notes.append(f"Games that ended by an error of the rules, and count for nobody: {result.rule_errors:,}.")
        said = "".join(f"<li>{escaped(note, 1_000)}</li>" for note in notes)
        return (
            f'<header><p class="kicker">Tournament</p><h1>{escaped(result.game, MOST_NAME)}</h1><p class="lead">{self._lead()}</p>'
            f'<dl class="figures">{shown}</dl>' + f'<ul class="notes">{said}</ul>' * bool(said) + "</header>\n"
        )

    def _lead(self) -> str:
        result = self.result
        if not result.played or not result.standings:
            return "No game has been played yet."
        first = result.standings[0]
        if result.solitaire:
            return "No game has a score." if first.mean is None else f"{named(first.agent)} is first, with a mean score of {_mean(first)}."
        if first.elo is None:
            return "The games do not yet tell who is stronger."
        lead = f"{named(first.agent)} is first, with {elo_words(first)} Elo."
        if len(result.standings) > 1:
            likely = result.superiority[0][1]
            sure = "" if likely >= SURE else " That is not certain enough to call it the strongest."
            lead += f" The likelihood that it is stronger than {named(result.standings[1].agent)}, the second, is {percent(likely)}.{sure}"
        return lead

    def _standings(self) -> str:
        plot = scores_plot(self.result, named) if self.result.solitaire else ratings_plot(self.result, named)
        return standings_table(self.result) + plot if self.result.standings else ""

    def _cross(self) -> str:
        result = self.result
        if result.solitaire or len(result.standings) < 2:
            return ""
        numbers = {cell.games for row, cells in enumerate(result.cross) for column, cell in enumerate(cells) if row != column and cell.games}
        same = len(numbers) == 1
        listed = len(self.games) <= MOST_GAMES

        def said(row: int, column: int) -> str:
            cell: Cell = result.cross[row][column]
            if not cell.games:
                return '<td class="none"></td>'
            text = points(cell.points) + ("" if same else f'<span class="error">/{cell.games}</span>')
            if listed:
                text = f'<a href="#p{min(row, column)}-{max(row, column)}">{text}</a>'
            fault = '<span class="mark" title="with faults">•</span>' if cell.faults or cell.gifts else ""
            words = f"{cell.wins} won, {cell.draws} drawn, {cell.losses} lost"
            return f'<td {_coloured(cell.points / cell.games)} title="{words}">{text}{fault}</td>'

        games = f"Points of {numbers.pop()} games" if same else "Points of games"
        caption = f"{games} of the row against the column. Blue: the row did better; orange: worse. A dot: some of them ended by a fault."
        return results_plot(result, named) + matrix(result, caption + " A cell leads to its games." * listed, said)

    def _superiority(self) -> str:
        result = self.result
        if result.solitaire or len(result.standings) < 2 or not any(one.elo is not None for one in result.standings):
            return ""

        def said(row: int, column: int) -> str:
            if result.standings[row].elo is None or result.standings[column].elo is None:
                return '<td class="none"></td>'
            likely = result.superiority[row][column]
            kind = "better" if likely >= SURE else "worse" if likely <= 1 - SURE else "even"
            number = "&gt;99" if likely >= 0.995 else "&lt;1" if likely < 0.005 else f"{100 * likely:.0f}"
            return f'<td class="{kind}" style="--much:0.55">{number}</td>'

        caption = "The likelihood, in per cent, that the row is stronger than the column. Coloured: 95 or more, or 5 or less; the rest is not decided."
        return matrix(result, caption, said)

    def _limit(self) -> float | None:
        limits = {control.move_seconds for line in self.games if (control := control_of(line.game.key.control)) is not None}
        return limits.pop() if len(limits) == 1 else None

    def _short(self, name: str) -> str:
        return name[: self.letters]

    def _faults(self) -> str:
        told = faults_list(self.result, self.games, self._short)
        if not told:
            return "<p>No game ended by a fault.</p>" if self.games else ""
        return faults_plot(self.result, named) + told

    def _list(self) -> str:
        if not self.games:
            return ""
        command = f"outplay replay {shlex.quote(self.store.path.name if self.store.path is not None else 'STORE')}"
        said = (
            f"<p>To see a game move by move: <code>{escaped(command)} NAME</code>, with the name of the game, such as "
            f"<code>{self._short(self.games[0].game.id)}</code>. The agent at seat 0 is named first.</p>"
        )
        if len(self.games) > MOST_GAMES:
            return said + f"<p>There are {len(self.games):,} games; outplay export lists them.</p>"
        grouped: dict[tuple[int, int], list[Counted]] = defaultdict(list)
        for line in self.games:
            grouped[min(line.first, line.second), max(line.first, line.second)].append(line)
        return said + "".join(self._pairing(one, other, lines) for (one, other), lines in sorted(grouped.items()))

    def _pairing(self, one: int, other: int, lines: Sequence[Counted]) -> str:
        names = named(self.result.standings[one].agent)
        if one != other:
            cell = self.result.cross[one][other]
            names += f" – {named(self.result.standings[other].agent)} <b>{points(cell.points)} : {points(cell.games - cell.points)}</b>"
        rows = "".join(self._row(line) for line in lines)
        return f'<details id="p{one}-{other}"><summary>{names} <span class="error">{len(lines):,} games</span></summary><div class="scroll"><table class="games">{rows}</table></div></details>'

    def _row(self, line: Counted) -> str:
        game, standings = line.game, self.result.standings
        players = named(standings[line.first].agent)
        if line.first != line.second:
            players += f" – {named(standings[line.second].agent)}"
        if self.result.solitaire or game.score is None:
            result = _figure(game.score)
        else:
            result = {1.0: "1 : 0", 0.5: "½ : ½", 0.0: "0 : 1"}.get(line.result if line.result is not None else -1.0, "–")
        how = "" if game.verdict is Verdict.FINISHED else f'<span class="key {FAULTS.get(game.verdict, "rule")}">{game.verdict}</span>'
        moves = game.efforts[0].moves + (game.efforts[1].moves if line.first != line.second else 0)
        return f"<tr><td><code>{self._short(game.id)}</code></td><td>{players}</td><td>{result}</td><td>{moves} moves</td><td>{how}</td></tr>"

    def _facts(self) -> str:
        listed = facts(self.result, self.store, self.games)
        return '<dl class="facts">' + "".join(f"<dt>{name}</dt><dd>{said}</dd>" for name, said in listed) + "</dl>"

    def _foot(self) -> str:
        import outplay

        return f"<footer>Written by Outplay {html.escape(outplay.__version__)} on {date.today().isoformat()}.</footer>\n"
