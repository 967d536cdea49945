"""Rules that do not come back: which one it is, in which line, and at which state, as far as its thread shows that."""

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from outplay.errors import OutplayError

GAMES = ("outplay_file_", "outplay.games.")  # how the modules are called that rules stand in
STATE = 200  # characters of a state
LOOK = 0.3  # seconds between two looks: who is in the same call of a rule at both does not come back
REPLAY = 3.0  # seconds to come to the same rule interpreted
ADVICE = "See whether a loop in it ends."
UNKNOWN = f"A rule of the game has not returned. {ADVICE}"


def rule_call(ident: int | None) -> FrameType | None:
    """Return the call of a rule that a thread is in, None if it is in none."""
    found, frame = None, sys._current_frames().get(ident or 0)
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).startswith(GAMES):
            found = frame  # the outermost one is the rule, those inside it are what it calls
        frame = frame.f_back
    return found


def sentence(ident: int | None) -> str:
    """Return which rule the thread is in, its line and its state, and what to look for."""
    call = rule_call(ident)
    if call is None:
        return UNKNOWN
    code, line = call.f_code, call.f_lineno
    inner = sys._current_frames().get(ident or 0)
    while inner is not None and inner.f_code.co_filename != code.co_filename:
        inner = inner.f_back
    state = _state(call)
    line = inner.f_lineno if inner is not None else line
    return f"The rule {code.co_name} has not returned: line {line} of {Path(code.co_filename).name}{state}. {ADVICE}"


def _state(call: FrameType) -> str:
    """Return what the rule was called with, as far as it can be said."""
    names = call.f_code.co_varnames[: call.f_code.co_argcount]
    try:
        text = repr(call.f_locals[names[0]])
    except Exception:  # it has no argument, or one that does not write itself
        return ""
    return f", at {text[:STATE]}" + ("…" if len(text) > STATE else "")


def stuck(threads: Callable[[], list[int]]) -> str:
    """Return the sentence for a thread that stays in one call of a rule; `UNKNOWN` where none does."""
    before = {ident: rule_call(ident) for ident in threads()}
    time.sleep(LOOK)
    for ident, call in before.items():
        if call is not None and rule_call(ident) is call:
            return sentence(ident)
    return UNKNOWN


def interpreted(replay: Callable[[], Any], end: Callable[[int], None]) -> str:
    """Return the sentence for the rule that *replay*, the same work interpreted, does not come back from; *end* ends its thread."""
    said: list[str] = []

    def target() -> None:
        try:
            replay()
        except OutplayError as error:
            said.append(str(error))
        except BaseException:  # it is ended
            pass

    thread = threading.Thread(target=target, name="outplay-replay", daemon=True)
    already = {thread.ident for thread in threading.enumerate()}
    thread.start()
    thread.join(REPLAY)
    if not thread.is_alive():
        return said[0] if said else UNKNOWN

    def ours() -> list[int]:
        return [other.ident or 0 for other in threading.enumerate() if other.ident not in already]

    found = stuck(ours)
    for ident in ours():
        end(ident)
    return found
