"""From text to tokens: words, numbers, brackets, commas, and what stands before a node.

    3  -1/2  0.25                NUMBER        1/2:  50%       PROBABILITY
    max  min  chance             KIND          left ->  "a b": LABEL
    A =  A:                      NAME          ( [             OPEN      ) ]  CLOSE      ,  COMMA

A word that is none of these is a WORD, and always a mistake; the reader says which.
"""

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

from outplay.draw.node import NodeKind
from outplay.trees.source import Source

NUMBER, PROBABILITY, KIND, NAME, LABEL, WORD = "number", "probability", "kind", "name", "label", "word"
OPEN, CLOSE, COMMA = "open", "close", "comma"

KINDS: dict[str, NodeKind] = {
    **dict.fromkeys(("max", "△", "▲", "∆"), "max"),
    **dict.fromkeys(("min", "▽", "▼", "∇"), "min"),
    **dict.fromkeys(("chance", "exp", "expect", "expected", "random", "○", "◯", "●"), "chance"),
}
MOST_DIGITS = 50  # of a number, or of either part of a fraction
MOST_LETTERS = 100  # of a name or label

MINUS, SLASH = "\u2212", "\u2044"  # the typographic ones, which stand in copied texts

WORD_PATTERN = r"[^\W\d]\w*(?:[-'.]\w+)*'*"
PATTERN = re.compile(
    rf"""
      (?P<space>   \s+ | \#[^\n]* )
    | (?P<number>  [+\-{MINUS}]?(?:[0-9]+[/{SLASH}][0-9]+|[0-9]*\.[0-9]+|[0-9]+)%? )
    | (?P<word>    {WORD_PATTERN} | [△▲∆▽▼∇○◯●] )
    | (?P<string>  "(?:[^"\\\n]|\\[^\n])*" | '(?:[^'\\\n]|\\[^\n])*' | “[^”\n]*” )
    | (?P<arrow>   -> | → )
    | (?P<open>    [(\[] )
    | (?P<close>   [)\]] )
    | (?P<comma>   [,;] )
    | (?P<colon>   : )
    | (?P<equals>  = )
    """,
    re.VERBOSE,
)
GLUED = re.compile(rf"""[\w.+/{SLASH}%{MINUS}"'*^]|-(?!>)""")  # what cannot follow a number without a space


@dataclass(slots=True)
class Token:
    """A piece of the text from *at* to *end*; *tight*: nothing is between it and the one before."""

    kind: str
    text: str
    at: int
    end: int
    tight: bool = False
    number: Fraction = Fraction(0)  # of a NUMBER or PROBABILITY


def tokens_of(source: Source) -> list[Token]:
    """Return the tokens of the text, or raise the error of the first thing that is none."""
    pieces = _pieces(source)
    _check_commas(source, pieces)
    found: list[Token] = []
    place = 0
    while place < len(pieces):
        token = pieces[place]
        after = pieces[place + 1].kind if place + 1 < len(pieces) else ""
        joined = _joined(source, token, after)
        if joined:
            token.kind, token.end = joined, pieces[place + 1].end
            place += 1
        elif token.kind in ("string", "colon", "equals", "arrow"):
            raise source.error(token.at, _stray(source, token))
        elif token.kind == "word":
            token.kind = KIND if token.text.casefold() in KINDS else WORD
        elif token.kind == NUMBER and token.text.endswith("%"):
            token.kind = PROBABILITY
        found.append(token)
        place += 1
    return found


def _check_commas(source: Source, pieces: list[Token]) -> None:
    """Refuse 0,5 where numbers are separated by semicolons: it may be one number or two."""
    if all(piece.text != ";" for piece in pieces):
        return
    for left, comma, right in zip(pieces, pieces[1:], pieces[2:], strict=False):
        if comma.text == "," and comma.tight and right.tight and left.kind == right.kind == NUMBER:
            shown = source.shown(left.at, right.end)
            raise source.error(
                left.at, f"{shown} may be one number or two; write {left.text}.{right.text}, or a space behind the comma"
            )


def _joined(source: Source, token: Token, after: str) -> str:
    """Return what *token* is together with the sign that follows it; "" if it does not belong to it."""
    if token.kind in (NUMBER, "word", "string") and after == "arrow":
        return LABEL
    if token.kind == "string" and after == "colon":
        return LABEL
    if token.kind == NUMBER and after == "colon":
        return PROBABILITY
    if token.kind == "word" and after in ("colon", "equals"):
        if token.text.casefold() not in KINDS:
            return NAME
        if after == "colon":
            return KIND  # max: 3, 12
        raise source.error(token.at, f"{token.text!r} says what kind of node comes; as a name take another word")
    return ""


def _stray(source: Source, token: Token) -> str:
    shown = source.shown(token.at, token.end)
    if token.kind == "string":
        return f"{shown} stands alone; a label is followed by an arrow and its node, as in {token.text!r} -> 3"[:200]
    return {
        "colon": "a colon without a name, a label or a probability before it; write A: max(3, 4) or 1/2: 3",
        "equals": "an equals sign without a name before it; write A = max(3, 4), the name one word",
        "arrow": 'an arrow without a label before it; write left -> 3, or "top left" -> 3 for a label of several words',
    }[token.kind]


def _pieces(source: Source) -> list[Token]:
    text = source.text
    found: list[Token] = []
    at = end = 0
    while at < len(text):
        match = PATTERN.match(text, at)
        if match is None:
            raise source.error(at, _unknown(text, at))
        kind, piece = str(match.lastgroup), match.group()
        if kind != "space":
            token = Token(kind, piece, at, match.end(), tight=bool(found) and end == at)
            if kind == "number":
                token.number = _number(source, token)
            elif kind == "string":
                token.text = _unquoted(piece)
            if kind in ("word", "string") and len(token.text) > MOST_LETTERS:
                raise source.error(at, f"a name or label may have {MOST_LETTERS} letters, and this one has {len(token.text):,}")
            if kind == "string" and not token.text:
                raise source.error(at, "an empty label; write what the move is called, or leave quotes and arrow out")
            found.append(token)
            end = match.end()
        at = match.end()
    return found


def _number(source: Source, token: Token) -> Fraction:
    """Return the exact value of a number, with a percent sign as a part of 1."""
    if GLUED.match(source.text, token.end):
        end = token.end
        while end < len(source.text) and end < token.at + 40 and source.text[end] not in " \t\n()[],;:#":
            end += 1
        raise source.error(
            token.at,
            f"{source.shown(token.at, end)} is not a number; a number is written 3, -1/2 or 0.25, with a space or comma behind it",
        )
    text = token.text.replace(MINUS, "-").replace(SLASH, "/").rstrip("%")
    digits = text.lstrip("+-")
    if any(len(part) > MOST_DIGITS for part in re.split("[/.]", digits)):
        raise source.error(token.at, f"a number may have {MOST_DIGITS} digits, and this one has more; write it shorter")
    if len(digits) > 1 and digits[0] == "0" and digits[1].isdecimal():
        raise source.error(
            token.at, f"{digits} begins with a needless 0; for a thousand write 1000 without a comma, else leave the 0 out"
        )
    if "/" in digits and not int(digits.partition("/")[2]):
        raise source.error(token.at, f"{source.shown(token.at, token.end)} divides by 0; the lower part of a fraction is above 0")
    value = Fraction(text) / (100 if token.text.endswith("%") else 1)
    if max(abs(value.numerator), value.denominator) >= 10**MOST_DIGITS:
        raise source.error(token.at, f"as a fraction this number has more than {MOST_DIGITS} digits; write it shorter")
    return value


def _unquoted(piece: str) -> str:
    inside = piece[1:-1]
    return " ".join((re.sub(r"\\(.)", r"\1", inside) if piece[0] != "“" else inside).split())


def _unknown(text: str, at: int) -> str:
    letter = text[at]
    if letter in "\"'“":
        return "this quote is not closed on its line; end the label with the same quote"
    if letter in ("-", "+", MINUS):
        return f"{letter!r} stands alone; write a sign right before its number, as in -3, and an arrow as ->"
    if letter in "{}":
        return f"{letter!r} has no meaning here; children stand in ( ) or [ ]"
    if letter in "/%":
        return f"{letter!r} stands alone; write a fraction as 1/2 and a percentage as 50%, without spaces"
    named = unicodedata.name(letter, "") if not letter.isascii() or not letter.isprintable() else ""
    shown = f"{letter!r} ({named.lower()})" if named else repr(letter)
    return f"{shown} has no meaning in a tree; expected max, min, chance, a number, a bracket or a comma"
