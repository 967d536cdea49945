"""What moves do to the board of a game without `draw`: some moves are played and the changes observed.

So it is known which player a value belongs to, and on which cell a move is made.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from outplay.pictures.blocks import Block, blocks_of
from outplay.turns import CHANCE, OVER

if TYPE_CHECKING:
    from outplay.rules.game import Game

MOST_MOVES = 400  # if a state has more, none can be clicked
MOST_FILLED = 4  # cells that one move may fill
GAMES, PLIES = 2, 16  # games that are played to learn the owners of values, and their length
TRIED = 8  # moves that are tried in each state

Places = tuple[int, ...]  # cells of a board
Target = tuple[str, Places]  # the field of a board, and cells of it


def copied(state: Any) -> Any:
    """Return *state* with copies of its arrays: a rule may change them by mistake."""
    return type(state)(*(value.copy() if getattr(value, "ndim", 0) else value for value in state))


@dataclass(frozen=True)
class Known:
    """What playing a game has shown about its boards: for each field, the owner of each value, and the value of an empty cell."""

    owners: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    empty: Mapping[str, int] = field(default_factory=dict)
    mover: tuple[str, ...] = ()  # fields that hold the player to move
    dropped: tuple[str, ...] = ()  # boards whose moves are columns
    learned: bool = False  # whether games could be played; a board without owners then holds numbers


_known: "WeakKeyDictionary[Game, Known]" = WeakKeyDictionary()


def known_of(game: "Game") -> Known:
    """Return what some random games show about the boards of *game*; nothing if its rules fail."""
    if game not in _known:
        try:
            _known[game] = _Watcher(game).known()
        except Exception:  # in the user's rules: a search reports it
            _known[game] = Known()
    return _known[game]


class _Watcher:
    """Plays a game, and records which values appear and disappear with the moves of each player."""

    def __init__(self, game: "Game") -> None:
        self.game = game
        self.came: dict[str, dict[int, set[int]]] = {}  # by board and value: the players whose moves brought it
        self.went: dict[str, set[int]] = {}
        self.seen: set[int] = set()  # who has moved
        self.mover = {name for name, value in zip(game.start._fields, game.start, strict=True) if isinstance(value, int)}

    def known(self) -> Known:
        for seed in range(GAMES):
            self._play(random.Random(seed))
        owners, empty = {}, {}
        for block in blocks_of(self.game.start):
            whose = self._owners(block)
            if whose is not None:
                owners[block.name], empty[block.name] = whose
        mover = tuple(name.replace("_", " ") for name in self.mover) if self.seen == {0, 1} else ()
        known = Known(owners, empty, mover, learned=self.game.cost is None)  # the moves of a described player are chance's
        return replace(known, dropped=self._dropped(known))

    def _play(self, dice: random.Random) -> None:
        game, state = self.game, copied(self.game.start)
        for _ in range(PLIES):
            who = game.turn(state)
            if who == OVER:
                return
            choices = [choice for choice, _ in game.choices(state)]
            if who != CHANCE:
                self.seen.add(who)
                self.mover = {name for name in self.mover if getattr(state, name) == who}
            for choice in choices if len(choices) <= TRIED else dice.sample(choices, TRIED):
                self._compare(state, game.state(game.play(copied(state), choice)), who)
            state = game.state(game.play(copied(state), dice.choice(choices)))

    def _compare(self, state: Any, after: Any, who: int) -> None:
        for old, new in zip(blocks_of(state), blocks_of(after), strict=True):
            came, went = self.came.setdefault(old.name, {}), self.went.setdefault(old.name, set())
            for before, now in zip(old.cells, new.cells, strict=True):
                if before != now:
                    came.setdefault(now, set()).add(who)
                    went.add(before)

    def _owners(self, block: Block) -> tuple[dict[int, int], int] | None:
        """Return the owner of each value of a board, and the value of an empty cell; None if the values are numbers."""
        came, went = self.came.get(block.name, {}), self.went.get(block.name, set())
        whose = {value: min(players) for value, players in came.items() if players in ({0}, {1})}
        nobody = (set(came) | went) - set(whose)
        if block.yes_or_no or set(whose.values()) != {0, 1} or len(nobody) > 1:
            return None
        empty = min(nobody, default=0)
        side = {value > 0: player for value, player in whose.items()}
        told = all(side[value > 0] == player for value, player in whose.items()) and len(side) == 2
        if told and empty == 0:  # the sign of a piece that has not moved yet shows its owner
            whose |= {value: side[value > 0] for value in block.cells if value}
        return whose, empty

    def _dropped(self, known: Known) -> tuple[str, ...]:
        """Return the boards on which the moves of the start are the columns, one move for each."""
        game, start = self.game, copied(self.game.start)
        if game.turn(start) not in (0, 1):
            return ()
        targets = [_target(game, start, move, known) for move in game.legal(start)]
        names = {target[0] for target in targets if target}
        for block in blocks_of(start):
            if names == {block.name} and block.rows > 1:
                columns = [place % block.columns for target in targets if target for place in target[1]]
                if sorted(columns) == list(range(block.columns)) and len(targets) == block.columns:
                    return (block.name,)
        return ()


def targets_of(game: "Game", state: Any, known: Known) -> dict[int, Target]:
    """Return the cells of each move of *state*, for the moves that clicks can distinguish."""
    legal = game.legal(state) if game.turn(state) in (0, 1) else []
    if len(legal) > MOST_MOVES:
        return {}
    found = {move: _target(game, state, move, known) for move in legal}
    all_known = all(found.values())
    places = {move: {(name, place) for place in at} for move, target in found.items() if target for name, at in [target]}
    # Each click keeps only the moves that include the clicked cell.
    alone = [
        move for move, cells in places.items() if not any(cells <= others for other, others in places.items() if other != move)
    ]
    if not all_known or len(alone) < len(legal):
        alone = [move for move in alone if found[move] and found[move][0] in known.owners]  # type: ignore[index]
    return {move: target for move in alone if (target := found[move])}


def _target(game: "Game", state: Any, move: int, known: Known) -> Target | None:
    """Return the cells of a move, by the changes that it makes; None if the changes do not show them."""
    after = game.state(game.play(copied(state), move))
    changes = []
    for old, new in zip(blocks_of(state), blocks_of(after), strict=True):
        changed = [place for place, (before, now) in enumerate(zip(old.cells, new.cells, strict=True)) if before != now]
        if changed:
            changes.append((old, new, changed))
    if len(changes) != 1:
        return None
    old, new, changed = changes[0]
    if old.name in known.owners:
        at = _piece_moved(old, new, changed, known.owners[old.name], known.empty[old.name], game.turn(state))
        if at:
            return old.name, at
    if len(changed) == 1:
        return old.name, (changed[0],)
    if len({(old.cells[place], new.cells[place]) for place in changed}) == 1 and len(changed) <= MOST_FILLED:
        return old.name, tuple(changed)  # a domino
    sown = [place for place in changed if new.cells[place] < old.cells[place]]  # seeds leave one pit for others
    return (old.name, (sown[0],)) if len(sown) == 1 and old.rows <= 2 and old.name not in known.owners else None


def _piece_moved(old: Block, new: Block, changed: list[int], owners: Mapping[int, int], empty: int, who: int) -> Places:
    """Return the cells on which a piece is placed, or the two cells between which it moves."""
    put = [place for place in changed if old.cells[place] == empty]
    lifted = [place for place in changed if owners.get(old.cells[place]) == who and new.cells[place] == empty]
    landed = [place for place in changed if owners.get(new.cells[place]) == who and owners.get(old.cells[place]) != who]
    if not lifted and 1 <= len(put) <= MOST_FILLED:
        return tuple(put)
    return (lifted[0], landed[0]) if len(lifted) == len(landed) == 1 else ()
