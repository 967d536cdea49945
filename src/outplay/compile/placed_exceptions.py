"""Exceptions of compiled rules with their place: the function, and which of its lines it is.

An exception from compiled code has no Python frame of its own. Numba adds one with a name, a file and a line. Here these are
the function, `place_in` of its code, and which of the function's lines it is, counted from 0. Comments may change while the code stays
in the disk cache, so `diagnose.py` finds the line in the function as it is now.
"""

from types import CodeType
from typing import Any
from zlib import crc32

from outplay.compile.numba_private import RETCODE_USEREXC, CPUCallConv, CPUContext, excinfo_ptr_t
from outplay.compile.primitives import BIT

PLACE = "<a compiled rule>"
UNSEEN = RETCODE_USEREXC.type(RETCODE_USEREXC.constant + 1)  # what a function returns that raises what no except may see


def lines_of(code: CodeType) -> list[int]:
    """Return the lines of *code* on which something runs, in order."""
    return sorted({line for _, _, line in code.co_lines() if line is not None})


def place_in(code: CodeType) -> str:
    """Return what stands for the file of *code* in an exception: it tells functions of the same name apart."""
    return f"{PLACE} {crc32(code.co_code + repr((code.co_names, code.co_varnames)).encode()):x}"


class _PlacedCallConv(CPUCallConv):  # type: ignore[misc]
    """Numba's way to raise, with the place in the rule."""

    excinfo_pointer = excinfo_ptr_t

    def build_excinfo_struct(self, exc: Any, exc_args: Any, loc: Any, func_name: Any) -> Any:
        return exc, exc_args, self.context.outplay_lowering.place()

    def exception(self, builder: Any, kind: type[Exception], arguments: tuple[str, ...]) -> Any:
        """Return the address of an exception of that *kind* at this place."""
        python = self.context.get_python_api(builder)
        return python.serialize_object(self.build_excinfo_struct(kind, arguments, None, None))

    def raise_exception(self, builder: Any, exception: Any, code: Any) -> None:
        """Return from the function with the *exception*, an address, and the *code* of its kind."""
        store = builder.store(exception, self._get_excinfo_argument(builder.function))
        store.set_metadata("numba_exception_output", builder.module.add_metadata([BIT(1)]))
        self._return_errcode_raw(builder, code)

    def return_status_propagate(self, builder: Any, status: Any) -> None:
        """Pass an exception of a called function on. An except of the rule does not see what only compiled code raises."""
        if getattr(builder, "_in_try_block", False):
            with builder.if_then(builder.icmp_signed("==", status.code, UNSEEN)):
                builder.store(status.excinfoptr, self._get_excinfo_argument(builder.function))
                self._return_errcode_raw(builder, status.code)
        super().return_status_propagate(builder, status)


class PlacedContext(CPUContext):  # type: ignore[misc]
    @property
    def call_conv(self) -> Any:
        return _PlacedCallConv(self)
