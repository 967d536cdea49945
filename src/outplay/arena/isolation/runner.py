"""Runs an agent that is a Python function: this process calls the function, and speaks the protocol for it.

What the function prints goes to standard error: the protocol has descriptors of its own.
"""

import os
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import IO, Any

from outplay.agents.agent import Clock
from outplay.agents.function import FunctionAgent, function_agent
from outplay.arena.isolation import protocol
from outplay.errors import OutplayError
from outplay.games.catalogue import load
from outplay.rules.game import Game
from outplay.rules.rule_errors import describe_error, place_in


def run(order: dict[str, Any]) -> None:
    """Answer the referee's questions on standard input until it closes."""
    asked = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", buffering=1, errors="replace", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="replace", closefd=False)  # noqa: SIM115
    if order["kind"] == "probe":
        from outplay.arena.isolation.probe import attempts

        asked.readline()  # an answer before the question is a fault
        answers.write(protocol.line_of(attempts(order["canary"])))
        return
    Host(order, asked, answers).serve()


class Host:
    """One agent, from its first message to its last."""

    def __init__(self, order: dict[str, Any], asked: IO[bytes], answers: IO[bytes]) -> None:
        self.order, self.asked, self.answers = order, asked, answers
        self.game: Game | None = None
        self.agent: FunctionAgent | None = None
        self.dice = Random(0)

    def serve(self) -> None:
        """Answer every message."""
        for message in self._messages():
            kind = message["type"]
            if kind == "hello":
                self._say(self._started())
            elif kind == "begin":
                self.dice = Random(message["seed"])
                self._say(self._prepared())
            elif kind == "turn":
                self._say({"type": "move", "id": message["id"], **self._chosen(message)})

    def _messages(self) -> Iterator[dict[str, Any]]:
        for line in self.asked:
            yield protocol.message_of(line)

    def _say(self, message: dict[str, Any]) -> None:
        self.answers.write(protocol.line_of(message))

    def _started(self) -> dict[str, Any]:
        folder = Path(self.order["file"]).with_suffix("")
        if folder.is_dir():
            sys.path.insert(0, str(folder))  # what the agent brings
        try:
            self.game = load(self.order["game"])
            self.agent = function_agent(f"{self.order['file']}:{self.order['function']}")
        except OutplayError as error:
            return {"type": "refuse", "message": str(error)}
        except BaseException as error:
            return {"type": "refuse", "message": self._described(error)}
        return {"type": "ready", "version": protocol.VERSION, "name": self.order["function"]}

    def _prepared(self) -> dict[str, Any]:
        assert self.game is not None
        assert self.agent is not None
        try:
            self.agent.prepare(self.game)
        except BaseException as error:
            return {"type": "refuse", "message": self._described(error)}
        return {"type": "ready"}

    def _chosen(self, message: dict[str, Any]) -> dict[str, Any]:
        assert self.game is not None
        assert self.agent is not None
        said = message["clock"]
        clock = Clock(said["seconds"], left=said["left"], nodes=said["nodes"])
        try:
            state = protocol.state_of(self.game, message["state"]["fields"])
            return protocol.choice_message(self.agent.choose(self.game, state, clock, self.dice))
        except SystemExit:
            return {"error": "leaves Python by sys.exit or exit"}
        except OutplayError as error:
            return {"error": f"fails: {error}{place_in(error, self.order['file'])}"}
        except BaseException as error:
            return {"error": f"raised {self._described(error)}"}
        finally:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()

    def _described(self, error: BaseException) -> str:
        """Return an exception as text, with the last line of the agent's file that led to it; print the end of its traceback."""
        traceback.print_exception(error, limit=-5)
        if isinstance(error, Exception):
            return describe_error(error, self.order["file"])
        return f"{type(error).__name__}: {error}"
