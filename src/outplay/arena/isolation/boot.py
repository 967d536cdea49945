"""The first file that the warden and an agent inside bubblewrap run, by its path: it finds the package from there.

`outplay` itself is imported when something asks for a name in it. An agent that asks for none starts in a third of the time.
"""

import importlib.util
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[2]


def lazy_package() -> None:
    """Make `outplay` a package whose modules can be imported at once, and whose names are loaded when one is asked for."""
    spec = importlib.util.spec_from_file_location("outplay", PACKAGE / "__init__.py", submodule_search_locations=[str(PACKAGE)])
    assert spec is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules["outplay"] = package

    def load(name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        if "__getattr__" in vars(package):
            del package.__getattr__
            assert isinstance(spec.loader, importlib.machinery.SourceFileLoader)
            spec.loader.exec_module(package)
        if name not in vars(package):
            raise AttributeError(f"module {package.__name__!r} has no attribute {name!r}")
        return vars(package)[name]

    package.__getattr__ = load  # type: ignore[method-assign]


if __name__ == "__main__":
    lazy_package()
    what, given = sys.argv[1:3]
    sys.argv = [sys.argv[0]]
    if what == "warden":
        from outplay.arena.isolation.warden import serve

        serve(int(given))
    else:
        from outplay.arena.isolation.supervisor import run_confined

        run_confined(given)
