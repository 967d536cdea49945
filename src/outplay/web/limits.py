"""Every cap of the server, in one place: what one page, and all pages together, may ask for, and how often."""

import time
from dataclasses import dataclass

from outplay.runtime.threads import cores

MESSAGE_BYTES = 64 << 10  # what a page may send in one message
TEXT = 4_000  # characters of a state, a game or an agent as text
TREE_TEXT = 50_000
CHOICES = 2_000  # moves and outcomes from the start of a game
POSITIONS = 200  # in one request for pictures
NODES = 5_000  # of a trace
DEPTH = 200  # of any search
SECONDS = 600.0  # of an analysis
LEARN_SECONDS = 60.0  # of learning, in one request
MOVE_SECONDS = 60.0  # of a move
GRAPH_SECONDS = 120.0  # of all positions of a game together
PICTURE_BYTES = 512 << 10
PICTURES_BYTES = 8 << 20  # in one answer
RECORDS = 25_000  # nodes in the answer to a trace, visited or not
SIMULATIONS = 200  # of a Monte Carlo search that the page steps through
SEED = 2**32 - 1  # of its random numbers
SIMULATION_NODES = 10_000  # of its tree
SIMULATION_SECONDS = 20.0  # it is interpreted, and the playouts of some games are long
NAME = 120  # characters of an agent's name in a tournament
DETAIL = 2_000  # characters of its last words
NOTES = 50  # sentences about a tournament
AGENTS = 500  # of a tournament
MATRIX_AGENTS = 100  # for which there is a cross table
LISTED_GAMES = 100  # in one answer
STORED_GAMES = 200_000  # in a store that is shown
ANSWER_BYTES = 16 << 20  # of any answer


@dataclass(frozen=True)
class Caps:
    """What a server allows; a test takes smaller ones."""

    sockets: int = 64  # at once
    messages_per_second: float = 100.0  # of one socket
    burst: int = 200
    searches: int = max(8, 2 * cores())  # at once, of all pages; the system shares out the cores
    searches_of_one: int = 4  # page, those included that it has given up and that cannot be stopped, for they compile
    traces: int = 1  # they are interpreted, and hold the interpreter's lock
    solves: int = 1  # they take much memory
    learns: int = max(1, cores() - 1)  # each takes a core for a minute
    turn: float = 10.0  # seconds after which a search makes room for one that waits
    waiting: int = 32  # requests of one socket not yet begun; then it is read no further
    outbox: int = 1_000  # events of one socket not yet sent; then it is closed
    send_seconds: float = 30.0  # that a page may take to accept an event
    idle: float = 60.0  # seconds of silence after which a socket makes room, when there are too many
    mute: float = 2.0  # the same for one that has never said anything
    headers_seconds: float = 10.0  # in which a connection must have sent a request, and taken its answer
    rules_threads: int = 4  # that answer what needs no search
    rules_seconds: float = 10.0  # for one such answer of a user's rules; then their process is killed
    load_seconds: float = 60.0  # that a user's file may take to load again
    stop_seconds: float = 10.0  # in which a job of a user's rules that is told to stop has to; then their process is killed
    compile_seconds: float = 60.0  # that one compilation waits for another
    compile_most: float = 300.0  # that one may take, the first node included; then it is given up
    games: int = 32  # kept, of those made from a name with parameters
    positions: int = 10_000  # kept, of all games, so that a longer game plays only its new choices
    variants: int = 64  # compiled: their machine code stays until the server ends
    table_mb: float = 32.0  # of one search
    solve_mb: float = 256.0  # of the table of a solved game
    solutions: int = 2  # kept
    lesson_mb: float = 128.0  # of the weights of one learned estimate
    lessons: int = 8  # learned estimates that are kept
    lessons_mb: float = 256.0  # of all their weights
    ladder_nodes: int = 3_000_000
    ladder_seconds: float = 3.0

    @property
    def lanes(self) -> dict[str, int]:
        """How many jobs of each kind run at once."""
        return {"search": self.searches, "trace": self.traces, "solve": self.solves, "learn": self.learns}


class Bucket:
    """Tells whether something is done more often than it may be: so many times a second, and so many at once."""

    def __init__(self, per_second: float, burst: int) -> None:
        self.per_second, self.burst = per_second, float(burst)
        self.left, self.last = self.burst, time.monotonic()

    def take(self) -> bool:
        """Take one share; False if there is none left."""
        now = time.monotonic()
        self.left = min(self.burst, self.left + (now - self.last) * self.per_second)
        self.last = now
        self.left -= 1
        return self.left >= 0
