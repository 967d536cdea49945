"""Connect Four by the centre, as a game of easyAI over a NumPy board, and its Negamax on that."""

from collections.abc import Callable

import numpy
from easyAI import AI_Player, Negamax, TwoPlayerGame

ROWS, COLUMNS, CENTRE, WIN = 6, 7, 3, 1000
# Views of the board, shifted by 0 to 3 squares along each direction: where all four hold a stone, there is a line.
SHIFTS = [
    [(slice(step * down, ROWS - (3 - step) * down), slice(step, COLUMNS - 3 + step)) for step in range(4)] for down in (0, 1)
]
UPWARD = [(slice(step, ROWS - 3 + step), slice(None)) for step in range(4)]
FALLING = [(slice(3 - step, ROWS - step), slice(step, COLUMNS - 3 + step)) for step in range(4)]
LINES = [*SHIFTS, UPWARD, FALLING]


class CentreGame(TwoPlayerGame):
    """A move is a column from 0; squares hold 0, 1 or 2."""

    def __init__(self, players):
        self.players = players
        self.current_player = 1
        self.board = numpy.zeros((ROWS, COLUMNS), dtype=numpy.int8)

    def possible_moves(self):
        return [column for column in range(COLUMNS) if self.board[-1, column] == 0]

    def make_move(self, column):
        self.board[numpy.count_nonzero(self.board[:, column]), column] = self.current_player

    def lose(self):
        stones = self.board == self.opponent_index
        return any((stones[a] & stones[b] & stones[c] & stones[d]).any() for a, b, c, d in LINES)

    def is_over(self):
        return self.lose() or bool(self.board[-1].all())

    def scoring(self):
        if self.lose():
            return -WIN
        centre = self.board[:, CENTRE]
        return numpy.count_nonzero(centre == self.current_player) - numpy.count_nonzero(centre == self.opponent_index)


class UndoingCentreGame(CentreGame):
    """The same game with moves taken back, which spares Negamax a deep copy for every move."""

    def unmake_move(self, column):
        self.board[numpy.count_nonzero(self.board[:, column]) - 1, column] = 0


def copying(depth: int) -> Callable[[], float]:
    """Negamax over Connect Four, *depth* moves ahead, copying the game for every move as easyAI's own example does."""
    return _negamax(CentreGame, depth)


def undoing(depth: int) -> Callable[[], float]:
    """Negamax over Connect Four, *depth* moves ahead, at its fastest: with moves taken back."""
    return _negamax(UndoingCentreGame, depth)


def _negamax(game: type[CentreGame], depth: int) -> Callable[[], float]:
    algorithm = Negamax(depth)

    def work() -> float:
        algorithm(game([AI_Player(algorithm), AI_Player(algorithm)]))
        return float(algorithm.alpha)

    return work
