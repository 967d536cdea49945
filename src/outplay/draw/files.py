"""Writes a tree to a file; the ending of its name chooses the format."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from outplay.atomic_write import write_text
from outplay.draw.dot import tree_dot
from outplay.draw.mermaid import tree_mermaid
from outplay.draw.node import Node
from outplay.draw.svg import tree_svg
from outplay.draw.text import tree_text
from outplay.errors import OptionError

ENDINGS = {".svg": "svg", ".txt": "text", ".dot": "dot", ".mmd": "mermaid"}
FORMATS = tuple(ENDINGS.values())


def write(
    root: Node,
    path: str | os.PathLike[str],
    *,
    form: str | None = None,
    windows: bool = True,
    pictures: bool = False,
    title: str = "",
) -> Path:
    """Write the tree beneath *root* to *path*, all of it or nothing, and return the path.

    The ending says how: .svg, .txt, .dot or .mmd; or *form* does: svg, text, dot or mermaid.
    """
    path = Path(path)
    text = drawn(root, form or form_of(path), windows=windows, pictures=pictures, title=title)
    write_text(path, text)
    return path


def form_of(path: Path) -> str:
    """Return the format for the ending of *path*: svg, text, dot or mermaid."""
    form = ENDINGS.get(path.suffix.lower())
    if form is None:
        raise OptionError(f"the ending of {path} does not say how to draw; end it in {_either(ENDINGS)}")
    return form


def drawn(root: Node, form: str, *, windows: bool = True, pictures: bool = False, title: str = "") -> str:
    """Return the tree beneath *root* in the format *form*: svg, text, dot or mermaid."""
    forms: dict[str, Callable[[], str]] = {
        "svg": lambda: tree_svg(root, windows=windows, pictures=pictures, title=title),
        "text": lambda: tree_text(root, windows=windows),
        "dot": lambda: tree_dot(root, windows=windows),
        "mermaid": lambda: tree_mermaid(root, windows=windows),
    }
    return forms[known(form)]()


def known(form: str) -> str:
    """Return *form* if it is one of FORMATS; else raise an OptionError that lists them."""
    if form not in FORMATS:
        raise OptionError(f"{form!r} is not a format of a tree; write {_either(FORMATS)}")
    return form


def _either(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}"
