"""`Player`: an agent as the referee sees it. It is asked for moves, and its faults are caught."""

import hashlib
import os
import platform
import re
import sys
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from outplay.agents.agent import Agent, Choice, Clock, choice_of
from outplay.agents.function import FunctionAgent, names_an_agent_file
from outplay.agents.named import agent
from outplay.agents.policy import PolicyAgent
from outplay.arena.interruption import Interruption, OutOfTime
from outplay.arena.record import Verdict
from outplay.arena.time_control import TimeControl
from outplay.compile.watchdog import GivenUp
from outplay.errors import GameError, OptionError, OutplayError, RuleRaised
from outplay.games.catalogue import parted
from outplay.rules.game import Game
from outplay.rules.rule_errors import describe_error, place_in
from outplay.runtime.stopper import Stopper

if TYPE_CHECKING:
    from outplay.arena.isolation.tiers import Isolation


class Fault(Exception):
    """What an agent did wrong: the verdict, and one plain sentence."""

    def __init__(self, verdict: Verdict, detail: str) -> None:
        super().__init__(detail)
        self.verdict, self.detail = verdict, detail


@dataclass(frozen=True)
class Turn:
    """One question to a player: choose a move in `state`. `limit` is the number of seconds after which the answer is too late."""

    number: int
    state: Any
    legal: list[int]
    clock: Clock
    limit: float | None
    dice: Random


@dataclass(frozen=True)
class Answer:
    """What a player answers, and the seconds that it is charged for it."""

    choice: Choice
    seconds: float


class Player(ABC):
    """Whoever plays games for the referee. A method raises a `Fault` for what the agent does wrong, and nothing else."""

    name: str
    identity: str  # a hash of what the player is; another one is another player

    @property
    def deterministic(self) -> bool:
        """Whether the player always plays the same move in the same state, as far as is known."""
        return False

    @abstractmethod
    def begin(self, game: Game, control: TimeControl, *, seat: int, seed: str) -> None:
        """Get ready for a new game. It may begin at any state: each turn says its own."""

    @abstractmethod
    def choose(self, game: Game, turn: Turn, control: TimeControl, stopper: Stopper | None = None) -> Answer:
        """Answer a turn of this game."""

    def end(self) -> None:  # noqa: B027  # most players need nothing
        """Hear that the game is over."""

    def close(self) -> None:  # noqa: B027
        """Leave for good; the player is not used again."""

    def __enter__(self) -> "Player":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AgentPlayer(Player):
    """A trusted `Agent` in this process.

    An agent that computes for too long is interrupted where it is in Python; code in C is not interrupted. What is charged is the
    processor time of this process, but never more than the time that has passed: other programs do not cost an agent its time.
    """

    def __init__(self, agent: Agent, text: str = "") -> None:
        self.agent, self.name = agent, agent.name
        self.identity = identity_of(text or agent.name)
        self._interruption = Interruption()
        self._file = agent.file if isinstance(agent, FunctionAgent) else ""

    @property
    def deterministic(self) -> bool:
        return self.agent.deterministic

    def begin(self, game: Game, control: TimeControl, *, seat: int, seed: str) -> None:
        try:
            self.agent.prepare(game)
        except GameError:
            raise
        except Exception as error:
            raise Fault(Verdict.REFUSED, f"{self.name} cannot start: {describe_error(error, self._file)}") from error

    def choose(self, game: Game, turn: Turn, control: TimeControl, stopper: Stopper | None = None) -> Answer:
        began, used = time.perf_counter(), time.process_time()
        try:
            with self._interruption.after(turn.limit, control.margin):
                said = self.agent.choose(game, turn.state, turn.clock, turn.dice, stopper=stopper)
        except OutOfTime:
            raise self._late(turn) from None
        except GameError as error:
            if not isinstance(self.agent, (PolicyAgent, FunctionAgent)):
                raise  # the rules are at fault, and a search has found it
            illegal = isinstance(self.agent, PolicyAgent) and not isinstance(error, RuleRaised)
            raise Fault(Verdict.ILLEGAL if illegal else Verdict.CRASH, str(error)) from error
        except OutplayError as error:
            raise Fault(Verdict.CRASH, f"{self.name} fails: {error}{place_in(error, self._file)}") from error
        except Exception as error:
            raise Fault(Verdict.CRASH, f"{self.name} raised {describe_error(error, self._file)}") from error
        except GivenUp:
            raise  # a rule does not return, and the watchdog says so
        except SystemExit as error:
            raise Fault(Verdict.CRASH, f"{self.name} leaves Python by sys.exit or exit") from error
        seconds = min(time.perf_counter() - began, time.process_time() - used)
        if turn.limit is not None and seconds > turn.limit + control.margin:
            raise self._late(turn)
        return Answer(choice_of(said), seconds)

    def _late(self, turn: Turn) -> Fault:
        return Fault(Verdict.TIMEOUT, f"{self.name} exceeds its {turn.limit:g} s in turn {turn.number}")

    def close(self) -> None:
        self._interruption.close()


def open_player(
    text: str,
    game: Game,
    *,
    seconds: float | None = None,
    isolation: "Isolation | None" = None,
    game_text: str | None = None,
) -> Player:
    """Return the player that *text* names: every name of `agents/named.py`, or a program, as `program:COMMAND`.

    A search that names no limit takes *seconds* a move. With an *isolation*, a Python file is played by a process of its own;
    that process loads the game by *game_text*, the game as it is typed. A program is always a process of its own.
    """
    from outplay.arena.isolation.process_player import file_player, names_a_program, program_player
    from outplay.arena.isolation.tiers import Isolation as Kind

    if names_a_program(text):
        return program_player(text, isolation or Kind("none"))
    # Only Linux can confine a process; elsewhere a file that is trusted is played here.
    apart = isolation is not None and (isolation.tier != "none" or sys.platform == "linux")
    if isolation is None or not apart or not names_an_agent_file(text):
        return AgentPlayer(agent(text, game, seconds=seconds, programs=True), text)
    game_text = game_text or game.loaded_as
    if not game_text:
        raise OptionError(
            f"{text} is to play {game.name} in a process of its own, which must load the game, too; "
            "name the game by its file, or by its name in the catalogue"
        )
    return file_player(text, game, isolation, game_text)


def identity_of(text: str, *, more: bytes = b"") -> str:
    """Return a hash of what the agent *text* is: its words, or the contents of files where they name some, and the versions of Outplay and Python.

    Where a file lies does not matter.
    """
    import outplay

    known = hashlib.sha256(f"{outplay.__version__}\0{platform.python_version()}".encode() + more)
    # The path of an agent's file may have spaces, commas and so on: it is not split into words.
    words = list(parted(text)) if names_an_agent_file(text) else re.split(r"[,=\s]|:(?![\\/])", text)
    for word in words:
        is_file = word and Path(word).is_file()
        known.update(b"\0file\0" + hashlib.sha256(Path(word).read_bytes()).digest() if is_file else b"\0" + os.fsencode(word))
    return known.hexdigest()[:24]
