"""Example trees: each is a text in this folder with a comment that explains it."""

from importlib.resources import files


def examples() -> dict[str, str]:
    """Return the texts of all examples by name."""
    found = {path.name: path for path in files(__name__).iterdir() if path.name.endswith(".tree")}
    return {name.removesuffix(".tree"): found[name].read_text(encoding="utf-8") for name in sorted(found)}
