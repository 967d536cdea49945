"""What Python can do and compiled code cannot: each trap is found in the source, with its function, line and remedy."""

import ast
import dis
import enum
import inspect
import sys
import textwrap
import types
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from outplay.compile.large_ints import large_int_in, large_ints_in, shown
from outplay.compile.learned_estimate import LearnedEstimate
from outplay.compile.names import NATIVE_MODULES, attributes_in, globals_in
from outplay.rules.game import OPTIONAL, REQUIRED, Game

Effect = Literal["fails", "may fail", "differs", "wrong"]  # of a trap when the rule is compiled; "wrong" even if both agree
FAILS: Effect = "fails"
MAY_FAIL: Effect = "may fail"
DIFFERS: Effect = "differs"
WRONG: Effect = "wrong"
LUCK = ("random", "secrets")
CLOCKS = ("time", "datetime")
LIBRARIES = {
    "itertools": "write the loops out",
    "functools": "write it out with plain functions",
    "collections": "use tuples and NumPy arrays",
    "copy": "copy an array by its own copy(): state.board.copy()",
    "operator": "write the operator itself",
    "string": "use numbers",
    "re": "use numbers",
    "json": "use numbers",
    "logging": "take it out; a search calls a rule millions of times",
    "os": "a rule only computes",
    "sys": "a rule only computes",
}
TEXT = "text means something else, or nothing, when compiled"
NUMBERS = "compare numbers or tuples instead"
BUILTINS = {
    "eval": "write the expression itself",
    "exec": "write the code itself",
    "open": "a rule only computes; put what it needs into the state or a constant",
    "getattr": "name the field: state.board",
    "setattr": "return a new State(...) with every field",
    "hasattr": "name the field: state.board",
    "vars": "name the fields",
    "globals": "name what you need",
    "locals": "name what you need",
    "dict": "use a tuple or a NumPy array",
    "callable": "leave it out",
    "iter": "write a for loop",
    "next": "write a for loop",
    "super": "write plain functions",
    "type": "compare numbers instead",
    "isinstance": "compare numbers instead",
    "id": "compare numbers instead",
    "bytes": "use a tuple or a NumPy array",
    "bytearray": "use a tuple or a NumPy array",
    "memoryview": "use a NumPy array",
    "format": NUMBERS,
    "repr": NUMBERS,
    "ascii": NUMBERS,
}

BITS = "from outplay.rules.bits import count"
PUT = "to change one item use put(items, index, item): from outplay.rules.tuples import put"
YIELDING = ("moves", "useful", "chances", "cells")
IN_PLACE = ("sort", "fill", "partition", "put", "resize", "itemset")
CHANGING = ("append", "add", "update", "setdefault", "pop", "popitem", "clear", "extend", "insert", "remove", "discard", "sort")
SMALLER = "compiled ints have 63 and a sign: use a smaller one or two"
MEMO = "leave it out; a search keeps a table of positions itself"
UNFILLED = ("empty", "empty_like")
PRODUCTS = ("dot", "inner", "matmul", "tensordot", "vdot")
PRODUCT = "a product of matrices is rounded differently when compiled, if it compiles at all"
ITEM_BY_ITEM = "multiply item by item: np.sum(one * other)"


@dataclass(frozen=True)
class Trap:
    """Something in a rule or its helper that does not work in compiled code."""

    function: str
    file: str
    line: int
    what: str
    remedy: str
    effect: Effect = FAILS

    def __str__(self) -> str:
        where = f", line {self.line}" if self.line else ""
        return f"{self.function}{where}: {self.what}; {self.remedy}"


def traps_in(game: Game) -> list[Trap]:
    """Return the traps in the rules of *game* and in all their helpers, in order of place."""
    return traps_of(game, REQUIRED + OPTIONAL)


def traps_of(game: Game, rules: Iterable[str]) -> list[Trap]:
    """Return the traps in these *rules* of *game* and in all their helpers, in order of place."""
    found = [trap for function in functions_of(game, rules) for trap in _Finder(function, game).traps()]
    for rule in rules:
        if (trap := _no_plain_function(rule, getattr(game, rule))) is not None:
            found.append(trap)
    once: dict[tuple[str, str, str], Trap] = {}  # the same trap in several lines of a function is one mistake
    for trap in sorted(found, key=lambda trap: (trap.file, trap.line, trap.what)):
        once.setdefault((trap.file, trap.function, trap.what), trap)
    return list(once.values())


def _no_plain_function(rule: str, function: Any) -> Trap | None:
    """Return the trap of a rule that is not a plain function, or that yields instead of returning; None if it is right."""
    if function is None or hasattr(function, "py_func") or isinstance(function, LearnedEstimate):
        return None
    if isinstance(function, types.FunctionType):
        return _no_plain_def(rule, function)
    inner = getattr(function, "__wrapped__", None) or getattr(function, "__func__", None) or getattr(function, "func", None)
    inner = inner or vars(type(function)).get("__call__")
    line = inner.__code__.co_firstlineno if isinstance(inner, types.FunctionType) else 0
    if isinstance(function, types.MethodType):
        what, remedy = f"{rule} is a method of a {type(function.__self__).__name__}", "write it as a plain function of the state"
    elif hasattr(function, "cache_clear"):
        what, remedy = f"{rule} is wrapped by functools.cache", "take the decorator off; a search remembers positions itself"
    elif isinstance(function, type):
        what, remedy = f"{rule} is the class {function.__name__}", "write a plain function of the state"
    else:
        what, remedy = f"{rule} is a {type(function).__name__} and no plain function", f"write def {rule}(state): ..."
    return Trap(rule, "", line, what, remedy)


def _no_plain_def(rule: str, function: types.FunctionType) -> Trap | None:
    code = function.__code__
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        what, remedy, line = "is written async def, and nobody waits for it", "write def", code.co_firstlineno
    elif inspect.isgeneratorfunction(function) and rule not in (*YIELDING, "bounds"):
        what, remedy = "yields, and must return", "write return instead of yield"
        lines = [
            place.positions.lineno for place in dis.get_instructions(code) if place.opname == "YIELD_VALUE" and place.positions
        ]
        line = (lines[0] if lines else None) or code.co_firstlineno
    else:
        return None
    return Trap(rule, code.co_filename, line, what, remedy, WRONG)


def swapped_parameters(game: Game, rule: str) -> Trap | None:
    """Return the trap of a *rule* with swapped parameters, if their names show that."""
    function = getattr(game, rule, None)
    if not isinstance(function, types.FunctionType) or function.__code__.co_argcount < 2:
        return None
    code = function.__code__
    first, second = code.co_varnames[:2]
    known = {"state", "position", type(game.start).__name__.lower()}
    kinds = [function.__annotations__.get(name) for name in (first, second)]
    meant = [
        name.lower() in known or kind in (type(game.start), type(game.start).__name__)
        for name, kind in zip((first, second), kinds, strict=True)
    ]
    if meant != [False, True]:
        return None
    what = f"has its parameters the wrong way round, ({first}, {second})"
    return Trap(
        rule, code.co_filename, code.co_firstlineno, what, f"the state comes first: write def {rule}({second}, {first})", WRONG
    )


def functions_of(game: Game, rules: Iterable[str] = REQUIRED + OPTIONAL) -> list[Callable[..., Any]]:
    """Return the *rules* of *game* and all plain functions that they call."""
    reached: dict[Any, None] = {}
    waiting = [getattr(game, rule) for rule in rules]
    while waiting:
        value = waiting.pop()
        if isinstance(value, LearnedEstimate):
            value = value.base
        value = getattr(value, "py_func", None) or getattr(value, "__wrapped__", value)
        if isinstance(value, types.FunctionType) and value not in reached and not _of_a_library(value):
            reached[value] = None
            waiting += [found for _, found in _named(value)]
    return list(reached)


def _of_a_library(function: types.FunctionType) -> bool:
    """Return whether *function* belongs to a library: then it is not the user's mistake."""
    module = function.__module__ or ""
    if module.startswith("outplay.") and not module.startswith("outplay.games."):
        return True
    if module.partition(".")[0] in sys.stdlib_module_names - {"__main__"}:
        return True
    return "site-packages" in function.__code__.co_filename and not module.startswith("outplay.games")


def _named(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    code = function.__code__
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # nothing is in it yet
            yield name, cell.cell_contents
    for name in globals_in(code):
        value = function.__globals__.get(name)
        if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] not in NATIVE_MODULES:
            yield from ((inner, vars(value)[inner]) for inner in attributes_in(code) if inner in vars(value))
        yield name, value


def _changed(node: ast.AST) -> str | None:
    """Return the name of what *node* changes an item of, or None."""
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        changed = node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
        changed = node.func.value
    else:
        return None
    return changed.id if isinstance(changed, ast.Name) else None


def _constant(part: ast.Slice) -> bool:
    return all(end is None or isinstance(end, (ast.Constant, ast.UnaryOp)) for end in (part.lower, part.upper, part.step))


class _Finder(ast.NodeVisitor):
    def __init__(self, function: Callable[..., Any], game: Game) -> None:
        self.function, self.state = function, type(game.start)
        rules = [rule for rule in REQUIRED + OPTIONAL if getattr(game, rule) is function]
        self.name = rules[0] if rules and function.__name__ == "<lambda>" else function.__name__
        self.flags = {field.name for field in game.fields if field.kind == "bool"}
        self.tuples = {field.name for field in game.fields if field.kind == "tuple"}
        self.other_names: set[str] = set()  # variables that are tuples of the state
        self.named = dict(_named(function))  # type: ignore[arg-type]
        self.found: list[Trap] = []
        self.arrays = {field.name for field in game.fields if field.kind == "array"}
        self._first_line = 0
        self.shared: dict[str, str] = {}  # names given to the arrays of a state
        self.joined: set[ast.expr] = set()  # operands of +, such as the parts of a tuple with one item changed
        self.written: set[str] = set()  # globals that the function changes

    def traps(self) -> list[Trap]:
        file = self.function.__code__.co_filename
        for line, number in large_ints_in(self.function):
            self.found.append(Trap(self.name, file, line, f"{number} needs more than 63 bits", SMALLER, WRONG))
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(self.function)))
        except (OSError, TypeError, SyntaxError):
            return self.found  # without a source there is no line: Numba's error has to do
        ast.increment_lineno(tree, self.function.__code__.co_firstlineno - 1)
        self._first_line = next((node.lineno for node in tree.body if isinstance(node, ast.FunctionDef)), 0)
        self.written = {name for node in ast.walk(tree) if (name := _changed(node))}
        self.visit(tree)
        return self.found

    def add(self, node: Any, what: str, remedy: str, effect: Effect = FAILS) -> None:
        file = self.function.__code__.co_filename
        self.found.append(Trap(self.name, file, node.lineno, what, remedy, effect))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if any(isinstance(default, (ast.List, ast.Dict, ast.Set)) for default in node.args.defaults):
            self.add(
                node, f"{node.name} has a list, dict or set for a default, which does not compile", "leave that parameter out"
            )
        if node.args.kwonlyargs:
            self.add(node, f"keyword-only parameters of {node.name} do not compile", "make them ordinary ones")
        if node.args.kwarg:
            self.add(node, f"**{node.args.kwarg.arg} of {node.name} does not compile", "name every parameter")
        inner = node.name != self.function.__name__ or node.lineno != self._first_line
        if inner and any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in ast.walk(node)):
            self.add(node, f"{node.name}, a function inside a rule that yields, does not compile", "write it outside of the rule")
        elif inner and self._names_itself(node):
            what = f"{node.name}, a function inside another one that calls itself, does not compile"
            self.add(node, what, "write it outside of the other")
        if inspect.isgeneratorfunction(self.function) and node.name == self.function.__name__ and self._names_itself(node):
            self.add(
                node,
                f"{node.name} yields and calls itself, which does not compile",
                "keep a list of what is left to do, and loop",
            )
        self.generic_visit(node)

    @staticmethod
    def _names_itself(node: ast.FunctionDef) -> bool:
        return any(isinstance(part, ast.Name) and part.id == node.name for part in ast.walk(node))

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        self.add(node, "an import inside a rule does not compile", "put it at the top of the file")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.visit_Import(node)

    def visit_With(self, node: ast.With) -> None:
        self.add(node, "with does not compile", "a rule only computes; leave it out")
        self.generic_visit(node)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self.add(
            node, "a rule that writes a variable of another function does not compile", "put what changes into the state", WRONG
        )

    def visit_Set(self, node: ast.Set | ast.SetComp) -> None:
        self.add(node, "a set may not compile, and has no order", "use a tuple, a list or the bits of an int", MAY_FAIL)
        self.generic_visit(node)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self.visit_Set(node)

    def visit_Dict(self, node: ast.Dict | ast.DictComp) -> None:
        self.add(node, "a dict may not compile", "use a tuple or a NumPy array, or write if and elif", MAY_FAIL)
        self.generic_visit(node)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self.visit_Dict(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self.add(node, f"an f-string: {TEXT}", NUMBERS, DIFFERS)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.add(node, "a class inside a rule does not compile", "write it outside of the rule")

    def visit_Raise(self, node: ast.Raise) -> None:
        """Skip the text of an error: it is not a value."""
        if node.cause is not None:
            self.add(node, "raise ... from does not compile", f"write raise {ast.unparse(node.exc or node.cause)}")

    def visit_Assert(self, node: ast.Assert) -> None:
        self.visit(node.test)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.add(node, "an assignment inside an expression may not compile", "assign first, in a line of its own", MAY_FAIL)
        self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> None:
        self.add(node, "a rule that writes a global does not compile", "put what changes into the state", WRONG)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.type is not None and not (isinstance(node.type, ast.Name) and node.type.id == "Exception"):
            self.add(node, "catching one kind of exception does not compile", "test for the case beforehand")
        elif node.name is not None:
            self.add(node, f"except Exception as {node.name} does not compile", "write except Exception: without a name")
        self.generic_visit(node)

    def visit_MatchSequence(self, node: ast.MatchSequence) -> None:
        self.add(node, "matching a sequence does not compile", "compare the items with if")

    def visit_MatchClass(self, node: ast.MatchClass | ast.MatchMapping) -> None:
        self.add(node, "matching a class or a dict does not compile", "compare the fields with if")

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self.visit_MatchClass(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if self._is_tuple(node.value):
            self.other_names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        if isinstance(node.value, ast.Attribute) and node.value.attr in self.arrays:
            self.shared |= {target.id: ast.unparse(node.value) for target in node.targets if isinstance(target, ast.Name)}
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name) and (array := self.shared.get(node.target.id)):
            name = node.target.id
            self.add(
                node, f"{name} is {array}: this changes the array of a state", f"copy it first: {name} = {array}.copy()", MAY_FAIL
            )
        self.generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.add(node, f"del {target.id} does not compile", "leave it out", MAY_FAIL)
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        value = self.named.get(node.id)
        code = self.function.__code__
        if isinstance(value, (list, dict, set, frozenset)) and node.id in (*code.co_names, *code.co_freevars):
            owner = "global" if node.id in code.co_names else "outer function's"
            what = f"the {owner} {type(value).__name__} {node.id} does not compile"
            remedy = "make it a tuple or a NumPy array"
            if node.id in self.written:
                remedy = MEMO if isinstance(value, dict) else "leave it out; what changes belongs into the state"
            self.add(node, what, remedy)
        elif callable(value) and (
            getattr(value, "__module__", "") in LUCK or isinstance(getattr(value, "__self__", None), Random)
        ):
            self.luck(node, node.id)
        elif getattr(value, "__module__", "") == "numpy" and getattr(value, "__name__", "") in UNFILLED:
            self.unfilled(node, node.id)
        elif callable(value) and getattr(value, "__module__", "") in CLOCKS:
            self.clock(node, node.id)
        elif callable(value) and getattr(value, "__module__", "") in LIBRARIES:
            self.add(node, f"{node.id} of {value.__module__} does not compile", LIBRARIES[value.__module__])
        elif hasattr(value, "cache_clear"):
            self.add(node, f"{node.id} is wrapped by functools.cache, which does not compile", "take the decorator off")
        elif isinstance(node.ctx, ast.Load) and node.id in ("any", "all", "reversed", "map", "filter") and value is None:
            self.add(node, f"{node.id} does not compile", "write the loop out")

    def luck(self, node: ast.expr, name: str) -> None:
        self.add(node, f"luck is drawn by {name}", "yield each outcome and its probability in chances", WRONG)

    def unfilled(self, node: ast.expr, name: str) -> None:
        self.add(node, f"{name} leaves to chance what the items are", f"write {name.replace('empty', 'zeros')}", WRONG)

    def clock(self, node: ast.expr, name: str) -> None:
        self.add(node, f"{name} makes the rule depend on the time", "a rule may depend on nothing but the state", WRONG)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        changed = node.value.id if isinstance(node.value, ast.Name) and not isinstance(node.ctx, ast.Load) else ""
        if changed in self.function.__code__.co_names and hasattr(self.named.get(changed), "dtype"):
            self.add(
                node, f"a rule that changes the global array {changed} does not compile", "put what changes into the state", WRONG
            )
        if isinstance(node.slice, ast.Slice) and self._is_tuple(node.value) and not _constant(node.slice):
            remedy = PUT if node in self.joined else "write a loop over the indices: for index in range(...)"
            self.add(node, "a slice of a tuple by a variable does not compile", remedy)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.Add):
            self.joined |= {node.left, node.right}
        if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
            self.add(node, f"% of a text: {TEXT}", NUMBERS)
        if isinstance(node.op, ast.MatMult):
            self.add(node, f"@: {PRODUCT}", ITEM_BY_ITEM, WRONG)
        self.generic_visit(node)

    def visit_Starred(self, node: ast.Starred) -> None:
        if isinstance(node.ctx, ast.Store):
            self.add(node, "a star on the left of = does not compile", "give each item a name, or take it by its number")
        self.generic_visit(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self.add(node, "a generator expression does not compile", "write the loop out")
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._no_member(node.body)
        self._no_member(node.orelse)
        self.generic_visit(node)

    def visit_Yield(self, node: ast.Yield | ast.Return) -> None:
        self._no_member(node.value)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        called = node.value.func if isinstance(node.value, ast.Call) else None
        if isinstance(called, ast.Name) and called.id in ("zip", "enumerate") and self.named.get(called.id) is None:
            self.add(node, f"return {called.id}(...) does not compile", f"write for ... in {called.id}(...): and yield each")
        self.visit_Yield(node)

    def _no_member(self, node: ast.expr | None) -> None:
        """Report a member of an Enum in place of an int."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = self.named.get(node.value.id)
            if isinstance(owner, type) and issubclass(owner, enum.Enum):
                member = ast.unparse(node)
                self.add(node, f"{member} is a member of an Enum, and no int when compiled", f"write {member}.value", MAY_FAIL)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> None:
        self.add(node, "yield from does not compile", "write a for loop that yields each")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if (large := large_int_in(node.value)) is not None:  # Python may have computed with it, so that it is in no bytecode
            self.add(node, f"{shown(large)} needs more than 63 bits", SMALLER, WRONG)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        owner = self.named.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if not isinstance(node.ctx, ast.Load) and owner is not None:
            what = f"a rule that writes {ast.unparse(node)} does not compile"
            self.add(node, what, "put what changes into the state; a search counts its nodes itself", WRONG)
        elif not isinstance(node.ctx, ast.Load):
            self.add(node, f"{ast.unparse(node)} cannot be assigned to", "return a new State(...) with every field")
        elif node.attr == "_replace":
            self.add(node, "_replace does not compile", "write State(...) with every field")
        elif node.attr == "_asdict":
            self.add(node, "_asdict does not compile", "name the fields: state.board")
        elif node.attr == "_make" and owner is self.state:
            self.add(node, f"{ast.unparse(node)} does not compile", f"write {self.state.__name__}(...) with every field")
        elif node.attr == "bit_count":
            self.add(node, "int.bit_count does not compile", f"use count(bits): {BITS}")
        elif node.attr in ("uint64", "ulonglong"):
            self.add(node, "uint64 mixed with int turns into a float when compiled", "keep to int64, with at most 63 bits", WRONG)
        elif isinstance(owner, types.ModuleType) and owner.__name__ == "numpy" and node.attr == "random":
            self.luck(node, ast.unparse(node))
        elif isinstance(owner, types.ModuleType) and owner.__name__ == "numpy" and node.attr in UNFILLED:
            self.unfilled(node, ast.unparse(node))
        elif isinstance(owner, types.ModuleType) and owner.__name__ in CLOCKS:
            self.clock(node, ast.unparse(node))
        elif isinstance(owner, types.ModuleType) and owner.__name__ in LIBRARIES:
            self.add(node, f"{ast.unparse(node)} does not compile", LIBRARIES[owner.__name__])
        elif owner is None and self._is_method(node.attr):
            self.add(
                node,
                f"the method {node.attr} of {self.state.__name__} does not compile",
                f"write it as a plain function, {node.attr}(state)",
            )
        elif isinstance(owner, type) and not issubclass(owner, enum.Enum) and node.attr not in ("_make", "_fields"):
            self.add(
                node, f"the class attribute {owner.__name__}.{node.attr} does not compile", "make it a constant of the module"
            )
        elif isinstance(owner, types.ModuleType) and owner.__name__ in LUCK:
            self.luck(node, f"{owner.__name__}.{node.attr}")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name):
            self._named_call(node, node.func.id)
        elif isinstance(node.func, ast.Attribute):
            self._method_call(node, node.func)
        self.generic_visit(node)

    def _method_call(self, node: ast.Call, method: ast.Attribute) -> None:
        owner = self.named.get(method.value.id) if isinstance(method.value, ast.Name) else None
        if isinstance(owner, types.ModuleType) and owner.__name__ == "numpy":
            along = any(word.arg == "axis" for word in node.keywords)
            if along and method.attr in ("all", "any", "max", "min", "amax", "amin", "argmax", "argmin", "mean", "prod", "sort"):
                self.add(node, f"{ast.unparse(method)} with axis= does not compile", "write the loop out", MAY_FAIL)
            elif any(word.arg == "out" for word in node.keywords) and hasattr(getattr(owner, method.attr, None), "nargs"):
                self.add(
                    node, f"{ast.unparse(method)} takes no out= in compiled code", f"write board = {ast.unparse(method)}(...)"
                )
            elif method.attr in PRODUCTS:
                self.add(node, f"{ast.unparse(method)}: {PRODUCT}", ITEM_BY_ITEM, WRONG)
            elif method.attr == "vectorize":
                self.add(node, f"{ast.unparse(method)} does not compile", "write the loop out")
        if isinstance(owner, (types.ModuleType, type)):
            return
        if method.attr in IN_PLACE and isinstance(method.value, ast.Attribute) and method.value.attr in self.arrays:
            array = ast.unparse(method.value)
            what = f"{array}.{method.attr}(...) changes the array of a state"
            self.add(node, what, f"copy it first: {method.value.attr} = {array}.copy()", MAY_FAIL)
        elif any(word.arg == "axis" for word in node.keywords) and method.attr in (
            "all",
            "any",
            "max",
            "min",
            "argmax",
            "argmin",
        ):
            self.add(node, f".{method.attr} with axis= does not compile", "write the loop out", MAY_FAIL)
        elif method.attr == "dot":
            self.add(node, f".dot: {PRODUCT}", ITEM_BY_ITEM, WRONG)
        elif method.attr == "get":
            what = ".get of a dict gives None where nothing is found, which compiled code takes for another type"
            self.add(node, what, "use a tuple or an array, or write if and elif", MAY_FAIL)
        elif method.attr in ("count", "index"):
            self.add(node, f".{method.attr} of a tuple does not compile", "write the loop out", MAY_FAIL)
        elif method.attr in ("join", "split", "format", "upper", "lower", "replace", "startswith", "strip"):
            self.add(node, f".{method.attr} of a text: {TEXT}", NUMBERS, DIFFERS)

    def _named_call(self, node: ast.Call, name: str) -> None:
        called = self.named.get(name)
        if called is self.state:
            for argument in (*node.args, *(word.value for word in node.keywords)):
                self._no_member(argument)
        if called is self.state and any(word.arg is None for word in node.keywords):
            self.add(node, f"{name}(**...) does not compile", "name every field, each with its value")
        elif name == "tuple" and node.args and not (isinstance(node.args[0], ast.Attribute) and self._is_tuple(node.args[0])):
            self.add(node, "tuple(...) of a list does not compile: its length is not known", PUT)
        elif name in ("print", "input", "breakpoint") and called is None:
            what = {"print": "prints", "input": "asks a person", "breakpoint": "waits for a person"}[name]
            self.add(node, f"{name}(...) {what}, and a search calls a rule millions of times", "take it out", WRONG)
        elif name in ("set", "frozenset") and called is None:
            self.visit_Set(ast.copy_location(ast.Set([]), node))
        elif name in ("str", "chr", "hash") and called is None:
            self.add(node, f"{name}(...): {TEXT}", NUMBERS, DIFFERS)
        elif name in BUILTINS and called is None:
            self.add(node, f"{name}(...) does not compile", BUILTINS[name])
        elif called is self.state and any(isinstance(argument, ast.Starred) for argument in node.args):
            self.add(node, f"{name}(*...) of a list does not compile", "name every field, each with its value", MAY_FAIL)
        elif name == "zip" and node.keywords and called is None:
            self.add(node, "zip with strict= does not compile", "leave strict= out")
        elif name == "enumerate" and node.keywords and called is None:
            self.add(node, "enumerate with start= does not compile", "write enumerate(items, 1)")
        elif name in ("min", "max", "sorted") and any(word.arg == "key" for word in node.keywords):
            self.add(node, f"{name} with key= may not compile", "write the loop out", MAY_FAIL)
        elif name == "sum" and len(node.args) == 1 and isinstance(node.args[0], (ast.ListComp, ast.Attribute)):
            self.add(node, "sum of a list or tuple may not compile", "write the loop out", MAY_FAIL)
        elif (
            isinstance(called, type)
            and not issubclass(called, (tuple, enum.Enum, BaseException))
            and called.__module__ not in ("builtins", "numpy")
        ):
            remedy = "use numbers, tuples and arrays in a NamedTuple, and plain functions"
            if called.__module__ in ("fractions", "decimal"):
                remedy = "write a plain number, such as 1 / 3"
            self.add(node, f"the class {name} does not compile", remedy)
        elif name == "int" and len(node.args) == 1:
            self._no_member(node.args[0])
        elif name == "bin":
            self.add(node, "bin does not compile", f"to count bits use count(bits): {BITS}")
        elif name == "float" and len(node.args) == 1 and self._is_bool(node.args[0]):
            self.add(node, "float of a bool does not compile", "write 1.0 if ... else 0.0")
        elif isinstance(called, type) and getattr(called, "_field_defaults", None):
            given = len(node.args) + len(node.keywords)
            if given < len(called._fields) and not any(isinstance(argument, ast.Starred) for argument in node.args):  # type: ignore[attr-defined]
                missing = [field for field in called._fields[len(node.args) :] if field not in {k.arg for k in node.keywords}]  # type: ignore[attr-defined]
                self.add(
                    node,
                    f"{name}(...) leaves {', '.join(missing)} to its default, which compiled code ignores",
                    "give every field",
                )

    def _is_method(self, name: str) -> bool:
        """Return whether *name* is a method or property that the user has defined in the class of the state."""
        return (
            name in vars(self.state)
            and isinstance(vars(self.state)[name], (types.FunctionType, property, classmethod, staticmethod))
            and (not name.startswith("_"))
        )

    def _is_tuple(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self.other_names
        return isinstance(node, ast.Attribute) and node.attr in self.tuples

    def _is_bool(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Attribute):
            return node.attr in self.flags
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, ast.Not)
        return isinstance(node, (ast.Compare, ast.BoolOp)) or (isinstance(node, ast.Constant) and isinstance(node.value, bool))
