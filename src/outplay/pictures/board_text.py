"""The board of a game without `show`, as text, and its legend: whose each letter is, and how moves number its cells."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from outplay.pictures.blocks import MOST_CELLS, Block, blocks_of
from outplay.pictures.board_moves import Known, known_of, targets_of

if TYPE_CHECKING:
    from outplay.rules.game import Game


@dataclass(frozen=True, eq=False)
class BoardText:
    """The `show` of a game that has none: its boards as letters, and the other fields in a line below.

    *otherwise* writes a state without a board. No rule is called, so the text does not depend on correct rules.
    """

    start: Any
    otherwise: Callable[[Any], str]

    def __call__(self, state: Any) -> str:
        blocks = blocks_of(state)
        if not blocks and not any(map(is_huge, state)):
            return self.otherwise(state)
        first = {block.name: block for block in blocks_of(self.start)}
        parts = []
        for block in blocks:
            heading = [f"{block.name}:"] if len(blocks) > 1 else []
            parts.append("\n".join([*heading, block_text(block, usual_marks(block, first.get(block.name, block)))]))
        rest = [f"{name} = {value_text(value)}" for name, value in other_fields(state, blocks)]
        return "\n".join([*parts, *([", ".join(rest)] if rest else [])])


def block_text(block: Block, marks: Mapping[int, str]) -> str:
    texts = [marks.get(value, str(value)) for value in block.cells]
    if not block.strip and 0 not in marks:
        texts = ["." if text == "0" else text for text in texts]
    width = max(map(len, texts))
    rows = (texts[first : first + block.columns] for first in range(0, len(texts), block.columns))
    return "\n".join(" ".join(text.rjust(width) for text in row) for row in rows)


def usual_marks(block: Block, start: Block) -> dict[int, str]:
    """Return a letter for each value if the values are the usual ones for empty, X and O; else nothing."""
    if block.yes_or_no:
        return {0: ".", 1: "#"}
    empty = start.cells[0] if len(set(start.cells)) == 1 else 0
    values = {*block.cells, *start.cells}
    for usual in ((0, 1, 2), (0, 1, -1), (-1, 0, 1)):
        if empty == usual[0] and values <= set(usual) and (values == {empty} or usual[1] in values) and not block.strip:
            return dict(zip(usual, ".XO", strict=True))
    return {}


def other_fields(state: Any, blocks: Iterable[Block], left_out: Iterable[str] = ()) -> list[tuple[str, Any]]:
    """Return the names and values of the fields that are not boards."""
    skipped = {block.name for block in blocks} | set(left_out)
    found = []
    for name, value in zip(state._fields, state, strict=True):
        name = name.replace("_", " ")
        if name not in skipped:
            found.append((name, value))
    return found


def is_huge(value: Any) -> bool:
    """Return whether a field has too many values to read."""
    return number_of_values(value) > MOST_CELLS


def number_of_values(value: Any) -> int:
    return len(value) if isinstance(value, tuple) else int(getattr(value, "size", 1))


def value_text(value: Any) -> str:
    """Return the value of a field as text; if there are many values, the first ones."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if not isinstance(value, tuple) and not getattr(value, "ndim", 0):
        return str(value)
    first = value[:12] if isinstance(value, tuple) else value.ravel()[:12].tolist()
    return (" ".join(map(str, first)) or "none") + (
        f" … ({number_of_values(value):,} values)" if number_of_values(value) > 12 else ""
    )


def board_legend(game: "Game") -> list[str]:
    """Return lines that say whose each letter of the text board is, and how moves number its cells; none if nothing is known."""
    if not isinstance(game.show, BoardText):  # a game with a text of its own explains it itself
        return []
    known, lines = known_of(game), []
    blocks = {block.name: block for block in blocks_of(game.start)}
    for name, owners in known.owners.items():
        block = blocks[name]
        marks = usual_marks(replace(block, cells=(known.empty[name], *owners)), block)
        whose = []
        for player in (0, 1):
            letters = [marks.get(value, str(value)) for value, owner in owners.items() if owner == player]
            whose.append(f"{', '.join(letters)} {'is' if len(letters) == 1 else 'are'} {game.players[player]}")
        lines.append(f"{f'{name}: ' if len(blocks) > 1 else ''}{', '.join(whose)}.")
    return [*lines, *_numbering(game, blocks, known)]


def _numbering(game: "Game", blocks: Mapping[str, Block], known: Known) -> list[str]:
    """Return how the moves of the start number cells or columns, in row order from 0 or from 1; nothing if they do not."""
    targets = targets_of(game, game.start, known)
    names = {name for name, _ in targets.values()}
    if len(names) != 1 or len(targets) < len(game.legal(game.start)):
        return []
    block = blocks[names.pop()]
    dropping = block.name in known.dropped
    where = {move: places[-1] % block.columns if dropping else places[-1] for move, (_, places) in targets.items()}
    for first in (0, 1):
        if any(game.name_move(game.start, move) != str(place + first) for move, place in where.items()):
            continue
        if dropping:
            return [f"Moves are columns, {first} to {block.columns - 1 + first} from the left."]
        if len(where) > 1:
            numbers = replace(block, cells=tuple(range(first, first + len(block.cells))), strip=True)
            return ["Moves are cells, numbered so:", block_text(numbers, {})]
    return []
