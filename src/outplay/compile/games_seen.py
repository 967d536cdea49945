"""What random games came to, and what in it may not be meant."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from outplay.rules.game import OVER, Game

WIDE = 1000.0  # a scale that is so many times wider than the scores is worth a remark


@dataclass
class Statistics:
    """What random games came to."""

    games: int = 0
    ended: int = 0
    wins: list[int] = field(default_factory=lambda: [0, 0])
    draws: int = 0
    lengths: list[int] = field(default_factory=list)  # moves of each game that ended
    decisions: int = 0
    choices: int = 0  # of all decisions together
    lowest: float = math.inf
    highest: float = -math.inf
    final: tuple[Any, float] | None = None  # a state in which a game ended, and its score


def remarks_on(game: Game, acting: set[int], counts: Statistics) -> Iterator[str]:
    """Yield what is no fault of the rules, but may not be meant; *acting* holds who ever acted."""
    if acting == {OVER}:
        yield "the game is over at its start, so nobody ever moves; see whether start and turn are as they should be"
        return
    for player in sorted({0, 1} - acting):
        yield f"{game.players[player]} never moved in these games; see whether play hands the turn over"
    if counts.ended >= 20:
        for player, wins in enumerate(counts.wins):
            if wins == 0 and counts.wins[1 - player]:
                yield (
                    f"{game.players[player]} never won in these games; score is the result to {game.players[0]}: "
                    "see whether its sign is right"
                )
        if not any(counts.wins):
            yield "nobody ever won in these games; see whether score looks at the end of the game"
    widest = max(abs(counts.lowest), abs(counts.highest))
    if counts.ended and max(abs(game.low), abs(game.high)) > WIDE * max(widest, 1.0):
        yield (
            f"low={game.low:g} and high={game.high:g} are much wider than the scores, which were between {counts.lowest:g} and "
            f"{counts.highest:g}; a scale that fits lets a search prune more"
        )
