"""`outplay`: the commands, and what they share."""

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from outplay import __version__
from outplay.agents.agent import Agent
from outplay.agents.named import agent
from outplay.agents.search import SearchAgent
from outplay.agents.solved import SolvedAgent
from outplay.arena.match import match as play_match
from outplay.checking.check import check as check_game
from outplay.checking.check_display import told
from outplay.cli.bar import solving
from outplay.cli.best import best as run_best
from outplay.cli.compare import compare as run_compare
from outplay.cli.estimates import chosen_estimate, estimate_note
from outplay.cli.guard import guard
from outplay.cli.help import Command, Commands, Stopped
from outplay.cli.judge import judge as run_judge
from outplay.cli.learn import learn as run_learn
from outplay.cli.option_words import as_typed
from outplay.cli.play import NAME as OUTPLAY
from outplay.cli.play import Session
from outplay.cli.playouts import playouts as run_playouts
from outplay.cli.position import position
from outplay.cli.printing import say
from outplay.cli.reproduce import reproduce as run_reproduce
from outplay.cli.solve import solve as run_solve
from outplay.cli.solve import verify as run_verify
from outplay.cli.store import export as run_export
from outplay.cli.store import import_games as run_import
from outplay.cli.store import show_replay as run_replay
from outplay.cli.store import standings as run_standings
from outplay.cli.tournament import listed_openings
from outplay.cli.tournament import tournament as run_tournament
from outplay.cli.tree import tree as run_tree
from outplay.cli.web import run_web
from outplay.compile.announce import under_way
from outplay.compile.watchdog import GivenUp
from outplay.errors import OptionError, OutplayError, RuleRaised
from outplay.games import catalogue
from outplay.search.compare import MOST_NODES
from outplay.solve.solution import Solution

HELP = "Write a game's rules in plain Python; find its best move at machine speed."
app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)

GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A built-in name, as connect-four:columns=5,rows=5, or a Python file with a Game in it."),
]
StateText = Annotated[
    str,
    typer.Argument(metavar="STATE", help="The position in the game's notation (Connect Four: 44353), or its fields: 5,0,False."),
]
Seconds = Annotated[float | None, typer.Option(metavar="NUMBER", help="Time for a move; 1 if no limit is given.")]
Depth = Annotated[int | None, typer.Option(metavar="NUMBER", help="Moves to look ahead.")]
Nodes = Annotated[int | None, typer.Option(metavar="NUMBER", help="Nodes to visit.")]
Opponent = Annotated[str, typer.Option(metavar="NAME", help="best, random, a policy of the game, or FILE.py:function.")]
Threads = Annotated[int, typer.Option(metavar="NUMBER", help="Threads that search together.")]
Moves = Annotated[
    str,
    typer.Option(metavar="NAMES", help="Moves and outcomes of chance to play first, separated by spaces or commas: '4 4 3'."),
]
Only = Annotated[
    list[str] | None,
    typer.Option(metavar="NAMES", help="The only techniques to use, such as pruning,table; none for plain minimax."),
]
Without = Annotated[list[str] | None, typer.Option(metavar="NAMES", help="Techniques to leave out, such as deepening,scout.")]

LearnedFile = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        help="A learned estimate, by outplay learn, in place of the game's own; none: no learned one. If left out, the one that ships with Outplay, if there is one.",
    ),
]


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"outplay {__version__}")
        raise typer.Exit


@app.callback(help=HELP)
def outplay(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version, and end.")
    ] = False,
) -> None:
    """Take the options that stand before a command."""


def main() -> None:
    """Run the command line; errors of ours are one line, and Ctrl-C leaves without a trace."""
    sys.unraisablehook = _leave_if_interrupted
    with _errors():
        app()


def _leave_if_interrupted(unraisable: Any) -> None:
    """End the process where Ctrl-C came inside a callback of the compiler, which swallows it."""
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        print(Stopped(compiling=under_way()), file=sys.stderr, flush=True)
        os._exit(130)  # files are complete at any time: they are renamed into place
    sys.__unraisablehook__(unraisable)


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except OutplayError as error:
        inner = error.__cause__ if isinstance(error, RuleRaised) else None
        _tell((inner and guard.game and told(guard.game, inner)) or as_typed(error, _options()))
        sys.exit(2)
    except GivenUp:  # raised by the guard
        _tell(guard.error)
        sys.exit(2)
    except (Stopped, KeyboardInterrupt) as error:
        errors.print(str(error) or str(Stopped()), soft_wrap=not errors.is_terminal)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has left
        sys.exit(141)
    except Exception as error:  # a user's own function for people, such as show, went wrong
        if os.environ.get("OUTPLAY_DEBUG"):
            raise
        if guard.game is not None and (said := told(guard.game, error)):
            _tell(said)
            sys.exit(2)
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"in {frame.name}, line {frame.lineno} of {Path(frame.filename).name}"
        errors.print(
            f"[bold red]Error:[/] {_escaped(f'{type(error).__name__}: {error} ({where}); OUTPLAY_DEBUG=1 shows all')}",
            soft_wrap=not errors.is_terminal,
        )
        sys.exit(1)


def _options() -> Iterator[str]:
    """Yield the options of all commands by their names in Python: seconds, memory_mb and others."""
    for command in typer.main.get_command(app).commands.values():  # type: ignore[attr-defined]
        for parameter in command.params:
            for name in parameter.opts:
                if name.startswith("--"):
                    yield name[2:].replace("-", "_")


def _tell(error: object) -> None:
    errors.print(f"[bold red]Error:[/] {_escaped(str(error))}", soft_wrap=not errors.is_terminal)


def _escaped(text: str) -> str:
    from rich.markup import escape

    return escape(text)


def techniques(texts: list[str] | None) -> tuple[str, ...] | None:
    """Return the techniques in *texts*, each a list with commas; "none" names none. None if the option was not given."""
    if not texts:
        return None
    names = (name.strip() for text in texts for name in text.split(","))
    return tuple(name for name in names if name not in ("", "none"))


@app.command(cls=Command)
def games() -> None:
    """List the built-in games and their parameters."""
    table = Table("game", "parameters", "what it is", box=None, pad_edge=False, header_style="bold")
    for name in catalogue.names():
        make = catalogue.maker(name)
        table.add_row(name, catalogue.parameters(make) or "-", catalogue.summary(make))
    console.print(table)


@app.command(cls=Command)
def best(
    game: GameName,
    state: StateText = "",
    seconds: Seconds = None,
    depth: Depth = None,
    nodes: Nodes = None,
    opponent: Opponent = "best",
    threads: Threads = 1,
    moves: Moves = "",
    only: Only = None,
    without: Without = None,
    method: Annotated[str, typer.Option(metavar="NAME", help="alpha-beta, or mcts: Monte Carlo tree search.")] = "alpha-beta",
    simulations: Annotated[int | None, typer.Option(metavar="NUMBER", help="Simulations to run, by mcts.")] = None,
    leaves: Annotated[str | None, typer.Option(metavar="NAME", help="How mcts values a leaf: playout, estimate or mix.")] = None,
    samples: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Outcomes to look at where chance has more; all if left out.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Seed of the playouts of mcts, and of samples.")] = 0,
    learned: LearnedFile = "",
    verbose: Annotated[bool, typer.Option("--verbose", help="Print a line for every depth.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Find the best move of a position, and say why."""
    run_best(
        console, game, state, moves,
        limits={"seconds": seconds, "depth": depth, "nodes": nodes, "simulations": simulations}, opponent=opponent, threads=threads,
        only=techniques(only), without=techniques(without) or (), method={"method": method, "leaves": leaves, "samples": samples, "seed": seed},
        learned=learned, verbose=verbose, as_json=as_json,
    )  # fmt: skip


@app.command(cls=Command)
def compare(
    game: GameName,
    state: StateText = "",
    moves: Moves = "",
    depth: Annotated[int, typer.Option(metavar="NUMBER", min=1, help="The largest depth, in moves.")] = 6,
    positions: Annotated[int, typer.Option(metavar="NUMBER", min=1, help="Random positions to search.")] = 10,
    nodes: Annotated[int, typer.Option(metavar="NUMBER", min=1, help="Nodes after which a search is given up.")] = MOST_NODES,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Seed of the positions.")] = 0,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a plot, .svg, .png or .pdf; needs matplotlib.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Compare the techniques of a search, and Monte Carlo, on the same positions as the depth grows."""
    run_compare(
        console, errors, game, state, moves,
        depth=depth, positions=positions, nodes=nodes, seed=seed, plot=plot, as_json=as_json,
    )  # fmt: skip


@app.command(cls=Command)
def playouts(
    game: GameName,
    state: StateText = "",
    number: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Games to play; 10,000 if neither this nor --seconds is given.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(metavar="NUMBER", help="Time for all games.")] = None,
    seed: Annotated[
        int, typer.Option(metavar="NUMBER", help="Seed of the games; at any number of threads they are the same.")
    ] = 0,
    threads: Annotated[int, typer.Option(metavar="NUMBER", help="Threads that play.")] = 1,
    policy: Annotated[
        str, typer.Option(metavar="NAME", help="Who plays both sides: random, a policy of the game, or FILE.py:function.")
    ] = "random",
    moves: Moves = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Play many games from a position to their end, at random or by a policy, and say what came of them."""
    run_playouts(
        console, game, state, moves, number=number, seconds=seconds, seed=seed, threads=threads, policy=policy, as_json=as_json
    )


@app.command(cls=Command)
def play(
    game: GameName,
    state: StateText = "",
    seconds: Seconds = None,
    depth: Depth = None,
    nodes: Nodes = None,
    seat: Annotated[int, typer.Option(metavar="NUMBER", min=0, max=1, help="The player that you are: 0 moves first.")] = 0,
    threads: Threads = 1,
    moves: Moves = "",
    against: Annotated[
        str,
        typer.Option(
            metavar="AGENT",
            help="Another opponent, as match names it: mcts, mcts:simulations=10000, search:depth=5, random, solved, a policy of the game or FILE.py.",
        ),
    ] = "",
    solved: Annotated[Path | None, typer.Option(metavar="FILE", help="A table by outplay solve: play and hint from it.")] = None,
    learned: LearnedFile = "",
    seed: Annotated[int | None, typer.Option(metavar="NUMBER", help="Seed of the dice.")] = None,
) -> None:
    """Play against Outplay in the terminal."""
    rules = guard.load(game)
    start = position(rules, state, moves)
    if rules.solitaire and seat:
        raise OptionError(f"{rules.name} is a game for one player: leave out --seat")
    limited = any(limit is not None for limit in (seconds, depth, nodes))
    opponent: Agent
    if against:
        if depth is not None or nodes is not None or threads != 1 or solved is not None or learned:
            raise OptionError(
                "--against names the opponent with its options, such as search:depth=5, mcts:nodes=100000 or solved:FILE; "
                "leave out --depth, --nodes, --threads, --solved and --learned"
            )
        with solving(errors) as progress:
            opponent = agent(against, rules, seconds=seconds or 1.0, progress=progress)
        ours = isinstance(opponent, (SearchAgent, SolvedAgent))
        name = OUTPLAY if ours else opponent.name
        adviser = opponent if ours else SearchAgent(seconds=seconds or 1.0)
        Session(console, rules, start, seat, opponent, seed, name=name, adviser=adviser).run()
        return
    if solved is None:
        estimate = chosen_estimate(learned, rules)
        opponent = SearchAgent(
            seconds=seconds if limited else 1.0, depth=depth, nodes=nodes, threads=threads, estimate=estimate
        )  # fmt: skip
        if note := estimate_note(learned, rules, estimate):
            say(console, note)
    elif learned:
        raise OptionError("--solved looks moves up and needs no estimate; leave out --learned, or --solved")
    elif limited:
        raise OptionError("--solved looks moves up and does not search; leave out --seconds, --depth and --nodes, or --solved")
    else:
        solution = Solution.load(solved, rules)
        solution[start]  # refuses a state outside the table now rather than in the game
        opponent = SolvedAgent(solution)
    Session(console, rules, start, seat, opponent, seed).run()


@app.command(cls=Command)
def match(
    game: GameName,
    first: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="An agent: search:depth=5,opponent=random, search:depth=4,learned=FILE, mcts:simulations=10000, random, solved, solved:FILE, FILE.py:function or a policy of the game.",
        ),
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="Another; a game for one player needs none.")] = "",
    games: Annotated[int, typer.Option(metavar="NUMBER", min=1, help="Games to play, half from each seat.")] = 20,
    seconds: Annotated[float, typer.Option(metavar="NUMBER", help="Time a move of a search that names no limit.")] = 0.1,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Seed of the deals, the openings and the dice.")] = 0,
    opening: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            min=0,
            help="Random plies before the agents take over; if left out, some where the games would all be the same.",
        ),
    ] = None,
) -> None:
    """Play two agents against each other; every start is played from both seats. A solitaire is played by each alone.

    A Python file is trusted: it runs in this process, with all your rights and without a clock. Play files of others with outplay tournament.
    """
    rules = guard.load(game)
    if not first:
        raise OptionError("A is empty; name an agent, such as random or search:depth=5")
    with solving(errors) as progress:
        agents = [agent(text, rules, seconds=seconds, progress=progress) for text in (first, second) if text]
    with Progress(*Progress.get_default_columns(), console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task(" against ".join(one.name for one in agents), total=games)
        found = play_match(
            rules, *agents, games=games, seed=seed, opening=opening, seconds=seconds, progress=lambda _: bar.advance(task)
        )
    say(console, found)


@app.command(cls=Command)
def tournament(
    what: Annotated[str, typer.Argument(metavar="GAME", help="A game, as elsewhere; or a .toml file that says all of this.")],
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT", help="Agents, as for match, and programs: agents/*.py, search:depth=4, random, program:COMMAND."
        ),
    ] = None,
    schedule: Annotated[
        str | None, typer.Option(metavar="NAME", help="round-robin, gauntlet (the first against all others) or swiss.")
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Games of every two agents; 20 if left out, and as many as it takes with --sprt."),
    ] = None,
    rounds: Annotated[int | None, typer.Option(metavar="NUMBER", help="Rounds of a Swiss system.")] = None,
    challengers: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Agents that run the gauntlet; 1 if left out.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Seed of the starts and the luck; drawn at random if left out.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(metavar="NUMBER", help="Processes that play; 1 if left out.")] = None,
    store: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The file that keeps every game; tournament.store if left out.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a store: only games that it lacks are played.")] = False,
    drop: Annotated[
        bool, typer.Option("--drop", help="With --resume: leave out the agents of the store that are not named.")
    ] = False,
    preset: Annotated[str | None, typer.Option(metavar="NAME", help="A time control: contest or ladder.")] = None,
    control: Annotated[
        str | None,
        typer.Option("--time", metavar="TEXT", help="Another one: move=0.5,bank=10, game=60,increment=1 or nodes=10000."),
    ] = None,
    seconds: Annotated[float | None, typer.Option(metavar="NUMBER", help="Time a move of a search that names no limit.")] = None,
    opening: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=0, help="Random plies before the agents take over.")
    ] = None,
    openings: Annotated[Path | None, typer.Option(metavar="FILE", help="Starts to play, a state in each line.")] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1",
            help="Test the first of two agents against the second, until it is decided or --games are played.",
        ),
    ] = None,
    trusted: Annotated[bool, typer.Option("--trusted", help="Run Python files in this process.")] = False,
    untrusted: Annotated[bool, typer.Option("--untrusted", help="Refuse to play if agents cannot be isolated.")] = False,
    tier: Annotated[str | None, typer.Option(metavar="NAME", help="The isolation: W, L or none; the best if left out.")] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Play on the Ray cluster at this address, such as auto; needs the extra cluster: pip install 'outplay\\[cluster]'.",
        ),
    ] = None,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a report as a web page, .html.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the table as JSON.")] = False,
) -> None:
    """Let many agents play each other; print a table with intervals. Every game is kept, and can be resumed."""
    given = {
        "schedule": schedule, "games": games, "rounds": rounds, "challengers": challengers, "seed": seed, "jobs": jobs, "store": store,
        "resume": resume or None, "drop": drop or None, "preset": preset, "control": control, "seconds": seconds, "opening": opening,
        "openings": None if openings is None else listed_openings(openings), "sprt": sprt, "trusted": trusted or None,
        "untrusted": untrusted or None, "tier": tier,
    }  # fmt: skip
    run_tournament(console, errors, what, agents or [], given, report=report, cluster=cluster, as_json=as_json)


StoreFile = Annotated[Path, typer.Argument(metavar="STORE", help="A file that outplay tournament has written.")]


@app.command(cls=Command)
def standings(
    store: StoreFile, as_json: Annotated[bool, typer.Option("--json", help="Print the table as JSON.")] = False
) -> None:
    """Print where a tournament stands, while it is played or later."""
    run_standings(console, store, as_json=as_json)


@app.command(cls=Command)
def replay(
    store: Annotated[Path, typer.Argument(metavar="FILE", help="A store of outplay tournament, or a text by outplay export.")],
    name: Annotated[
        str, typer.Argument(metavar="GAME_ID", help="The game, as outplay export names it; its beginning is enough.")
    ] = "",
    game: Annotated[str, typer.Option(metavar="GAME", help="The rules, if they lie elsewhere now, such as mygame.py.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the game as JSON, with all its states.")] = False,
) -> None:
    """Show a game of a tournament step by step."""
    run_replay(console, store, name, game_text=game, as_json=as_json)


@app.command(cls=Command)
def export(
    store: StoreFile,
    form: Annotated[
        str | None, typer.Option("--format", metavar="NAME", help="text, json or csv; else the ending of FILE says it.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", "-o", metavar="FILE", help="Where to write the games; to the terminal if left out.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Also games of earlier versions of the agents, which no longer count.")
    ] = False,
) -> None:
    """Write the games of a tournament as text, JSON or a table; outplay import reads the text back."""
    run_export(console, store, form=form, to=file, everything=everything)


@app.command(cls=Command, name="import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A text by outplay export.")],
    store: Annotated[Path, typer.Argument(metavar="STORE", help="The store to add the games to; a new one if there is none.")],
) -> None:
    """Add the games of a text to a store."""
    run_import(console, file, store)


@app.command(cls=Command)
def solve(
    game: GameName,
    state: StateText = "",
    moves: Moves = "",
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="table (every state), cycles (where states can come back) or proof (one state's value); chosen if left out.",
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", "-o", metavar="FILE", help="Where to write the table; an interrupted solve goes on from it."),
    ] = None,
    threads: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Threads that work together; all cores if left out.")
    ] = None,
    memory_mb: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", help="Memory, in MB, that a table may take; most of the free memory if left out."),
    ] = None,
    endless: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="The value of play that never ends; 0 if it is not given.")
    ] = None,
    accuracy: Annotated[
        float, typer.Option(metavar="NUMBER", help="The largest error of a value, where states repeat and chance acts.")
    ] = 1e-9,
    as_json: Annotated[bool, typer.Option("--json", help="Print the solution as JSON.")] = False,
) -> None:
    """Find the exact value of a game, or of a position, and the best moves."""
    run_solve(
        console, errors, game, state, moves,
        method=method, file=file, threads=threads, memory_mb=memory_mb, endless=endless, accuracy=accuracy, as_json=as_json,
    )  # fmt: skip


@app.command(cls=Command)
def learn(
    game: GameName,
    file: Annotated[
        Path,
        typer.Option("--file", "-f", metavar="FILE", help="Where the estimate is kept; learning goes on from it if it is there."),
    ],
    seconds: Annotated[float, typer.Option(metavar="NUMBER", help="Time to play games against itself.")] = 60.0,
    threads: Annotated[int, typer.Option(metavar="NUMBER", help="Threads that learn together.")] = 1,
    upon: Annotated[
        str, typer.Option(metavar="NAME", help="nothing, or estimate: learn what to add to the game's own estimate.")
    ] = "nothing",
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Seed of the games.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Learn an estimate of a game by self-play, from the rules alone. Ctrl-C saves what was learned."""
    run_learn(
        console, errors, game, file=file, seconds=seconds, threads=threads, upon=upon, seed=seed, as_json=as_json
    )  # fmt: skip


@app.command(cls=Command, context_settings={"allow_extra_args": True})
def judge(
    context: typer.Context,
    game: GameName,
    learned: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="The learned estimate, by outplay learn; if left out, the one that ships with Outplay."
        ),
    ] = "shipped",
    depth: Annotated[int, typer.Option(metavar="NUMBER", help="Moves that its player looks ahead.")] = 1,
    positions: Annotated[int, typer.Option(metavar="NUMBER", help="Positions to judge.")] = 500,
    opening: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Random plies before each position, or each game; any number if left out."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Judge by a match instead, at the same depth: against nothing (no estimate), or estimate (the game's own).",
        ),
    ] = None,
    games: Annotated[int, typer.Option(metavar="NUMBER", help="Games of a match.")] = 100,
    seconds: Annotated[
        float, typer.Option(metavar="NUMBER", help="Time for exact values; then fewer positions are judged.")
    ] = 60.0,
    nodes: Annotated[int, typer.Option(metavar="NUMBER", help="Nodes after which the proof of a move is given up.")] = 1_000_000,
    memory_mb: Annotated[float, typer.Option(metavar="NUMBER", help="Memory, in MB, that a solved table may take.")] = 512.0,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Seed of the positions or games.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the judgement as JSON.")] = False,
) -> None:
    """Judge a learned estimate by exact values: how often it keeps the result, and what it gives away a move."""
    if context.args:
        raise OptionError(f"the learned estimate is an option: write outplay judge {game} --learned {context.args[0]}")
    run_judge(
        console, errors, game, learned=learned, depth=depth, positions=positions, opening=opening, against=against, games=games,
        seconds=seconds, nodes=nodes, memory_mb=memory_mb, seed=seed, as_json=as_json,
    )  # fmt: skip


@app.command(cls=Command)
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A table that outplay solve has written.")],
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="The game it is of, if it is not built in, such as mygame.py.")
    ] = "",
    named: Annotated[str, typer.Option("--game", metavar="GAME", help="The same, as an option.")] = "",
    threads: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Threads that work together; all cores if left out.")
    ] = None,
) -> None:
    """Check a table against the rules alone. Status 0: all of it holds; 1: it does not; 2: it cannot be read."""
    if game and named:
        raise OptionError(f"the game is named twice, {game} and --game {named}; leave one out")
    run_verify(console, errors, file, game or named, threads=threads)


@app.command(cls=Command)
def tree(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="A game, as elsewhere; or an explicit tree: typed, as 'max(min(3, 12), min(2, 4))', or a .tree or .txt file with one.",
        ),
    ],
    state: StateText = "",
    depth: Annotated[int | None, typer.Option(metavar="NUMBER", help="Moves to look ahead; 3 if no limit is given.")] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file", "-o", metavar="FILE", help="Where to write the tree: .svg, .txt, .dot or .mmd; to the terminal if left out."
        ),
    ] = None,
    nodes: Annotated[int | None, typer.Option(metavar="NUMBER", help="Nodes to visit at most; 10,000 if left out.")] = None,
    only: Only = None,
    without: Without = None,
    opponent: Opponent = "best",
    moves: Moves = "",
    form: Annotated[
        str | None, typer.Option("--format", metavar="NAME", help="svg, text, dot or mermaid; else the ending of FILE says it.")
    ] = None,
    windows: Annotated[bool, typer.Option(help="Write alpha and beta at the nodes.")] = True,
    pictures: Annotated[
        bool | None, typer.Option(help="Draw the states beneath the nodes; if neither is said, in small trees.")
    ] = None,
) -> None:
    """Draw the tree that a search visits, or one typed in as text, with its values and cuts."""
    run_tree(
        console, errors, game, state, moves,
        depth=depth, nodes=nodes, only=techniques(only), without=techniques(without) or (), opponent=opponent,
        file=file, form=form, windows=windows, pictures=pictures,
    )  # fmt: skip


@app.command(cls=Command)
def web(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="Games of your own beside the built-in ones: Python files.")
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="The address to listen on, this machine alone if left out; any other needs --token too."
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", min=0, max=65535, help="The port, 0 for a free one; 8642, or a free one, if left out."),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            envvar="OUTPLAY_TOKEN",
            show_envvar=False,
            help="What opens the page, 16 characters or more; a new one each time if left out. OUTPLAY_TOKEN keeps it from other users.",
        ),
    ] = None,
    opens: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
    tournaments: Annotated[
        list[str] | None,
        typer.Option(
            "--tournament",
            metavar="STORE",
            help="Show a tournament while it is played: a file of outplay tournament; may be repeated.",
        ),
    ] = None,
    learned: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="A learned estimate, by outplay learn, that searches of its game use; may be given several times.",
        ),
    ] = None,
) -> None:
    """Play, analyse and watch searches and tournaments on a page in the browser."""
    run_web(
        console, errors, files or [], host=host, port=port, token=token, opens=opens, tournaments=tournaments or [], learned=learned or []
    )  # fmt: skip


@app.command(cls=Command)
def reproduce(
    project: Annotated[
        str, typer.Argument(metavar="PROJECT", help="The number of a student project, such as 003; all of them if none is given.")
    ] = "",
    quick: Annotated[bool, typer.Option("--quick", help="Fewer games and less time: within a minute.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON.")] = False,
) -> None:
    """Run the experiments of the student projects that Outplay grew from, and compare."""
    run_reproduce(console, errors, project, quick=quick, as_json=as_json)


@app.command(cls=Command)
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A Python file with a Game in it, or a built-in name.")],
    games: Annotated[int, typer.Option(metavar="NUMBER", min=1, help="Random games to play.")] = 100,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Seed of the random games.")] = 0,
) -> None:
    """Check that a game is written right: rules, scores, chances, and that it compiles."""
    report = check_game(file, games=games, seed=seed)
    say(console, report, style=None if report.ok else "red")
    if not report.ok:
        sys.exit(1)
