"""What a page may ask for: each request a Struct, told by its `do`, strict and bounded."""

from contextlib import suppress
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from outplay.errors import OptionError, TooLarge
from outplay.web import limits

Id = Annotated[int, Meta(ge=0, le=2**53)]
Text = Annotated[str, Meta(max_length=limits.TEXT)]
TreeText = Annotated[str, Meta(max_length=limits.TREE_TEXT)]
Choice = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Choices = Annotated[list[Choice], Meta(max_length=limits.CHOICES)]
Seconds = Annotated[float, Meta(gt=0, le=limits.SECONDS)]
Depth = Annotated[int, Meta(ge=1, le=limits.DEPTH)]
Nodes = Annotated[int, Meta(ge=1, le=limits.NODES)]
Word = Annotated[str, Meta(max_length=100)]


class Position(Struct, forbid_unknown_fields=True, kw_only=True):
    """A game, a state of it ("" for its start), and the moves and outcomes since."""

    game: Text
    start: Text = ""
    choices: Choices = []


class Request(Struct, tag_field="do", forbid_unknown_fields=True, kw_only=True):
    """What every request has; its answers carry the same id."""

    id: Id


class Placed(Request, kw_only=True):
    """A request about a position."""

    game: Text
    start: Text = ""
    choices: Choices = []


class Games(Request, tag="games", kw_only=True):
    """Which games are there?"""


class View(Placed, tag="view", kw_only=True):
    """What does a position look like, and what can be chosen?"""


class Views(Request, tag="views", kw_only=True):
    """What do these positions look like?"""

    positions: Annotated[list[Position], Meta(max_length=limits.POSITIONS)]


class Deal(Request, tag="deal", kw_only=True):
    """A start drawn by luck."""

    game: Text


class Read(Request, tag="read", kw_only=True):
    """A state typed in."""

    game: Text
    text: Text


class Roll(Placed, tag="roll", kw_only=True):
    """What does chance choose?"""


class Move(Placed, tag="move", kw_only=True):
    """What does an agent choose?"""

    agent: Text = "search"


class Analyse(Placed, tag="analyse", kw_only=True):
    """What is every move worth?"""

    seconds: Seconds = limits.SECONDS


class Graph(Placed, tag="graph", kw_only=True):
    """What was every position of the game worth?"""

    seconds: Annotated[float, Meta(gt=0, le=10)] = 0.1


class Traced(Request, kw_only=True):
    """A request about a position, or about a tree written as text."""

    game: Text = ""
    start: Text = ""
    choices: Choices = []
    tree: TreeText = ""
    depth: Depth | None = None
    nodes: Nodes = 2_000
    only: Annotated[list[Word], Meta(max_length=20)] | None = None
    opponent: Word = "best"


class Trace(Traced, tag="trace", kw_only=True):
    """What does a search do, node by node?"""


class Ladder(Traced, tag="ladder", kw_only=True):
    """How many nodes does each technique save?"""


class Tree(Request, tag="tree", kw_only=True):
    """A tree written as text, solved step by step."""

    text: TreeText


class Prepare(Request, tag="prepare", kw_only=True):
    """Compile what a search of this game takes."""

    game: Text


class Stop(Request, tag="stop", kw_only=True):
    """Stop the job with that id."""

    of: Id


Lengthy = Move | Analyse | Graph | Trace | Ladder | Tree | Prepare  # what takes a while
Asked = Games | View | Views | Deal | Read | Roll | Move | Analyse | Graph | Trace | Ladder | Tree | Prepare | Stop
_decoder = msgspec.json.Decoder(Asked)


class _Numbered(Struct):
    id: Id | None = None


class Malformed(Exception):
    """A message that is no request; `id` is its number where that much could be read."""

    def __init__(self, message: str, number: int | None) -> None:
        super().__init__(message)
        self.id = number


def read(text: str | bytes) -> Any:
    """Return the request that *text* is, or raise a Malformed that says why it is none."""
    try:
        return _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        number = None
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            number = msgspec.json.decode(text, type=_Numbered).id
        raise Malformed(f"this is no request that the server knows: {error}", number) from None


def written(event: dict[str, Any]) -> str:
    """Return an event as JSON, and if it cannot be sent, the error that says why; what is no finite number becomes null."""
    try:
        text = msgspec.json.encode(event, enc_hook=_plain)
        if len(text) > limits.ANSWER_BYTES:
            raise TooLarge(f"the answer has {len(text):,} bytes, and {limits.ANSWER_BYTES:,} are the most; ask for less")
    except (ValueError, OverflowError, RecursionError) as error:  # half of a letter, or a huge number, out of a user's rule
        text = msgspec.json.encode(
            {"id": event["id"], "event": "error", "message": f"this cannot be sent to the page: {error}", "done": True}
        )
    return text.decode()


def _plain(value: Any) -> Any:
    if hasattr(value, "item"):  # a NumPy number out of a user's rule
        return value.item()
    if isinstance(value, int):  # a subclass, such as Outcome
        return int(value)
    raise OptionError(f"{value!r} cannot be sent to the page")
