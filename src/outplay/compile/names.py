"""The names in a function's bytecode: globals, and attributes of any object."""

import dis
import types
from functools import lru_cache

NATIVE_MODULES = ("math", "cmath", "numpy")  # Numba knows these itself

_OF_AN_OBJECT = ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "STORE_ATTR", "DELETE_ATTR")


def globals_in(code: types.CodeType) -> frozenset[str]:
    """Return every global name in *code* and in the functions inside it."""
    return _names(code)[0]


def attributes_in(code: types.CodeType) -> frozenset[str]:
    """Return every attribute name in *code* and in the functions inside it: `f` in `helpers.f`."""
    return _names(code)[1]


@lru_cache(maxsize=4096)
def _names(code: types.CodeType) -> tuple[frozenset[str], frozenset[str]]:
    found: set[str] = set()
    attributes: set[str] = set()
    for instruction in dis.get_instructions(code):
        if instruction.opcode in dis.hasname:
            (attributes if instruction.opname in _OF_AN_OBJECT else found).add(instruction.argval)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= globals_in(constant)
            attributes |= attributes_in(constant)
    return frozenset(found), frozenset(attributes)


def behaviour(code: types.CodeType) -> tuple[object, ...]:
    """Return the parts of *code* that decide what it does, without its constants, its place and its comments."""
    return (
        code.co_code, code.co_exceptiontable, code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars,
        code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount,
    )  # fmt: skip
