"""What several commands take: an opponent, techniques."""

from pathlib import Path
from typing import Any

from outplay.errors import OptionError
from outplay.games import catalogue
from outplay.rules.game import Game


def policy(game: Game, text: str) -> Any:
    """Return the opponent that *text* names, as `search` takes it."""
    if text in ("best", "random"):
        return text
    if text in game.policies:
        return game.policies[text]
    file, _, name = text.rpartition(":")
    if not file.endswith(".py"):
        known = ", ".join(["best", "random", *game.policies])
        raise OptionError(f"--opponent {text!r} is none of {known}, nor FILE.py:function")
    module = catalogue.module_of(Path(file))
    if not callable(getattr(module, name, None)):
        raise OptionError(f"{file} has no function {name!r} for --opponent")
    return getattr(module, name)


def techniques(text: str) -> tuple[str, ...]:
    """Return the techniques that *text* lists; "none" lists none."""
    return tuple(name.strip() for name in text.split(",") if name.strip() not in ("", "none"))
