"""Games by name: the built-in ones, with parameters, and those in a user's file."""

import dataclasses
import difflib
import importlib
import importlib.util
import inspect
import pkgutil
import re
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import outplay.games
from outplay.errors import OptionError, OutplayError, UnknownGame
from outplay.rules import loading
from outplay.rules.game import Game, marked
from outplay.rules.loading import watched_loading
from outplay.rules.pickling import remember

NUMBERED = "game_"  # before the name of a game that begins with a digit: no name in Python does
FILE = "outplay_file_"  # how the modules of users' files are called


def names() -> list[str]:
    """Return the names of the built-in games."""
    modules = [module.name for module in pkgutil.iter_modules(outplay.games.__path__) if not module.ispkg]
    return sorted(name.removeprefix(NUMBERED).replace("_", "-") for name in modules if name != "catalogue")


def maker(name: str) -> Callable[..., Game]:
    """Return the function that makes the built-in game *name*."""
    if name not in names():
        near = difflib.get_close_matches(name, names(), n=1, cutoff=0.6)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names())}."
        raise UnknownGame(f"there is no game {name!r}; {hint} A game of your own is named by its file, such as mygame.py")
    python_name = (NUMBERED if name[0].isdecimal() else "") + name.replace("-", "_")
    function: Callable[..., Game] = getattr(importlib.import_module(f"outplay.games.{python_name}"), python_name)
    return function


def parted(text: str) -> tuple[str, str]:
    """Return the game's name or file that *text* says, and what follows the colon."""
    name, _, rest = text.partition(":")
    if len(name) == 1 and rest.startswith(("\\", "/")):  # a drive letter
        drive, (name, _, rest) = name, rest.partition(":")
        name = f"{drive}:{name}"
    return name, rest


def load(text: str) -> Game:
    """Return the game that *text* names: `pig`, `connect-four:columns=5,rows=5`, `mygame.py` or `mygame.py:variable`."""
    name, rest = parted(text)
    if name.endswith(".py") or "/" in name or "\\" in name:
        return from_file(Path(name), rest)
    return built_in(text)


def built_in(text: str) -> Game:
    """Return the built-in game that *text* names. No file is opened: the text may come from a stranger."""
    name, rest = parted(text)
    make = maker(name)
    try:
        game = marked(make(**_chosen(name, make, rest)), loaded_as=text)
    except (TypeError, OverflowError) as error:  # a text where a number belongs, or one beyond all bounds
        raise OptionError(f"{text!r} cannot be made: {error}") from None
    remember(game, built_in, text)
    return game


def without_usual(text: str) -> str:
    """Return *text*, which names a built-in game, without the parameters that have their usual values."""
    name, rest = parted(text)
    make = maker(name)
    usual = inspect.signature(make).parameters
    chosen = {key: value for key, value in _chosen(name, make, rest).items() if value != usual[key].default}
    return name + (":" + ",".join(f"{key}={value}" for key, value in sorted(chosen.items())) if chosen else "")


def parameters(make: Callable[..., Game]) -> str:
    """Return what may be chosen of a built-in game, with what is chosen if nothing is said, as it is typed."""
    known = inspect.signature(make).parameters.values()
    return ", ".join(f"{key.name}={str(key.default).lower() if isinstance(key.default, bool) else key.default}" for key in known)


def summary(make: Callable[..., Game]) -> str:
    """Return what a built-in game is, in one line: the first of its docstring, without the asterisks around parameters."""
    return (make.__doc__ or "").strip().partition("\n")[0].replace("*", "")


def _chosen(name: str, make: Callable[..., Game], text: str) -> dict[str, Any]:
    known = inspect.signature(make).parameters
    chosen: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key not in known:
            offered = parameters(make) or "none"
            raise OptionError(
                f"{part!r} is not a parameter of {name}; the parameters are: {offered}, written {name}:key=value,key=value"
            )
        if key in chosen:
            raise OptionError(f"{key} is given twice in {text!r}; give it once")
        try:
            chosen[key] = int(value)
        except ValueError:
            chosen[key] = value
    return chosen


def module_of(path: Path, *, function: str = "") -> ModuleType:
    """Return the Python file *path* as a module, or raise an UnknownGame that says why it cannot be loaded.

    *function*: what is looked for in it, where that is not a Game.
    """
    if path.is_dir():
        wanted = f"the function {function}" if function else "the Game"
        raise UnknownGame(f"{str(path)!r} is a folder; name the Python file in it that has {wanted}")
    if not path.is_file():
        wanted = f"the function {function} in it" if function else f"a Game in it, or one of {', '.join(names())}"
        raise UnknownGame(f"there is no file {str(path)!r}; name a Python file with {wanted}")
    module_name = _module_name(path)
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise UnknownGame(f"{str(path)!r} is no Python file; its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    folder = str(path.parent.resolve())
    sys.path.insert(0, folder)  # so that it finds what stands beside it
    watch = None
    try:
        with watched_loading(path, module) as watch:
            spec.loader.exec_module(module)
    except BaseException as error:
        sys.modules.pop(module_name, None)
        if isinstance(error, (OutplayError, KeyboardInterrupt)):
            raise
        if watch is not None and watch.line:
            why = (
                f"it computes for more than {loading.PATIENCE:g} seconds while it is loaded (line {watch.line}); {loading.REMEDY}"
            )
            raise UnknownGame(f"{path} cannot be loaded: {why}") from None
        raise UnknownGame(f"{path} cannot be loaded: {_said(error, path)}") from None
    finally:
        with suppress(ValueError):  # the file itself may have taken it away
            sys.path.remove(folder)
    return module


def own_words(game: Game) -> str:
    """Return the docstring of the file that *game* was loaded from; "" for other games."""
    scope = getattr(game.play, "__globals__", {})
    if not str(scope.get("__name__", "")).startswith(FILE):
        return ""
    return inspect.cleandoc(str(scope.get("__doc__") or ""))


def names_a_function(text: str) -> bool:
    """Return whether *text* is written as FILE.py:function."""
    file, _, name = text.rpartition(":")
    return file.endswith(".py") and bool(name)


def function_in(text: str) -> Callable[..., Any]:
    """Return the function that *text* names, as FILE.py:function."""
    file, _, name = text.rpartition(":")
    function = getattr(module_of(Path(file), function=name), name, None)
    if not callable(function):
        raise OptionError(f"{file} has no function {name!r}")
    return function  # type: ignore[no-any-return]


def from_file(path: Path, variable: str = "") -> Game:
    """Return the `Game` in the Python file *path*; *variable* says which, where there are several."""
    game = _game_in(module_of(path), path, variable)
    remember(game, _again, path.absolute(), variable)
    return game


def _again(path: Path, variable: str) -> Game:
    """Return a game out of a pickle: of the file as it was loaded in this process, or else loaded now."""
    module = sys.modules.get(_module_name(path))
    if module is not None and Path(module.__file__ or "").absolute() == path:
        return _game_in(module, path, variable)
    return from_file(path, variable)


def _module_name(path: Path) -> str:
    return f"{FILE}{path.stem}"


def _game_in(module: ModuleType, path: Path, variable: str) -> Game:
    found = {name: value for name, value in vars(module).items() if isinstance(value, Game)}
    if variable:
        if variable not in found:
            raise UnknownGame(f"{path} has no Game named {variable!r}; it has {', '.join(found) or 'none at all'}")
        return found[variable]
    if not found:
        raise UnknownGame(f"{path} has no Game in it; write game = Game(name=..., start=..., turn=..., ...) at its end")
    if len(set(found.values())) > 1 and "game" not in found:
        raise UnknownGame(f"{path} has several games: {', '.join(found)}; say which, as {path}:{next(iter(found))}")
    return found.get("game") or next(iter(found.values()))


def _said(error: BaseException, path: Path) -> str:
    """Return an error with the line of the file that it came from."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f"{error.msg} (line {error.lineno})"
    if isinstance(error, SyntaxError) or (isinstance(error, ValueError) and "null bytes" in str(error)):
        return f"it is not Python in UTF-8 ({error})"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).absolute() == path.absolute()]
    where = f" (line {lines[-1]})" if lines else ""
    if isinstance(error, SystemExit):
        return f'it leaves Python by sys.exit or exit{where}; put that below if __name__ == "__main__":'
    if isinstance(error, loading.AsksAPerson):
        return f"input(...) asks a person while the file is loaded{where}; {loading.REMEDY}"
    hint = ""
    if found := re.search(r"Game\.__init__\(\) got an unexpected keyword argument '(\w+)'", str(error)):
        known = [field.name for field in dataclasses.fields(Game) if field.init]
        near = difflib.get_close_matches(found[1], known, n=1)
        return f"a Game has no {found[1]!r}{where}; {f'did you mean {near[0]!r}? It' if near else 'it'} takes {', '.join(known)}"
    if found := re.search(r"Game\.__init__\(\) missing \d+ required \S+ arguments?: (.+)", str(error)):
        return f"Game(...) leaves out {found[1]}{where}; give each of them"
    if found := re.search(r"(\w+)\.__new__\(\) missing \d+ required positional arguments?: (.+)", str(error)):
        return f"{found[1]}(...) leaves out {found[2]}{where}; give every field"
    if found := re.search(r"(\w+)\.__new__\(\) (?:takes|got) ", str(error)):
        return f"{found[1]}(...) gets something that is not a field, or one field twice{where}; give every field once"
    if found := re.search(r"(\w+)\(\) takes no arguments", str(error)):
        hint = f"; write class {found[1]}(NamedTuple): with a line for each field, such as stones: int"
    elif "'NamedTuple' is not defined" in str(error):
        hint = "; write from typing import NamedTuple at the top"
    return f"{type(error).__name__}: {error}{where}{hint}"
