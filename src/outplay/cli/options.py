"""What several commands take: techniques."""


def techniques(text: str) -> tuple[str, ...]:
    """Return the techniques that *text* lists; "none" lists none."""
    return tuple(name.strip() for name in text.split(",") if name.strip() not in ("", "none"))
