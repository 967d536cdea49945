"""Which games a page may name: the built-in ones with parameters, and the files that were given at the command line.

A file is never loaded because a page asks for it, but read again when it has changed.
"""

import importlib.util
import inspect
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path

from outplay.errors import TooLarge, UnknownGame
from outplay.games import catalogue
from outplay.rules.game import Game
from outplay.web import answers
from outplay.web.limits import Caps

TITLES = {
    "dots-and-boxes": "Dots and Boxes",
    "nine-mens-morris": "Nine Men's Morris",
    "three-mens-morris": "Three Men's Morris",
    "tic-tac-toe": "Tic-tac-toe",
    "coin-tic-tac-toe": "Coin tic-tac-toe",
}
MARGINS = ("dots-and-boxes", "extended-connect-four", "kalah", "othello")  # a score is what the winner is ahead by
KINDS: dict[type, answers.Kind] = {int: "int", bool: "bool"}  # of parameters; all others are text
ABOUT = 2_000  # characters of a game's rules in words

Stamp = tuple[int, int]  # when a file was written, and its size


class GameRegistry:
    """The games of one server."""

    def __init__(self, files: Iterable[str] = (), caps: Caps | None = None) -> None:
        self._caps = caps or Caps()
        self._lock = threading.Lock()
        self._made: OrderedDict[str, Game] = OrderedDict()
        self._compiled: set[str] = set()
        self.own: dict[str, Game] = {}
        self._read: dict[str, tuple[str, Path, Stamp | None]] = {}  # a label's file, as it was when it was read
        self._broken: dict[str, str] = {}  # why the file of a label cannot be read again
        for file in files:
            path = Path(catalogue.parted(file)[0]).absolute()
            stamp = _stamp(path)
            game = catalogue.load(file)
            if game.loaded_as:
                raise UnknownGame(f"{file!r} is built in, and on the page already; name files of your own, such as mygame.py")
            label = self._label(file)
            self.own[label], self._read[label] = game, (file, path, stamp)

    def _label(self, file: str) -> str:
        """Return what the page calls a file: its name without the folder, unless another one is called so."""
        short = Path(file).name
        return file if short in self.own else short

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
            own = f"; of your own: {', '.join(self.own)}" if self.own else ""
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

    def changed(self) -> list[str]:
        """Return the labels of the files that are no longer those that were read."""
        return [label for label, (_, path, stamp) in self._read.items() if _stamp(path) not in (stamp, None)]

    def reload(self, label: str) -> None:
        """Read a user's file again, by its new rules from now on; keep the old ones, and why, where that fails."""
        file, path, _ = self._read[label]
        self._read[label] = file, path, _stamp(path)  # first: a file that fails is not read again until it changes
        self._broken[label] = f"reading {path.name} does not come to an end"  # until it has
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)  # its time counts whole seconds
        module = f"outplay_file_{path.stem}"
        before = sys.modules.get(module)
        try:
            self.own[label] = catalogue.load(file)
            del self._broken[label]
        except (Exception, SystemExit) as error:
            said = f"it calls exit({error})" if isinstance(error, SystemExit) else str(error) or type(error).__name__
            self._broken[label] = said.removeprefix(f"{file} cannot be loaded: ")
            if before is not None:
                sys.modules[module] = before

    def broken(self, name: str) -> str:
        """Return why the changed file of a game could not be read; "" where there is no such thing."""
        return self._broken.get(name, "")

    def title(self, name: str) -> str:
        """Return what people call the game."""
        if name in self.own:
            return self.own[name].name
        plain, _, rest = name.partition(":")
        return title(plain) + (f" ({rest.replace(',', ', ')})" if rest else "")

    def rules(self, name: str) -> str:
        """Return the game's rules in words; of a user's game, what the file says of itself where the game says nothing."""
        game = self.game(name)
        return (game.about or (_own_words(game) if name in self.own else "")).strip()[:ABOUT]

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

    def entries(self) -> list[answers.GameEntry]:
        """Return all games as the page lists them."""
        own = [self._entry(label, game, [], True) for label, game in self.own.items()]
        return own + [self._entry(name, self.game(name), _parameters(name), False) for name in catalogue.names()]

    def _entry(self, name: str, game: Game, parameters: list[answers.Parameter], own: bool) -> answers.GameEntry:
        return answers.GameEntry(
            name=name,
            title=self.title(name),
            about=_first_line(self.rules(name) if own else catalogue.maker(name).__doc__),
            parameters=parameters,
            chance=game.chances is not None,
            policies=list(game.policies),
            players=list(game.players),
            own=own,
            deals=game.deal is not None,
        )


def title(name: str) -> str:
    """Return the title of a built-in game."""
    return TITLES.get(name) or " ".join(word.capitalize() for word in name.split("-"))


def _stamp(path: Path) -> Stamp | None:
    """Return what tells one version of a file from the next, None where there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _first_line(text: str | None) -> str:
    return (text or "").strip().partition("\n")[0]


def _own_words(game: Game) -> str:
    """Return what stands at the head of the file that a game was loaded from."""
    scope = getattr(game.play, "__globals__", {})
    if not str(scope.get("__name__", "")).startswith("outplay_file_"):
        return ""
    return inspect.cleandoc(str(scope.get("__doc__") or ""))


def _parameters(name: str) -> list[answers.Parameter]:
    known = inspect.signature(catalogue.maker(name)).parameters
    return [
        answers.Parameter(name=key, default=str(value.default), kind=KINDS.get(type(value.default), "text"))
        for key, value in known.items()
    ]
