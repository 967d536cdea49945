"""The numbers by which a simulation chose its way through the tree, computed again for people to read.

`chosen` and `drawn` in `tree_kernel.py` choose by these numbers and do not store them. A test checks that every recorded simulation
went where the numbers say.
"""

import math
from dataclasses import dataclass
from typing import Literal

from outplay.search.montecarlo.tree_kernel import WIDE

Standing = Literal["open", "untried", "proven", "worse", "closed"]


@dataclass(frozen=True)
class Child:
    """What was known about a child before the simulation; `total` is the sum of its results."""

    visits: int
    total: float
    lower: float
    upper: float
    prior: float

    @property
    def proven(self) -> bool:
        """Whether the value is proven."""
        return self.lower >= self.upper


@dataclass(frozen=True)
class Option:
    """A child that a node could go on with. Values are player 0's, on the game's scale.

    `score` is the mean plus a `bonus` for few visits (minus the bonus at a min node): a max node takes the highest, a min node the lowest.
    `standing` is "open"; "untried" (UCB1 tries such a move first, and it has no score yet); "proven" (the score is the value); "worse" (its bounds
    show that it cannot beat a proven move); or "closed" (an outcome of a wide chance node that is not in use yet).
    """

    index: int
    visits: int
    mean: float | None
    bonus: float | None
    score: float | None
    standing: Standing


@dataclass(frozen=True)
class Selection:
    """A step down the tree: `node` went on with `chosen`.

    `settled` is a proven child that was the better choice, or None. Its value is backed up, and the simulation goes on below `chosen`, so
    that `chosen` is proven in the end, too.
    """

    node: int
    chosen: int
    settled: int | None
    options: tuple[Option, ...]


def player_options(
    player: int, visits: int, total: float, children: dict[int, Child], *, width: float, by_rank: bool
) -> tuple[Option, ...]:
    """Return the options of a player's node with so many *visits* and such a *total*, by UCB1 or, *by_rank*, by PUCT.

    *children* are known by their index. *width* is the weight of exploration on the game's scale.
    """
    sign = -1.0 if player == 1 else 1.0
    floor = max(min(sign * child.lower, sign * child.upper) for child in children.values())  # what the player can be sure of
    urge = width * (math.sqrt(visits + 1.0) if by_rank else math.sqrt(math.log(visits + 1.0)))
    found = []
    for index, child in children.items():
        mean = child.total / child.visits if child.visits else None
        if child.proven:
            found.append(Option(index, child.visits, mean, None, child.lower, "proven"))
        elif max(sign * child.lower, sign * child.upper) <= floor:
            found.append(Option(index, child.visits, mean, None, None, "worse"))
        elif mean is None and not by_rank:
            found.append(Option(index, 0, None, None, None, "untried"))
        else:
            expected = total / max(visits, 1) if mean is None else mean
            bonus = urge * child.prior / (1.0 + child.visits) if by_rank else urge / math.sqrt(child.visits)
            found.append(Option(index, child.visits, expected, bonus, expected + sign * bonus, "open"))
    return tuple(found)


def chance_options(visits: int, children: dict[int, Child]) -> tuple[Option, ...]:
    """Return the options of a chance node with so many *visits*: an outcome is drawn by probability among the open ones."""
    in_use = len(children) if len(children) <= WIDE else min(len(children), WIDE + int(2.0 * math.sqrt(float(visits))))
    found = []
    for place, (index, child) in enumerate(children.items()):
        standing: Standing = "proven" if child.proven else "open" if place < in_use else "closed"
        found.append(Option(index, child.visits, child.total / child.visits if child.visits else None, None, None, standing))
    return tuple(found)
