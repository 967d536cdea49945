"""What a function names."""

import types

NATIVE_MODULES = ("math", "cmath", "numpy")  # Numba knows these itself


def names_in(code: types.CodeType) -> set[str]:
    """Return every global and attribute that *code*, or a function written inside it, names."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= names_in(constant)
    return names
