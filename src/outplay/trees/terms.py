"""From one bracket's contents to terms: each a node with what stands before it, its own children still unread.

Where a word's children are:

    max(3, 4)      a bracket right behind the word
    (max 3 4)      all that follows in the bracket that the word stands in, if it is the first there
    max (3, 4)     with a space between: the bracket, if nothing follows it or it could not be a node itself

What could be read in two ways is a mistake, and the message says how to write either.
"""

import difflib
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from outplay.draw.node import NodeKind
from outplay.trees.brackets import Bracket, Element, is_comma, is_kind
from outplay.trees.source import Source
from outplay.trees.tokens import KINDS, LABEL, NAME, NUMBER, PROBABILITY, Token

PREFIXES = {NAME: "name", LABEL: "label", PROBABILITY: "probability"}


@dataclass(slots=True)
class Term:
    """A node as it is written: a number, a word with its children, or a bracket."""

    at: int
    name: str = ""
    label: str = ""
    probability: Fraction | None = None
    number: Fraction | None = None
    kind: NodeKind | Literal[""] = ""  # of a word
    arguments: list[Element] = field(default_factory=list)  # of a word
    bracket: Bracket | None = None
    comma: bool = False  # whether one stands before it

    @property
    def is_bare(self) -> bool:
        """Whether it is a number with nothing before it, so that it could be a probability."""
        return self.number is not None and not self.name and not self.label and self.probability is None


class Terms:
    """Reads the terms of the brackets of one text."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def read(self, elements: list[Element], *, alone: bool) -> list[Term]:
        """Return the terms of *elements*; *alone*: they must be one node, so that a word may take all of them."""
        if elements and is_comma(elements[-1]):
            elements = elements[:-1]
        kinds = sum(map(is_kind, elements))
        terms: list[Term] = []
        place, comma = 0, False
        while place < len(elements):
            element = elements[place]
            if is_comma(element):
                if comma or not terms:
                    raise self.source.error(
                        element.at, "nothing stands before this comma; write the missing node, or take it out"
                    )
                comma, place = True, place + 1
                continue
            term, place = self._prefixed(elements, place)
            term.comma, comma = comma, False
            element = elements[place]
            if isinstance(element, Bracket):
                term.bracket = element
                place += 1
            elif element.kind == NUMBER:
                term.number = element.number
                place += 1
            else:
                place = self._worded(term, elements, place, first=not terms, alone=alone, kinds=kinds)
            terms.append(term)
        return terms

    def _prefixed(self, elements: list[Element], place: int) -> tuple[Term, int]:
        """Return a term with what stands before its node, and the place of the node."""
        term = Term(elements[place].at)
        while True:
            if place == len(elements) or is_comma(elements[place]):
                before = elements[place - 1]
                raise self.source.error(before.at, "no node follows; write a number, or max, min or chance with its children")
            element = elements[place]
            if isinstance(element, Bracket) or element.kind not in PREFIXES:
                return term, place
            self._put(term, element)
            place += 1

    def _put(self, term: Term, token: Token) -> None:
        what = PREFIXES[token.kind]
        if getattr(term, what):
            raise self.source.error(
                token.at, f"a second {what} of one node; leave one of them out, or add a comma if a node is missing"
            )
        if token.kind == PROBABILITY:
            if not 0 < token.number <= 1:
                raise self.source.error(
                    token.at,
                    f"a probability is above 0 and at most 1, and this is {token.number}; "
                    "if it is the name of a move, write it with an arrow: 3 -> …",
                )
            term.probability = token.number
        else:
            setattr(term, what, token.text)

    def _worded(self, term: Term, elements: list[Element], place: int, *, first: bool, alone: bool, kinds: int) -> int:
        """Give *term* its kind and its children; return the place behind them."""
        word = elements[place]
        assert isinstance(word, Token)
        if not is_kind(word):
            raise self.source.error(word.at, self._unknown(word, elements, place))
        term.kind = KINDS[word.text.casefold()]
        after = elements[place + 1] if place + 1 < len(elements) else None
        if isinstance(after, Bracket) and self._is_call(word, elements, place, first=first, alone=alone, kinds=kinds):
            term.arguments = [after] if not after.tight and _is_node(after) else after.elements
            return place + 2
        if not isinstance(after, Bracket):
            self._check_head(word, elements, place, first=first, alone=alone, kinds=kinds)
        rest = place + 2 if after is not None and is_comma(after) else place + 1
        term.arguments = elements[rest:]
        return len(elements)

    def _is_call(self, word: Token, elements: list[Element], place: int, *, first: bool, alone: bool, kinds: int) -> bool:
        """Return whether the bracket behind *word* holds all its children; if not, all that follows are its children."""
        bracket = elements[place + 1]
        assert isinstance(bracket, Bracket)
        if bracket.tight or place + 2 == len(elements):
            return True
        if alone and first and kinds == 1:
            return False
        if alone:
            raise self._two_ways(word)
        if not first:
            return True
        if not _is_headed(bracket):
            if len([element for element in bracket.elements if not is_comma(element)]) > 1:
                return True
            raise self._two_ways(word)
        if is_comma(elements[place + 2]) != (kinds > 1) or (kinds > 1 and _has_stray_bracket(elements)):
            raise self._two_ways(word)
        return kinds > 1

    def _check_head(self, word: Token, elements: list[Element], place: int, *, first: bool, alone: bool, kinds: int) -> None:
        """Raise unless *word* may take all that follows."""
        if place + 1 == len(elements):
            raise self.source.error(word.at, f"{word.text} has no children; write them behind it: {word.text}(3, 12, 8)")
        if alone and first:
            return
        commas = any(map(is_comma, elements[place + 2 :])) and not is_comma(elements[place + 1])
        if not first or kinds > 1 or commas:
            raise self.source.error(
                word.at,
                f"it is not clear where the children of this {word.text} end; put them in a bracket: {word.text}(3, 12, 8) "
                f"or ({word.text} 3 12 8)",
            )

    def _two_ways(self, word: Token) -> Exception:
        return self.source.error(
            word.at,
            f"this {word.text} can be read in two ways; if the bracket holds all its children, write it without a space: "
            f"{word.text}(…); if all that follows are its children, put a bracket around all: ({word.text} …)",
        )

    def _unknown(self, word: Token, elements: list[Element], place: int) -> str:
        shown = self.source.shown(word.at, word.end)
        near = difflib.get_close_matches(word.text.casefold(), ("max", "min", "chance", "expect", "random"), n=1, cutoff=0.6)
        if near:
            return f"{shown} is not a kind of node; did you mean {near[0]}? There are max, min and chance"
        after = elements[place + 1] if place + 1 < len(elements) else None
        if isinstance(after, Token) and after.kind in (LABEL, NAME, "word"):
            return f'{shown} stands alone; a label of several words is put in quotes: "{word.text} {after.text}" -> 3'
        return (
            f"{shown} is neither a number nor a kind of node; expected a number, max, min or chance; "
            f"a name is written {word.text} = …, a label {word.text} -> …"
        )


def merged(source: Source, outer: Term, inner: Term) -> Term:
    """Return *inner*, the one node in the bracket of *outer*, with what stands before the bracket."""
    for what in PREFIXES.values():
        if getattr(outer, what) and getattr(inner, what):
            raise source.error(inner.at, f"a second {what} of one node, once before its bracket and once inside; leave one out")
    return replace(
        inner,
        name=outer.name or inner.name,
        label=outer.label or inner.label,
        probability=outer.probability or inner.probability,
        comma=outer.comma,
    )


def _is_node(bracket: Bracket) -> bool:
    """Return whether *bracket* is a node by itself: its first thing a word, and not with a bracket behind it."""
    for element, after in pairwise(bracket.elements):
        if isinstance(element, Bracket) or element.kind not in PREFIXES:
            return is_kind(element) and not isinstance(after, Bracket) and sum(map(is_kind, bracket.elements)) == 1
    return False


def _has_stray_bracket(elements: list[Element]) -> bool:
    """Return whether a bracket stands among *elements* without a word right before it."""
    return any(isinstance(after, Bracket) and not is_kind(before) for before, after in pairwise(elements))


def _is_headed(bracket: Bracket) -> bool:
    """Return whether a word such as max is the first thing in *bracket*, but for names and labels."""
    for element in bracket.elements:
        if isinstance(element, Bracket) or element.kind not in PREFIXES:
            return is_kind(element)
    return False
