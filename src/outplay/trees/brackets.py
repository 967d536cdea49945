"""From tokens to nested brackets: of the whole text, or of an outline, in which a node stands on a line and indentation nests."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from outplay.trees.source import Source
from outplay.trees.tokens import CLOSE, COMMA, KIND, OPEN, Token

MOST_NESTED = 500


@dataclass(slots=True)
class Bracket:
    """What stands between two brackets, or beneath a line of an outline; *tight*: right behind what is before it."""

    at: int
    tight: bool
    elements: "list[Element]"


Element = Token | Bracket


def is_comma(element: Element) -> bool:
    """Return whether *element* is a comma."""
    return isinstance(element, Token) and element.kind == COMMA


def is_kind(element: Element) -> bool:
    """Return whether *element* is a word such as max."""
    return isinstance(element, Token) and element.kind == KIND


def elements_of(source: Source, tokens: list[Token]) -> list[Element]:
    """Return the text as tokens and brackets in brackets."""
    lines = _lines(source, tokens)
    if len(lines) > 1 and all(_balanced(line) for line in lines):
        return _outlined(source, lines)
    return _nested(source, tokens)


def _lines(source: Source, tokens: list[Token]) -> list[list[Token]]:
    """Return the tokens of each line that has any."""
    lines: list[list[Token]] = []
    end = -1  # of the line that is being filled
    for token in tokens:
        if token.at > end:
            lines.append([])
            end = source.text.find("\n", token.at)
            end = len(source.text) if end < 0 else end
        lines[-1].append(token)
    return lines


def _balanced(line: list[Token]) -> bool:
    """Return whether every bracket of *line* ends on it."""
    depth = 0
    for token in line:
        depth += (token.kind == OPEN) - (token.kind == CLOSE)
        if depth < 0:
            return False
    return depth == 0


def _nested(source: Source, tokens: Iterable[Token]) -> list[Element]:
    whole: list[Element] = []
    opened: list[tuple[Token, list[Element]]] = []
    inside = whole
    for token in tokens:
        if token.kind == OPEN:
            if len(opened) == MOST_NESTED:
                raise source.error(token.at, f"brackets are nested deeper than {MOST_NESTED}; a tree may be that deep")
            bracket = Bracket(token.at, token.tight, [])
            inside.append(bracket)
            opened.append((token, inside))
            inside = bracket.elements
        elif token.kind == CLOSE:
            if not opened:
                raise source.error(token.at, f"this {token.text!r} closes no bracket; take it out, or open one before")
            opening, outside = opened.pop()
            if opening.text + token.text not in ("()", "[]"):
                line = source.text.count("\n", 0, opening.at) + 1
                raise source.error(
                    token.at, f"{token.text!r} closes the {opening.text!r} of line {line}; close a bracket by one of its own kind"
                )
            inside = outside
        else:
            inside.append(token)
    if opened:
        opening, _ = opened[-1]
        raise source.error(
            opening.at, f"this {opening.text!r} is never closed; add {')' if opening.text == '(' else ']'} behind its children"
        )
    return whole


@dataclass(slots=True)
class _Line:
    at: int
    indent: str
    elements: list[Element]
    beneath: "list[_Line]" = field(default_factory=list)


def _outlined(source: Source, lines: list[list[Token]]) -> list[Element]:
    """Return the lines of an outline as brackets in brackets."""
    nodes: list[_Line] = []
    open_lines: list[_Line] = []
    for tokens in lines:
        at = tokens[0].at
        line = _Line(at, source.text[source.text.rfind("\n", 0, at) + 1 : at], _trimmed(_nested(source, tokens)))
        if nodes:
            _dedent(source, open_lines, line)
            open_lines[-1].beneath.append(line)
        open_lines.append(line)
        nodes.append(line)
    made: dict[int, list[Element]] = {}
    for line in reversed(nodes):  # what is beneath a line comes after it
        made[line.at] = _unfolded(source, line, [made.pop(child.at) for child in line.beneath])
    return made[nodes[0].at]


def _dedent(source: Source, open_lines: list[_Line], line: _Line) -> None:
    """Take the lines away that *line* does not stand beneath."""
    closed: _Line | None = None
    while open_lines and not _deeper(line.indent, open_lines[-1].indent):
        closed = open_lines.pop()
    if closed is not None and closed.indent != line.indent:
        mixed = " tabs and spaces are mixed here;" if "\t" in closed.indent + line.indent else ""
        raise source.error(
            line.at,
            f"this line is indented like no line above it;{mixed} give it the same indentation as its siblings, "
            "or more than its parent",
        )
    if not open_lines:
        raise source.error(
            line.at,
            "a second tree begins here; where every line holds whole nodes, indentation says what is beneath what: "
            "indent this line, or put all into one bracket",
        )


def _deeper(indent: str, than: str) -> bool:
    return indent.startswith(than) and len(indent) > len(than)


def _unfolded(source: Source, line: _Line, beneath: list[list[Element]]) -> list[Element]:
    """Return the elements of *line*, with the lines *beneath* it as children of its node."""
    elements = line.elements
    place = next((place for place, element in enumerate(elements) if is_kind(element)), None)
    if not beneath:
        if place is None or _is_call(elements, place):
            return elements
        at = elements[place].at
        return [*elements[:place], Bracket(at, False, elements[place:])]
    if place is None:
        raise source.error(
            line.at, "lines are indented beneath this one, but it does not say what kind of node it is; write max, min or chance"
        )
    own = elements[place + 1 :]
    if len(own) == 1 and isinstance(own[0], Bracket):
        raise source.error(
            own[0].at,
            "the children stand in this bracket, and more are indented beneath the line; put all of them in one of the two",
        )
    if own and is_comma(own[0]):
        own = own[1:]
    at = elements[place].at
    children: list[Element] = list(own)
    for number, child in enumerate(beneath):
        if own or number:
            children.append(Token(COMMA, ",", line.beneath[number].at, line.beneath[number].at))
        children.extend(child)
    return [*elements[: place + 1], Bracket(at, True, children)]


def _is_call(elements: list[Element], place: int) -> bool:
    after = elements[place + 1] if place + 1 < len(elements) else None
    return isinstance(after, Bracket) and after.tight


def _trimmed(elements: list[Element]) -> list[Element]:
    """Return the elements of a line without a comma at its end."""
    return elements[:-1] if elements and is_comma(elements[-1]) else elements
