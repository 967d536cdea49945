"""The words of a report: names and last words of agents, which are hostile input, and numbers, all as HTML."""

import html
import os
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from outplay.arena.report_plots import DASH, minus
from outplay.arena.standings import Standing

MOST_NAME = 48  # characters of an agent's name


FOLDERS = re.compile(r"(?<![\w.:/\\])(?:/(?:[^\s/'\":,()<>]+/)+|[A-Za-z]:\\(?:[^\s\\'\":,()<>]+\\)+)(?=[^\s/\\])")


def without_folders(text: str, known: Iterable[Path] = ()) -> str:
    """Return *text* with only the names of files: where they lie on the machine of the tournament is nobody's business. *known*: folders."""
    for folder in sorted({str(one) for one in known if one != one.parent}, key=len, reverse=True):
        text = text.replace(f"{folder}{os.sep}", "")
    return FOLDERS.sub("", text)


def plain(text: object, most: int, *, lines: bool = False) -> str:
    """Return *text* with its invisible characters written out, and cut to *most* characters; *lines*: ends of lines stay."""
    said = str(text)
    cut = said[:most]
    shown = "".join(_shown(letter) if letter not in ("\n", "\t") or not lines else letter for letter in cut)
    return shown + "…" * (len(said) > most)


def _shown(letter: str) -> str:
    """Return a character as it is if it can be seen: controls, half characters and what turns the direction are written as numbers."""
    if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        code = ord(letter)
        return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
    return letter


def escaped(text: object, most: int = 400, *, lines: bool = False) -> str:
    """Return a stranger's text as HTML."""
    return html.escape(plain(text, most, lines=lines))


@lru_cache(10_000)
def named(agent: str) -> str:
    """Return an agent's name as HTML, in a direction of its own."""
    whole = f' title="{escaped(agent)}"' if len(agent) > MOST_NAME else ""
    return f'<bdi class="name"{whole}>{escaped(agent, MOST_NAME)}</bdi>'


def points(number: float) -> str:
    """Return points, with a half as a fraction."""
    whole, half = divmod(number, 1)
    return f"{whole:g}"[: None if whole or not half else 0] + "½" * (half > 0)


def figure(number: float | None) -> str:
    """Return a score, or a dash if there is none."""
    return DASH if number is None else minus(f"{number:,.6g}")


def mean_words(one: Standing) -> str:
    """Return the mean score of a solitaire with its interval."""
    if one.mean is None:
        return DASH
    if one.mean_low is None or one.mean_high is None:
        return figure(one.mean)
    return f'{minus(f"{one.mean:,.4g}")} <span class="error">{minus(f"{one.mean_low:,.4g}")} to {minus(f"{one.mean_high:,.4g}")}</span>'


def percent(share: float) -> str:
    """Return a likelihood; one that is not quite certain is not called so."""
    if share < 0.001:
        return "&lt;&nbsp;0.1&nbsp;%"
    return "&gt;&nbsp;99.9&nbsp;%" if share > 0.999 else f"{share:.1%}".replace("%", "&nbsp;%")
