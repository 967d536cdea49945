"""What a page may ask for: each request a Struct, told by its `do`, strict and bounded."""

from contextlib import suppress
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from outplay.search.montecarlo.tree_trace import SIMULATIONS
from outplay.web import limits
from outplay.web.answers import Malformed

Id = Annotated[int, Meta(ge=0, le=2**53)]
Text = Annotated[str, Meta(max_length=limits.TEXT)]
TreeText = Annotated[str, Meta(max_length=limits.TREE_TEXT)]
Choice = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Choices = Annotated[list[Choice], Meta(max_length=limits.CHOICES)]
Seconds = Annotated[float, Meta(gt=0, le=limits.SECONDS)]
Depth = Annotated[int, Meta(ge=1, le=limits.DEPTH)]
Nodes = Annotated[int, Meta(ge=1, le=limits.NODES)]
Word = Annotated[str, Meta(max_length=100)]
Key = Annotated[str, Meta(max_length=40)]  # of a learned estimate; "": the usual one of the game, if there is one; "none": none


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


class Lesson(Request, tag="lesson", kw_only=True):
    """What was learned about a game before: the estimate in a file of the user's, or the one that ships with Outplay?"""

    game: Text


class Roll(Placed, tag="roll", kw_only=True):
    """What does chance choose?"""


class Move(Placed, tag="move", kw_only=True):
    """What does an agent choose?"""

    agent: Text = "search"
    learned: Key = ""


class Analyse(Placed, tag="analyse", kw_only=True):
    """What is every move worth?"""

    seconds: Seconds = limits.SECONDS
    learned: Key = ""


class Graph(Placed, tag="graph", kw_only=True):
    """What was every position of the game worth?"""

    seconds: Annotated[float, Meta(gt=0, le=10)] = 0.1
    learned: Key = ""


class Learn(Request, tag="learn", kw_only=True):
    """Learn a game by self-play; *learned* names an estimate to continue."""

    game: Text
    seconds: Annotated[float, Meta(gt=0, le=limits.LEARN_SECONDS)] = limits.LEARN_SECONDS
    learned: Key = ""


class Searched(Request, kw_only=True):
    """A request about a search of a position, or of a tree written as text."""

    game: Text = ""
    start: Text = ""
    choices: Choices = []
    tree: TreeText = ""
    opponent: Word = "best"


class Traced(Searched, kw_only=True):
    """A request about an alpha-beta search."""

    depth: Depth | None = None
    nodes: Nodes = 2_000
    only: Annotated[list[Word], Meta(max_length=20)] | None = None


class Trace(Traced, tag="trace", kw_only=True):
    """What does a search do, node by node?"""


class Ladder(Traced, tag="ladder", kw_only=True):
    """How many nodes does each technique save?"""


class Simulate(Searched, tag="simulate", kw_only=True):
    """What does a Monte Carlo search do, simulation by simulation?"""

    simulations: Choice = SIMULATIONS  # any number, because `Traces.simulate` refuses one that is too large in plain words
    seed: Annotated[int, Meta(ge=0, le=limits.SEED)] = 0


class Tree(Request, tag="tree", kw_only=True):
    """A tree written as text, solved step by step."""

    text: TreeText


class Prepare(Request, tag="prepare", kw_only=True):
    """Compile what a search of this game takes."""

    game: Text


class Standings(Request, tag="standings", kw_only=True):
    """Where does a tournament stand? *version*: what the page knows already."""

    store: Text
    version: Key = ""


class Pairing(Request, tag="pairing", kw_only=True):
    """Which games have two agents played? They are named by their keys in the standings."""

    store: Text
    one: Text
    other: Text
    offset: Annotated[int, Meta(ge=0, le=limits.STORED_GAMES)] = 0


class Record(Request, tag="record", kw_only=True):
    """What was chosen in a game of a tournament?"""

    store: Text
    played: Key


class Stop(Request, tag="stop", kw_only=True):
    """Stop the job with that id."""

    of: Id


Asked = (
    Games | View | Views | Deal | Read | Lesson | Roll | Standings | Pairing | Record
    | Move | Analyse | Graph | Learn | Trace | Ladder | Simulate | Tree | Prepare | Stop
)  # fmt: skip
QUICK = (
    Games,
    View,
    Views,
    Deal,
    Read,
    Lesson,
    Roll,
    Standings,
    Pairing,
    Record,
)  # answered one after the other, without a search
_decoder = msgspec.json.Decoder(Asked)


class _Numbered(Struct):
    id: Id | None = None


def name_of(asked: Request) -> str:
    """Return what a request says to do, as a page writes it."""
    return str(asked.__struct_config__.tag)


def read(text: str | bytes) -> Any:
    """Return the request that *text* is, or raise a Malformed that says why it is none."""
    try:
        return _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        number = None
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            number = msgspec.json.decode(text, type=_Numbered).id
        raise Malformed(f"this is not a request that the server knows: {error}", number) from None
