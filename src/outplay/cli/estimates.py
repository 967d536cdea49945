"""Which learned estimate a command uses: the one in a file, the one that ships with Outplay, or none.

By alpha-beta, the estimates that ship win clearly. By Monte Carlo tree search that depends on the game: in Othello, at 0.05 s a move, the
learned one took 22.5 % ± 13.6 % of the points from the game's own (40 games). So simulations use it only if they are told to.
"""

from pathlib import Path

from outplay.learn.learned import Learned
from outplay.learn.shipped import shipped
from outplay.rules.game import Game

NONE, SHIPPED = "none", "shipped"


def chosen(text: str, game: Game, *, method: str = "alpha-beta") -> Learned | None:
    """Return the estimate that --learned *text* names: a file, "shipped" or "none".

    Without a text, return the shipped one if there is one and if the search is by alpha-beta.
    """
    if text == NONE or (not text and method != "alpha-beta"):
        return None
    if not text:
        return shipped(game)
    return Learned.shipped(game) if text == SHIPPED else Learned.load(Path(text), game)


def told(text: str, game: Game, learned: Learned | None) -> str:
    """Return a sentence for people about an estimate that they did not ask for; "" if they did, or if there is none."""
    if text or learned is None:
        return ""
    other = "uses the game's own estimate" if game.estimate is not None else "searches without an estimate"
    return (
        f"Values that are not proven come from an estimate that ships with Outplay, learned from {learned.games:,} games of self-play; "
        f"--learned none {other}."
    )
