"""`parse`: from text to the bare tree, its names and values still to come. Nothing here recurses."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from outplay.draw.node import NodeKind
from outplay.errors import OptionError
from outplay.trees.brackets import MOST_NESTED, elements_of
from outplay.trees.chances import outcomes
from outplay.trees.source import Source
from outplay.trees.terms import Term, Terms, merged
from outplay.trees.tokens import COMMA, KIND, tokens_of

MOST_NODES = 20_000
EXAMPLE = "max(min(3, 12, 8), min(2, 4, 6))"


@dataclass(slots=True)
class Draft:
    """A node of a tree that is being made."""

    kind: NodeKind = "leaf"
    name: str = ""
    label: str = ""
    probability: Fraction | None = None
    number: Fraction = Fraction(0)  # of a leaf
    children: "list[Draft]" = field(default_factory=list)


def parse(text: str, *, first: Literal["max", "min"] = "max") -> Draft:
    """Return the root of the tree that *text* writes; *first* is the root's kind where no words say it."""
    if first not in ("max", "min"):
        raise OptionError(f"first={first!r} must be 'max' or 'min': whose turn it is at the root of lists without words")
    source = Source(text)
    tokens = tokens_of(source)
    if all(token.kind == COMMA for token in tokens):
        raise source.error(0, f"there is no tree in this text; write one, such as {EXAMPLE}")
    worded = any(token.kind == KIND for token in tokens)
    return _Parser(source, worded=worded, first=first).run(Terms(source).read(elements_of(source, tokens), alone=True))


class _Parser:
    def __init__(self, source: Source, *, worded: bool, first: Literal["max", "min"]) -> None:
        self.source, self.worded = source, worded
        self.kinds: tuple[NodeKind, NodeKind] = (first, "min" if first == "max" else "max")  # where there are no words, by depth
        self.names: dict[str, int] = {}
        self.nodes = 1

    def run(self, terms: list[Term]) -> Draft:
        if len(terms) > 1:
            raise self.source.error(
                terms[1].at,
                "a second node follows the first, and nothing says whose children they are; "
                f"put all of them in one bracket with a word before it, such as {EXAMPLE}",
            )
        if terms[0].probability is not None:
            raise self.source.error(terms[0].at, "a probability at the root, which nothing leads to; take it out")
        root = Draft()
        waiting = [(terms[0], root, 0)]
        while waiting:
            term, draft, depth = waiting.pop()
            children = self._settle(term, draft, depth)
            draft.children = [Draft() for _ in children]
            below = list(zip(children, draft.children, strict=True))
            waiting.extend((child, made, depth + 1) for child, made in reversed(below))
        return root

    def _settle(self, term: Term, draft: Draft, depth: int) -> list[Term]:
        """Put what *term* says into *draft*; return its children, still to be settled."""
        while term.bracket is not None and self.worded:
            term = self._only(term)
        draft.name, draft.label, draft.probability = term.name, term.label, term.probability
        self._check_name(term)
        if term.number is not None:
            draft.number = term.number
            return []
        draft.kind = term.kind or self.kinds[depth % 2]
        children = Terms(self.source).read(term.bracket.elements if term.bracket else term.arguments, alone=False)
        if not children:
            raise self.source.error(term.at, f"a {draft.kind} node without children; write at least one, or a number for a leaf")
        if draft.kind == "chance":
            children = outcomes(self.source, children, term.at)
        else:
            self._check_without_probability(children, draft.kind)
        self._check_labels(children)
        self.nodes += len(children)
        if self.nodes > MOST_NODES:
            raise self.source.error(
                term.at,
                f"the tree has more than {MOST_NODES:,} nodes; write a game instead (outplay.Game), where rules say what follows",
            )
        if depth == MOST_NESTED:
            raise self.source.error(term.at, f"the tree is deeper than {MOST_NESTED}; leave out what is beneath")
        return children

    def _only(self, term: Term) -> Term:
        """Return the one node in the bracket of *term*."""
        assert term.bracket is not None
        inner = Terms(self.source).read(term.bracket.elements, alone=True)
        if not inner:
            raise self.source.error(term.bracket.at, "an empty bracket; write a node's children in it, or take it out")
        if len(inner) > 1:
            raise self.source.error(
                term.bracket.at,
                "this bracket holds several nodes, and no word before it says what kind of node they are children of; "
                "write max, min or chance right before it",
            )
        return merged(self.source, term, inner[0])

    def _check_name(self, term: Term) -> None:
        if not term.name:
            return
        if term.name in self.names:
            line = self.source.text.count("\n", 0, self.names[term.name]) + 1
            other = f" (the other is in line {line})" if "\n" in self.source.text else ""
            raise self.source.error(
                term.at,
                f"two nodes are named {term.name}{other}; give one another name, or write {term.name} -> … if it is what a move is called",
            )
        self.names[term.name] = term.at

    def _check_labels(self, children: list[Term]) -> None:
        seen: set[str] = set()
        for child in children:
            if child.label and child.label in seen:
                raise self.source.error(
                    child.at, f"two children of one node are labelled {child.label!r}; label one of them differently"
                )
            seen.add(child.label)

    def _check_without_probability(self, children: list[Term], kind: str) -> None:
        for child in children:
            if child.probability is not None:
                raise self.source.error(
                    child.at,
                    f"a probability beneath a {kind} node, where a player chooses; take it out, or write chance for {kind}",
                )
