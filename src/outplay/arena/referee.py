"""The referee: it plays one game between two players, and alone decides legality, luck, clocks and the result."""

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from outplay.arena.player import Fault, Player, Turn
from outplay.arena.record import GameRecord, Step, Verdict, exact_text
from outplay.arena.time_control import SeatClock, TimeControl
from outplay.errors import Interrupted, OutplayError, RuleError
from outplay.rules.fields import is_int
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.key import key_of
from outplay.rules.rule_errors import rule_errors
from outplay.runtime.stopper import Stopper

MOST_PLIES = 100_000  # a game of 2048 that is played well takes more than 10,000
FREE = TimeControl()
Asked = Callable[[int, float | None], None]


def _nobody(seat: int, limit: float | None) -> None:
    """Do nothing: nobody asks who is at work."""


def play_game(
    game: Game,
    players: Sequence[Player],
    *,
    start: Any = None,
    opening: Sequence[int] = (),
    luck: str = "0",
    control: TimeControl = FREE,
    stopper: Stopper | None = None,
    asked: Asked | None = None,
) -> GameRecord:
    """Play one game and return its record, whatever the players do; *players* are in the order of their seats.

    In a solitaire both are the same player. The choices of *opening* come first. An outcome of chance depends on *luck*, a text, and
    on the ply alone; each seat's own dice depend on *luck* and the seat. Without chance, a state that comes back for the third time
    ends the game: play that never ends is worth nothing. An error of the rules is nobody's fault, and such a game has no score.
    *stopper* ends the game from another thread: that raises an `Interrupted`. *asked* is called before a player gets ready or
    chooses, with the seat and the seconds that it has, and with -1 when the rules are at work again.
    """
    run = GameRun(game, players, start=start, opening=opening, luck=luck, control=control, stopper=stopper, asked=asked)
    try:
        return run.play()
    except OutplayError as error:
        return run.record(Verdict.RULE, None, None, str(error))


def seat_seed(luck: str, seat: int) -> str:
    """Return what a seat's own dice begin with. An agent is told it, and must not learn the luck: that tells every outcome to come."""
    return hashlib.sha256(f"{luck}/seat/{seat}".encode()).hexdigest()[:32]


class GameRun:
    """One game while it is played. `play` raises an OutplayError if the rules fail."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        *,
        start: Any = None,
        opening: Sequence[int] = (),
        luck: str = "0",
        control: TimeControl = FREE,
        stopper: Stopper | None = None,
        asked: Asked | None = None,
    ) -> None:
        self.game, self.players, self.luck, self.control, self.stopper = game, players, luck, control, stopper
        self.asked = asked or _nobody
        self.start = game.start if start is None else start
        self.opening = tuple(int(choice) for choice in opening)
        self.steps: list[Step] = []
        self.paid = 0.0
        self.acting = 0  # whose fault a Fault is

    def play(self) -> GameRecord:
        """Play the game to its end, or to the first fault."""
        try:
            score = self.score()
        except Fault as fault:
            worst, best = float(self.game.low), float(self.game.high)
            return self.record(fault.verdict, self.acting, worst if self.acting == 0 else best, fault.detail)
        return self.record(Verdict.FINISHED, None, score, "")

    def score(self) -> float:
        """Play the game to its end, and return its score; raise a Fault if a player commits one. `acting` is then its seat."""
        try:
            with rule_errors(self.game):
                state = self._opened()
            self._begin()
            return self._play_on(state)
        finally:
            for player in dict.fromkeys(self.players):
                player.end()

    def record(self, verdict: Verdict, blamed: int | None, score: float | None, detail: str) -> GameRecord:
        """Return the record of the game so far."""
        return GameRecord(verdict, blamed, score, exact_text(self.game, self.start), self.opening, tuple(self.steps), detail)

    def _opened(self) -> Any:
        state = self.start = self.game.state(self.start)
        for choice in self.opening:
            self._pay(state, choice)
            state = self.game.after(state, (choice,))
        return state

    def _begin(self) -> None:
        for seat, player in enumerate(self.players):
            self.acting = seat
            self.asked(seat, self.control.start_seconds)
            if seat == 0 or player is not self.players[0]:
                player.begin(self.game, self.control, seat=seat, seed=seat_seed(self.luck, seat))
            self.asked(-1, None)

    def _play_on(self, state: Any) -> float:
        game, seen = self.game, Counter[int]()
        dice = [Random(seat_seed(self.luck, seat)) for seat in range(len(self.players))]
        clocks = [SeatClock(self.control) for _ in self.players]
        for ply in range(len(self.opening), MOST_PLIES):
            with rule_errors(game):
                who = game.turn(state)
                if who == OVER:
                    return self.paid + float(game.score(state))
                if game.chances is None:
                    seen[key := key_of(state)] += 1
                    if seen[key] == 3:
                        return self.paid
            if self.stopper is not None and self.stopper.stopped:
                raise Interrupted(message="the game was stopped")
            if who == CHANCE:
                with rule_errors(game):
                    step = Step(CHANCE, game.roll(state, Random(f"{self.luck}/chance/{ply}")))
            else:
                step = self._asked(state, who, dice[who], clocks[who], ply)
            self.steps.append(step)
            with rule_errors(game):
                self._pay(state, step.choice)
                state = game.state(game.play(state, step.choice))
        raise RuleError(
            f"a game of {game.name} did not end within {MOST_PLIES:,} plies; see whether its rules allow it to go on for ever"
        )

    def _asked(self, state: Any, who: int, dice: Random, clock: SeatClock, ply: int) -> Step:
        """Return the move of the player to move; raise a Fault if it is illegal."""
        legal = self.game.legal(state)
        self.acting = who
        turn = Turn(ply, state, legal, clock.clock(), clock.limit, dice)
        self.asked(who, clock.limit)
        answer = self.players[who].choose(self.game, turn, self.control, self.stopper)
        self.asked(-1, None)
        clock.charge(answer.seconds)
        choice = answer.choice
        if _kind(choice.move) or choice.move not in legal:
            raise Fault(
                Verdict.ILLEGAL,
                f"{self.players[who].name} plays {choice.move!r:.60}, which is not legal in {self.game.write_state(state)}"
                f"{_kind(choice.move)}; legal moves: {str(legal)[:200]}",
            )
        return Step(who, int(choice.move), answer.seconds, _nodes(choice.nodes), _value(choice.value))

    def _pay(self, state: Any, choice: int) -> None:
        if self.game.reward is not None:
            self.paid += float(self.game.reward(state, choice))


def _kind(move: Any) -> str:
    """Return what is wrong with a move that is not an int, in words; "" if it is one."""
    if move is None:
        return ": None is no move; a function that ends without a return returns it"
    if is_int(move) and not isinstance(move, bool) and getattr(getattr(move, "dtype", None), "kind", "i") != "b":
        return ""
    return f": {move!r:.60} is a {type(move).__name__}; return an int"


def _nodes(said: Any) -> int:
    """Return the number of nodes that an agent says it has visited; 0 if that is not a number of nodes."""
    return int(said) if is_int(said) and 0 <= said < 2**63 else 0


def _value(said: Any) -> float | None:
    """Return the value that an agent says its move has; None if that is not a number."""
    try:
        value = None if said is None else float(said)
    except (TypeError, ValueError, OverflowError):
        return None
    return value if value is not None and math.isfinite(value) else None
