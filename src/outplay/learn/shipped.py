"""The learned estimates that ship with Outplay. `python -m bench.ship` makes them."""

from functools import cache
from pathlib import Path

from outplay.errors import LearnedError
from outplay.games import catalogue
from outplay.learn.learned import Learned
from outplay.rules.game import Game

FOLDER = Path(__file__).parent / "estimates"
ENDING = ".learned"


def names() -> list[str]:
    """Return the names of the games with an estimate that ships, as `load` takes them."""
    return sorted(path.name.removesuffix(ENDING) for path in FOLDER.glob(f"*{ENDING}"))


def shipped(game: Game) -> Learned | None:
    """Return the estimate of *game* that ships with Outplay; None if there is none.

    Only games by `load` with their usual parameters have one.
    """
    return loaded(catalogue.without_usual(game.loaded_as)) if game.loaded_as else None


@cache
def loaded(name: str) -> Learned | None:
    """Return the estimate of the built-in game *name*; None if there is none, or if its rules are no longer those of the file."""
    if name not in names():
        return None
    try:
        return Learned.load(FOLDER / f"{name}{ENDING}", catalogue.built_in(name))
    except LearnedError:  # searches go on without it; tests/test_shipped.py fails
        return None
