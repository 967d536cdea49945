"""What the server sends: each event a Struct, told by its `event`, which is the name of its class in small letters."""

import os
import re
import traceback
from pathlib import Path
from typing import Any, ClassVar, Literal

import msgspec
from msgspec import Struct

from outplay.errors import OptionError, OutplayError, TooLarge
from outplay.web import limits

MOST_SAID = 2_000  # characters of an error

Kind = Literal["int", "bool", "text"]


class Event(Struct, tag_field="event", tag=str.lower, kw_only=True):
    """What every event has."""

    id: int | None = None  # of the request; None where nobody has asked
    done: bool = False  # the request is answered: no other event follows
    broken: str = ""  # why the changed file of the game cannot be read

    news: ClassVar[bool] = False  # it only says how far a job is: each one makes the one before it old


# 1. What is answered at once.


class Parameter(Struct, kw_only=True):
    """A parameter of a built-in game."""

    name: str
    default: str
    kind: Kind


class GameEntry(Struct, kw_only=True):
    """A game in the list of games."""

    name: str
    title: str
    about: str
    parameters: list[Parameter]
    chance: bool  # whether chance acts in it
    policies: list[str]
    players: list[str]  # one name: a game for one
    own: bool  # out of a file of the user's
    deals: bool  # whether starts differ
    learned: list[str] = []  # the files of learned estimates, of those that the server was given, that fit it


class Games(Event, kw_only=True):
    """All games."""

    games: list[GameEntry]


class Option(Struct, kw_only=True):
    """A move or an outcome that can be chosen."""

    choice: int
    name: str
    probability: float | None  # of an outcome


class PastChoice(Struct, kw_only=True):
    """A move or an outcome that was chosen."""

    turn: int
    choice: int
    name: str


class View(Event, kw_only=True):
    """All that the page shows of a position."""

    game: str
    title: str
    players: list[str]  # one name: a game for one
    state: str
    text: str
    svg: str
    turn: int  # 0, 1, -1 for chance, -2 where the game is over
    choices: list[Option]
    score: float | None  # with all rewards; None until the game is over
    paid: float | None  # rewards so far; None in a game without
    result: str
    low: float
    high: float
    past: list[PastChoice]
    drawn: bool  # whether the picture can be clicked
    draw_error: str
    rules: str


class Picture(Struct, kw_only=True):
    """A position that is only looked at."""

    svg: str
    state: str


class Views(Event, kw_only=True):
    """Pictures of several positions."""

    views: list[Picture]


class Dealt(Event, kw_only=True):
    """A start, drawn by luck where starts differ."""

    start: str


class State(Event, kw_only=True):
    """A state typed in, as the game writes it."""

    start: str


class Rolled(Event, kw_only=True):
    """What chance has chosen, and the position after it."""

    choice: int
    name: str
    view: View | None  # None where a rule fails there: a request for the view says why


class StandingRow(Struct, kw_only=True):
    """One agent of a tournament. Its `key` names it in requests."""

    key: str
    agent: str
    rank: int
    games: int
    wins: int
    draws: int
    losses: int
    rate: float | None
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    mean: float | None  # of a solitaire
    mean_low: float | None
    mean_high: float | None
    best: float | None
    worst: float | None
    faults: dict[str, int]
    refused: str
    pace: float | None  # seconds a move


class Standings(Event, kw_only=True):
    """Where a tournament stands. A cell of `cross` has the row's wins, draws and losses against the column, its faults and the column's."""

    version: str
    game: str
    solitaire: bool
    played: int
    total: int
    notes: list[str]
    rows: list[StandingRow]
    cross: list[list[list[int]]]  # empty in a solitaire, and if there are too many agents
    superiority: list[list[float]]


class Unchanged(Event, kw_only=True):
    """The page knows the latest standings."""


class PlayedGame(Struct, kw_only=True):
    """A game of a tournament. `result` is the first agent's: 1, 0.5 or 0; None if the game counts for nobody."""

    id: str
    first: str
    second: str
    pair: int
    result: float | None
    score: float | None
    verdict: str
    blamed: int | None
    detail: str
    moves: int
    seconds: list[float]


class Pairing(Event, kw_only=True):
    """Some of the games of two agents."""

    total: int
    games: list[PlayedGame]


class Record(Event, kw_only=True):
    """A game as a position of another room, and who played it; `game` is "" if this page does not have it, and `note` says what to know."""

    game: str
    start: str
    choices: list[int]
    note: str
    keys: list[str]  # the agents, as rows of the standings have them; in a solitaire, one
    agents: list[str]  # what they are called
    result: float | None  # as the first agent counts it; None: it counts for nobody
    score: float | None


# 2. What takes a while.


class Compiling(Event, kw_only=True):
    """A game is being compiled."""

    game: str
    seconds: float
    news: ClassVar[bool] = True


class Compiled(Event, kw_only=True):
    """It is compiled."""

    game: str
    seconds: float


class Ready(Event, kw_only=True):
    """A game is prepared."""


class Stopped(Event, kw_only=True):
    """The job was stopped, and has found nothing."""


class Solving(Event, kw_only=True):
    """A game is being solved."""

    phase: str
    states: int
    seconds: float
    news: ClassVar[bool] = True


class Moved(Event, kw_only=True):
    """What an agent has chosen, what it thinks of it, and the position after it."""

    choice: int
    name: str
    value: float | None  # None: it has no opinion, or has searched and found nothing decided
    depth: int
    nodes: int
    simulations: int  # of a Monte Carlo search, else 0
    seconds: float
    proven: bool
    view: View | None  # None where a rule fails there: a request for the view says why


class Valued(Struct, kw_only=True):
    """A move with its value."""

    choice: int
    name: str
    value: float | None
    depth: int
    proven: bool
    undecided: bool  # no line was searched to its end, and the game has no estimate: the value says nothing
    length: int | None  # moves until the game is over
    line: list[str]  # the moves that are expected next, until chance decides
    then_chance: bool  # chance decides after the line
    probability: float | None


class Analysis(Event, kw_only=True):
    """A value for every move."""

    depth: int
    value: float | None
    undecided: bool
    nodes: int
    seconds: float
    rate: float
    proven: bool
    stopped_by: str | None
    best: int | None
    moves: list[Valued]
    news: ClassVar[bool] = True


class Tick(Event, kw_only=True):
    """How far an analysis is."""

    nodes: int
    seconds: float
    rate: float
    news: ClassVar[bool] = True


class Point(Event, kw_only=True):
    """The value of one position of a game."""

    ply: int
    value: float
    depth: int
    proven: bool


class Learning(Event, kw_only=True):
    """How far learning is."""

    games: int
    rate: float  # moves a second
    error: float
    seconds: float
    seconds_left: float | None
    news: ClassVar[bool] = True


class LearnedMoment(Struct, kw_only=True):
    """The mean error after so many games."""

    games: int
    error: float


class Lesson(Event, kw_only=True):
    """What was learned; `told` describes it to people, and `picture` shows what each square is worth.

    `origin`: "here", "file" or "shipped"; "" if nothing was learned.
    """

    origin: str = ""
    games: int = 0
    error: float = 0.0
    history: list[LearnedMoment] = []
    told: str = ""
    picture: str = ""  # SVG


class Learned(Lesson, kw_only=True):
    """What was learned just now. Requests name it by its `key`."""

    key: str
    seconds: float
    stopped_by: str


class Done(Event, kw_only=True):
    """All points are there, but for those that others waited for."""

    stopped_by: str | None = None


class Node(Struct, kw_only=True):
    """A visit of a node by a search, or a node of a tree that is solved. An infinite edge of a window is null."""

    parent: int
    choice: int | None
    name: str
    probability: float | None
    kind: str
    alpha: float | None  # the window on entry
    beta: float | None
    inner: tuple[float, float] | None = None  # the window in which its children are searched
    after: tuple[float, float] | None = None  # the window of its parent once this visit has come back
    value: float | None
    bound: str
    why: str
    note: str
    entered: int | None
    left: int | None
    best: bool
    ply: int
    depth: int


class SolvedNode(Node, kw_only=True):
    """A node of a tree that is solved: its numbers are exact fractions."""

    probability_text: str
    value_text: str


class Pass(Struct, kw_only=True):
    """One run of a search from its root."""

    depth: int
    root: int


class Trace(Event, kw_only=True):
    """Every node of a search."""

    nodes: list[Node]
    passes: list[Pass]
    cut: bool
    counts: dict[str, int]
    visited: int
    low: float
    high: float
    value: float
    move_name: str


class Rung(Struct, kw_only=True):
    """A search with one more technique."""

    name: str
    only: list[str]
    nodes: int | None  # None: more than are counted
    value: float | None


class Ladder(Event, kw_only=True):
    """The nodes that a search takes as one technique after the other is added."""

    rows: list[Rung]


class GrownNode(Struct, kw_only=True):
    """A node of the tree that a Monte Carlo search grows."""

    parent: int
    choice: int | None
    name: str
    probability: float | None  # of an outcome
    prior: float | None  # of a move, where the game has a rank
    kind: str
    born: int  # the simulation that added it, -1 for the root


class Figures(Struct, kw_only=True):
    """What is known of a node after a simulation."""

    node: int
    visits: int
    mean: float | None
    lower: float
    upper: float


class Scored(Struct, kw_only=True):
    """A child that a node could choose: its score is the mean plus the bonus, or minus it at a min node."""

    node: int
    visits: int
    mean: float | None
    bonus: float | None
    score: float | None
    standing: str  # see `search/montecarlo/selection.py`


class Selection(Struct, kw_only=True):
    """A step of a simulation down the tree. Untried options are only counted, because they have no numbers."""

    node: int
    chosen: int
    settled: int | None  # a proven child whose value is backed up instead of the simulation's
    options: list[Scored]
    untried: int


class Simulation(Struct, kw_only=True):
    """One simulation: selection, expansion, playout and back-up."""

    path: list[int]
    selections: list[Selection]
    expanded: list[int]
    playout: list[int]
    estimate: float | None
    result: float
    proven: bool
    told: list[float]  # the value that was backed up to each node of the path
    changes: list[Figures]


class Simulations(Event, kw_only=True):
    """A Monte Carlo search, simulation by simulation."""

    nodes: list[GrownNode]
    simulations: list[Simulation]
    rule: str  # by which moves are selected: "UCB1", or "PUCT" where the game has a rank
    line: list[int]  # the nodes of the play that is expected in the end
    low: float
    high: float
    value: float
    proven: bool
    stopped_by: str  # "proof", "simulations", "time", "size" (too many nodes to show), "busy"


class Step(Struct, kw_only=True):
    """A step of solving a tree by hand."""

    node: str
    text: str
    index: int


class Tree(Event, kw_only=True):
    """A tree, solved step by step."""

    nodes: list[SolvedNode]
    steps: list[Step]
    value: str
    best: list[str]
    explain: str


# 3. What nobody has asked for, and what goes wrong.


class Changed(Event, kw_only=True):
    """The file of a game has changed; *error* says why its new rules cannot be loaded."""

    game: str
    error: str


class Error(Event, kw_only=True):
    """Something went wrong. The page decides by the code; the message is for people."""

    code: str
    message: str
    line: int | None = None  # of a tree typed in
    column: int | None = None


class Malformed(Exception):
    """A message that is no request; `id` is its number where that much could be read."""

    def __init__(self, message: str, number: int | None) -> None:
        super().__init__(message)
        self.id = number


class Unsendable(Exception):
    """An answer that cannot be written as JSON."""


def error_of(error: Exception) -> Error:
    """Return the event that tells of *error*; what is none of ours was raised by a user's rule."""
    if not isinstance(error, OutplayError | Malformed | Unsendable):
        if os.environ.get("OUTPLAY_DEBUG"):
            traceback.print_exception(error)
        return Error(code="rule-raised", message=_with_place(error)[:MOST_SAID])
    line, column = getattr(error, "line", None), getattr(error, "column", None)
    return Error(code=code_of(type(error)), message=str(error)[:MOST_SAID], line=line, column=column)


def code_of(kind: type[Exception]) -> str:
    """Return the code of a class of errors: "illegal-move" for an IllegalMove."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()


def _with_place(error: Exception) -> str:
    """Return what *error* says, and where it was raised."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} (in {frame.name}, line {frame.lineno} of {Path(frame.filename).name})"


def written(event: Event) -> str:
    """Return an event as JSON, and if it cannot be sent, the error that says why; what is no finite number becomes null."""
    try:
        text = msgspec.json.encode(event, enc_hook=_plain)
        if len(text) > limits.ANSWER_BYTES:
            raise TooLarge(f"the answer has {len(text):,} bytes, and {limits.ANSWER_BYTES:,} are the most; ask for less")
    except (ValueError, OverflowError, RecursionError) as error:  # half of a letter, or a huge number, out of a user's rule
        code = code_of(type(error) if isinstance(error, TooLarge) else Unsendable)
        failed = Error(id=event.id, done=True, code=code, message=f"this cannot be sent to the page: {error}")
        text = msgspec.json.encode(failed)
    return text.decode()


def _plain(value: Any) -> Any:
    if hasattr(value, "item"):  # a NumPy number out of a user's rule
        return value.item()
    if isinstance(value, int):  # a subclass, such as Outcome
        return int(value)
    raise OptionError(f"{value!r} cannot be sent to the page")
