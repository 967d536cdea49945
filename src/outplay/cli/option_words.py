"""Errors at the command line: options as they are typed there, instead of arguments in Python."""

import re
from collections.abc import Iterable

from outplay.errors import OutplayError, StateError

# What Python's words are at the command line, where more than an argument changes.
PHRASES = (
    ("for games that load(...) returns with", "for built-in games with"),
    ("`learn(game, file=...)` or `learned.save(...)` writes one", "outplay learn GAME --file FILE writes one"),
    ("`learn(game, file=...)` writes such files", "outplay learn GAME --file FILE writes such files"),
    ("learn(game, seconds=60), or outplay learn", "outplay learn GAME --file FILE"),
    (
        "resume to go on with it, or name another file for a new tournament",
        "--resume goes on with it; --store FILE begins another",
    ),
    ("resume to go on", "--resume goes on"),
    ("only and without name", "--only and --without name"),
    (", or None for all cores", ""),
    ("explain(verbose=True)", "--verbose"),
    ("use facing(game, player, policy), or search a state", "name what chance does with --moves, or give a position"),
)
# A call of Python is left alone, and so are the options of an agent or a game: search:depth=4,seed=1.
ARGUMENT = re.compile(r"""\w+\([^()]*\)|(?<![\w:,.(\[])([a-z_]+)=("[^"\s]*"|'[^'\s]*'|[-+]?[\w.]+)""")


def as_typed(error: OutplayError, options: Iterable[str]) -> str:
    """Return the message of *error* in words of the command line, which has these *options*: seed, memory_mb and others."""
    known, text = set(options), str(error)
    for python, typed in PHRASES:
        text = text.replace(python, typed)
    if isinstance(error, StateError):  # what looks like an argument is a field
        return text

    def option(found: re.Match[str]) -> str:
        name, value = found[1], found[2]
        if name not in known:
            return found[0]
        typed = re.sub(r"(?<=\d)_(?=\d)", "", value.strip("\"'"))
        return f"--{name.replace('_', '-')} {typed}"

    return ARGUMENT.sub(option, text)
