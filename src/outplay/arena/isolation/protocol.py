"""The protocol between the referee and a program that plays: a JSON object a line. docs/agent-protocol.md describes it."""

import json
import math
from typing import Any

from outplay.agents.agent import Choice, Clock
from outplay.rules.fields import Field
from outplay.rules.game import Game

VERSION = 1
LONGEST_LINE = 65_536  # bytes of a reply, its end of line included
MOST_DIGITS = 40  # of a number in a reply; a longer one is kept as text, and is no legal move
LONGEST_TEXT = 400  # characters of an agent's own words in a verdict


class ProtocolError(Exception):
    """A line that is not a message of the protocol. The text completes the sentence "the agent ..."."""


def line_of(message: dict[str, Any]) -> bytes:
    """Return *message* as a line."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def message_of(line: bytes) -> dict[str, Any]:
    """Return the message in *line*; raise a ProtocolError if it is not one, whatever the bytes are."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise ProtocolError(f"sends bytes that are not UTF-8 (byte {error.start} of {printable(repr(line[:40]))})") from None
    try:
        said = json.loads(text, parse_int=_int, parse_constant=_refuse)
    except RecursionError:
        raise ProtocolError("sends JSON that is nested too deeply") from None
    except ValueError as error:
        raise ProtocolError(f"sends a line that is not JSON ({printable(str(error), 80)}): {printable(text, 80)!r}") from None
    if not isinstance(said, dict):
        raise ProtocolError(f"sends {printable(text, 80)!r}; a message is a JSON object, such as {{...}}")
    return said


def reply_of(line: bytes) -> dict[str, Any]:
    """Return the message of an agent. Its values are numbers, texts, booleans or null; a list or an object is only named."""
    said = message_of(line)
    return {key: f"a JSON {type(value).__name__}" if isinstance(value, list | dict) else value for key, value in said.items()}


def _int(digits: str) -> int | str:
    return int(digits) if len(digits) <= MOST_DIGITS else f"{digits[:10]}... ({len(digits):,} digits)"


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is not a number of JSON")


def printable(text: str, most: int = LONGEST_TEXT) -> str:
    """Return *text* without what could control a terminal, and not longer than *most* characters."""
    shown = "".join(character if character.isprintable() else " " for character in text[: 4 * most])
    shown = " ".join(shown.split())
    return shown if len(shown) <= most else f"{shown[: most - 3]}..."


def fields_of(game: Game, state: Any) -> dict[str, Any]:
    """Return the fields of *state* as plain data; an array becomes a list of lists."""
    return {field.name: _plain(field, value) for field, value in zip(game.fields, state, strict=True)}


def _plain(field: Field, value: Any) -> Any:
    if field.kind == "array":
        return value.tolist()
    if field.kind == "tuple":
        return [int(item) for item in value]
    return {"int": int, "bool": bool, "float": float}[field.kind](value)


def state_of(game: Game, said: dict[str, Any]) -> Any:
    """Return the state whose fields `fields_of` wrote."""
    values: list[Any] = []
    for field in game.fields:
        value = said[field.name]
        if field.kind == "array":
            import numpy

            value = numpy.array(value, dtype=field.dtype).reshape(field.shape)
        values.append(tuple(value) if field.kind == "tuple" else value)
    return game.state(type(game.start)(*values))


def clock_message(clock: Clock) -> dict[str, Any]:
    """Return the clock of a turn as plain data."""
    return {"seconds": clock.seconds, "left": clock.left, "nodes": clock.nodes}


def choice_message(choice: Choice) -> dict[str, Any]:
    """Return what an agent answers as plain data; a move that is not a number stays as it is if JSON can say it."""
    move: Any = choice.move
    if hasattr(move, "dtype") and getattr(move, "ndim", 1) == 0:
        move = move.item()  # a number of NumPy
    if not isinstance(move, int | float | str | None):
        move = repr(move)[:60]
    if isinstance(move, float) and not math.isfinite(move):
        move = repr(move)
    value = None if choice.value is None else float(choice.value)
    return {"move": move, "value": value if value is None or math.isfinite(value) else None, "nodes": int(choice.nodes)}


def choice_of_reply(reply: dict[str, Any]) -> Choice:
    """Return the choice in a reply; whether the move is legal is for the referee to say."""
    if "move" not in reply:
        raise ProtocolError("sends a reply without a move")
    value, nodes = reply.get("value"), reply.get("nodes", 0)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value)):
        raise ProtocolError(f"sends the value {printable(repr(value), 40)}; a value is a number or null")
    if isinstance(nodes, bool) or not isinstance(nodes, int) or not 0 <= nodes < 1 << 63:
        raise ProtocolError(f"sends {printable(repr(nodes), 40)} nodes; nodes is a whole number, 0 or more")
    move = reply["move"]
    if isinstance(move, str):
        move = printable(move, 60)  # no text is a legal move; what is kept of it is short
    return Choice(move, value=None if value is None else float(value), nodes=nodes)
