"""`write_report`: a tournament as one HTML file that an instructor can hand out.

The file needs no network, no script and no other file. Names of agents and what they said are hostile input: `report_text.escaped`
writes them, and the file's own policy forbids scripts in case that fails.
"""

import html
import os
import shlex
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from outplay.arena.entrants import agent_file
from outplay.arena.record import Verdict
from outplay.arena.report_plots import DASH, FAULTS, elo_words, faults_plot, ratings_plot, results_plot, scores_plot, time_plot
from outplay.arena.report_tables import coloured, control_of, facts, faults_list, matrix, shortest, standings_table
from outplay.arena.report_text import MOST_NAME, escaped, figure, mean_words, named, percent, plain, points, without_folders
from outplay.arena.standings import Counted, Tournament, counted
from outplay.arena.store import Store
from outplay.atomic_write import write_text

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
MOST_GAMES = 20_000  # that are listed
MANY_PAIRINGS = 30  # that are folded away
MOST_FIRST = 5  # agents named that share the first place
SURE = 0.95  # a likelihood of superiority that is coloured


def write_report(tournament: Tournament, store: Store, path: Path | str) -> None:
    """Write the standings of *tournament*, its plots, faults and games, which are in *store*, to the HTML file *path*."""
    write_text(Path(path), report(tournament, store))


def report(tournament: Tournament, store: Store) -> str:
    """Return the report as the text of an HTML file."""
    return _Report(tournament, store).text()


def _folders(store: Store) -> set[Path]:
    """Return the folders of the agents and of this process, which belong to the machine and not into a report."""
    texts = [str(one.get("text", "")) for one in store.about("agents") or []]
    words = [word for text in texts for word in ([agent_file(text)] if agent_file(text) else text.split()) if os.sep in word]
    files = [Path(word) for word in words]
    return {Path.cwd(), *(file.parent for file in files if file.is_absolute()), *(file.absolute().parent for file in files)}


def _private(result: Tournament, store: Store) -> Tournament:
    """Return *result* without the folders of this machine."""
    known = _folders(store)
    return replace(
        result,
        game=without_folders(result.game, known),
        notes=tuple(without_folders(note, known) for note in result.notes),
        standings=tuple(replace(one, refused=without_folders(one.refused, known)) for one in result.standings),
    )


class _Report:
    """A report while it is written."""

    def __init__(self, result: Tournament, store: Store) -> None:
        self.store = store
        self.result = result = _private(result, store)
        belonging = set(result.identities)
        games = [game for game in store.scheduled_games() if {game.key.first, game.key.second} <= belonging]
        games = [replace(game, detail=without_folders(game.detail, _folders(store))) if game.detail else game for game in games]
        self.games = counted(games, result.identities)
        self.letters = shortest(line.game.id for line in self.games)

    def text(self) -> str:
        result = self.result
        title = f"{plain(self._title(), MOST_NAME)}: tournament report"
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

    def _title(self) -> str:
        """Return what the game calls itself, if it is a user's file."""
        return str(self.store.about("title") or self.result.game) if self.result.game.endswith(".py") else self.result.game

    def _head(self) -> str:
        result = self.result
        agents, moves = len(result.standings), sum(one.moves for one in result.standings)
        of = f" of {result.total:,}" if result.total > result.played else ""
        figures = [(f"{agents:,}", "agents"), (f"{result.played:,}{of}", "games"), (f"{moves:,}", "moves")]
        figures.append((f"{sum(one.fault_count for one in result.standings):,}", "faults"))
        shown = "".join(f"<div><dd>{number}</dd><dt>{what}</dt></div>" for number, what in figures)
        notes = [*result.notes, *([result.sprt_words()] if result.sprt is not None else [])]
        if result.total > result.played:
            notes.insert(0, f"The tournament is not over: {result.total - result.played:,} games are still to be played.")
        if result.rule_errors:
            notes.append(f"Games that ended by an error of the rules, and count for nobody: {result.rule_errors:,}.")
        said = "".join(f"<li>{escaped(note, 1_000)}</li>" for note in notes)
        return (
            f'<header><p class="kicker">Tournament</p><h1>{escaped(self._title(), MOST_NAME)}</h1><p class="lead">{self._lead()}</p>'
            f'<dl class="figures">{shown}</dl>' + f'<ul class="notes">{said}</ul>' * bool(said) + "</header>\n"
        )

    def _lead(self) -> str:
        result = self.result
        if not result.played or not result.standings:
            return "No game has been played yet."
        first = result.standings[0]
        if result.solitaire and first.mean is None:
            return "No game has a score."
        if not result.solitaire and first.elo is None:
            return "The games do not yet tell who is stronger."
        achieved = f"a mean score of {mean_words(first)}" if result.solitaire else f"{elo_words(first)} Elo"
        sharing = [one for one in result.standings if one.rank == first.rank]
        if len(sharing) > 1:
            listed = ", ".join(named(one.agent) for one in sharing[:MOST_FIRST])
            listed += f" and {len(sharing) - MOST_FIRST:,} more" * (len(sharing) > MOST_FIRST)
            return f"{len(sharing):,} agents share the first place, each with {achieved}: {listed}."
        lead = f"{named(first.agent)} is first, with {achieved}."
        if len(result.standings) > 1 and not result.solitaire:
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
        numbers = {
            cell.games
            for row, cells in enumerate(result.cross)
            for column, cell in enumerate(cells)
            if row != column and cell.games
        }
        same = len(numbers) == 1
        listed = len(self.games) <= MOST_GAMES

        def said(row: int, column: int) -> str:
            cell = result.cross[row][column]
            if not cell.games:
                return '<td class="none"></td>'
            text = points(cell.points) + ("" if same else f'<span class="error">/{cell.games}</span>')
            if listed:
                text = f'<a href="#p{min(row, column)}-{max(row, column)}">{text}</a>'
            words = f"{cell.wins} won, {cell.draws} drawn, {cell.losses} lost"
            if cell.faults or cell.gifts:
                words += f"; by faults {cell.gifts} won, {cell.faults} lost"
            fault = bool(cell.faults or cell.gifts)
            return f'<td {coloured(cell.points / cell.games, fault=fault)} title="{words}">{text}</td>'

        games = f"Points of {numbers.pop()} games" if same else "Points of games"
        caption = f"{games} of the row against the column. Blue: the row did better; orange: worse. A marked corner: some of them ended by a fault."
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
        listed = "".join(self._pairing(one, other, lines) for (one, other), lines in sorted(grouped.items()))
        if len(grouped) > MANY_PAIRINGS:
            listed = f"<details><summary>All {len(grouped):,} pairings</summary>{listed}</details>"
        return said + listed

    def _pairing(self, one: int, other: int, lines: Sequence[Counted]) -> str:
        names = named(self.result.standings[one].agent)
        if one != other:
            cell = self.result.cross[one][other]
            names += f" &ndash; {named(self.result.standings[other].agent)} <b>{points(cell.points)} : {points(cell.games - cell.points)}</b>"
        rows = "".join(self._row(line) for line in lines)
        return (  # a link to what is inside opens it
            f'<details><summary>{names} <span class="error">{len(lines):,} games</span></summary>'
            f'<div class="scroll" id="p{one}-{other}"><table class="games">{rows}</table></div></details>'
        )

    def _row(self, line: Counted) -> str:
        game, standings = line.game, self.result.standings
        players = named(standings[line.first].agent)
        if line.first != line.second:
            players += f" &ndash; {named(standings[line.second].agent)}"
        if self.result.solitaire or game.score is None:
            result = figure(game.score)
        else:
            result = {1.0: "1 : 0", 0.5: "½ : ½", 0.0: "0 : 1"}.get(line.result if line.result is not None else -1.0, DASH)
        how = (
            ""
            if game.verdict is Verdict.FINISHED
            else f'<span class="key {FAULTS.get(game.verdict, "rule")}">{game.verdict}</span>'
        )
        moves = game.efforts[0].moves + (game.efforts[1].moves if line.first != line.second else 0)
        return f"<tr><td><code>{self._short(game.id)}</code></td><td>{players}</td><td>{result}</td><td>{moves} moves</td><td>{how}</td></tr>"

    def _facts(self) -> str:
        listed = facts(self.result, self.store, self.games)
        return '<dl class="facts">' + "".join(f"<dt>{name}</dt><dd>{said}</dd>" for name, said in listed) + "</dl>"

    def _foot(self) -> str:
        import outplay

        return f"<footer>Written by Outplay {html.escape(outplay.__version__)} on {date.today().isoformat()}.</footer>\n"
