"""Commands that report when they are interrupted, and whose help shows no names of Python types."""

from typing import Any

from typer.core import TyperCommand, TyperGroup

from outplay.compile.announce import under_way
from outplay.errors import Interrupted


class Stopped(Exception):
    """Ctrl-C in a command; *stuck* where a rule had not returned, *compiling* where code was being compiled."""

    def __init__(self, *, stuck: bool = False, compiling: bool = False) -> None:
        more = "; a rule had not returned. outplay check looks for a rule that never does." if stuck else "."
        super().__init__(f"Interrupted{' while the game was being compiled' if compiling else ''}{more}")


class Command(TyperCommand):
    """A command."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the arguments and options as help shows them."""
        return _without_types(super().get_params(ctx))


class Commands(TyperGroup):
    """All commands."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; Ctrl-C ends it with a sentence, which Typer would leave out."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            known = error if isinstance(error, Interrupted) else Interrupted()
            raise Stopped(stuck=known.stuck, compiling=known.compiling or under_way()) from None

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options as help shows them."""
        return _without_types(super().get_params(ctx))


def _without_types(params: list[Any]) -> list[Any]:
    for param in params:
        if param.param_type_name == "argument":
            param.display_type_rich = lambda ctx: None  # older Typers never ask for it
        elif param.is_flag:
            param.metavar = ""
    return params
