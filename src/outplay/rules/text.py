"""States as text: what games share in reading, writing and showing them."""

from collections.abc import Iterable
from typing import Any

from outplay.errors import StateError
from outplay.rules.game import CHANCE, OVER, Game, Rule
from outplay.rules.reading import matching, read_name


def board(crosses: int, noughts: int, places: Iterable[int]) -> str:
    """Return X, O or . for each place of two sets of bits."""
    return "".join("X" if crosses >> place & 1 else "O" if noughts >> place & 1 else "." for place in places)


def after_moves(text: str, start: Any, turn: Rule, moves: Rule, play: Rule, name_move: Rule) -> Any:
    """Return the state after the moves that *text* names, parted by spaces or commas, from a *start* with a field `player`."""
    state = start
    for number, name in enumerate(text.lower().replace(",", " ").split(), 1):
        where = f"{text!r}: move {number}, {name!r},"
        if turn(state) == OVER:
            raise StateError(f"{where} comes after the end of the game; leave it and what follows out")
        legal = {name_move(state, move): move for move in moves(state)}
        if name not in legal:
            raise StateError(f"{where} is no move of {'XO'[state.player]}; there are {', '.join(legal)}")
        state = play(state, legal[name])
    return state


def read_state(game: Game, text: str) -> Any:
    """Return the state that *text* says, in the game's own way or by its fields, with every field of its declared type."""
    return game.state(game.read_state(text))


def read_move(game: Game, state: Any, text: str) -> int:
    """Return the legal move that *text* means, by the game's own reading or by its name; else raise an IllegalMove."""
    try:
        own = game.read_move(state, text.strip())
        if own in game.legal(state):
            return int(own)
    except ValueError as error:  # it says what is wrong, unless the text is a move's name
        if matching([str(game.name_move(state, move)) for move in game.legal(state)], text) is None:
            raise error from None
    except Exception:  # it cannot read the text
        pass
    return read_name(game, state, text)


def choice_name(game: Game, state: Any, choice: int) -> str:
    """Return a move or an outcome of *state* in the game's words; what a modelled player chooses is a move."""
    modelled = game.cost is not None and game.cost(state)
    name = game.name_outcome if game.turn(state) == CHANCE and not modelled else game.name_move
    return str(name(state, int(choice)))


def line_names(game: Game, state: Any, line: Iterable[int]) -> list[str]:
    """Return the choices of *line* from *state* on in the game's words; what chance chooses stands in brackets."""
    names = []
    for choice in line:
        name = choice_name(game, state, choice)
        names.append(f"[{name}]" if game.turn(state) == CHANCE else name)
        state = game.play(state, int(choice))
    return names


def sentence(text: str) -> str:
    """Return *text* with a capital letter, as a sentence that may begin with a player's name."""
    return text[:1].upper() + text[1:]
