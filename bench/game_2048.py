"""2048: positions a second, beside OpenSpiel's expectimax and random games; and the tiles that a shallow search reaches."""

from collections.abc import Iterator
from random import Random
from typing import Any

from bench.figure import Figure
from bench.montecarlo import played, ratio
from bench.peers import beside, ours, peer
from bench.strength import Timed
from bench.timing import timed
from outplay import Game, SearchAgent, load, match, search
from outplay.arena.solo import SoloMatch
from outplay.rules.game import CHANCE, OVER

PLACED = (0, 10)  # the first two tiles, as outcomes: a 2 on a1 and a 2 on b2
POSITIONS, MOVES, DEPTH = 10, 300, 4  # for the speed: after so many moves each time
REPEATS, LEAST = 10, 1.0
PLAYOUTS, THEIR_PLAYOUTS = 2000, 20
GAMES, LOOK_AHEAD, TILE, SECONDS = 100, 3, 2048, 0.01


def figures() -> Iterator[Figure]:
    """Yield how many million positions a second an expectimax visits, and how many times as fast as the peer it is."""
    game = load("2048")
    states = positions(game)
    for name, options in (("expectimax, nothing pruned", {"only": ()}), ("the same, as users search", {})):

        def run(options: dict[str, Any] = options) -> int:
            return sum(search(game, state, depth=DEPTH, **options).nodes for state in states)

        nodes, times = timed(run, repeats=REPEATS, least=LEAST)
        target = 20 if options else None
        note = f"{nodes:,} positions below {len(states)} boards, depth {DEPTH}"
        yield Figure(f"2048, {name}", nodes / times.best / 1e6, "M positions/s", target, ours=times, note=note)
    begun = game.replace(name="2048 after two tiles", start=game.after(game.start, PLACED), estimate=None)
    theirs = peer("open_spiel_peer", "game_2048", depth=3)
    yield beside("2048, depth 3, against OpenSpiel, as users search", ours(begun, depth=3), theirs)
    yield beside("the same, nothing pruned", ours(begun, depth=3, only=()), theirs)
    yield ratio(
        "2048, random playouts, against OpenSpiel from Python", PLAYOUTS, played(game, PLAYOUTS), THEIR_PLAYOUTS,
        peer("open_spiel_peer", "playouts", name="2048", number=THEIR_PLAYOUTS), target=50,
    )  # fmt: skip


def positions(game: Game) -> list[Any]:
    """Return a board after every MOVES moves of games that a search of depth 1 plays."""
    dice, found = Random(1), []
    while len(found) < POSITIONS:
        state, moves = game.start, 0
        while game.turn(state) != OVER and len(found) < POSITIONS:
            if game.turn(state) == CHANCE:
                state = game.play(state, game.roll(state, dice))
                continue
            moves += 1
            if moves % MOVES == 0:
                found.append(state)
            state = game.play(state, search(game, state, depth=1).move)
    return found


def tiles() -> Iterator[Figure]:
    """Yield in how many of GAMES games a search of LOOK_AHEAD moves reaches the tile TILE, its mean score, and its time a move."""
    game = load("2048")
    agent = Timed(SearchAgent(depth=LOOK_AHEAD, name=f"expectimax, depth {LOOK_AHEAD}"))
    found = match(game, agent, games=GAMES, seed=1)
    assert isinstance(found, SoloMatch)
    series = found.series[0]
    largest = [largest_tile(game.after(game.read_state(one.start), one.choices)) for one in series.played]
    reached = sum(tile >= TILE for tile in largest)
    counts = ", ".join(f"{tile:,} in {largest.count(tile)}" for tile in sorted(set(largest), reverse=True))
    yield Figure(
        f"2048, depth {LOOK_AHEAD}, games that reach {TILE:,}", reached, f"of {GAMES}", 95, note=f"largest tiles: {counts}"
    )
    mean, error = series.mean
    yield Figure("the same, mean score", mean, "points", note=f"± {error:,.0f} (95 %), median {series.median:,.0f}")
    yield Figure("the same, processor time a move", 1e3 * agent.mean, "ms", 1e3 * SECONDS, at_least=False)


def largest_tile(state: Any) -> int:
    """Return the largest tile of a board."""
    return 1 << max(half >> 4 * square & 15 for half in (state.upper, state.lower) for square in range(8))
