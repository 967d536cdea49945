"""`outplay tournament`: a tournament with a live table, from flags or a file."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from outplay.arena.report import write_report
from outplay.arena.standings import Tournament, standing_rows
from outplay.arena.store import Store
from outplay.arena.tournament import Start, TournamentProgress
from outplay.arena.tournament import tournament as run_tournament
from outplay.arena.tournament_file import TournamentFile, matched
from outplay.cli.bar import time_text
from outplay.cli.guard import guard
from outplay.cli.position import unreadable
from outplay.cli.printing import say
from outplay.errors import AgentError, Interrupted, OptionError, UnknownGame

OFTEN = 0.5  # seconds from one table to the next, on a terminal
SELDOM = 10.0  # seconds from one line to the next, elsewhere
STORE = "tournament.store"


def tournament(
    console: Console,
    errors: Console,
    what: str,
    agents: list[str],
    given: dict[str, Any],
    *,
    report: Path | None = None,
    cluster: str | None = None,
    as_json: bool = False,
) -> None:
    """Play the tournament in the file *what*, or of the game *what*, and print its table. *given*: options that are not None."""
    file: TournamentFile | None = None
    chosen = {key: value for key, value in given.items() if value is not None}
    if what.endswith(".toml"):
        if agents:
            raise OptionError(f"{what} names the agents; leave out {agents[0]}, or write it there")
        file = TournamentFile(what)
        options = file.options
        written = options.pop("report", None)
        report = report or written
        game, texts = options.pop("game"), options.pop("agents")
        if {"preset", "control"} & set(chosen):
            options.pop("control", None)
        options.setdefault("store", Path(what).with_suffix(".store"))
        options |= chosen
    else:
        game, texts, options = what, [file for text in agents for file in _matched(text)], {"store": Path(STORE), **chosen}
    if not texts:
        raise OptionError(f"no agents are named; write some after {what}, such as agents/*.py random")
    if report is not None and Path(report).suffix.lower() not in (".html", ".htm"):
        raise OptionError(f"the report {str(report)!r} is a web page; give it a name that ends in .html")
    if report is not None and not Path(report).absolute().parent.is_dir():
        raise OptionError(f"the report {str(report)!r} is in a folder that does not exist; name a file in a folder that exists")
    if cluster is not None:
        from outplay.arena.cluster import on_cluster

        if options.get("jobs", 1) != 1:
            raise OptionError("jobs are processes of this machine, and --cluster plays on others; leave one of them out")
        options["plays"] = on_cluster(cluster)
    try:
        rules = guard.load(game)  # an unknown game is an error now, and its rules are watched from here on
    except (OptionError, UnknownGame) as error:
        raise error if file is None else file.wrong_game(error) from None
    interrupted = False
    with _shown(errors) as display:
        try:
            found = run_tournament(rules, texts, game_text=game, **options, begun=display.begun, progress=display.progress)
        except AgentError as error:
            raise error if file is None else file.wrong_agent(error) from None
        except Interrupted as stopped:
            if stopped.result is None:
                raise
            found, interrupted = stopped.result, True
    if report is not None:
        with Store(options["store"], readonly=True) as store:
            write_report(found, store, report)
    print_standings(console, found, as_json=as_json)
    if report is not None:
        errors.print(f"The report is in {escape(str(report))}.", soft_wrap=True)
    if interrupted:
        errors.print(f"Interrupted; --resume --store {options['store']} goes on.", soft_wrap=True)
        sys.exit(130)


def _matched(text: str) -> list[str]:
    found = matched(text)
    if not found:
        raise OptionError(f"no file fits {text!r}; name agents such as agents/*.py, random or search:depth=4")
    return found


def listed_openings(path: Path) -> list[str]:
    """Return the states in the lines of a file; empty lines and those that begin with # do not count."""
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(
            f"the openings in {path} cannot be read: {unreadable(error)}; name a text file with a state in each line"
        ) from None
    found = [line for line in lines if line and not line.startswith("#")]
    if not found:
        raise OptionError(f"{path} has no openings; write a state in each line")
    return found


def print_standings(console: Console, found: Tournament, *, as_json: bool) -> None:
    """Print the standings: as JSON, as a table on a terminal, or as plain text elsewhere."""
    if as_json:
        print(json.dumps(found.to_dict(), indent=2))
    elif console.is_terminal:
        console.print(standings_table(found))
        for line in found.remarks():
            say(console, line)
    else:
        say(console, found)


def standings_table(found: Tournament) -> Table:
    """Return the standings as a table of rich."""
    head, rows = standing_rows(found)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    for name in head:
        if name == "agent":
            table.add_column(name, min_width=8, overflow="fold")
        else:
            table.add_column(name.replace(" to ", "\nto "), justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*map(escape, row))
    return table


@contextmanager
def _shown(errors: Console) -> Iterator["_Display"]:
    display = _Display(errors)
    try:
        yield display
    finally:
        display.close()


class _Display:
    """Shows the progress of a tournament: a live table on a terminal, a line now and then elsewhere."""

    def __init__(self, errors: Console) -> None:
        self.errors = errors
        self.live: Live | None = None
        self._next = 0.0

    def begun(self, start: Start) -> None:
        """Say what is known before the first game."""
        able = sum(not one.refused for one in start.entrants)
        agents, games = ("agent" if able == 1 else "agents"), ("game" if start.total == 1 else "games")
        self._line(f"{start.game}: {able} {agents}, {start.total:,} {games}, {start.control}")
        if start.isolation:
            self._line(start.isolation, style="yellow" if "tier none" in start.isolation else None)
        for one in start.entrants:
            if one.refused:
                self._line(f"{one.name} cannot start and plays no game: {one.refused}", style="yellow")
        for note in start.notes:
            if not any(one.refused and note.startswith(one.name) for one in start.entrants):
                self._line(note)
        if start.known:
            self._line(f"{start.known:,} games are in the store already; {start.total - start.known:,} are left")
        self._next = time.monotonic() + (0 if self.errors.is_terminal else SELDOM)

    def progress(self, found: TournamentProgress) -> None:
        """Show where the tournament stands, now and then."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + (OFTEN if self.errors.is_terminal else SELDOM)
        left = "" if found.seconds_left is None else f", {time_text(found.seconds_left)} left"
        line = f"{found.played:,} of {found.total:,} games{left}"
        if not self.errors.is_terminal:
            self._line(line)
            return
        if self.live is None:
            self.live = Live(console=self.errors, transient=True, auto_refresh=False)
            self.live.start()
        self.live.update(Group(standings_table(found.table()), Text(line)), refresh=True)
        self._next += 10 * (time.monotonic() - now)  # a table of many agents takes its time

    def _line(self, text: str, *, style: str | None = None) -> None:
        self.errors.print(escape(text), style=style, soft_wrap=not self.errors.is_terminal)

    def close(self) -> None:
        """Remove the live table."""
        if self.live is not None:
            self.live.stop()
