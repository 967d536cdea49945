"""A mistake in the rules of a game as one sentence: the rule, its line, what is wrong, the remedy and the state."""

import re
import sys
import sysconfig
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from outplay.rules.game import Game
from outplay.rules.rule_errors import ROOT

PUT = "put(items, index, item) makes a new tuple: from outplay.rules.tuples import put"


@dataclass(frozen=True)
class Problem:
    """A problem of a rule. Two problems with the same rule and `kind` are one mistake."""

    rule: str
    kind: str
    what: str
    remedy: str
    line: int | None = None
    state: str = ""
    file: str = ""

    def __str__(self) -> str:
        where = f", line {self.line}" if self.line else ""
        return f"{self.rule}{where}: {self.what}; {self.remedy}{f': {self.state}' if self.state else ''}"


class Mistake(Exception):
    """Raised where the rules cannot be followed any further; it holds the problem."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def line_returned(function: Callable[..., Any], *arguments: Any) -> int | None:
    """Return the line on which *function* returns: it is called again, line by line."""
    return _followed(function, arguments, lambda: False)


def line_after_which(function: Callable[..., Any], arguments: tuple[Any, ...], changed: Callable[[], bool]) -> int | None:
    """Return the line of *function* after which *changed* is first true, or None."""
    return _followed(function, arguments, changed)


def _followed(function: Callable[..., Any], arguments: tuple[Any, ...], changed: Callable[[], bool]) -> int | None:
    code = getattr(function, "__code__", None)
    lines: list[int] = []
    found: list[int] = []

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code is not code:
            return None
        if lines and not found and changed():
            found.append(lines[-1])
        lines.append(frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        result = function(*arguments)
        if hasattr(result, "__next__"):
            for _, _ in zip(result, range(1000), strict=False):
                pass
    except Exception:
        pass
    finally:
        sys.settrace(before)
    return found[0] if found else lines[-1] if lines else None


def raised_in(game: Game, rule: str, error: BaseException, state: str) -> Problem:
    """Return the problem of a *rule* that raises *error*, in plain words if the error is a known one."""
    if isinstance(error, RuntimeError) and isinstance(error.__cause__, StopIteration):  # what Python makes of it in a generator
        error = error.__cause__
    function, line, file = _place(error)
    own = getattr(getattr(game, rule, None), "__name__", rule.removeprefix("the symmetry "))
    inner = f" (in {function})" if function and function != own else ""
    what, remedy = _meaning(game, error)
    return Problem(rule, "raises", f"{what}{inner}", remedy, line, state, file)


def _place(error: BaseException) -> tuple[str, int | None, str]:
    """Return the user's function in which *error* was raised, its line and its file."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_of_a_user(frame.filename)]
    if not frames:
        return "", None, ""
    frame = frames[-1]
    if isinstance(error, RecursionError):  # the last call is arbitrary: name the first function that calls itself
        calls = Counter((frame.filename, frame.name) for frame in frames)
        frame = next((frame for frame in frames if calls[frame.filename, frame.name] > 1), frame)
    return frame.name, frame.lineno, frame.filename


@cache
def _is_of_a_user(filename: str) -> bool:
    file = Path(filename)
    ours = file.is_relative_to(ROOT) and not file.is_relative_to(ROOT / "games")
    libraries = "site-packages" in file.parts or file.is_relative_to(sysconfig.get_path("stdlib"))
    return not ours and not libraries and not filename.startswith("<frozen")


def _meaning(game: Game, error: BaseException) -> tuple[str, str]:
    text = str(error)
    fields = ", ".join(field.name for field in game.fields)
    state = type(game.start).__name__
    if isinstance(error, AttributeError) and (found := re.search(rf"'{state}' object has no attribute '(\w+)'", text)):
        return f"{state} has no field {found[1]!r}", _nearest(
            found[1], [field.name for field in game.fields], f"its fields are {fields}"
        )
    if isinstance(error, AttributeError) and (found := re.search(r"'(\w+)' object has no attribute '(\w+)'", text)):
        remedy = _swapped(found[1])
        if found[1] == "tuple":
            remedy = f"a tuple in a state holds plain ints: take an item by its number, or make {found[2]!r} a field of {state}"
        if found[1] in ("Cells", "ndarray"):
            remedy = "np.sum(board == 0) counts items; board = board.copy() and board[place] = ... change one"
        return f"{kind_in_words(found[1])} has no {found[2]!r}", remedy
    if isinstance(error, RecursionError):
        return "calls itself without end, or too deeply", "put the case that ends the recursion first, or write a loop"
    if isinstance(error, ZeroDivisionError):
        return "divides by zero", "test for that case first"
    if isinstance(error, IndexError) and (found := re.search(r"array is (\d+)-dimensional, but (\d+) were indexed", text)):
        return (
            f"takes an item by {found[2]} numbers of an array with {found[1]}",
            "write row * COLUMNS + column, or a board of that shape",
        )
    if isinstance(error, IndexError):
        return "takes an item beyond the end of a tuple or array", "see whether an index is one too large"
    if isinstance(error, UnboundLocalError) and (found := re.search(r"variable '(\w+)'", text)):
        if found[1] in _globals_at(error):
            what = f"assigns to {found[1]}, which makes it another variable than the {found[1]} of the module"
            return what, "put what changes into the state, or give the local one another name"
        return f"uses {found[1]} before it has a value", "give it one on every path"
    if isinstance(error, NameError) and (found := re.search(r"name '(\w+)'", text)):
        return f"{found[1]} is not defined", "define it, or mend its spelling"
    if isinstance(error, OverflowError) and (found := re.search(r"integer (-?\d+) out of bounds for (\w+)", text)):
        return (
            f"writes {found[1]} into an array of {found[2]}, which cannot hold it",
            "give the array a larger type, such as int64",
        )
    if isinstance(error, TypeError):
        return _type_error(text, state, fields)
    if isinstance(error, ValueError) and "read-only" in text:
        return "changes the state that it is given", "copy the array first: board = state.board.copy()"
    if isinstance(error, ValueError) and "truth value of an array" in text:
        return "uses an array as a condition", "write .any(), .all() or numpy.array_equal(...)"
    if isinstance(error, ValueError) and (found := re.search(r"(too many values|not enough values) to unpack", text)):
        return "takes apart what has another number of items", "see what is on the right of the ="
    if isinstance(error, ValueError) and (found := re.search(r"invalid literal for int\(\) with base \d+: (.+)", text)):
        return f"int(...) gets {found[1]}, a text that is not a number", "use numbers"
    if isinstance(error, ValueError) and "negative shift count" in text:
        return "shifts by a negative number", "test for that case first"
    if isinstance(error, KeyError):
        return f"looks up {text}, which is not there", "test for that case first"
    if isinstance(error, AssertionError):
        return f"an assert fails{f' ({text})' if text else ''}", "see why that does not hold"
    if isinstance(error, SystemExit):
        return "ends Python", "return a value; a rule only computes"
    if isinstance(error, StopIteration):
        return "next(...) finds nothing, or StopIteration is raised", "write the loop out; return ends a rule that yields"
    return f"raises {type(error).__name__}{f': {text}' if text else ''}", "see why, in that line"


def _type_error(text: str, state: str, fields: str) -> tuple[str, str]:
    if re.search(r"object does not support item assignment", text):
        return "changes an item of a tuple, which cannot be changed", PUT
    if found := re.search(rf"{state}\.__new__\(\) missing \d+ required positional arguments?: (.+)", text):
        return f"{state}(...) leaves out {found[1]}", f"give every field: {fields}"
    if re.search(rf"{state}\.__new__\(\) (takes|got)", text):
        return f"{state}(...) gets something that is not a field, or one field twice", f"its fields are {fields}"
    if found := re.search(r"([\w<>]+)\(\) (missing|takes|got) ", text):
        return f"{found[1]}(...) is called with the wrong arguments", "see its parameters"
    if "NoneType" in text:
        return "uses None as if it were a value", "see which function returns nothing on some path"
    if found := re.search(r"'(\w+)' object is not callable", text):
        return f"calls {kind_in_words(found[1])} as if it were a function", "leave the brackets out, or mend the name"
    if found := re.search(r"'(\w+)' object is not iterable", text):
        return (
            f"goes through {kind_in_words(found[1])} as if it were a list",
            "range(...) counts; a tuple or an array holds items",
        )
    if found := re.search(r"'(\w+)' object is not subscriptable", text):
        return f"takes an item of {kind_in_words(found[1])}, which has none", "see whether state is the first parameter"
    if found := re.search(r"'(\w+)' object cannot be interpreted as an integer", text):
        return f"uses {kind_in_words(found[1])} where a whole number must stand", "write // instead of /, or int(...)"
    if found := re.search(r"indices must be integers or slices, not (\w+)", text):
        return f"uses {kind_in_words(found[1])} as an index", "an index is a whole number: write // instead of /, or int(...)"
    if found := re.search(r"object of type '(\w+)' has no len\(\)", text):
        return (
            f"takes the length of {kind_in_words(found[1])}, which has none",
            "len(...) counts the items of a tuple or an array",
        )
    if "can only concatenate str" in text or "must be str, not" in text:
        return "joins a text and something that is none", "write str(...) around it"
    if found := re.search(r"unsupported operand type\(s\) for (\S+): '(\w+)' and '(\w+)'", text):
        return f"{kind_in_words(found[2])} {found[1]} {kind_in_words(found[3])} does not work", "see what each side is"
    if found := re.search(r"'(\S+)' not supported between instances of '(\w+)' and '(\w+)'", text):
        return f"compares {kind_in_words(found[2])} to {kind_in_words(found[3])}", "see what each side is"
    return f"mixes values that do not go together ({text})", "see what each of them is"


def _globals_at(error: BaseException) -> dict[str, Any]:
    """Return the globals of the function that raised *error*."""
    last: dict[str, Any] = {}
    for frame, _ in traceback.walk_tb(error.__traceback__):
        last = frame.f_globals
    return last


def _nearest(wanted: str, known: list[str], otherwise: str) -> str:
    import difflib

    near = difflib.get_close_matches(wanted, known, n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}? {otherwise[0].upper()}{otherwise[1:]}" if near else otherwise


def kind_in_words(name: str) -> str:
    words = {"int": "an int", "float": "a float", "str": "a text", "list": "a list", "tuple": "a tuple", "dict": "a dict"}
    words |= {
        "NoneType": "None",
        "bool": "a bool",
        "set": "a set",
        "ndarray": "an array",
        "Cells": "an array",
        "function": "a function",
    }
    return words.get(name, f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}")


def _swapped(name: str) -> str:
    return "see whether state is the first parameter, and the move the second" if name == "int" else "see what it is"
