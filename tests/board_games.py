"""Games as most people would write them: boards and hands in tuples and arrays, nothing packed into bits."""

from typing import NamedTuple

import numpy as np

from outplay import OVER, Game
from outplay.rules.tuples import put

SUITS, RANKS = 4, 13


class Deal(NamedTuple):
    owner: tuple[int, ...]  # of each of the 52 cards: 0, 1, or 2 once it is played or if nobody holds it
    led: int  # the card on the table, or -1
    player: int
    tricks: int  # of player 0, less those of player 1
    left: int  # cards in the hands


def whist(cards: int = 24) -> Game:
    """Open whist for two with *cards*, a multiple of 4: follow suit if you can; the higher card of the suit led wins the trick and leads."""
    order = [place * 23 % 52 for place in range(52)]
    owner = [2] * 52
    for place, card in enumerate(order[:cards]):
        owner[card] = place // 2 % 2

    def turn(state):
        return OVER if state.left == 0 else state.player

    def moves(state):
        follows = False
        if state.led >= 0:
            suit = state.led // RANKS
            for rank in range(RANKS):
                if state.owner[suit * RANKS + rank] == state.player:
                    follows = True
                    yield suit * RANKS + rank
        if not follows:
            for card in range(SUITS * RANKS):
                if state.owner[card] == state.player:
                    yield card

    def play(state, card):
        owner = put(state.owner, card, 2)
        if state.led < 0:
            return Deal(owner, card, 1 - state.player, state.tricks, state.left - 1)
        wins = card // RANKS == state.led // RANKS and card > state.led
        winner = state.player if wins else 1 - state.player
        return Deal(owner, -1, winner, state.tricks + (1 if winner == 0 else -1), state.left - 1)

    def score(state):
        return state.tricks

    def estimate(state):
        high = 0
        for suit in range(SUITS):
            for rank in (12, 11, 10):
                holder = state.owner[suit * RANKS + rank]
                if holder == 0:
                    high += 1
                elif holder == 1:
                    high -= 1
        return state.tricks + high / 4

    return Game(
        name="whist",
        start=Deal(tuple(owner), -1, 0, 0, cards),
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        estimate=estimate,
        low=-16,
        high=16,
        max_moves=52,
    )


class Reversi(NamedTuple):
    board: np.ndarray  # 0 is empty, 1 Black, -1 White
    player: int
    passes: int  # in a row


DIRECTIONS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


def reversi(size: int = 8) -> Game:
    """Othello on an array: each move copies the board."""
    board = np.zeros((size, size), np.int8)
    half = size // 2
    board[half - 1, half] = board[half, half - 1] = 1
    board[half - 1, half - 1] = board[half, half] = -1
    pass_move = size * size

    def flips(board, row, column, down, right, own):
        count = 0
        row, column = row + down, column + right
        while 0 <= row < size and 0 <= column < size and board[row, column] == -own:
            count += 1
            row, column = row + down, column + right
        if count > 0 and 0 <= row < size and 0 <= column < size and board[row, column] == own:
            return count
        return 0

    def legal(board, row, column, own):
        if board[row, column] != 0:
            return False
        for down, right in DIRECTIONS:
            if flips(board, row, column, down, right, own) > 0:
                return True
        return False

    def turn(state):
        return OVER if state.passes == 2 else state.player

    def moves(state):
        own = 1 if state.player == 0 else -1
        found = False
        for row in range(size):
            for column in range(size):
                if legal(state.board, row, column, own):
                    found = True
                    yield row * size + column
        if not found:
            yield pass_move

    def play(state, move):
        if move == pass_move:
            return Reversi(state.board, 1 - state.player, state.passes + 1)
        own = 1 if state.player == 0 else -1
        row, column = move // size, move % size
        board = state.board.copy()
        board[row, column] = own
        for down, right in DIRECTIONS:
            for step in range(flips(state.board, row, column, down, right, own)):
                board[row + (step + 1) * down, column + (step + 1) * right] = own
        return Reversi(board, 1 - state.player, 0)

    def score(state):
        total = 0
        for row in range(size):
            for column in range(size):
                total += state.board[row, column]
        return total

    return Game(
        name="reversi",
        start=Reversi(board, 0, 0),
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        estimate=score,
        low=-64,
        high=64,
        max_moves=64,
    )


class Squares(NamedTuple):
    squares: tuple[int, ...]  # row by row: 0 is empty, 1 and 2 are the players'
    player: int
    last: int  # the square of the last move, or -1


def drops(columns: int = 7, rows: int = 6, line: int = 4) -> Game:
    """Connect Four on a tuple of squares."""

    def height(squares, column):
        for row in range(rows):
            if squares[row * columns + column] == 0:
                return row
        return rows

    def run(squares, square, down, right):
        mark, length = squares[square], 0
        row, column = square // columns + down, square % columns + right
        while 0 <= row < rows and 0 <= column < columns and squares[row * columns + column] == mark:
            length += 1
            row, column = row + down, column + right
        return length

    def won(state):
        if state.last < 0:
            return False
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if run(state.squares, state.last, down, right) + run(state.squares, state.last, -down, -right) + 1 >= line:
                return True
        return False

    def turn(state):
        if won(state):
            return OVER
        for column in range(columns):
            if state.squares[(rows - 1) * columns + column] == 0:
                return state.player
        return OVER

    def moves(state):
        for column in range(columns):
            if height(state.squares, column) < rows:
                yield column + 1

    def play(state, move):
        square = height(state.squares, move - 1) * columns + move - 1
        return Squares(put(state.squares, square, state.player + 1), 1 - state.player, square)

    def score(state):
        if not won(state):
            return 0
        return 1 if state.player == 1 else -1

    return Game(
        name="drops",
        start=Squares((0,) * (columns * rows), 0, -1),
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        max_moves=columns,
    )


def drops_on_an_array(columns: int = 7, rows: int = 6, line: int = 4) -> Game:
    """Connect Four on an int8 array."""

    class Grid(NamedTuple):
        grid: np.ndarray
        player: int
        last: int  # the column of the last move, or -1

    def height(grid, column):
        row = 0
        while row < rows and grid[row, column] != 0:
            row += 1
        return row

    def run(grid, row, column, down, right):
        mark, length = grid[row, column], 0
        row, column = row + down, column + right
        while 0 <= row < rows and 0 <= column < columns and grid[row, column] == mark:
            length += 1
            row, column = row + down, column + right
        return length

    def won(state):
        if state.last < 0:
            return False
        grid, column = state.grid, state.last
        row = height(grid, column) - 1
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if run(grid, row, column, down, right) + run(grid, row, column, -down, -right) + 1 >= line:
                return True
        return False

    def turn(state):
        if won(state):
            return OVER
        for column in range(columns):
            if state.grid[rows - 1, column] == 0:
                return state.player
        return OVER

    def moves(state):
        for column in range(columns):
            if state.grid[rows - 1, column] == 0:
                yield column + 1

    def play(state, move):
        grid = state.grid.copy()
        grid[height(grid, move - 1), move - 1] = state.player + 1
        return Grid(grid, 1 - state.player, move - 1)

    def score(state):
        if not won(state):
            return 0
        return 1 if state.player == 1 else -1

    return Game(
        name="drops on an array",
        start=Grid(np.zeros((rows, columns), np.int8), 0, -1),
        turn=turn,
        moves=moves,
        play=play,
        score=score,
        max_moves=columns,
    )
