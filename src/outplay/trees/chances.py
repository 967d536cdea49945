"""Which children of a chance node have which probability, in all the ways that people write it.

chance(1/2: 3, 1/2: -1)      before each child, with a colon or a percent sign
chance(1/2 3, 1/2 -1)        before each child, the children separated by commas
(chance 1/2 (min 3 4) 1/2 (max 1 2))   the same where no child is a number
[chance, [1/2, 3], [1/2, -1]]          in a bracket with each child
chance 1/2 1/2 (3, -1)       first all probabilities, then all children in a bracket
chance(3, -1)                none: all are equally likely
"""

from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from outplay.trees.source import Source
from outplay.trees.terms import Term, Terms, merged
from outplay.trees.tokens import NUMBER, PROBABILITY, Token


def outcomes(source: Source, terms: list[Term], at: int) -> list[Term]:
    """Return the children of a chance node, each with its probability; *at* is where the node stands."""
    reader = Terms(source)
    terms = _listed(source, reader, terms) or [_unwrapped(source, reader, term) for term in terms]
    given = [term for term in terms if term.probability is not None]
    if not given:
        terms = _paired(source, terms) or _equal(terms)
    elif len(given) < len(terms):
        terms = _mixed(source, terms)
    if any(term.probability is None for term in terms):
        missing = next(term for term in terms if term.probability is None)
        raise source.error(
            missing.at,
            "no probability for this child, though others have one; write 1/2: before each child, or before none if all are equally likely",
        )
    _check_sum(source, terms, at)
    return terms


def _listed(source: Source, reader: Terms, terms: list[Term]) -> list[Term]:
    """Return the children of `chance 1/2 1/2 (3, -1)`; none if it is not written that way."""
    *numbers, last = terms
    if len(numbers) < 2 or last.bracket is None or not all(term.is_bare for term in numbers) or last.name or last.label:
        return []
    children = reader.read(last.bracket.elements, alone=False)
    if len(children) == 1:
        return []
    if len(children) != len(numbers):
        raise source.error(
            last.at, f"{len(numbers)} probabilities stand before {len(children)} children; write one probability for each child"
        )
    return [_with(source, child, number) for number, child in zip(numbers, children, strict=True)]


def _unwrapped(source: Source, reader: Terms, term: Term) -> Term:
    """Return the child of `(1/2 3)` or `(1/2: 3)` with its probability; any other term as it is."""
    if term.bracket is None or term.probability is not None or not term.bracket.elements:
        return term
    first = term.bracket.elements[0]
    if not isinstance(first, Token):
        return term
    if first.kind == NUMBER:
        inner = reader.read(term.bracket.elements, alone=False)
        if len(inner) == 2 and inner[0].is_bare:
            return merged(source, term, _with(source, inner[1], inner[0]))
    prefixes = [element.kind for element in term.bracket.elements[:3] if isinstance(element, Token)]
    if PROBABILITY in prefixes:
        inner = reader.read(term.bracket.elements, alone=True)
        if len(inner) == 1:
            return merged(source, term, inner[0])
    return term


def _paired(source: Source, terms: list[Term]) -> list[Term]:
    """Return the children of `1/2 3, 1/2 -1`; none if no probability is written."""
    first, second = terms[::2], terms[1::2]
    sizes = _sizes(terms)
    if len(sizes) > 1:
        if all(size == 2 for size in sizes) and all(term.is_bare for term in first):
            return [_with(source, child, number) for number, child in zip(first, second, strict=True)]
        if any(size > 1 for size in sizes):
            raise source.error(
                terms[0].at,
                "some of these children have a number before them and some have not; write 1/2: before each child, "
                "or a comma between all children if all are equally likely",
            )
    even = len(terms) % 2 == 0 and all(term.is_bare for term in first)
    if even and len(sizes) == 1 and not any(term.is_bare for term in second):
        return [_with(source, child, number) for number, child in zip(first, second, strict=True)]
    if looks_weighed([term.number if term.is_bare else None for term in terms], commas=len(sizes) > 1):
        raise source.error(
            terms[0].at,
            "these could be children that are equally likely, or some of these numbers the probabilities of others; write "
            f"{first[0].number}: with a colon before its child if it is a probability, else 1/{len(terms)}: before each child",
        )
    return []


def _mixed(source: Source, terms: list[Term]) -> list[Term]:
    """Return the children of `1/2: 3, 1/2 -1`: where some have a colon, a number alone between commas with a child is its probability."""
    children: list[Term] = []
    place = 0
    for size in _sizes(terms):
        part = terms[place : place + size]
        place += size
        if size == 2 and part[0].is_bare and part[1].probability is None:
            children.append(_with(source, part[1], part[0]))
        else:
            children.extend(part)
    return children


def looks_weighed(children: list[Fraction | None], *, commas: bool) -> bool:
    """Return whether each second child of an equal chance, or the first half of them, could be taken for probabilities.

    *children* holds the bare numbers among them, and None for all else.
    """
    half = len(children) // 2
    if len(children) % 2 or half < 2:
        return False
    return _could_weigh(children[::2], to_one=commas) or _could_weigh(children[:half], to_one=True)


def _could_weigh(children: list[Fraction | None], *, to_one: bool) -> bool:
    numbers = [number for number in children if number is not None and 0 < number < 1]
    return len(numbers) == len(children) and (not to_one or sum(numbers) == 1)


def _sizes(terms: list[Term]) -> list[int]:
    """Return how many terms stand between commas."""
    part, parts = 0, []
    for term in terms:
        part += term.comma
        parts.append(part)
    return [len(list(group)) for _, group in groupby(parts)]


def _equal(terms: list[Term]) -> list[Term]:
    return [replace(term, probability=Fraction(1, len(terms))) for term in terms]


def _with(source: Source, child: Term, number: Term) -> Term:
    if child.probability is not None:
        raise source.error(number.at, "two probabilities for one child; leave one of them out")
    if number.number is None or not 0 < number.number <= 1:
        raise source.error(
            number.at,
            f"{number.number} stands where a probability is expected, above 0 and at most 1; "
            "if it is a child, part all children by commas",
        )
    return replace(child, at=number.at, probability=number.number, comma=number.comma)


def _check_sum(source: Source, terms: list[Term], at: int) -> None:
    probabilities = [term.probability or Fraction(0) for term in terms]
    total = sum(probabilities, Fraction(0))
    if total != 1:
        shown = " + ".join(map(str, probabilities[:12])) + (" + …" if len(probabilities) > 12 else "")
        thirds = "; 0.33 is not 1/3: write fractions" if abs(total - 1) < Fraction(1, 10) else ""
        raise source.error(at, f"the probabilities of this chance node add up to {_short(total)}, not to 1: {shown}{thirds}")


def _short(number: Fraction) -> str:
    text = str(number)
    return text if len(text) <= 60 else f"about {float(number):.10g}"
