"""The picture of a game without `draw`, made from the fields of its state, and to be clicked."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from outplay.pictures.blocks import Block, blocks_of
from outplay.pictures.board_moves import Known, Places, Target, copied, known_of, targets_of
from outplay.pictures.board_text import BoardText, number_of_values, other_fields, usual_marks, value_text
from outplay.pictures.grid import FINGER, NOTHING, Look, clicks, drawn_cells
from outplay.pictures.pieces import PLAYERS
from outplay.pictures.scene import MARGIN, TOP, Frame, Scene
from outplay.pictures.shapes import centred, svg, words

if TYPE_CHECKING:
    from outplay.rules.game import Game


def board_svg(game: "Game", state: Any) -> str:
    """Return the picture of a state with a board: at the top the player to move, below it the boards and the other fields."""
    known, state = known_of(game), copied(state)
    marks = "ox" if _piece(game, 0) == "O" else "xo"
    scene = Scene(game.name, game.seats, game.turn, game.moves, game.score, marks)
    try:
        targets = targets_of(game, state, known)
        names = {move: str(game.name_move(state, move)) for move in targets}
        return _drawn(game, state, known, targets, names, scene.picture)
    except Exception:  # in the user's rules: the position is still drawn
        return _drawn(
            game, state, known, {}, {}, lambda _, *sizes_and_parts: svg(*sizes_and_parts[:2], game.name, *sizes_and_parts[2:])
        )


def _drawn(
    game: "Game", state: Any, known: Known, targets: Mapping[int, Target], names: Mapping[int, str], whole: Callable[..., str]
) -> str:
    blocks = blocks_of(state)
    start = {block.name: block for block in blocks_of(game.start)}
    most = 100 if len(blocks) == 1 else 64
    sizes = [Frame(block.rows, block.columns, least=FINGER, most=min(most, 64) if block.strip else most) for block in blocks]
    width = max(frame.width for frame in sizes)
    parts: list[str] = []
    y: float = TOP
    for block, size in zip(blocks, sizes, strict=True):
        if len(blocks) > 1 or block.strip:  # a row of numbers needs a name
            parts.append(words(MARGIN, y + 12, block.name, "faint", size=13, at="start"))
            y += 20
        frame = Frame(block.rows, block.columns, size.least, size.most, y, across=width)
        looks = _looks(game, block, start.get(block.name, block), known)
        parts += drawn_cells(frame, looks)
        here = {move: at for move, (name, at) in targets.items() if name == block.name}
        dropping = block.name in known.dropped
        parts += _names(frame, here, names, looks, dropping)
        free = {place for place, look in enumerate(looks) if look == NOTHING}
        if dropping:
            here = {move: _column(block, free, at[0]) for move, at in here.items()}
        parts += clicks(frame, here, free, names)
        y = frame.bottom + (30 if dropping else 8)
    rest = other_fields(state, blocks, known.mover)
    parts += _fields(rest, width, y)
    return whole(state, width, y + 4 + 36 * _field_rows(rest), *parts)


def _looks(game: "Game", block: Block, start: Block, known: Known) -> list[Look]:
    """Return the look of each cell of a board: a piece of a player, or a number."""
    pieces: dict[int, Look] = {} if block.strip else {0: NOTHING}
    if block.name in known.owners:
        pieces = _pieces(game, known.owners[block.name], known.empty[block.name])
    elif block.yes_or_no or not known.learned:
        marks = {".": NOTHING, "#": Look("●"), "X": Look(_piece(game, 0), PLAYERS[0]), "O": Look(_piece(game, 1), PLAYERS[1])}
        pieces |= {value: marks[mark] for value, mark in usual_marks(block, start).items()}
    return [pieces.get(value) or Look(str(value), "faint" if value == 0 else "ink") for value in block.cells]


def _pieces(game: "Game", owners: Mapping[int, int], empty: int) -> dict[int, Look]:
    """Return the look of each value: the sign of its player, or a number if the player has several kinds of pieces."""
    looks = {empty: NOTHING}
    for player in (0, 1):
        values = [value for value, owner in owners.items() if owner == player]
        for value in values:
            looks[value] = Look(_piece(game, player) if len(values) == 1 else str(abs(value)), PLAYERS[player])
    return looks


def _piece(game: "Game", player: int) -> str:
    """Return the sign on the pieces of a player, so that colour is not the only difference."""
    named = tuple(name.upper() for name in game.players)
    return named[player] if named in (("X", "O"), ("O", "X")) else ("×", "○")[player]


def _names(
    frame: Frame, here: Mapping[int, Places], names: Mapping[int, str], looks: Sequence[Look], dropping: bool
) -> list[str]:
    """Return the short names of moves: below the columns if pieces are dropped, else in a corner of their cells."""
    parts = []
    for move, places in here.items():
        name, (row, column) = names[move], divmod(places[-1], frame.columns)
        if dropping and len(name) <= 6:
            parts.append(centred(frame.centre(0, column)[0], frame.bottom + 14, name, "faint", size=13))
        elif len(places) == 1 and looks[places[0]] == NOTHING and frame.cell >= 48 and 7 * len(name) < frame.cell - 16:
            x, y = frame.corner(row, column)
            parts.append(words(x + 0.12 * frame.cell, y + 0.06 * frame.cell + 14, name, "faint", size=12, at="start"))
    return parts


def _column(block: Block, free: set[int], landing: int) -> Places:
    """Return the cells of a column; the cell in which a piece lands is the last one."""
    column = range(landing % block.columns, len(block.cells), block.columns)
    return (*(place for place in column if place != landing), landing)


def _field_rows(rest: Sequence[tuple[str, Any]]) -> int:
    long = sum(number_of_values(value) != 1 for _, value in rest)
    return long + -(-(len(rest) - long) // 3)


def _fields(rest: Sequence[tuple[str, Any]], width: float, top: float) -> list[str]:
    """Return the fields that are not boards, three in a row; a field with many values has a row of its own."""
    parts = []
    brief, long = (
        [pair for pair in rest if number_of_values(pair[1]) == 1],
        [pair for pair in rest if number_of_values(pair[1]) != 1],
    )
    third, rows = (width - 2 * MARGIN) / 3, -(-len(brief) // 3)
    placed = [(place % 3, place // 3, third, *pair) for place, pair in enumerate(brief)]
    placed += [(0, rows + place, 3 * third, *pair) for place, pair in enumerate(long)]
    for column, row, room, name, value in placed:
        x, y, text = MARGIN + column * third, top + 36 * row, value_text(value)
        parts.append(words(x, y + 12, name if len(name) <= 18 else name[:17] + "…", "faint", size=12, at="start"))
        parts.append(words(x, y + 29, text, size=min(15, 1.7 * room / len(text)), at="start"))
    return parts


def has_board(game: "Game") -> bool:
    """Return whether a state of *game* has a field that is certainly a board, or nothing better to show than cells."""
    blocks = blocks_of(game.start)
    return any(block.sure for block in blocks) or (bool(blocks) and isinstance(game.show, BoardText))
