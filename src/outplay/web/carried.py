"""What is raised in a thread, carried over to the loop's."""

from outplay.errors import RuleRaised


def carried(error: BaseException) -> Exception:
    """Return *error* as one that the loop's thread may raise: a rule that calls `exit()` must not end the server."""
    if isinstance(error, Exception) and not isinstance(error, StopIteration):  # which no future takes
        return error
    return RuleRaised(f"a rule raised {type(error).__name__}: {error}")
