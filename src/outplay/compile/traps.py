"""What plain Python can do and compiled code cannot: each trap by function, line and remedy, found in the source."""

import ast
import enum
import inspect
import textwrap
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from outplay.compile.names import NATIVE_MODULES, names_in
from outplay.rules.game import OPTIONAL, REQUIRED, Game

BITS = "from outplay.rules.bits import count"
PUT = "to change one item use put(items, index, item): from outplay.rules.tuples import put"
MOST = (1 << 63) - 1


@dataclass(frozen=True)
class Trap:
    """Something in a rule, or in a helper of one, that compiled code does not do."""

    function: str
    file: str
    line: int
    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.function}, line {self.line}: {self.what}; {self.remedy}"


def traps_in(game: Game) -> list[Trap]:
    """Return the traps in the rules of *game* and in every helper that they name, in order of place."""
    flags = {field.name for field in game.fields if field.kind == "bool"}
    tuples = {field.name for field in game.fields if field.kind == "tuple"}
    found = [trap for function in functions_of(game) for trap in _Finder(function, flags, tuples).traps()]
    return sorted(set(found), key=lambda trap: (trap.file, trap.line, trap.what))


def functions_of(game: Game) -> list[Callable[..., Any]]:
    """Return the rules of *game* and all plain functions that they reach."""
    reached: dict[Any, None] = {}
    waiting = [getattr(game, rule) for rule in REQUIRED + OPTIONAL]
    while waiting:
        value = waiting.pop()
        if (
            isinstance(value, types.FunctionType)
            and value not in reached
            and value.__module__ not in ("outplay.rules.bits", "outplay.rules.tuples")
        ):
            reached[value] = None
            waiting += [found for _, found in _named(value)]
    return list(reached)


def _named(function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    code = function.__code__
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents
    names = names_in(code)
    for name in names:
        value = function.__globals__.get(name)
        if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] not in NATIVE_MODULES:
            yield from ((inner, vars(value)[inner]) for inner in names if inner in vars(value))
        yield name, value


def _constant(part: ast.Slice) -> bool:
    return all(end is None or isinstance(end, (ast.Constant, ast.UnaryOp)) for end in (part.lower, part.upper, part.step))


class _Finder(ast.NodeVisitor):
    def __init__(self, function: Callable[..., Any], flags: set[str], tuples: set[str]) -> None:
        self.function, self.flags, self.tuples = function, flags, tuples
        self.named = dict(_named(function))  # type: ignore[arg-type]
        self.found: list[Trap] = []

    def traps(self) -> list[Trap]:
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(self.function)))
        except (OSError, TypeError, SyntaxError):
            return []  # no source, no line: what Numba says must do
        ast.increment_lineno(tree, self.function.__code__.co_firstlineno - 1)
        self.visit(tree)
        return self.found

    def add(self, node: Any, what: str, remedy: str) -> None:
        file = self.function.__code__.co_filename
        self.found.append(Trap(self.function.__name__, file, node.lineno, what, remedy))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.args.kwonlyargs:
            self.add(node, f"keyword-only parameters of {node.name} do not compile", "make them ordinary ones")
        self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.add(node, "an assignment inside an expression may not compile", "assign first, in a line of its own")
        self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> None:
        self.add(node, "a rule that writes a global does not compile", "put what changes into the state")

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.type is not None and not (isinstance(node.type, ast.Name) and node.type.id == "Exception"):
            self.add(node, "catching one kind of exception does not compile", "test for the case beforehand")
        self.generic_visit(node)

    def visit_MatchSequence(self, node: ast.MatchSequence) -> None:
        self.add(node, "matching a sequence does not compile", "compare the items with if")

    def visit_Name(self, node: ast.Name) -> None:
        value = self.named.get(node.id)
        if isinstance(value, (list, dict, set, frozenset)) and node.id in self.function.__code__.co_names:
            self.add(node, f"the global {type(value).__name__} {node.id} does not compile", "make it a tuple or a NumPy array")
        elif isinstance(node.ctx, ast.Load) and node.id in ("any", "all", "reversed", "map", "filter") and value is None:
            self.add(node, f"{node.id} does not compile", "write the loop out")

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if isinstance(node.slice, ast.Slice) and self._is_tuple(node.value) and not _constant(node.slice):
            self.add(node, "a slice of a tuple by a variable does not compile", PUT)
        self.generic_visit(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self.add(node, "a generator expression does not compile", "write the loop out")
        self.generic_visit(node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> None:
        self.add(node, "yield from does not compile", "write a for loop that yields each")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, int) and not -MOST - 1 <= node.value <= MOST:
            self.add(node, f"{node.value} needs more than 63 bits", "compiled ints have 63 and a sign: use a smaller one or two")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        owner = self.named.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if not isinstance(node.ctx, ast.Load):
            self.add(node, f"{ast.unparse(node)} cannot be assigned to", "return a new State(...) with every field")
        elif node.attr == "_replace":
            self.add(node, "_replace does not compile", "write State(...) with every field")
        elif node.attr == "bit_count":
            self.add(node, "int.bit_count does not compile", f"use count(bits): {BITS}")
        elif node.attr in ("uint64", "ulonglong"):
            self.add(node, "uint64 mixed with int turns into a float when compiled", "keep to int64, with at most 63 bits")
        elif isinstance(owner, type) and not issubclass(owner, enum.Enum) and node.attr not in ("_make", "_fields"):
            self.add(
                node, f"the class attribute {owner.__name__}.{node.attr} does not compile", "make it a constant of the module"
            )
        elif isinstance(owner, types.ModuleType) and owner.__name__ in ("random", "secrets"):
            self.add(node, f"luck is drawn by {owner.__name__}.{node.attr}", "yield each outcome and its probability in chances")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name):
            self._named_call(node, node.func.id)
        self.generic_visit(node)

    def _named_call(self, node: ast.Call, name: str) -> None:
        called = self.named.get(name)
        if name == "tuple" and node.args and not (isinstance(node.args[0], ast.Attribute) and self._is_tuple(node.args[0])):
            self.add(node, "tuple(...) of a list does not compile: its length is not known", PUT)
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

    def _is_tuple(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Attribute) and node.attr in self.tuples

    def _is_bool(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Attribute):
            return node.attr in self.flags
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, ast.Not)
        return isinstance(node, (ast.Compare, ast.BoolOp)) or (isinstance(node, ast.Constant) and isinstance(node.value, bool))
