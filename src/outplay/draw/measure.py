"""Estimates the width of a text, because the reader's font is unknown."""

NARROW = set("iljtfrI.,:;|!'`()[]{}/\\- ")
WIDE = set("mwMW@%…—→←≥≤∞▲▼●■+=<>±×−")


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the approximate width of *text* in a common sans serif of *size*, rather too large than too small."""
    ems = sum(_ems(letter) for letter in text)
    return ems * size * (1.07 if bold else 1.0)


def _ems(letter: str) -> float:
    if letter in NARROW:
        return 0.36
    if letter in WIDE:
        return 0.9
    if ord(letter) >= 0x1100:  # East Asian letters and pictographs fill their square
        return 1.05
    return 0.72 if letter.isupper() else 0.6


def shortened(text: str, letters: int) -> str:
    """Return *text* on one line, with an ellipsis if it has more than so many *letters*."""
    line = " ".join(text.split())
    return line if len(line) <= letters else line[: letters - 1].rstrip() + "…"
