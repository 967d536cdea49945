"""States as text: what games share in reading, writing and showing them."""

from collections.abc import Iterable
from typing import Any

from outplay.errors import StateError
from outplay.rules.game import CHANCE, OVER, Game, Rule, State
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


def read_state(game: Game[State], text: str) -> State:
    """Return the state that *text* says, in the game's own way or by its fields, with every field of its declared type."""
    return game.state(game.read_state(text))


def read_move(game: Game[State], state: State, text: str) -> int:
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


def after_names(game: Game[State], state: State, text: str) -> State:
    """Return the state after the moves and outcomes that *text* names, parted by spaces or commas, from *state*."""
    number = 0
    for part in text.replace(";", ",").split(","):
        words = part.split()
        while words:
            number += 1
            if game.acting(state) == OVER:
                raise StateError(
                    f"{text!r}: move {number}, {words[0]!r}, comes after the end of the game; leave it and the rest out"
                )
            names = _open_names(game, state)
            longest = max((len(name.replace("-", " ").split()) for name in names), default=1)
            choice, used = _next_choice(game, state, names, words[:longest])
            if choice is None:
                who = game.acting(state)
                what = "outcome of chance" if who == CHANCE else f"move of {game.players[who]}"
                wanted = " ".join(words[:longest])
                raise StateError(f"{text!r}: move {number}, {wanted!r}, is no {what}; there are {', '.join(names)}")
            state, words = game.state(game.play(state, choice)), words[used:]
    return state


def _open_names(game: Game, state: Any) -> dict[str, int]:
    """Return the legal moves, or the outcomes of chance, by their names."""
    return {choice_name(game, state, choice): choice for choice, _ in game.choices(state)}


def _next_choice(game: Game, state: Any, names: dict[str, int], words: list[str]) -> tuple[int | None, int]:
    """Return the choice that the first of *words* name, as many as can be, and how many those are."""
    listed = list(names)
    for used in range(len(words), 0, -1):
        wanted = " ".join(words[:used])
        place = matching(listed, wanted)
        if place is not None:
            return names[listed[place]], used
        if game.acting(state) == CHANCE:
            if wanted in map(str, names.values()):
                return int(wanted), used
            continue
        try:
            return read_move(game, state, wanted), used
        except ValueError:
            continue
    return None, 0


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


def moves_counted(number: int) -> str:
    """Return how many moves something takes, and that those of both players are meant."""
    return "1 move" if number == 1 else f"{number} moves, both players' counted"


def sentence(text: str) -> str:
    """Return *text* with a capital letter, as a sentence that may begin with a player's name."""
    return text[:1].upper() + text[1:]
