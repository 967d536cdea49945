"""Shared text of search results: undecided values, bounds without information, and grouped rows."""

from collections.abc import Iterable

from outplay.rules.game import Game
from outplay.rules.number_text import probability_text, signed_value

UNDECIDED = "undecided"
ALIKE = 3  # so many moves or more of which the same is said share a line
OUTCOMES = 12  # of chance that are listed, unless all are wanted
NAMES = 60  # letters of the names on such a line; more names than fit are counted


def undecided(game: Game, value: float, *, proven: bool) -> bool:
    """Return whether *value* is only the 0 that stands for an unfinished state where a game has no estimate."""
    return game.estimate is None and not proven and value == 0


def worth_in_words(game: Game, value: float, *, proven: bool) -> str:
    """Return what a position with this *value* is worth to player 0."""
    return f"{UNDECIDED} so far" if undecided(game, value, proven=proven) else f"worth {signed_value(value)} to {game.players[0]}"


def vacuous(game: Game, bound: str, value: float) -> bool:
    """Return whether a bound is only an end of the game's scale."""
    return value >= game.high if bound == "at most" else bound == "at least" and value <= game.low


def likelihood(probability: float | None) -> str:
    """Return how likely an outcome is, in words."""
    return "" if probability is None else f"with probability {probability_text(probability)}"


def listed(rows: Iterable[tuple[str, str]], *, first_alone: bool = True) -> list[str]:
    """Return a line for each name and its words. Names with the same words share a line, except the first."""
    rows = list(rows)
    groups: dict[str, list[str]] = {}
    for name, words in rows[first_alone:]:
        groups.setdefault(words, []).append(name)
    together = {words: names for words, names in groups.items() if len(names) >= ALIKE}
    apart = [row for row in rows if row[1] not in together] + rows[:first_alone]
    width = max((len(name) for name, _ in apart), default=0)
    lines = []
    for place, (name, words) in enumerate(rows):
        if words not in together or (first_alone and place == 0):
            lines.append(f"  {name:{width}}  {words}")
        elif name == together[words][0]:
            lines.append(f"  {_joined(together[words], 'other ' if lines else '')}: {words}")
    return lines


def outcomes_listed(rows: Iterable[tuple[str, float, str | None]], *, every: bool) -> list[str]:
    """Return lines for outcomes, the likeliest first: each has a name, a probability and words, or None if it was not searched."""
    likeliest_first = sorted(rows, key=lambda row: -row[1])
    known = [row for row in likeliest_first if row[2] is not None]
    shown = known if every or len(known) <= OUTCOMES + 1 else known[:OUTCOMES]
    width = max((len(name) for name, _, _ in shown), default=0)
    lines = [f"  {name:{width}}  {likelihood(probability)}: {words}" for name, probability, words in shown]
    if left := len(known) - len(shown):
        lines.append(f"  and {left:,} more; explain(verbose=True) lists all")
    if unknown := [name for name, _, words in likeliest_first if words is None]:
        names = ", ".join(unknown)
        if not every and len(names) > NAMES:
            names = f"{len(unknown):,} {'others' if shown else 'outcomes'}"
        lines.append(f"  not searched: {names}")
    return lines


def _joined(names: list[str], other: str) -> str:
    text = ", ".join(names)
    return text if len(text) <= NAMES else f"{len(names)} {other}moves"
