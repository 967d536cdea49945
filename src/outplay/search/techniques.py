"""The techniques that make a search fast, by name. None of them changes a value."""

from collections.abc import Iterable

from outplay.errors import OptionError
from outplay.search import layout

MODES = {
    "pruning": layout.PRUNING,
    "star1": layout.STAR1,
    "star2": layout.STAR2,
    "table": layout.TABLE,
    "ordering": layout.ORDERING,
    "deepening": layout.DEEPENING,
    "scout": layout.SCOUT,
    "useful": layout.USEFUL,
    "bounds": layout.BOUNDS,
}
TECHNIQUES = tuple(MODES)
ALL = sum(MODES.values())


def mode_of(only: Iterable[str] | None, without: Iterable[str]) -> int:
    """Return the mode in which *only* these techniques are on, or all of them *without* these."""
    if only is None and without == ():
        return ALL
    if any(names is not None and not isinstance(names, (tuple, list, set, frozenset)) for names in (only, without)):
        raise OptionError('only and without take a tuple of names, such as only=("pruning",)')
    chosen = set(TECHNIQUES) if only is None else set(only)
    for name in (*chosen, *without):
        if name not in MODES:
            raise OptionError(f"there is no technique {name!r}; there are {', '.join(TECHNIQUES)}")
    mode = sum(MODES[name] for name in chosen - set(without))
    # Scouting and the two Stars cut nothing by themselves: they need the window that pruning keeps.
    if not mode & layout.PRUNING:
        mode &= ~(layout.SCOUT | layout.STAR1 | layout.STAR2)
    return mode
