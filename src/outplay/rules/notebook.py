"""How a notebook shows a state and what was found about it."""

from html import escape
from typing import Any

from outplay.rules.game import Game


def beside(game: Game, state: Any, text: str) -> str:
    """Return HTML with the picture of *state* and *text* side by side, or one above the other where there is no room."""
    return (
        '<div style="display: flex; flex-wrap: wrap; gap: 1.5em; align-items: start">'
        f'<div style="width: 15em">{game.picture(state).svg}</div>'
        f'<pre style="margin: 0">{escape(text)}</pre></div>'
    )
