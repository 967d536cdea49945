"""What all pictures of games share: the players, who is to move, who has won; and boards of squares."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase
from typing import Any

from outplay.pictures.pieces import discs
from outplay.pictures.shapes import Point, anchor, box, centred, clean, paint, short, svg
from outplay.turns import CHANCE, OVER

TOP = 52  # where a board begins, below the players
WIDTH = 360
MARGIN = 12


@dataclass(frozen=True)
class Scene:
    """A game as its pictures see it: its name, its one or two players, and the rules that pictures call."""

    title: str
    players: tuple[str, ...]
    turn: Any
    moves: Any
    score: Any
    marks: str = "xo"  # on the discs of the players

    def legal(self, state: Any) -> list[int]:
        """Return the moves of *state*; none if chance acts, or if the game is over."""
        return [int(move) for move in self.moves(state)] if self.turn(state) in (0, 1) else []

    def winner(self, state: Any) -> int | None:
        """Return the winner of a state that is over; None if it is a draw, or if one player plays alone."""
        if len(self.players) == 1:
            return None
        score = self.score(state)
        return 0 if score > 0 else 1 if score < 0 else None

    def said(self, state: Any) -> str:
        """Return who is to move, or who has won, for a screen reader."""
        who = self.turn(state)
        if who in (0, 1):
            return f"{self.title}, {self.players[who]} to move"
        if who == CHANCE:
            return f"{self.title}, chance decides"
        if len(self.players) == 1:
            return f"{self.title}, the game is over"
        winner = self.winner(state)
        return f"{self.title}, a draw" if winner is None else f"{self.title}, {self.players[winner]} wins"

    def picture(
        self, state: Any, width: float, height: float, *parts: str, notes: Sequence[object] = ("", ""), mover: int | None = None
    ) -> str:
        """Return the complete picture: the players at the top, each with a note, and *parts* below. *mover* is to move even at a chance node."""
        who = self.turn(state) if mover is None or self.turn(state) == OVER else mover
        strip = [self._seat(state, player, who, width, str(notes[player])) for player in range(len(self.players))]
        return svg(width, height, self.said(state), *strip, *parts)

    def _seat(self, state: Any, player: int, who: int, width: float, note: str) -> str:
        over = who == OVER
        winner = self.winner(state) if over else None
        lit = player in (who, winner)
        inward, x = (1, 8.0) if player == 0 else (-1, width - 8.0)
        pill = box(8 if player == 0 else width / 2 + 4, 8, width / 2 - 12, 34, "cell", corner=17) if lit else ""
        badge = discs([(x + inward * 17, 25)], 11, player, mark=self.marks[player])
        tie = "draw" if len(self.players) == 2 else ""
        ends = {winner: "wins"} if winner is not None else {player: tie} if over else {who: "" if note else "to move"}
        said = [self.players[player], *filter(None, (note, ends.get(player, "")))]
        kinds = ("ink" if lit else "faint", "ink" if note else "faint", "faint")
        spans = [f"<tspan {paint(kind)}>{clean(text)}</tspan>" for kind, text in zip(kinds, said, strict=False)]
        spans[0] = spans[0].replace("<tspan", '<tspan font-weight="600"') if lit else spans[0]
        size = min(15, 15 * 14 / sum(map(len, said)))  # so that it ends before the other's begins
        more = f' font-size="{short(size)}"' + ("" if player == 0 else ' text-anchor="end"')
        return f'{pill}{badge}<text x="{short(x + inward * 35)}" y="30"{more}>{" ".join(spans)}</text>'


@dataclass(frozen=True)
class Frame:
    """A board of squares below the players: how large, and where each lies."""

    rows: int
    columns: int
    least: float = 36  # the side of a square, at the least and the most
    most: float = 84
    top: float = TOP
    edge: float = MARGIN  # room to the left and right
    across: float = WIDTH  # the width of the picture, at the least

    @cached_property
    def cell(self) -> float:
        room = WIDTH - 2 * self.edge
        return float(min(max(self.least, room / self.columns), self.most, max(self.least, 1.2 * room / self.rows)))

    @cached_property
    def width(self) -> float:
        return max(self.across, self.columns * self.cell + 2 * self.edge)

    @cached_property
    def bottom(self) -> float:
        return self.top + self.rows * self.cell

    def corner(self, row: int, column: int) -> Point:
        """Return the upper left corner of a square."""
        return (self.width - self.columns * self.cell) / 2 + column * self.cell, self.top + row * self.cell

    def centre(self, row: int, column: int) -> Point:
        """Return the middle of a square."""
        return (self.width - self.columns * self.cell) / 2 + (column + 0.5) * self.cell, self.top + (row + 0.5) * self.cell

    def named(self) -> str:
        """Return the letters of the columns, below the board, and the numbers of the rows, to its left."""
        letters = [
            centred(self.centre(0, place)[0], self.bottom + 13, ascii_lowercase[place], "faint", size=13)
            for place in range(self.columns)
        ]
        left = self.corner(0, 0)[0] - 12
        numbers = [centred(left, self.centre(place, 0)[1], place + 1, "faint", size=13) for place in range(self.rows)]
        return "".join(letters + numbers)

    def places(self, rows: Sequence[Sequence[str]], letter: str) -> list[tuple[int, int]]:
        """Return where *letter* stands in a board written as rows of letters."""
        return [(row, column) for row, cells in enumerate(rows) for column, cell in enumerate(cells) if cell == letter]

    def centres(self, rows: Sequence[Sequence[str]], letter: str) -> list[Point]:
        """Return the middles of the squares with *letter*."""
        return [self.centre(*place) for place in self.places(rows, letter)]

    def anchored(self, row: int, column: int, move: int) -> str:
        """Return the anchor of a move at a square."""
        return anchor(*self.centre(row, column), [move])


def in_line(rows: Sequence[Sequence[str]], length: int) -> list[list[tuple[int, int]]]:
    """Return the lines of *length* equal letters, X or O, that a board written as rows of letters holds."""
    found = []
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                places = [(row + step * down, column + step * right) for step in range(length)]
                last_row, last_column = places[-1]
                inside = last_row < len(rows) and 0 <= last_column < len(cells)
                if cell in "XO" and inside and all(rows[y][x] == cell for y, x in places):
                    found.append(places)
    return found
