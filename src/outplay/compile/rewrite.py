"""A rule that yields, rewritten so that it stores each value in memory instead.

A user's source does not change. If the source is not available, or does not match the running code, the generator
itself is compiled: it is slower by a third, and returns the same.
"""

import ast
import inspect
import textwrap
import types
from collections.abc import Callable
from typing import Any

from outplay.compile.names import behaviour

STATE, INTS, TOP, LIMIT, ENOUGH, WANTED, NUMBER, PAIR, ITEM = (
    f"outplay_{name}" for name in ("state", "ints", "top", "limit", "enough", "wanted", "number", "pair", "item")
)
PUT_REAL = "outplay_put_real"


def stores(rule: Callable[..., Any], *, unpack: str, pairs: bool = False, until: bool = False) -> ast.Module | None:
    """Return *rule* as a module with one function that stores what the rule yields; None if that is not possible.

    *unpack* is the expression that turns the kernel's state into the rule's. With *pairs*, the function stores outcomes
    and probabilities. It returns the number of values, including those for which there was no room. With *until*, it stops
    as `InterpretedRules.fill_until` does, and has its parameters.
    """
    definition = definition_of(rule) if inspect.isgeneratorfunction(rule) else None
    if definition is None or ast.unparse(definition.args) != definition.args.args[0].arg:
        return None  # it has another parameter, such as one with a default
    rewriter = _Rewriter(pairs, until)
    body = [rewriter.visit(statement) for statement in definition.body]
    if rewriter.failed:
        return None
    parameters = ["outplay_game", STATE, INTS, TOP, LIMIT, *((ENOUGH, WANTED) if until else ())]
    argument = definition.args.args[0].arg
    first = ast.parse(f"{argument} = {unpack}\n{NUMBER} = 0").body
    last = ast.parse(f"{NUMBER}").body[0].value  # type: ignore[attr-defined]
    definition.body = [*first, *_flat(body), ast.Return(last)]
    definition.args = ast.parse(f"def _({', '.join(parameters)}): pass").body[0].args  # type: ignore[attr-defined]
    definition.returns = None
    module = ast.Module([definition], [])
    ast.fix_missing_locations(module)
    return module


def definition_of(rule: Callable[..., Any]) -> ast.FunctionDef | None:
    """Return the definition of *rule*, if its source is available and matches the running code."""
    try:
        source = textwrap.dedent(inspect.getsource(rule))
        tree = ast.parse(source)
    except (OSError, TypeError, SyntaxError):
        return None
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef) or definition.decorator_list:
        return None
    ast.increment_lineno(tree, rule.__code__.co_firstlineno - 1)
    return definition if _runs_as_written(rule, definition) else None


def _runs_as_written(rule: Callable[..., Any], definition: ast.FunctionDef) -> bool:
    """Return whether *definition* compiles to the code of *rule*: the file may have changed."""
    code = rule.__code__
    outer = ast.parse(f"def outer({', '.join(code.co_freevars)}):\n    pass").body[0]
    outer.body = [definition]  # type: ignore[attr-defined]
    module = ast.fix_missing_locations(ast.Module([outer], []))
    for name in (None, "outer", rule.__name__):
        if name is None:
            found = compile(module, code.co_filename, "exec")
            continue
        inner = [constant for constant in found.co_consts if isinstance(constant, types.CodeType) and constant.co_name == name]
        if len(inner) != 1:
            return False
        found = inner[0]
    return _runs(found) == _runs(code)


def _runs(code: types.CodeType) -> tuple[Any, ...]:
    """Return all that *code* runs, including its constants."""
    constants = [_runs(constant) if isinstance(constant, types.CodeType) else repr(constant) for constant in code.co_consts]
    return (*behaviour(code), constants)


def _flat(statements: list[Any]) -> list[ast.stmt]:
    flat: list[ast.stmt] = []
    for statement in statements:
        flat.extend(statement if isinstance(statement, list) else [statement])
    return flat


class _Rewriter(ast.NodeTransformer):
    def __init__(self, pairs: bool, until: bool) -> None:
        self.pairs, self.until = pairs, until
        self.failed = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node

    def visit_Return(self, node: ast.Return) -> ast.Return:
        node.value = ast.copy_location(ast.Name(NUMBER, ast.Load()), node)
        return node

    def visit_Yield(self, node: ast.Yield) -> ast.Yield:
        self.failed = True  # the value of the yield is used
        return node

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.YieldFrom:
        self.failed = True
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Yield):
            if node.value.value is None:
                self.failed = True
                return node
            return self._store(node.value.value, node)
        return self.generic_visit(node)

    def _store(self, value: ast.expr, node: ast.Expr) -> list[ast.stmt]:
        if self.until:
            text = (
                f"{INTS}[{TOP} + {NUMBER}] = {ITEM}\n{NUMBER} += 1\nif {ITEM} == {WANTED}:\n    {LIMIT} = {ENOUGH}\n"
                f"if {NUMBER} > {LIMIT}:\n    return {NUMBER}"
            )
        elif not self.pairs:
            text = f"if {NUMBER} < {LIMIT}:\n    {INTS}[{TOP} + {NUMBER}] = {ITEM}\n{NUMBER} += 1"
        elif isinstance(value, ast.Tuple) and len(value.elts) == 2:
            text = (
                f"if {NUMBER} < {LIMIT}:\n    {INTS}[{TOP} + 4 * {NUMBER}] = {ITEM}\n"
                f"    {PUT_REAL}({INTS}, {TOP} + 4 * {NUMBER} + 1, {PAIR})\n{NUMBER} += 1"
            )
        else:
            text = (
                f"if {NUMBER} < {LIMIT}:\n    {INTS}[{TOP} + 4 * {NUMBER}] = {PAIR}[0]\n"
                f"    {PUT_REAL}({INTS}, {TOP} + 4 * {NUMBER} + 1, {PAIR}[1])\n{NUMBER} += 1"
            )
        # The value is computed even without room for it: it may raise, or call a helper.
        if self.pairs and isinstance(value, ast.Tuple) and len(value.elts) == 2:
            first = [self._assign(ITEM, value.elts[0]), self._assign(PAIR, value.elts[1])]
        else:
            first = [self._assign(PAIR if self.pairs else ITEM, value)]
        return self._placed([*first, *ast.parse(text).body], node)

    @staticmethod
    def _assign(name: str, value: ast.expr) -> ast.stmt:
        return ast.Assign([ast.Name(name, ast.Store())], value)

    @staticmethod
    def _placed(statements: list[ast.stmt], node: ast.AST) -> list[ast.stmt]:
        for statement in statements:
            for part in ast.walk(statement):
                if (
                    not hasattr(part, "lineno")
                    or part.lineno < 2
                    or (isinstance(part, ast.Name) and part.id.startswith("outplay_"))
                ):
                    ast.copy_location(part, node)
        return statements
