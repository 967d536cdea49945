"""Project 003: Blacksin against the house by minimax, with and without pruning; then what its search got wrong."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from outplay.arena.reproduce.row import AGREES, BETTER, CORRECTED, Row
from outplay.games.blacksin import blacksin, deal, house
from outplay.games.hidden_blacksin import hidden_blacksin
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.opponents import Policy
from outplay.search.search import prepare, search

PROJECT = "003"
CARDS = 21
ALL = 60  # moves: more than any game has
ORDERS = (
    "draw stop erase-self erase-opponent",
    "draw erase-self erase-opponent stop",
    "stop draw erase-self erase-opponent",
    "erase-self erase-opponent stop draw",
)
WRONG = "its table confuses hands, stores bounds as values, and knows no draw from an empty deck"


@dataclass
class Series:
    """Games of the player against a policy, over the same decks each time."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    seconds: float = 0.0
    nodes: int = 0

    def __str__(self) -> str:
        games = self.won + self.drawn + self.lost
        return f"{self.won} of {games} won, {self.drawn} drawn, in {self.seconds:.1f} s, {self.nodes / games:,.0f} nodes a game"


def experiment(*, quick: bool) -> Iterator[Row]:
    """Yield the project's two series, then depths, orders, exact play, best response and the hidden deck."""
    games = 20 if quick else 500
    game, decks = blacksin(CARDS), [Random(number).sample(range(1, CARDS + 1), CARDS) for number in range(games)]
    states = [deal(deck) for deck in decks]
    claims = ("411 of 500 won, 9 drawn, in 262 s", "423 of 500 won, 5 drawn, in 97.8 s")
    for claim, without, name in zip(claims, (("pruning",), ()), ("unpruned", "pruned"), strict=True):
        # A whole unpruned tree takes its time even here.
        found = series(game, states[:2] if quick and without else states, depth=12 if without else ALL, without=without)
        what = f"minimax against the house, {name}, {'12 moves ahead' if without else 'to the end'}"
        yield Row(PROJECT, what, claim, str(found), CORRECTED, WRONG)
    for depth in (3, 5, 7, 9):
        found = series(game, states, depth=depth)
        yield Row(
            PROJECT, f"minimax against the house, depth {depth}", "-", str(found), BETTER, "the project looks to the end alone"
        )
    for order in ORDERS[:1] + ORDERS[-1:] if quick else ORDERS:
        plain = blacksin(CARDS, order).replace(estimate=None)  # as the project has it: no opinion, so the order decides
        found = series(plain, states[: min(games, 200)], depth=5)
        claim = "erases first are best" if order == ORDERS[-1] else "-"
        verdict = CORRECTED if claim != "-" else BETTER
        yield Row(
            PROJECT,
            f"order {order}, depth 5, no estimate",
            claim,
            str(found),
            verdict,
            "the worst order with a right key" if claim != "-" else "",
        )
    found = series(game, states, depth=ALL, opponent=house(CARDS))
    yield Row(PROJECT, "best response to the house", "-", str(found), BETTER, "an exact answer to the policy itself")
    yield perfect(game, states[: min(games, 100)])
    found = hidden_series(hidden_blacksin(CARDS), decks[: 10 if quick else 100], depth=3)
    yield Row(
        PROJECT,
        "hidden deck, expectiminimax, depth 3, against a cautious player",
        "-",
        str(found),
        BETTER,
        "the project only asks for it",
    )


def series(game: Game, states: list[Any], *, depth: int, opponent: Policy = "best", without: tuple[str, ...] = ()) -> Series:
    """Play each deal: the player by search, the other by the house."""
    policy, found = game.policies["house"], Series()
    prepare(game, states[0], opponent=opponent)
    began = time.perf_counter()
    for state in states:
        while (who := game.turn(state)) != OVER:
            if who == 1:
                state = game.play(state, policy(state))
                continue
            result = search(game, state, depth=depth, opponent=opponent, without=without)
            found.nodes += result.nodes
            assert result.move is not None  # a player is to move
            state = game.play(state, result.move)
        _count(found, game.score(state))
    found.seconds = time.perf_counter() - began
    return found


def hidden_series(game: Game, decks: list[list[int]], *, depth: int) -> Series:
    """Play each deck face down: the player by search, the other by the policy that sees no more."""
    policy, found = game.policies["cautious"], Series()
    prepare(game)
    began = time.perf_counter()
    for deck in decks:
        state, rest = game.read_state(" ".join(map(str, deck[:4]))), deck[4:]
        while (who := game.turn(state)) != OVER:
            if who == CHANCE:
                choice = rest.pop(0)
            elif who == 1:
                choice = policy(state)
            else:
                result = search(game, state, depth=depth)
                found.nodes += result.nodes
                choice = result.move or 0
            state = game.play(state, choice)
        _count(found, game.score(state))
    found.seconds = time.perf_counter() - began
    return found


def perfect(game: Game, states: list[Any]) -> Row:
    """Return how perfect play by both sides ends, deal by deal."""
    found, nodes = Series(), []
    began = time.perf_counter()
    for state in states:
        result = search(game, state, depth=ALL)
        nodes.append(result.nodes)
        found.nodes += result.nodes
        _count(found, result.value)
    found.seconds = time.perf_counter() - began
    share = [round(100 * part / len(states)) for part in (found.won, found.drawn, found.lost)]
    words = f"{share[0]} won, {share[1]} drawn, {share[2]} lost in 100; {sorted(nodes)[len(nodes) // 2]:,} nodes in the median"
    near = abs(share[0] - 35) <= 15
    return Row(
        PROJECT,
        f"perfect play by both, {len(states)} deals",
        "about 35, 12 and 53 in 100 (one sample)",
        words,
        AGREES if near else CORRECTED,
    )


def _count(found: Series, score: float) -> None:
    found.won += score > 0
    found.drawn += score == 0
    found.lost += score < 0
