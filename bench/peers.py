"""Our search beside OpenSpiel's and easyAI's, over the same trees, in the same run."""

import importlib
from collections.abc import Iterator
from typing import Any

from bench.centre_game import centre_game
from bench.figure import Figure
from bench.timing import Times, timed
from outplay import Game, load, minimax, search
from outplay.games.backgammon import BAR, number_on

MISSING = "peer not installed: make bench installs it"
OURS, THEIRS = 30, 3  # repeats
LEAST = 1.0  # seconds that our calls take together, and theirs: a busy moment of the machine is then not all that is measured
GOAL, HOLD, ROLL = 20, 0, 1

Measured = tuple[float, int, Times]  # a value to player 0, nodes, and the times of the calls that found it
PeerMeasured = tuple[float, Times]


def figures() -> Iterator[Figure]:
    """Yield how many times as fast as each peer we are, and how many nodes a second we visit."""
    alpha_beta = {"only": ("pruning",)}
    theirs = peer("open_spiel_peer", "tic_tac_toe")
    yield beside(
        "tic-tac-toe, against OpenSpiel, by alpha-beta", ours(load("tic-tac-toe"), depth=9, **alpha_beta), theirs, target=30
    )
    yield beside("the same, as users search", ours(load("tic-tac-toe"), depth=9), theirs)

    measured = {depth: ours(centre_game, depth=depth, **alpha_beta) for depth in (7, 8, 10)}
    theirs = peer("open_spiel_peer", "connect_four", depth=8)
    yield beside("Connect Four, depth 8, against OpenSpiel, as users search", ours(centre_game, depth=8), theirs, target=250)
    yield beside("the same, by alpha-beta, node for node", measured[8], theirs)
    for depth in (8, 10):
        yield speed(f"Connect Four, depth {depth}", measured[depth])
    yield beside("Connect Four, depth 7, against easyAI", measured[7], peer("easy_ai_peer", "copying", depth=7), target=1000)
    yield beside("the same, easyAI taking moves back", measured[7], peer("easy_ai_peer", "undoing", depth=7))

    theirs = peer("open_spiel_peer", "pig", goal=GOAL, depth=7)
    yield beside(
        f"Pig to {GOAL}, depth 7, against OpenSpiel, as users search", ours(open_spiel_pig(), depth=7), theirs, target=100
    )
    yield beside("the same, nothing pruned, node for node", ours(open_spiel_pig(), depth=7, only=()), theirs)
    yield beside("the same, by minimax, the oracle", oracle(open_spiel_pig(), depth=7), theirs)

    by_rolls = peer("open_spiel_peer", "backgammon_by_rolls", depth=2)
    theirs = peer("open_spiel_peer", "backgammon", depth=2)  # half a double is a move: a smaller tree than ours, of another value
    if theirs and by_rolls:
        theirs = by_rolls[0], theirs[1]
    yield beside(
        "backgammon, depth 2, against OpenSpiel, as users search", ours(open_spiel_backgammon(), depth=2), theirs, target=300
    )
    yield beside("the same, nothing pruned", ours(open_spiel_backgammon(), depth=2, only=()), theirs)
    yield beside("the same, OpenSpiel playing doubles as one move", ours(open_spiel_backgammon(), depth=2, only=()), by_rolls)


def open_spiel_pig() -> Game:
    """Return Pig with OpenSpiel's tree: a player may hold an empty pot, and the estimate is the lead in points banked."""

    def moves(state):
        yield ROLL
        yield HOLD

    def estimate(state):
        return (state.first - state.second) / GOAL

    return load(f"pig:goal={GOAL}").replace(name=f"pig to {GOAL} of OpenSpiel", moves=moves, estimate=estimate)


def open_spiel_backgammon() -> Game:
    """Return backgammon after an opening of 6 and 2, estimated by the men on the bar: what is cheapest for the peer."""
    game = load("backgammon")

    def estimate(state):
        bars = number_on(state.other, state.other_more, BAR) - number_on(state.own, state.own_more, BAR)
        return (bars if state.player == 0 else -bars) / 15

    return game.replace(name="backgammon by the bar", start=game.after(game.start, [62]), estimate=estimate, bounds=None)


def ours(game: Game, **options: Any) -> Measured:
    """Measure our search from the start of *game*: the whole call, once it is compiled."""
    search(game, depth=1)
    result, times = timed(lambda: search(game, **options), repeats=OURS, least=LEAST)
    return result.value, result.nodes, times


def oracle(game: Game, depth: int) -> Measured:
    """Measure `minimax` from the start of *game*, once it is compiled."""
    minimax(game, depth=1)
    verdict, times = timed(lambda: minimax(game, depth=depth), repeats=OURS, least=LEAST)
    return verdict.value, verdict.nodes, times


def peer(module: str, function: str, **options: int | str) -> PeerMeasured | None:
    """Measure a peer's search; None if the peer is not installed."""
    try:
        found = importlib.import_module(f"bench.{module}")  # it imports nothing but the peer and NumPy
    except ImportError:
        return None
    return timed(getattr(found, function)(**options), repeats=THEIRS, least=LEAST)


def beside(name: str, measured: Measured, theirs: PeerMeasured | None, *, target: float | None = None) -> Figure:
    """Return how many times as fast as the peer's best our best is."""
    value, nodes, times = measured
    if theirs is None:
        return Figure(name, unit="times", target=target, ours=times, note=MISSING)
    peer_value, peer_times = theirs
    note = f"{nodes:,} nodes"
    if abs(value - peer_value) > 1e-9:
        note += f"; VALUES DIFFER: ours {value}, theirs {peer_value}"
    return Figure(name, peer_times.best / times.best, "times", target, ours=times, beside=peer_times, note=note)


def speed(name: str, measured: Measured) -> Figure:
    """Return how many million nodes a second are visited at best, on one core."""
    _, nodes, times = measured
    note = f"{nodes:,} nodes; in the median {nodes / times.median / 1e6:.1f} M nodes/s"
    return Figure(name, nodes / times.best / 1e6, "M nodes/s", 60, ours=times, note=note)
