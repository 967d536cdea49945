"""Commands whose help has no names of Python's types: a switch takes nothing, and an argument is called by its own name."""

from typing import Any

from typer.core import TyperCommand, TyperGroup


class Command(TyperCommand):
    """A command."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the arguments and options as help shows them."""
        return _without_types(super().get_params(ctx))


class Commands(TyperGroup):
    """All commands."""

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
