"""Project 002: Number Scrabble, which is tic-tac-toe, by depth-limited minimax with the open-lines estimate."""

from collections.abc import Iterator

from outplay.arena.reproduce.row import BETTER, Row, compared
from outplay.games.number_scrabble import WON, number_scrabble
from outplay.rules.game import OVER, Game
from outplay.search.minimax import minimax
from outplay.search.search import search

PROJECT = "002"
KNOWN = "known of tic-tac-toe"


def experiment(*, quick: bool) -> Iterator[Row]:
    """Yield the counts, the estimates and the replies that draw."""
    game = number_scrabble()
    states, ended = _counted(game)
    yield compared(PROJECT, "complete games", 255_168, sum(ended.values()), KNOWN)
    for what, known, score in (("won by A", 131_184, WON), ("won by B", 77_904, -WON), ("drawn", 46_080, 0)):
        yield compared(PROJECT, f"games {what}", known, ended[score], KNOWN)
    yield compared(PROJECT, "states", 5_478, states, KNOWN)
    told = minimax(game, depth=9)
    yield compared(PROJECT, "nodes of plain minimax", 549_946, told.nodes, KNOWN)
    yield compared(PROJECT, "value under perfect play", 0, int(told.value), KNOWN)
    pruned = search(game, depth=9)
    yield Row(
        PROJECT, "nodes with every technique", "-", f"{pruned.nodes:,}", BETTER, f"{told.nodes / pruned.nodes:.0f} times fewer"
    )
    for number, claim in ((5, 4), (2, 3), (1, 2)):
        found = game.estimate(game.play(game.start, number)) if game.estimate else None
        yield compared(PROJECT, f"estimate after A takes {number}", claim, found)
    for number, replies in ((5, "2 4 6 8"), (2, "5"), (1, "5 6 8 9")):
        state = game.play(game.start, number)
        draws = [reply for reply in game.legal(state) if search(game, game.play(state, reply), depth=7).value == 0]
        yield compared(PROJECT, f"B's replies to {number} that draw", replies, " ".join(map(str, draws)))
    for depth in (1, 2, 4, 6):
        result = search(game, depth=depth)
        yield Row(
            PROJECT,
            f"A's first number at depth {depth}",
            "-",
            f"{result.move}, worth {result.value:g}",
            BETTER,
            "the project asks for it",
        )


def _counted(game: Game) -> tuple[int, dict[float, int]]:
    """Return how many states there are, and how many games end with each score."""
    states, total, ended = {game.start: 1}, 0, {float(WON): 0, float(-WON): 0, 0.0: 0}
    while states:
        total += len(states)
        after: dict[object, int] = {}
        for state, ways in states.items():
            if game.turn(state) == OVER:
                ended[game.score(state)] += ways
                continue
            for move, _ in game.choices(state):
                child = game.play(state, move)
                after[child] = after.get(child, 0) + ways
        states = after
    return total, {float(score): ways for score, ways in ended.items()}
