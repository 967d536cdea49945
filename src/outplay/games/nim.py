"""Nim: take as many objects as you like from one heap. Who takes the last of all wins, or loses if play is misère.

Heaps are lettered. A move is written b3: three objects from heap b.
"""

from string import ascii_lowercase
from typing import NamedTuple

from outplay.errors import OptionError, StateError
from outplay.games.common.parameters import is_true
from outplay.games.pictures.nim import painter
from outplay.pictures.scene import Scene
from outplay.rules.bits import splitmix
from outplay.rules.game import OVER, Game
from outplay.rules.tuples import put

MOST_HEAPS, MOST = 10, 63  # of heaps, and of objects in one
HEAP = MOST + 1  # a move is HEAP * heap + objects taken
HASH = (1 << 59) - 1  # the sum of ten such hashes has no more than 63 bits
PLAYERS = ("player 0", "player 1")


class State(NamedTuple):
    heaps: tuple[int, ...]  # objects left in each
    player: int


def nim(heaps: str | int = "3-4-5", misere: bool = False) -> Game:
    """Nim: take from one heap; who takes the last object of all wins, or loses if misere. Up to ten heaps of up to 63."""
    start = _sizes(str(heaps))
    if not start or len(start) > MOST_HEAPS or min(start) < 1:
        raise OptionError(
            f"heaps={heaps!r} of nim must be 1 to {MOST_HEAPS} numbers from 1 to {MOST}, separated by -, such as 3-4-5"
        )
    number, last_loses = len(start), is_true("nim", "misere", misere)

    def turn(state):
        for heap in state.heaps:
            if heap:
                return state.player
        return OVER

    def moves(state):
        for heap in range(number):
            for objects in range(state.heaps[heap], 0, -1):
                yield HEAP * heap + objects

    def play(state, move):
        heap, objects = move // HEAP, move % HEAP
        return State(put(state.heaps, heap, state.heaps[heap] - objects), 1 - state.player)

    def score(state):
        winner = state.player if last_loses else 1 - state.player
        return 1 if winner == 0 else -1

    def is_lost(heaps):
        """Whether the player to move loses: if the xor of all heaps is 0, says Bouton (1901).

        Misère play is the same until no heap has more than one object; from then on the opposite.
        """
        xor, large = 0, False
        for heap in heaps:
            xor ^= heap
            large = large or heap > 1
        return (xor == 0) == (large or not last_loses)

    def rank(state, move):
        """Bouton's winning moves first. The search takes his word for the order, not for the value."""
        return 1 if is_lost(play(state, move).heaps) else 0

    def key(state):
        """The heaps in whatever order, and the player."""
        total = state.player
        for heap in state.heaps:
            total += splitmix(0, heap) & HASH  # `mix` is nearly linear: 5 and 5 would be 10 and 0
        return total

    def show(state):
        return "\n".join(
            f"{ascii_lowercase[heap]} {objects:2} {'|' * objects}".rstrip() for heap, objects in enumerate(state.heaps)
        )

    def name_move(state, move):
        return f"{ascii_lowercase[move // HEAP]}{move % HEAP}"

    def read_state(text):
        """Read the heaps, and 1 if player 1 is to move, such as 3-4-5 or 3-0-5,1."""
        sizes, _, player = text.replace(" ", "").partition(",")
        left = _sizes(sizes)
        if len(left) != number or player not in ("", "0", "1"):
            raise StateError(
                f"{text!r} is not a state of {name}; write {number} numbers from 0 to {MOST}, separated by -, then ,1 "
                f"if player 1 is to move, such as {write_state(State(start, 1))}"
            )
        return State(left, int(player or 0))

    def write_state(state):
        return f"{'-'.join(map(str, state.heaps))},{state.player}"

    name = ("nim" if start == (3, 4, 5) else f"nim {'-'.join(map(str, start))}") + ", misere" * last_loses
    return Game(
        name=name,
        start=State(start, 0),
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        rank=rank,
        key=key,
        show=show,
        draw=painter(Scene("Nim", PLAYERS, turn, moves, score), start, HEAP),
        players=PLAYERS,
        about=(
            "Player 0 moves first. A move takes one or more objects from one heap. Whoever takes the last object of all "
            + ("loses" if last_loses else "wins")
            + ". A value of +1 is a win for player 0, −1 a win for player 1; there are no draws."
        ),
        name_move=name_move,
        read_state=read_state,
        write_state=write_state,
        max_moves=number * MOST,
    )


def _sizes(text: str) -> tuple[int, ...]:
    """Return the sizes of heaps written as 3-4-5; none if one is not a number or too large."""
    words = text.split("-")
    sizes = tuple(int(word) for word in words if word.isdecimal() and len(word) < 3)
    return sizes if len(sizes) == len(words) and max(sizes) <= MOST else ()
