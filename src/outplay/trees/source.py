"""The text of a tree, and errors that show the place in it."""

import unicodedata

from outplay.errors import TreeError

MOST_CHARACTERS = 100_000
WIDTH = 100  # of a quoted line: of a longer one, what is around the place
CUT = "…"


class Source:
    """A text with one kind of line end, and each letter with its accents as one."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise TreeError(f"a tree is typed as text, and this is a {type(text).__name__}; for lists write tree(str(lists))")
        if len(text) > MOST_CHARACTERS:
            raise TreeError(
                f"the text has {len(text):,} characters, and a tree may have {MOST_CHARACTERS:,}; "
                "write a game instead (outplay.Game), where rules say what follows"
            )
        self.text = unicodedata.normalize("NFC", text.removeprefix("\ufeff")).replace("\r\n", "\n").replace("\r", "\n")

    def error(self, at: int, message: str) -> TreeError:
        """Return the error that says *message* of the place *at*, with the line quoted and a caret beneath."""
        begin = self.text.rfind("\n", 0, at) + 1
        end = self.text.find("\n", at)
        line = self.text[begin : end if end >= 0 else len(self.text)]
        number, column = self.text.count("\n", 0, at) + 1, at - begin
        quoted, caret = _around(line, column)
        return TreeError(
            f"line {number}, column {column + 1}: {message}\n    {quoted}\n    {' ' * caret}^", line=number, column=column + 1
        )

    def shown(self, begin: int, end: int) -> str:
        """Return a short piece of the text in quotes, for a message."""
        piece = _printable(self.text[begin:end])
        return repr(piece if len(piece) <= 30 else piece[:29] + CUT)


def _around(line: str, column: int) -> tuple[str, int]:
    """Return what of *line* is quoted, and where *column* is in it."""
    before = max(0, min(column - WIDTH // 2, len(line) - WIDTH))
    piece = _printable(line[before : before + WIDTH])
    if before:
        piece = CUT + piece[1:]
    if before + WIDTH < len(line):
        piece = piece[:-1] + CUT
    return piece.rstrip(), column - before


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " if letter.isspace() else "?" for letter in text)
