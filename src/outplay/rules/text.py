"""States, moves and lines as text: functions that games and results share."""

from collections.abc import Iterable, Sequence
from typing import Any

from outplay.errors import StateError
from outplay.rules.game import CHANCE, OVER, Game, Rule, State
from outplay.rules.key import key_of
from outplay.rules.reading import matching, read_name

SHOWN = 30  # choices of a line, in print


def board(crosses: int, noughts: int, places: Iterable[int]) -> str:
    """Return X, O or . for each place of two bit sets."""
    return "".join("X" if crosses >> place & 1 else "O" if noughts >> place & 1 else "." for place in places)


def after_moves(text: str, start: Any, turn: Rule, moves: Rule, play: Rule, name_move: Rule) -> Any:
    """Return the state after the moves in *text*, separated by spaces or commas. *start* has a field `player`."""
    state = start
    for number, name in enumerate(text.lower().replace(",", " ").split(), 1):
        where = f"{text!r}: move {number}, {name!r},"
        if turn(state) == OVER:
            raise StateError(f"{where} comes after the end of the game; leave it out, and all after it")
        legal = {name_move(state, move): move for move in moves(state)}
        if name not in legal:
            raise StateError(f"{where} is not a legal move of {'XO'[state.player]}; legal moves: {', '.join(legal)}")
        state = play(state, legal[name])
    return state


def read_state(game: Game[State], text: str) -> State:
    """Return the state that *text* describes, as the game writes it or by its fields; every field has its declared type."""
    return game.state(game.read_state(text))


def read_move(game: Game[State], state: State, text: str) -> int:
    """Return the legal move that *text* means, by `read_move` or by its name; else raise an IllegalMove."""
    try:
        own = game.read_move(state, text.strip())
        if own in game.legal(state):
            return int(own)
    except ValueError as error:  # the game says what is wrong, unless the text is the name of a move
        if matching([str(game.name_move(state, move)) for move in game.legal(state)], text) is None:
            raise error from None
    except Exception:  # the game cannot read the text
        pass
    return read_name(game, state, text)


def after_names(game: Game[State], state: State, text: str) -> State:
    """Return the state after the moves and outcomes in *text*, separated by spaces or commas, from *state*."""
    number = 0
    for part in text.replace(";", ",").split(","):
        words = part.split()
        while words:
            number += 1
            if game.acting(state) == OVER:
                raise StateError(
                    f"{text!r}: move {number}, {words[0]!r}, comes after the end of the game; leave it out, and all after it"
                )
            names = _open_names(game, state)
            longest = max((len(name.replace("-", " ").split()) for name in names), default=1)
            choice, used = _next_choice(game, state, names, words[:longest])
            if choice is None:
                who = game.acting(state)
                what = "an outcome of chance; outcomes" if who == CHANCE else f"a legal move of {game.players[who]}; legal moves"
                wanted = " ".join(words[:longest])
                raise StateError(f"{text!r}: move {number}, {wanted!r}, is not {what}: {', '.join(names)}")
            state, words = game.state(game.play(state, choice)), words[used:]
    return state


def _open_names(game: Game, state: Any) -> dict[str, int]:
    """Return the legal moves, or the outcomes of chance, by their names."""
    return {choice_name(game, state, choice): choice for choice, _ in game.choices(state)}


def _next_choice(game: Game, state: Any, names: dict[str, int], words: list[str]) -> tuple[int | None, int]:
    """Return the choice that the longest run of the first *words* names, and the length of that run."""
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
    """Return the name of a move or an outcome of *state*; a described player's choice is a move."""
    described = game.cost is not None and game.cost(state)
    name = game.name_outcome if game.turn(state) == CHANCE and not described else game.name_move
    return str(name(state, int(choice)))


def line_names(game: Game, state: Any, line: Iterable[int]) -> list[str]:
    """Return the names of the choices in *line*, from *state* on; outcomes of chance are in brackets."""
    names = []
    for choice in line:
        name = choice_name(game, state, choice)
        names.append(f"[{name}]" if game.turn(state) == CHANCE else name)
        state = game.play(state, int(choice))
    return names


def line_text(game: Game, state: Any, line: Sequence[int]) -> str:
    """Return *line* in the game's words, for people to read: as far as it says more than "anything may happen", and not too long.

    It ends where a state comes back, and where chance has several likeliest outcomes. What is left out is counted.
    """
    names, met = "", {key_of(state)}
    for place, choice in enumerate(line):
        left = len(line) - place
        if game.turn(state) == CHANCE and (open_choices := _equally_likely(game, state)):
            return f"{names}... (then {open_choices})" if names else ""
        if place >= SHOWN and left > 1:
            return f"{names}... and {left} more"
        names += f"{line_names(game, state, [choice])[0]} "
        state = game.play(state, int(choice))
        if (key := key_of(state)) in met:
            return f"{names}... (the position repeats{_more(left - 1)})"
        met.add(key)
    return names.rstrip()


def _equally_likely(game: Game, state: Any) -> str:
    """Return the number of outcomes of *state* in words if no single one is the likeliest, else ""."""
    outcomes = game.outcomes(state)
    most = max(probability for _, probability in outcomes)
    if sum(probability >= most * (1 - 1e-9) for _, probability in outcomes) == 1:
        return ""
    described = game.cost is not None and game.cost(state)
    return f"one of {len(outcomes)} {'moves' if described else 'outcomes'}"


def _more(number: int) -> str:
    return f"; {number} more follow{'s' * (number == 1)}" if number else ""


def moves_counted(number: int, *, alone: bool) -> str:
    """Return a number of moves in words; unless the player is *alone*, the moves of both players count."""
    return "1 move" if number == 1 else f"{number} moves" if alone else f"{number} moves, both players' counted"


def sentence(text: str) -> str:
    """Return *text* with a capital letter at its start."""
    return text[:1].upper() + text[1:]


def from_here_on(game: Game) -> str:
    """Return the words that a value takes where rewards are paid: it counts those still to come, and not those paid before."""
    return "" if game.reward is None else ", from here on"
