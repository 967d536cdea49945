"""A position as a page names it, and what the page is shown of it."""

import random
from dataclasses import dataclass
from typing import Any

from outplay.checking.check_display import told
from outplay.errors import OutplayError, RuleRaised, StateError, TooLarge
from outplay.pictures.boards import has_board
from outplay.pictures.picture import listed_moves, text_picture
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.number_text import signed_value
from outplay.rules.text import choice_name, read_state
from outplay.web import limits
from outplay.web.offered import Offered

_dice = random.SystemRandom()


@dataclass(frozen=True)
class Place:
    """A position that has been found: its game, and every state from the start to it."""

    name: str
    game: Game
    choices: tuple[int, ...]
    states: tuple[Any, ...]

    @property
    def state(self) -> Any:
        return self.states[-1]


class Positions:
    """Finds positions and describes them, by the rules interpreted."""

    def __init__(self, offered: Offered) -> None:
        self.offered = offered

    def place(self, asked: Any) -> Place:
        """Return the position that a request names by its game, start and choices."""
        game = self.offered.game(asked.game)
        state = self.read(asked.game, asked.start) if asked.start else game.start
        states = [state]
        for choice in asked.choices:
            states.append(game.after(states[-1], (choice,)))
        return Place(asked.game, game, tuple(asked.choices), tuple(states))

    def read(self, name: str, text: str) -> Any:
        """Return the state that *text* says, as a page may write it."""
        game = self.offered.game(name)
        try:
            state = read_state(game, text)
            game.turn(state)
        except OutplayError:
            raise
        except Exception as error:  # a reader that trusts its text, or rules that trust their state
            raise StateError(f"{text!r} is not a state of {game.name}: {type(error).__name__}: {error}") from None
        return state

    def start(self, name: str, text: str) -> str:
        """Return a state typed in as the game writes it."""
        state = self.read(name, text)
        return str(self.offered.game(name).write_state(state))

    def deal(self, name: str) -> str:
        """Return a start as text: drawn by luck, if starts differ."""
        game = self.offered.game(name)
        return "" if game.deal is None else str(game.write_state(game.state(game.deal(_dice))))

    def roll(self, place: Place) -> dict[str, Any]:
        """Return a fair draw of what chance chooses."""
        if place.game.acting(place.state) != CHANCE:
            raise StateError("chance does not act here, so there is nothing to roll")
        choice = place.game.roll(place.state, _dice)
        return {"choice": choice, "name": choice_name(place.game, place.state, choice)}

    def view(self, place: Place) -> dict[str, Any]:
        """Return all that a page shows of a position."""
        try:
            return self._view(place)
        except OutplayError:
            raise
        except Exception as error:
            said = told(place.game, error)
            raise (RuleRaised(said) if said else error) from error

    def _view(self, place: Place) -> dict[str, Any]:
        game, state = place.game, place.state
        who = game.acting(state)
        score = float(game.score(state)) if who == OVER else None
        svg, undrawn = picture(game, state)
        return {
            "game": place.name,
            "title": self.offered.title(place.name),
            "players": list(game.players),
            "state": str(game.write_state(state)),
            "text": str(game.show(state)),
            "svg": svg,
            "turn": int(who),
            "choices": open_choices(game, state),
            "score": score,
            "result": "" if score is None else self.result(place, score),
            "low": game.low,
            "high": game.high,
            "estimated": game.estimate is not None,
            "past": [
                {"turn": int(game.turn(before)), "choice": choice, "name": choice_name(game, before, choice)}
                for before, choice in zip(place.states, place.choices, strict=False)
            ],
            "drawn": (game.draw is not None and not undrawn) or (has_board(game) and (who < 0 or "data-moves" in svg)),
            "draw_error": undrawn,
            "rules": self.offered.rules(place.name),
        }

    def views(self, asked: list[Any]) -> list[dict[str, Any]]:
        """Return pictures of many positions; what their games have in common is played once."""
        known: dict[tuple[str, str, tuple[int, ...]], Any] = {}
        views, size = [], 0
        for position in asked:
            views.append(self._small(position, known))
            size += len(views[-1]["svg"])
            if size > limits.PICTURES_BYTES:
                raise TooLarge(f"these pictures have more than {limits.PICTURES_BYTES:,} characters; ask for fewer at once")
        return views

    def _small(self, asked: Any, known: dict[tuple[str, str, tuple[int, ...]], Any]) -> dict[str, Any]:
        game = self.offered.game(asked.game)
        played = len(asked.choices)
        while played and (asked.game, asked.start, tuple(asked.choices[:played])) not in known:
            played -= 1
        key = (asked.game, asked.start, tuple(asked.choices[:played]))
        state = known[key] if key in known else self.read(asked.game, asked.start) if asked.start else game.start
        state = game.after(state, asked.choices[played:])
        known[asked.game, asked.start, tuple(asked.choices)] = state
        return {"svg": picture(game, state)[0], "state": str(game.write_state(state))}

    def result(self, place: Place, score: float) -> str:
        """Return who has won, in words."""
        if score == 0:
            return "a draw"
        winner = place.game.players[0 if score > 0 else 1]
        if self.offered.by_margin(place.name):
            return f"{winner} wins by {abs(score):g}"
        if place.name in self.offered.own and abs(score) != 1:
            return f"{winner} wins, with a score of {signed_value(score)}"
        return f"{winner} wins"


def open_choices(game: Game, state: Any) -> list[dict[str, Any]]:
    """Return the moves or outcomes of a state, named."""
    return [
        {"choice": choice, "name": choice_name(game, state, choice), "probability": probability}
        for choice, probability in game.choices(state)
    ]


def picture(game: Game, state: Any) -> tuple[str, str]:
    """Return the SVG of a state, and why it is not the one that the game draws, where that fails."""
    if game.draw is None:
        return text_picture(game, state).svg, ""
    try:
        svg: str = game.picture(state).svg
        if len(svg) > limits.PICTURE_BYTES:
            raise TooLarge(f"draw of {game.name!r} returns {len(svg):,} characters; {limits.PICTURE_BYTES:,} are the most")
        if not game.loaded_as:  # a user's
            listed_moves(game, svg)
    except Exception as error:
        return text_picture(game, state).svg, told(game, error.__cause__ or error) or str(error)
    return svg, ""
