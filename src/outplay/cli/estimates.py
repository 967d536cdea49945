"""Which learned estimate a command uses: the one in a file, the one that ships with Outplay, or none.

In alpha-beta searches, the estimates that ship win clearly. In Monte Carlo tree searches they may lose: in Othello, at 0.05 s a move, the
learned estimate scored 22.5 % ± 13.6 % against the game's own (40 games). So a Monte Carlo search uses one only if it is asked to.
"""

from pathlib import Path

from outplay.learn.learned import Learned
from outplay.learn.shipped import shipped
from outplay.rules.game import Game

NONE, SHIPPED = "none", "shipped"


def chosen_estimate(text: str, game: Game, *, method: str = "alpha-beta") -> Learned | None:
    """Return the estimate that --learned *text* names: a file, "shipped" or "none".

    By default, an alpha-beta search uses the estimate that ships, if there is one.
    """
    if text == NONE or (not text and method != "alpha-beta"):
        return None
    if not text:
        return shipped(game)
    return Learned.shipped(game) if text == SHIPPED else Learned.load(Path(text), game)


def estimate_note(text: str, game: Game, learned: Learned | None) -> str:
    """Return a sentence that tells users about an estimate that they did not ask for; "" if they asked, or if there is none."""
    if text or learned is None:
        return ""
    other = "uses the game's own estimate" if game.estimate is not None else "searches without an estimate"
    return (
        f"Values that are not proven come from an estimate that ships with Outplay, learned from {learned.games:,} games of self-play; "
        f"--learned none {other}."
    )
