"""What several commands take: techniques."""


def techniques(texts: list[str] | None) -> tuple[str, ...] | None:
    """Return the techniques that all of *texts* list, by commas; "none" lists none. None where nothing is said."""
    if not texts:
        return None
    names = (name.strip() for text in texts for name in text.split(","))
    return tuple(name for name in names if name not in ("", "none"))
