"""The games whose rules run in this process: the built-in ones with parameters, and in a process of its own a user's file.

A file is never loaded because a page asks for it.
"""

import inspect
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping

from outplay.errors import TooLarge, UnknownGame
from outplay.games import catalogue
from outplay.rules.game import Game
from outplay.rules.text import sentence
from outplay.web import answers
from outplay.web.limits import Caps

TITLES = {
    "cant-stop": "Can't Stop",
    "einstein": "EinStein würfelt nicht",
    "two-dice-pig": "Two-Dice Pig",
    "dots-and-boxes": "Dots and Boxes",
    "nine-mens-morris": "Nine Men's Morris",
    "three-mens-morris": "Three Men's Morris",
    "tic-tac-toe": "Tic-tac-toe",
    "coin-tic-tac-toe": "Coin tic-tac-toe",
}
MARGINS = ("dots-and-boxes", "extended-connect-four", "kalah", "othello")  # a score is what the winner is ahead by
KINDS: dict[type, answers.Kind] = {int: "int", bool: "bool"}  # of parameters; all others are text
ABOUT = 2_000  # characters of a game's rules in words


class GameRegistry:
    """The games of one server."""

    def __init__(self, own: Mapping[str, Game] | None = None, caps: Caps | None = None, labels: Iterable[str] = ()) -> None:
        """*own*: the user's games whose rules run here. *labels*: those whose rules run in processes of their own."""
        self._caps = caps or Caps()
        self._lock = threading.Lock()
        self._made: OrderedDict[str, Game] = OrderedDict()
        self._compiled: set[str] = set()
        self.own = dict(own or {})
        self._labels = [*self.own, *labels]

    def game(self, name: str) -> Game:
        """Return the game that a page names."""
        if name in self.own:
            return self.own[name]
        with self._lock:
            if name in self._made:
                self._made.move_to_end(name)
                return self._made[name]
        plain = name.partition(":")[0]
        if plain not in catalogue.names():  # whatever looks like a file ends here
            own = f"; of your own: {', '.join(self._labels)}" if self._labels else ""
            raise UnknownGame(
                f"there is no game {plain!r} on this page; there are {', '.join(catalogue.names())}{own}. "
                "A file is given where the server is started: outplay web mygame.py"
            )
        game = catalogue.built_in(name)
        with self._lock:
            self._made[name] = game
            while len(self._made) > self._caps.games:
                self._made.popitem(last=False)
        return game

    def title(self, name: str) -> str:
        """Return what people call the game."""
        if name in self.own:
            return self.own[name].name
        plain, _, rest = name.partition(":")
        return title(plain) + (f" ({rest.replace(',', ', ')})" if rest else "")

    def rules(self, name: str) -> str:
        """Return the game's rules in words; of a user's game, what the file says of itself where the game says nothing."""
        game = self.game(name)
        return (game.about or (catalogue.own_words(game) if name in self.own else "")).strip()[:ABOUT]

    def by_margin(self, name: str) -> bool:
        """Return whether a score of the game is the margin of a win."""
        return name.partition(":")[0] in MARGINS

    def admit(self, game: Game, opponent: str = "best") -> None:
        """Count *game* as one that is compiled, or refuse it: there is a bound on how many a server compiles."""
        if not game.loaded_as:  # a file of the user's: there are no more than were given
            return
        variant = f"{game.loaded_as} {opponent}"
        with self._lock:
            if variant not in self._compiled and len(self._compiled) >= self._caps.variants:
                raise TooLarge(
                    f"this server has compiled {len(self._compiled)} variants of games, and keeps them all until it ends; "
                    "play one of those, or start it again"
                )
            self._compiled.add(variant)

    def entries(self, *, built_in: bool = True) -> list[answers.GameEntry]:
        """Return the games as the page lists them."""
        own = [self._entry(label, game, [], True) for label, game in self.own.items()]
        names = catalogue.names() if built_in else ()
        return own + [self._entry(name, self.game(name), _parameters(name), False) for name in names]

    def _entry(self, name: str, game: Game, parameters: list[answers.Parameter], own: bool) -> answers.GameEntry:
        return answers.GameEntry(
            name=name,
            title=self.title(name),
            about=_without(
                self.title(name), self.rules(name).partition("\n")[0] if own else catalogue.summary(catalogue.maker(name))
            ),
            parameters=parameters,
            chance=game.chances is not None,
            policies=list(game.policies),
            players=list(game.seats),
            own=own,
            deals=game.deal is not None,
        )


def title(name: str) -> str:
    """Return the title of a built-in game."""
    return TITLES.get(name) or " ".join(word.capitalize() for word in name.split("-"))


def _without(title: str, text: str) -> str:
    """Return *text* without the title of the game before it: the page shows that above."""
    head, colon, rest = text.partition(": ")
    return sentence(rest) if colon and head.casefold() == title.casefold() else text


def _parameters(name: str) -> list[answers.Parameter]:
    known = inspect.signature(catalogue.maker(name)).parameters
    return [
        answers.Parameter(name=key, default=str(value.default), kind=KINDS.get(type(value.default), "text"))
        for key, value in known.items()
    ]
