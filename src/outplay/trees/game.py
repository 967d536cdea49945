"""A tree as a `Game`: the state is a node's number, and the rules look it up. So all that runs on games runs on trees."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from outplay.errors import TreeError
from outplay.rules.game import CHANCE, OVER, Game
from outplay.rules.pickling import remember
from outplay.trees.node import TreeNode

TURNS = {"max": 0, "min": 1, "chance": CHANCE, "leaf": OVER}
FEW = 256  # a lookup in a longer tuple compiles slowly; in an array it does not


class State(NamedTuple):
    """A position in a tree: the node's place in `Tree.nodes`."""

    node: int


def game_of(nodes: tuple[TreeNode, ...]) -> Game:
    """Return the game whose tree *nodes* are; children stand together, so a child is the first one's number and a move."""
    if not nodes[0].children:
        raise TreeError(
            f"the tree is a single leaf, worth {nodes[0].value}: there is no move, and so no game; "
            f"put a node above it, as in max({nodes[0].value}, 0)"
        )
    numbers = [len(node.children) for node in nodes]
    turns = _held([TURNS[node.kind] for node in nodes])
    counts = _held(numbers)
    firsts = _held(list(accumulate(numbers[:-1], initial=1)))
    values = [float(node.value) if node.kind == "leaf" else 0.0 for node in nodes]
    scores = _held(values)
    weights = _held([float(node.probability or 0) for node in nodes])
    leaves = [value for value, node in zip(values, nodes, strict=True) if node.kind == "leaf"]
    low, high = min(leaves), max(leaves)
    unseen = min(max(low, 0.0), high)
    positions = _positions(nodes, list(accumulate(numbers[:-1], initial=1)))
    keys = _held(positions)

    def turn(state: State) -> int:
        return int(turns[state.node])

    def moves(state: State) -> Iterator[int]:
        for move in range(counts[state.node]):
            yield move

    def chances(state: State) -> Iterator[tuple[int, float]]:
        for outcome in range(counts[state.node]):
            yield outcome, float(weights[firsts[state.node] + outcome])

    def play(state: State, choice: int) -> State:
        return State(int(firsts[state.node]) + choice)

    def score(state: State) -> float:
        return float(scores[state.node])

    def estimate(state: State) -> float:
        """0 for all that is not looked at, or what is possible next to it."""
        return unseen

    def key(state: State) -> int:
        """Equal subtrees are one position, which a transposition table knows again."""
        return int(keys[state.node])

    def name_choice(state: State, choice: int) -> str:
        return nodes[state.node].choices[choice]

    def show(state: State) -> str:
        return shown(nodes[state.node])

    game = Game(
        name="tree",
        start=State(0),
        turn=turn,
        moves=moves,
        chances=chances if any(node.kind == "chance" for node in nodes) else None,
        play=play,
        score=score,
        estimate=estimate,
        show=show,
        name_move=name_choice,
        name_outcome=name_choice,
        players=("Max", "Min"),
        low=low if low < high else low - max(1.0, abs(low) / 2),
        high=high if low < high else high + max(1.0, abs(high) / 2),
        key=key if len(set(positions)) < len(nodes) else None,
        max_moves=max(numbers),
        about=f"A tree of {len(nodes):,} nodes, typed in.",
    )
    remember(game, game_of, nodes)
    return game


def _positions(nodes: tuple[TreeNode, ...], firsts: list[int]) -> list[int]:
    """Return a number for each of *nodes*, the same where inner nodes and all beneath them are equal."""
    known: dict[Any, int] = {}
    found = list(range(len(nodes)))
    for place in reversed(range(len(nodes))):  # children stand after their parents
        node = nodes[place]
        if node.children:
            below = [
                (
                    child.probability,
                    child.value if not child.children else None,
                    found[firsts[place] + number] if child.children else None,
                )
                for number, child in enumerate(node.children)
            ]
            found[place] = known.setdefault((node.kind, *below), place)
    return found


def shown(node: TreeNode) -> str:
    """Return a node in one line: `B = min(3, 12, D)`."""
    called = f"{node.name} = " if node.name else ""
    if not node.children:
        return f"{called}{node.value}"
    weights = ["" if child.probability is None else f"{child.probability}: " for child in node.children]
    inside = (weight + (child.name or str(child.value)) for weight, child in zip(weights, node.children, strict=True))
    return f"{called}{node.kind}({', '.join(inside)})"


def _held(values: Sequence[int | float]) -> Any:
    """Return *values* as what compiled rules can look up."""
    if len(values) <= FEW:
        return tuple(values)
    import numpy

    return numpy.array(values)
