"""`python -m bench [NAME ...]`: print each figure beside its target and its peer."""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bench import (
    cold,
    deadlines,
    game_2048,
    learned,
    montecarlo,
    page,
    peers,
    projects,
    report,
    solvers,
    strength,
    tables,
    techniques,
    threads,
    web,
)
from bench.figure import Figure

# What ours stands beside, and who measures it.
BENCHMARKS: dict[str, tuple[str, Callable[..., Iterator[Figure]]]] = {
    "peers": ("the peer", peers.figures),
    "deadlines": ("", deadlines.figures),
    "cold": ("bare Python", cold.figures),
    "projects": ("the project", projects.figures),
    "threads": ("one thread", threads.figures),
    "montecarlo": ("OpenSpiel, or one thread", montecarlo.figures),
    "2048": ("OpenSpiel", game_2048.figures),
    "solvers": ("bitbully, or one thread", solvers.figures),
    "tables": ("", tables.figures),
    "techniques": ("every technique", techniques.figures),
    "web": ("", web.figures),
    "page": ("", page.figures),
    "strength": ("", strength.figures),
    "tiles": ("", game_2048.tiles),
    "learned": ("", learned.figures),
}
LONG = ("strength", "tiles", "learned")  # whole games take half an hour and more, so they run only if they are named


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"what to measure: {', '.join(BENCHMARKS)}; if none is named, all but {' and '.join(LONG)}",
    )
    parser.add_argument("--full", action="store_true", help="1,000 searches for every deadline; takes 20 minutes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE as well")
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in BENCHMARKS:
            parser.error(f"there is no benchmark {name!r}; there are {', '.join(BENCHMARKS)}")
    if arguments.json and not arguments.json.parent.is_dir():
        parser.error(f"there is no directory {str(arguments.json.parent)!r} to write {arguments.json.name} to")

    console = report.console()
    console.print(", ".join(f"{what} {value}" for what, value in report.machine().items()), highlight=False)
    figures = {}
    for name in arguments.names or [name for name in BENCHMARKS if name not in LONG]:
        beside, measure = BENCHMARKS[name]
        if name == "deadlines":
            measure = partial(measure, full=arguments.full)
        with console.status(f"{name} ..."):
            figures[name] = list(measure())
        console.print(report.table(name, figures[name], beside=beside), highlight=False)
        if arguments.json:
            report.save(arguments.json, figures)
    verdicts = [figure.verdict for made in figures.values() for figure in made if figure.verdict]
    console.print(f"{verdicts.count('met')} of {len(verdicts)} targets met.", highlight=False)


if __name__ == "__main__":
    main()
