"""`outplay tree`: a searched tree, or one typed in as text, to the terminal or into a file."""

import re
from pathlib import Path

from rich.console import Console

from outplay.agents.named import policy
from outplay.cli.guard import guard
from outplay.cli.position import position
from outplay.draw.files import drawn, form_of, known, write
from outplay.draw.node import Node
from outplay.draw.text import PLAIN, tree_text
from outplay.errors import OptionError
from outplay.search.trace import MOST_NODES, trace
from outplay.trees.tree import Tree
from outplay.trees.tree import tree as read_tree

DEPTH = 3  # moves to look ahead in a game if nothing is said
PICTURED = 80  # a tree of more nodes has pictures only if they are asked for
TYPED = re.compile(r"\s*(max|min|chance)(?![\w.-])|\s*[△▽○#]|[^.]*[(\[\n]", re.IGNORECASE)  # no name of a game looks so


def tree(
    console: Console,
    errors: Console,
    name: str,
    text: str,
    moves: str = "",
    *,
    depth: int | None = None,
    nodes: int | None = None,
    only: tuple[str, ...] | None = None,
    without: tuple[str, ...] = (),
    opponent: str = "best",
    file: Path | None = None,
    form: str | None = None,
    windows: bool = True,
    pictures: bool | None = None,
) -> None:
    """Draw the tree that a search of *name* visits from the state that *text* says.

    Or *name* is an explicit tree, or a file with one: that is drawn with its exact values, and solved step by step, unless
    something is said about how to search it.
    """
    if form is not None:
        known(form)
    elif file is not None:
        form = form_of(file)  # an error, if it is one, before anything is searched
    # What is piped into another program is the drawing alone.
    aside = errors if file is None and form not in (None, "text") else console

    typed = _typed(name)
    if typed is not None and (text or moves):
        raise OptionError(f"an explicit tree is searched from its root; leave out {text or '--moves'!r}")
    if typed is not None and (depth, nodes, only, without, opponent) == (None, None, None, (), "best"):
        _put(console, typed.node(), form, file, windows=windows, pictures=False, title=_title(name))
        _say(aside, typed.explain())
        return
    if typed is not None:
        game, state, whole = typed.game, None, max(typed.depth, 1)
    else:
        game, whole = guard.load(name), DEPTH
        state = position(game, text, moves)

    found = trace(
        game,
        state,
        depth=whole if depth is None and nodes is None else depth,
        nodes=MOST_NODES if nodes is None else nodes,
        opponent=policy(opponent, game),
        only=only,
        without=without,
    )
    root = found.tree()
    if pictures is None:
        pictures = game.draw is not None and sum(1 for _ in root.walk()) <= PICTURED
    if pictures and form == "svg":
        root = found.tree(pictures=True)
    _put(console, root, form, file, windows=windows, pictures=pictures, title=found.title)
    for line in found.explain().splitlines():
        _say(aside, line)


def _typed(name: str) -> Tree | None:
    """Return the explicit tree that *name* is, or that is in the file it names; None if it names a game."""
    if not _is_file(name):
        return read_tree(name) if not name.endswith(".py") and TYPED.match(name) else None
    try:
        return read_tree(Path(name).read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise OptionError(f"{name} is not a text file: {error.reason} at byte {error.start}; save it as UTF-8") from error
    except OSError as error:
        raise OptionError(
            f"{name} could not be read: {error.strerror}; a tree may also be typed: 'max(min(3, 12), min(2, 4))'"
        ) from error


def _is_file(name: str) -> bool:
    return name.lower().endswith((".tree", ".txt"))


def _title(name: str) -> str:
    return Path(name).stem if _is_file(name) else ""


def _put(console: Console, root: Node, form: str | None, file: Path | None, *, windows: bool, pictures: bool, title: str) -> None:
    """Write the tree into *file*, or else to the terminal."""
    if file is not None:
        write(root, file, form=form, windows=windows, pictures=pictures, title=title)
        _say(console, f"The tree is in {file}.")
    elif form is None or form == "text":
        _say(console, tree_text(root, windows=windows, plain=not _has_all_letters(console)))
    else:
        text = drawn(root, form, windows=windows, pictures=pictures, title=title).removesuffix("\n")
        if not _has_all_letters(console):  # all three formats know letters by their numbers
            text = text.encode("ascii", "xmlcharrefreplace").decode().replace("&#", "#" if form == "mermaid" else "&#")
        _say(console, text)


def _has_all_letters(console: Console) -> bool:
    return console.encoding.lower().startswith("utf")


def _say(console: Console, text: str) -> None:
    if not _has_all_letters(console):
        text = text.translate(PLAIN).encode(console.encoding, "replace").decode(console.encoding)
    console.print(text, markup=False, highlight=False, soft_wrap=True)
