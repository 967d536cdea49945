"""A position as a page names it, and what the page is shown of it."""

import random
import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from outplay.checking.check_display import told
from outplay.errors import OutplayError, RuleRaised, StateError, TooLarge
from outplay.pictures.boards import has_board
from outplay.pictures.picture import listed_moves, text_picture
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.number_text import short_value, signed_value
from outplay.rules.text import choice_name, read_state
from outplay.web import answers, limits
from outplay.web.game_registry import GameRegistry
from outplay.web.limits import Caps
from outplay.web.messages import Deal, Read, Roll, Views

ECHO = 60  # letters of a state typed in that an error repeats
MINUS = "\u2212"  # as the page writes it
_dice = random.SystemRandom()


class Place:
    """A position that has been found, and those after it that are known: a longer game plays only its new choices."""

    def __init__(self, name: str, game: Game, state: Any, before: "Place | None" = None, choice: int = 0) -> None:
        self.name, self.game, self.state, self.before, self.choice = name, game, state, before, choice
        self.after: dict[int, Place] = {}  # by choice

    @property
    def way(self) -> list["Place"]:
        """Every position from the start to this one."""
        found, place = [self], self
        while place.before is not None:
            place = place.before
            found.append(place)
        return found[::-1]

    @cached_property
    def paid(self) -> float:
        """The rewards of all choices up to here."""
        if self.before is None or self.game.reward is None:
            return 0.0
        return self.before.paid + float(self.game.reward(self.before.state, self.choice))

    @cached_property
    def last(self) -> answers.PastChoice:
        """The choice that led here, named."""
        assert self.before is not None
        before = self.before.state
        name = choice_name(self.game, before, self.choice)
        return answers.PastChoice(turn=int(self.game.turn(before)), choice=self.choice, name=name)


@dataclass
class Start:
    """Where a game starts, and how many positions are known from there."""

    place: Place
    size: int = 1


class Positions:
    """Finds positions and describes them, by the rules interpreted."""

    def __init__(self, registry: GameRegistry, caps: Caps | None = None) -> None:
        self.registry, self.caps = registry, caps or Caps()
        self._lock = threading.Lock()
        self._starts: OrderedDict[tuple[str, str], Start] = OrderedDict()  # the one used last stands last

    def place(self, asked: Any) -> Place:
        """Return the position that a request names by its game, start and choices."""
        start = self._start(asked.game, asked.start)
        place = start.place
        try:
            for choice in asked.choices:
                place = self.after(place, choice, start)
        finally:
            self._bound()
        return place

    def after(self, place: Place, choice: int, start: Start | None = None) -> Place:
        """Return the position after one more choice; it is kept if *start* is given."""
        known = place.after.get(choice)
        if known is None:
            known = Place(place.name, place.game, place.game.after(place.state, (choice,)), place, choice)
            if start is not None:
                place.after[choice] = known
                start.size += 1
        return known

    def _start(self, name: str, text: str) -> Start:
        game = self.registry.game(name)
        with self._lock:
            known = self._starts.get((name, text))
            if known is not None and known.place.game is game:  # not of a file that has changed since
                self._starts.move_to_end((name, text))
                return known
        found = Start(Place(name, game, self.read(name, text) if text else game.start))
        with self._lock:
            self._starts[name, text] = found
            self._starts.move_to_end((name, text))
        return found

    def _bound(self) -> None:
        """Forget the games that were used longest ago, if too many positions are kept."""
        with self._lock:
            size = sum(start.size for start in self._starts.values())
            while size > self.caps.positions:
                size -= self._starts.popitem(last=False)[1].size

    def read(self, name: str, text: str) -> Any:
        """Return the state that *text* says, as a page may write it."""
        game = self.registry.game(name)
        try:
            state = read_state(game, text)
            game.turn(state)
        except StateError as error:
            short = f"{text[:ECHO]}…" if len(text) > ECHO else text
            raise StateError(str(error).replace(text, short)) from None
        except OutplayError:
            raise
        except Exception as error:  # a reader that trusts its text, or rules that trust their state
            raise StateError(f"{text!r} is not a state of {game.name}: {type(error).__name__}: {error}") from None
        return state

    def typed(self, asked: Read) -> answers.State:
        """Return a state typed in as the game writes it."""
        state = self.read(asked.game, asked.text)
        return answers.State(start=str(self.registry.game(asked.game).write_state(state)))

    def deal(self, asked: Deal) -> answers.Dealt:
        """Return a start as text: drawn by luck, if starts differ."""
        game = self.registry.game(asked.game)
        return answers.Dealt(start="" if game.deal is None else str(game.write_state(game.dealt(_dice))))

    def roll(self, asked: Roll) -> answers.Rolled:
        """Return a fair draw of what chance chooses."""
        place = self.place(asked)
        if place.game.acting(place.state) != CHANCE:
            raise StateError("chance does not act here, so there is nothing to roll")
        choice = place.game.roll(place.state, _dice)
        name = choice_name(place.game, place.state, choice)
        return answers.Rolled(choice=choice, name=name, view=self.view_after(place, choice))

    def view(self, asked: Any) -> answers.View:
        """Return all that a page shows of the position that a request names."""
        return self.view_of(self.place(asked))

    def view_after(self, place: Place, choice: int) -> answers.View | None:
        """Return the view after one more choice; None where a rule fails there: a request for the view says why."""
        try:
            return self.view_of(self.after(place, choice))
        except (Exception, SystemExit):
            return None

    def view_of(self, place: Place) -> answers.View:
        """Return all that a page shows of a position."""
        try:
            return self._view_of(place)
        except OutplayError:
            raise
        except Exception as error:
            said = told(place.game, error)
            raise (RuleRaised(said) if said else error) from error

    def _view_of(self, place: Place) -> answers.View:
        game, state = place.game, place.state
        who = game.acting(state)
        paid = None if game.reward is None else place.paid
        score = (paid or 0.0) + float(game.score(state)) if who == OVER else None
        svg, undrawn = picture(game, state)
        return answers.View(
            game=place.name,
            title=self.registry.title(place.name),
            players=list(game.seats),
            state=str(game.write_state(state)),
            text=str(game.show(state)),
            svg=svg,
            turn=int(who),
            choices=open_choices(game, state),
            score=score,
            paid=paid,
            result="" if score is None else self.result(place, score),
            low=game.low,
            high=game.high,
            past=[after.last for after in place.way[1:]],
            drawn=(game.draw is not None and not undrawn) or (has_board(game) and (who < 0 or "data-moves" in svg)),
            draw_error=undrawn,
            rules=self.registry.rules(place.name),
        )

    def views(self, asked: Views) -> answers.Views:
        """Return pictures of many positions."""
        views, size = [], 0
        for position in asked.positions:
            place = self.place(position)
            svg = picture(place.game, place.state)[0]
            views.append(answers.Picture(svg=svg, state=str(place.game.write_state(place.state))))
            size += len(svg)
            if size > limits.PICTURES_BYTES:
                raise TooLarge(f"these pictures have more than {limits.PICTURES_BYTES:,} characters; ask for fewer at once")
        return answers.Views(views=views)

    def result(self, place: Place, score: float) -> str:
        """Return who has won, in words."""
        if len(place.game.seats) == 1:
            return f"a score of {short_value(score)}".replace("-", MINUS)
        if score == 0:
            return "a draw"
        winner = place.game.players[0 if score > 0 else 1]
        if self.registry.by_margin(place.name):
            return f"{winner} wins by {abs(score):g}"
        if place.name in self.registry.own and abs(score) != 1:
            return f"{winner} wins, with a score of {signed_value(score).replace('-', MINUS)}"
        return f"{winner} wins"


def open_choices(game: Game, state: Any) -> list[answers.Option]:
    """Return the moves or outcomes of a state, named."""
    return [
        answers.Option(choice=choice, name=choice_name(game, state, choice), probability=probability)
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
