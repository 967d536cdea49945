"""Plays the games of a schedule in this process. It opens players when a game needs them, and keeps some open for later games."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from outplay.arena.player import Answer, Fault, Player, Turn
from outplay.arena.record import GameRecord, Verdict
from outplay.arena.referee import Asked, play_game
from outplay.arena.schedule import Fixture
from outplay.arena.time_control import TimeControl
from outplay.errors import GameError, OutplayError
from outplay.rules.game import Game
from outplay.rules.text import read_state
from outplay.runtime.stopper import Stopper

MOST_OPEN = 8  # players, of which each may be a process


@dataclass(frozen=True)
class Numbered:
    """A game to play. Its record comes back with the same number."""

    number: int
    fixture: Fixture


class RefusedPlayer(Player):
    """A player that could not be opened: it loses every game before the first move."""

    name, identity = "refused", "refused"

    def __init__(self, why: str) -> None:
        self.why = why

    def begin(self, game: Game, control: TimeControl, *, seat: int, seed: str) -> None:
        raise Fault(Verdict.REFUSED, self.why)

    def choose(self, game: Game, turn: Turn, control: TimeControl, stopper: Stopper | None = None) -> Answer:
        raise Fault(Verdict.REFUSED, self.why)


class FixturePlayer:
    """Plays fixtures in this process. *opens* returns the player for the number of an agent."""

    def __init__(
        self, game: Game, opens: Callable[[int], Player], control: TimeControl, *, stopper: Stopper | None = None
    ) -> None:
        self.game, self.opens, self.control, self.stopper = game, opens, control, stopper
        self._open: OrderedDict[int, Player] = OrderedDict()

    def play(self, fixture: Fixture, asked: Asked | None = None) -> GameRecord:
        """Play one game and return its record."""
        first = self._player(fixture.first)
        players = (first, first if fixture.second == fixture.first else self._player(fixture.second))
        return play_game(
            self.game, players, start=read_state(self.game, fixture.start), opening=fixture.opening, luck=fixture.luck,
            control=self.control, stopper=self.stopper, asked=asked,
        )  # fmt: skip

    def play_all(self, games: Sequence[Numbered]) -> Iterator[tuple[int, GameRecord]]:
        """Play games one after the other; yield the number and the record of each."""
        for game in games:
            yield game.number, self.play(game.fixture)

    def _player(self, number: int) -> Player:
        if number not in self._open:
            try:
                self._open[number] = self.opens(number)
            except GameError:
                raise
            except OutplayError as error:  # a file that changed since the tournament began, for example
                self._open[number] = RefusedPlayer(str(error))
        self._open.move_to_end(number)
        while len(self._open) > MOST_OPEN:
            self._open.popitem(last=False)[1].close()
        return self._open[number]

    def close(self) -> None:
        """Close all players."""
        while self._open:
            self._open.popitem()[1].close()
