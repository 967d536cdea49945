"""Statistics of random games, and remarks on what may not be intended."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from outplay.rules.game import CHANCE, NOBODY, OVER, Game, written

WIDE = 1000.0  # a scale that is so many times wider than the scores is worth a remark


@dataclass
class Statistics:
    """Statistics of random games."""

    games: int = 0
    ended: int = 0
    endless: int = 0  # games that were broken off because of their length
    wins: list[int] = field(default_factory=lambda: [0, 0])
    draws: int = 0
    lengths: list[int] = field(default_factory=list)  # moves of each game that ended
    decisions: int = 0
    choices: int = 0  # of all decisions together
    lowest: float = math.inf
    highest: float = -math.inf
    final: tuple[Any, float] | None = None  # the last state of a game, and its score
    last: tuple[Any, int] | None = None  # the last move that led there, and the state in which it was played
    rolls: list[int] = field(default_factory=list)  # number of chance nodes in each game that ended
    dice: int = 0  # states in which chance had several outcomes
    unheeded: int = 0  # those in which all outcomes led to the same state


def has_winners(game: Game) -> bool:
    """Return whether the sign of a score shows who has won; if all scores are on one side of 0, they are points."""
    return game.low < 0 < game.high


def winner(value: float) -> int | None:
    """Return the winner for a score of *value*, or None for a draw."""
    return None if value == 0 else int(value < 0)


def remarks_on(game: Game, seen: list[tuple[int, Any]], counts: Statistics) -> Iterator[str]:
    """Yield what is not an error, but may not be intended; *seen* holds every state, and who acts there."""
    acting = {who for who, _ in seen}
    if acting == {OVER}:
        yield "the game is over at its start, so nobody ever moves; see whether start and turn are as they should be"
        return
    for player in sorted({0, 1} - acting):
        if game.players[player] != NOBODY:
            yield (
                f"{game.players[player]} never moved in these games; see whether play hands the turn over; "
                'a game for one player has one name in players, such as ("you",)'
            )
    if counts.ended >= 20 and has_winners(game) and 1 in acting:
        for player, wins in enumerate(counts.wins):
            if wins == 0 and counts.wins[1 - player]:
                yield (
                    f"{game.players[player]} never won in these games; score is the result to {game.players[0]}: "
                    "see whether its sign is right"
                )
        if not any(counts.wins):
            yield "nobody ever won in these games; see whether score looks at the end of the game"
    if game.chances is not None and CHANCE not in acting:
        yield "the game has chances, but turn never returned CHANCE in these games; see whether turn says where chance acts"
    if counts.dice and counts.dice == counts.unheeded:
        yield "all outcomes of chance lead to the same state; see whether play puts the outcome into the state"
    yield from _overshot(game, seen)
    widest = max(abs(counts.lowest), abs(counts.highest))
    if counts.ended and max(abs(game.low), abs(game.high)) > WIDE * max(widest, 1.0):
        yield (
            f"low={game.low:g} and high={game.high:g} are much wider than the scores, which were between {counts.lowest:g} and "
            f"{counts.highest:g}; a scale that fits lets a search prune more"
        )


def _overshot(game: Game, seen: list[tuple[int, Any]]) -> Iterator[str]:
    """Yield a remark on the first field that starts above 0 and falls below it, such as stones if too many are taken."""
    for place, known in enumerate(game.fields):
        if known.kind != "int" or game.start[place] <= 0:
            continue
        below = [(who, state) for who, state in seen if state[place] < 0]
        # A single negative value in unfinished states, such as -1 for "none", is a mark and not a count.
        if below and (all(who == OVER for who, _ in below) or len({state[place] for _, state in below}) > 1):
            state = below[0][1]
            yield (
                f"{known.name} starts at {game.start[place]} and comes to {state[place]}; "
                f"see whether moves yields more than there is: {written(state)}"
            )
            return
