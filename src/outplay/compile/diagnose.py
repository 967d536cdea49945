"""Numba's errors in plain words: the rule, the line, what is wrong and what to write instead."""

import dis
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba import types

from outplay.compile.arena import TOO_MUCH
from outplay.compile.compiled_rules import CompiledRules
from outplay.compile.guard_messages import (
    BELOW_ZERO,
    BY_IDENTITY,
    FAR_SHIFT,
    HANDED,
    HASH_OF_TEXT,
    LARGE,
    MASK,
    NARROW,
    NEGATIVE_POWER,
    NEGATIVE_SHIFT,
    NO_OPERATOR,
    NO_TEXT,
    NO_VALUE,
    NOT_ALIKE,
    NOT_COUNTED,
    NOT_EXACT,
    NOT_HELD,
    NOT_OF_A_BOOL,
    NOT_REAL,
    NOT_ROUNDED,
    OF_A_SET,
    OPERATOR,
    OTHER_SUM,
    OTHER_TYPE,
    OVERLAP,
    PARTED,
    SIGN,
    SMALL_FLOAT,
    TOO_LARGE,
    UNORDERED,
    UNSTABLE,
)
from outplay.compile.learned_estimate import LearnedEstimate
from outplay.compile.placed_exceptions import PLACE, lines_of, place_in
from outplay.compile.primitives import NOT_A_BOOL
from outplay.compile.read_only import MISFIT, named_tuple
from outplay.compile.traps import FAILS, NUMBERS, PUT, TEXT, Trap, functions_of, traps_in, traps_of
from outplay.errors import CompileError, OutplayError, RuleRaised
from outplay.rules.fields import Field
from outplay.rules.game import ARGUMENTS, OPTIONAL, REQUIRED, Game

OURS = Path(__file__).resolve().parent.parent
STANDARD = Path(dis.__file__).resolve().parent  # Python's own library

OTHER = "a value of another kind"
UNKNOWN = "it uses what compiled code does not know; write it with numbers, tuples, arrays, if and for"

# Numba's text, and ours: what is wrong, then the remedy. The groups are names and types; `_plain` puts them into words.
_REASONS = (
    (r"Untyped global name '?(\w+)'?", "{0} is nothing that compiled code knows; use a number, a tuple of numbers, an array or a plain function"),
    (r"NameError: name '(\w+)' is not defined", "{0} is not defined; define it, or mend its spelling"),
    (r"Variable '(\w+)' is not defined", "{0} is used above the line that gives it a value; give it one first, on every path"),
    (r"[Cc]annot unify (.+?) and (.+?) for '(\w+?)(?:\.\d+)?'", "{2} is {0} on one path and {1} on another; give it one type on every path, such as 0.0 instead of 0"),
    (r"[Cc]an'?t unify return type from the following types: (.+)", "it returns values of different types ({0}); return one type on every path"),
    (r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'", "{1}.{0} does not compile; write it out with numbers and loops"),
    (r"Unknown attribute '(\w+)' of type (.+)", "{0} of {1} does not compile; write it out with numbers and loops"),
    (r"No implementation of function Function\(<intrinsic as_int64>\) found for signature:\s*(?:>>> )?as_int64\((.+?)\)\s", "a field that is an int in the start is given {0}; write // instead of /, or int(...)"),
    (r"No implementation of function Function\((?:<function dot|<built-in function i?matmul>)", "dot and @ compile only for arrays of floats; write the loop out"),
    (r"setitem\(readonly array|[Cc]annot (?:write|modify)[^\n]*read-?only|[Cc]annot assign to readonly|explicit output that is read-only", "changes the array of a state, or one that is a constant; copy the array first: board = board.copy()"),
    (MISFIT, "an in-place operator has a result that the array cannot hold, as /= has, and += in an array of unsigned ints; write board = board // 2, start with an array of a signed type such as int8, or write a loop over the items"),
    (MASK, "uses a mask of two dimensions as an index, which does not compile; write np.where(mask, one, other), or loops over rows and columns"),
    (r"unsupported keyword arguments when calling Function\(<ufunc '(\w+)'>\)", "np.{0} takes no out= in compiled code; write board = np.{0}(...)"),
    (r"No implementation of function Function\(<ufunc '\w+'>\) found for signature:\s*(?:>>> )?\w+\(.*, .*, readonly array", "changes the array of a state, or one that is a constant; copy the array first: board = board.copy()"),
    (r"No implementation of function Function\(<built-in function setitem>\) found for signature:\s*(?:>>> )?setitem\([Aa]rray", "changes an item of a constant array, or writes there what the array cannot hold; copy the array first: board = board.copy()"),
    (r"Function\(<built-in function getitem>\) found for signature:\s*(?:>>> )?getitem\((?:Uni)?Tuple\(.*slice<", f"a slice of a tuple by a variable does not compile; {PUT}, or write a loop over the indices"),
    (r"Function\(<built-in function getitem>\) found for signature:\s*(?:>>> )?getitem\(Tuple\(", "takes an item by a variable from a tuple that mixes ints and floats, or tuples of several lengths; make all items alike, such as 1.0 instead of 1"),
    (r"No implementation of function Function\(<(?:built-in function|class) '?([\w.]+)'?>\) found for signature:\s*(?:>>> )?\w+\((.*?)\)\s", "{0} does not compile for {1}; write it out with numbers and loops"),
    (r"unsupported NumPy function '([\w.]+)'", "{0} does not compile; write it out with loops"),
    (r"Use of unsupported NumPy function (\S+)", "{0} does not compile; write it out with loops"),
    (SMALL_FLOAT, "computes with floats of less than 64 bits, which have another value when compiled; use float64"),
    (rf"{LARGE}|Int value is too large", "uses a constant of more than 63 bits; compiled ints have 63 and a sign: use a smaller one or two"),
    (OF_A_SET, "depends on the order of a set, which is another one when compiled; write sorted(...) around the set, or use a tuple or a list"),
    (UNSTABLE, 'np.argsort leaves equal items in any order; write np.argsort(items, kind="stable"), or items.argsort(kind="stable")'),
    (PARTED, "np.partition and np.argpartition leave most items in any order; write np.sort(items), or np.argsort(items, kind=\"stable\")"),
    (OTHER_SUM, "adds floats of an array in another order than NumPy does, so the sum may be rounded differently; write a loop, or copy the array and sum the whole: board.copy().sum()"),
    (OTHER_TYPE, "computes a number of another type than NumPy does; write int(...) or float(...) around the numbers of NumPy"),
    (HANDED, "passes a narrow number of NumPy, such as an item of an int8 array, to a place where its type is lost; write int(...) around the number, or give the array a larger type, such as int64"),
    (OPERATOR, "calls a function of the module operator; write the operator itself"),
    (BY_IDENTITY, "compares values by is, which asks whether they are the same object in memory; write ==, or leave out is True"),
    (SIGN, "takes np.sign of an unsigned number, which has another value when compiled; convert it first: board.astype(np.int64)"),
    (NO_TEXT, f"text of a value that is not an int: {TEXT}; {NUMBERS}"),
    (HASH_OF_TEXT, f"takes the hash of a text, which is another one whenever Python starts; {NUMBERS}"),
    (r"[Uu]nsupported (?:opcode|op-code|bytecode|AST)", UNKNOWN),
    (r"missing a required argument: '(\w+)'", "a call leaves out {0}; give every argument"),
    (r"[Cc]annot bind", "a call does not fit the parameters of what it calls; State(...) takes every field once"),
    (r"too many positional arguments", "a call gives more arguments than there are parameters; State(...) takes every field once"),
    (r"imprecise type: list", "an empty list has no type; use a tuple, or yield"),
    (r"tuple index out of range", "it takes an item that the tuple does not have, or play gives a tuple field another length; see the length"),
    (r"[Cc]annot type infer runaway recursion", "it calls itself on every path; put the case that ends the recursion first"),
)  # fmt: skip

# What compiled rules raise, by its text or its class, in our words: what is wrong, then the remedy.
_RAISED: tuple[tuple[Any, tuple[str, str]], ...] = (
    ("incompatible shape for array", ("reshapes a view whose items do not lie side by side, or to another number of items", "copy it first: board.T.copy().reshape(9)")),
    (TOO_LARGE, ("an int needs more than 63 bits", "compiled ints have 63 and a sign: mask after a left shift, or use smaller numbers")),
    (BELOW_ZERO, ("an int from an unsigned array falls below 0, or grows too large", "give the array a signed type, such as int8")),
    (NEGATIVE_SHIFT, ("shifts by a negative number", "test for that case first")),
    (NEGATIVE_POWER, ("raises an int to a negative power", "write a power of a float, such as 2.0 ** -1")),
    (NOT_OF_A_BOOL, ("~ of a bool is -1 or -2 in Python, which both count as true", "write not instead of ~")),
    (FAR_SHIFT, ("shifts the items of an array by 64 bits or more", "test for that case first")),
    (NOT_COUNTED, ("counts numbers below 0, which np.bincount refuses", "test for that case first")),
    (NO_OPERATOR, ("computes with bools of NumPy, which NumPy refuses", "write int(...) around each of them")),
    (NOT_ROUNDED, ("rounds a number that is too large for so many digits, or to a negative number of digits", "use smaller numbers, or 0 digits and more")),
    (OVERLAP, ("changes an array by another part of itself, such as board[1:] += board[:-1]", "copy that part first: board[:-1].copy()")),
    (NOT_ALIKE, ("rounds a number differently than NumPy does", "write round(float(number), digits)")),
    (UNORDERED, ("sorts a NaN (not a number), which has no place in an order", "test for that case first")),
    (NOT_EXACT, ("an int above 2**53 becomes a float, because its variable is a float on another path or is compared with one", "write float(...) around the int, or keep to ints")),
    (NOT_REAL, ("takes a root, a logarithm or a power that has no value", "test for that case first")),
    (ZeroDivisionError, ("divides by zero", "test for that case first")),
    (IndexError, ("takes an item beyond the end of a tuple or array", "see whether an index is one too large")),
    (RecursionError, ("calls itself without end, or too deeply", "put the case that ends the recursion first")),
    (TOO_MUCH, (f"makes {TOO_MUCH} in one call", "make fewer of them, and see whether the loop there comes to an end")),
    (AssertionError, ("an assert fails", "see why that does not hold")),
)  # fmt: skip

_KINDS = (
    (r"^Literal\[int\]|^u?int\d+", "an int"),
    (r"^Literal\[str\]|^unicode_type", "a text"),
    (r"^Literal\[bool\]|^bool", "a bool"),
    (r"^float\d+", "a float"),
    (r"^none$|^NoneType", "None"),
    (r"^Optional\((.+)\)|^OptionalType\((.+)\)", "a value or None"),
    (r"^(?:Uni)?Tuple\(|^tuple", "a tuple"),
    (r"^(?:readonly )?array\(|^Array", "an array"),
    (r"^(?:reflected )?list\(|^List", "a list"),
    (r"^(?:reflected )?set\(", "a set"),
    (r"^DictType|^dict", "a dict"),
    (r"generator", "a generator"),
    (r"^type\(CPUDispatcher|^Function\(|^function", "a function"),
    (r"^(\w+)\(\w+ x \d+\)|^(\w+)\(", "a {0}"),  # a NamedTuple
)


def _plain(text: str) -> str:
    """Return Numba's type, or several separated by commas, in plain words; a name does not change."""
    text = re.sub(r"\S+ generator\(.*?(has_finalizer=\w+\)?|$)", "a generator", text.strip().rstrip("."), flags=re.DOTALL)
    if not re.search(r"[\[(\d]|unicode|none|bool|reflected", text) or (
        re.fullmatch(r"[\w.]+", text) and not re.match(r"u?int\d|float\d|none|bool|unicode", text)
    ):
        return text
    parts = re.split(r", (?![^(]*\))", text)
    return ", ".join(_kind_in_words(part.strip()) for part in parts)


def _kind_in_words(text: str) -> str:
    for pattern, words in _KINDS:
        if found := re.search(pattern, text):
            return words.format(*(group for group in found.groups() if group))
    return OTHER


@contextmanager
def translated(game: Game, rules: CompiledRules) -> Iterator[None]:
    """Turn any error in compiling *game* into a CompileError."""
    try:
        yield
    except (OutplayError, KeyboardInterrupt, MemoryError):
        raise
    except Exception as error:
        raise CompileError(explained(game, rules, error)) from None


@contextmanager
def raised_by_a_rule(game: Game) -> Iterator[None]:
    """Turn an exception of a compiled rule into a RuleRaised."""
    try:
        yield
    except (OutplayError, KeyboardInterrupt, MemoryError):
        raise
    except Exception as error:
        if place := _rule_at(game, error):
            why = _meaning(error) or (
                f"raises {type(error).__name__}{f': {error}' if str(error) else ''}",
                "see why, in that line",
            )
            sentence = f"{place[0]}, line {place[1]}: {why[0]}; {why[1]}"
            raise RuleRaised(f"{game.name!r} cannot be searched\n  {sentence}", place, why) from None
        if str(error) == NOT_A_BOOL:
            fields = " or ".join(repr(field.name) for field in game.fields if field.kind == "bool")
            place = "play", game.play.__code__.co_firstlineno
            why = (
                f"the field {fields} is a bool in the game's start, and gets an int other than 0 and 1",
                "write an int in the start",
            )
            raise RuleRaised(
                f"{game.name!r} cannot be searched\n  {place[0]}, line {place[1]}: {why[0]}; {why[1]}", place, why
            ) from None
        if str(error) == TOO_MUCH:  # interpreted rules have no such limit
            raise RuleRaised(f"a rule of {game.name!r} makes {TOO_MUCH} in one call; make fewer of them") from None
        raise RuleRaised(
            f"a rule of {game.name!r} raised {type(error).__name__}: {error}; "
            "search with compiled=False to see which rule and which line, or run `outplay check`"
        ) from None


def _rule_at(game: Game, error: Exception) -> tuple[str, int] | None:
    """Return the function of *game* that raised *error* when it ran compiled, and the line; None if that is not known."""
    for frame, ordinal in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename.startswith(PLACE):
            for function in functions_of(game):
                code = function.__code__
                if (code.co_name, place_in(code)) == (frame.f_code.co_name, frame.f_code.co_filename):
                    rules = [rule for rule in REQUIRED + OPTIONAL if getattr(game, rule) is function]
                    name = rules[0] if rules and code.co_name == "<lambda>" else code.co_name
                    return name, lines_of(code)[ordinal]
    return None


def _meaning(error: Exception) -> tuple[str, str] | None:
    """Return what an exception of compiled code means, and the remedy."""
    text, _, more = str(error).partition(": ")
    if text == NO_VALUE:
        return f"uses {more} before it has a value", "give it one on every path"
    if text == NOT_HELD:
        return f"writes a number into an array of {more}, which cannot hold it", "give the array a larger type, such as int64"
    if text == NARROW:
        return f"an int outgrows {more}, the type that it has in NumPy", "give the array a larger type, such as int64"
    for known, words in _RAISED:
        if known == text or (isinstance(known, type) and isinstance(error, known)):
            return words
    return None


def explained(game: Game, rules: CompiledRules, error: Exception) -> str:
    """Return why *game* cannot be compiled, as precisely as possible."""
    head = f"{game.name!r} cannot be compiled"
    traps = traps_in(game)
    line = _line(error)
    here = [trap for trap in traps if line and trap.line == line[1] and Path(trap.file).name == Path(line[0]).name]
    sure = [trap for trap in traps if trap.effect == FAILS]
    if told := [trap for trap in here if trap in sure][:1] or here[:1] or sure:
        others = _sure_elsewhere(game, rules, told)
        lines: dict[tuple[str, int], Trap] = {}  # several traps on one line are one mistake
        for trap in told + others:
            lines.setdefault((trap.file, trap.line), trap)
        return head + "".join(f"\n  {lines[place]}" for place in sorted(lines))
    for rule in REQUIRED + OPTIONAL:
        if _is_plain(getattr(game, rule)) and (problem := _problem_of(rule, game, rules)):
            return f"{head}\n  {_cause(problem, traps_of(game, (rule,))) or problem}"
    if traps:
        return f"{head}\n  {traps[0]}"
    return f"{head}\n  {_function_at(error, game) or 'a rule'}{_place(error)}: {_reason(error)}"


def _is_plain(rule: Any) -> bool:
    return rule is not None and not isinstance(rule, LearnedEstimate)


def _cause(problem: str, traps: list[Trap]) -> Trap | None:
    """Return the trap that explains a vague *problem* better, or None."""
    if UNKNOWN in problem:
        return traps[0] if traps else None
    changes = "changes the array of a state"
    for words, cause in (("or None", ".get of a dict"), (OTHER, "member of an Enum"), (changes, changes)):
        if words in problem:
            return next((trap for trap in traps if cause in trap.what), None)
    return None


def _sure_elsewhere(game: Game, rules: CompiledRules, told: list[Trap]) -> list[Trap]:
    """Return the certain traps, other than those *told*, in all rules that do not compile, so that one run reports them all."""
    found: dict[Trap, None] = {}
    for rule in REQUIRED + OPTIONAL:
        traps = [trap for trap in traps_of(game, (rule,)) if trap.effect == FAILS and trap not in told]
        if traps and _problem_of(rule, game, rules):
            found |= dict.fromkeys(traps)
    return list(found)


def _problem_of(rule: str, game: Game, rules: CompiledRules) -> str | None:
    """Compile *rule* by itself; return what is wrong with it, or None."""
    state = named_tuple(rules.field_types, type(game.start))
    kinds = (state, types.int64)[: len(ARGUMENTS[rule])]
    dispatcher = rules.helpers.compiled(getattr(game, rule))
    if not hasattr(dispatcher, "overloads"):
        return f"{rule} is {getattr(game, rule)!r}; a rule is a plain Python function"
    try:
        dispatcher.compile(kinds)
    except Exception as error:  # Numba's own, or another one, such as a NotImplementedError
        return f"{_function_at(error, game) or rule}{_place(error)}: {_reason(error)}"
    wrong = _wrong_result(rule, dispatcher.overloads[kinds].signature.return_type, game)
    return wrong and f"{rule}, line {_line_of_the_end(getattr(game, rule))}: {wrong}"


def _line_of_the_end(function: Any) -> int:
    """Return the line on which *function* returns or yields, or the line of its def if there are several."""
    code = getattr(function, "py_func", function).__code__
    ends = ("RETURN_VALUE", "YIELD_VALUE")
    places = [place for place in dis.get_instructions(code) if place.opname in ends and place.positions]
    lines = {place.positions.lineno for place in places if place.positions and place.positions.lineno}
    return int(code.co_firstlineno if len(lines) != 1 else lines.pop() or 0)


def _wrong_result(rule: str, kind: Any, game: Game) -> str | None:
    """Return what is wrong with the type that *rule* returns, or None."""
    whole = (types.Integer, types.Boolean)
    number = (*whole, types.Float)
    if rule in ("turn", "key", "cost") and not isinstance(kind, whole):
        return f"returns {_words(kind)}; it must return an int on every path"
    if rule in ("score", "estimate", "rank") and not isinstance(kind, number):
        return f"returns {_words(kind)}; it must return a number on every path"
    if rule in ("moves", "useful", "chances", "cells"):
        item = getattr(kind, "yield_type", None) or getattr(kind, "dtype", None)
        if item is None:
            return f"returns {_words(kind)}; it must yield one after the other"
        if rule == "chances" and not (isinstance(item, types.BaseTuple) and len(item) == 2):
            return f"yields {_words(item)}; it must yield pairs of an int outcome and its probability"
        if rule != "chances" and not isinstance(item, whole):
            return f"yields {_words(item)}; a {'cell' if rule == 'cells' else 'move'} is an int"
    if rule == "bounds" and not (isinstance(kind, types.BaseTuple) and len(kind) == 2):
        return f"returns {_words(kind)}; it must return (low, high)"
    if rule == "play":
        if not isinstance(kind, types.BaseTuple) or len(kind) != len(game.fields):
            return f"returns {_words(kind)}; it must return a {type(game.start).__name__} on every path"
        for field, found in zip(game.fields, kind, strict=True):
            if not _fits(field, found):
                return (
                    f"gives the field {field.name!r} {_words(found)}; in the start it is {field}: "
                    "convert it in play, or annotate and start it as what it is"
                )
    return None


def _fits(field: Field, kind: Any) -> bool:
    whole = (types.Integer, types.Boolean)
    if field.kind == "float":
        return isinstance(kind, (*whole, types.Float))
    if field.kind == "tuple":
        return isinstance(kind, types.BaseTuple) and len(kind) == field.length and all(isinstance(item, whole) for item in kind)
    if field.kind == "array":
        return (
            isinstance(kind, types.Array)
            and str(kind.dtype) == field.dtype
            and kind.layout == "C"
            and kind.ndim == len(field.shape)
        )
    return isinstance(kind, whole)


def _words(kind: Any) -> str:
    """Return a Numba type in plain words."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.NoneType):
        return "None"
    for family, word in (
        (types.Boolean, "a bool"),
        (types.Integer, "an int"),
        (types.Float, "a float"),
        (types.UnicodeType, "a text"),
    ):
        if isinstance(kind, family):
            return word
    if isinstance(kind, types.Optional):
        return f"{_words(kind.type)} or None"
    if isinstance(kind, types.BaseTuple):
        return f"a tuple of {len(kind)}"
    if isinstance(kind, types.Array):
        return f"an array of {kind.dtype}"
    return _kind_in_words(str(kind))


def _reason(error: Exception) -> str:
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    for pattern, words in _REASONS:
        if match := re.search(pattern, text):
            return words.format(*map(_plain, match.groups()))
    return UNKNOWN


def _place(error: Exception) -> str:
    """Return the line of the error in the user's file, such as ", line 12", or nothing."""
    found = _line(error)
    return f", line {found[1]}" if found and found[1] > 0 else ""


def _function_at(error: Exception, game: Game) -> str | None:
    """Return the name of the rule or helper with the error."""
    found = _line(error)
    if found is None:
        return None
    codes = [function.__code__ for function in functions_of(game)]
    name = Path(found[0]).name  # Numba shortens the path
    before = [code for code in codes if Path(code.co_filename).name == name and code.co_firstlineno <= found[1]]
    return max(before, key=lambda code: code.co_firstlineno).co_name if before else None


def _line(error: Exception) -> tuple[str, int] | None:
    """Return the user's file with the error, and the line."""
    places = re.findall(r'File "([^"]+)", line (\d+)', str(error))
    places += re.findall(r"Raised from (\S.*) \((\d+)\)$", str(error), re.MULTILINE)
    places += re.findall(r"^During: lowering .* at (\S.*) \((\d+)\)$", str(error), re.MULTILINE)
    loc = getattr(error, "loc", None)
    if loc is not None and getattr(loc, "filename", None):
        places.append((loc.filename, str(loc.line)))
    for file, line in places:
        ours = Path(file).resolve().is_relative_to(OURS) and "games" not in Path(file).parts
        library = {"numba", "numpy", "llvmlite"} & set(Path(file).parts)
        standard = Path(file).resolve().is_relative_to(STANDARD) and "site-packages" not in Path(file).parts
        if not file.startswith("<") and not ours and not library and not standard:
            return file, int(line)
    return None
