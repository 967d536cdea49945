"""A fresh Python process for a test, without the second that it takes to import Numba and the command line.

A server imports them once and forks for each program. A forked process has compiled nothing and knows no game, as a new one.
What is tested of the start of a process itself starts one by `subprocess`.
"""

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from patience import PATIENCE

_servers: dict[int, subprocess.Popen[str]] = {}  # by process: a forked process has no server


def kernels_in(cache):
    """Return the files of kernels in *cache*, without the one helper of `minimax` that all games share."""
    return [path for path in cache.glob("*.kernel") if b"sums_to_one" not in path.read_bytes()[:400]]


def outplay(*arguments, given="", cwd=None, env=None):
    """Run the command line; return a CompletedProcess with its output as text."""
    return _run({"module": "outplay", "argv": ["outplay", *map(str, arguments)]}, given, cwd, env)


def python(code, *arguments, given="", cwd=None, env=None):
    """Run *code* as `python -c` does; return a CompletedProcess with its output as text."""
    return _run({"code": code, "argv": ["-c", *map(str, arguments)]}, given, cwd, env)


def _run(program, given, cwd, env):
    if not hasattr(os, "fork"):
        start = ["-m", program["module"]] if "module" in program else ["-c", program["code"]]
        command = [sys.executable, *start, *program["argv"][1:]]
        return subprocess.run(
            command, input=given, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    with tempfile.TemporaryDirectory() as folder:
        streams = [os.path.join(folder, name) for name in ("in", "out", "err")]
        Path(streams[0]).write_text(given)
        asked = {**program, "cwd": str(cwd or os.getcwd()), "env": dict(env or os.environ), "streams": streams}
        status = _ask(asked)
        out, err = (Path(stream).read_text() for stream in streams[1:])
    return subprocess.CompletedProcess(program["argv"], status, out, err)


def _ask(asked):
    server = _servers.get(os.getpid())
    if server is None:
        server = _servers[os.getpid()] = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        atexit.register(_end, os.getpid())
    print(json.dumps(asked), file=server.stdin, flush=True)
    answer = server.stdout.readline()
    assert answer, "the server of processes has ended"
    return json.loads(answer)


def _end(process):
    if process == os.getpid():
        server = _servers.pop(process)
        server.stdin.close()
        server.wait()
        server.stdout.close()


def _next_program():
    """Fork for each program that is asked for; return it in the child, and None in the server at its end."""
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            return asked
        signal.signal(signal.SIGALRM, lambda *_, child=child: os.kill(child, signal.SIGKILL))
        signal.alarm(int(PATIENCE))  # a program that takes so long does not end
        _, status = os.waitpid(child, 0)
        signal.alarm(0)
        print(os.waitstatus_to_exitcode(status), flush=True)
    return None


def _become(asked):
    """Make this forked process look like one that was started for the program."""
    for number, (path, flags) in enumerate(zip(asked["streams"], (os.O_RDONLY, *2 * (os.O_WRONLY | os.O_CREAT,)), strict=True)):
        stream = os.open(path, flags, 0o600)
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin = sys.__stdin__ = open(0, closefd=False)  # noqa: SIM115  # the server's may hold what it has read
    os.environ.clear()
    os.environ.update(asked["env"])
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    os.chdir(asked["cwd"])
    sys.path[0] = "" if "code" in asked else asked["cwd"]
    sys.argv = asked["argv"]


if __name__ == "__main__":
    import importlib
    import runpy

    for name in ("numpy", "outplay.cli.main", "outplay.compile.numba_import"):
        importlib.import_module(name)
    sys.modules["outplay.compile.numba_import"].import_numba()
    if (program := _next_program()) is not None:
        _become(program)
        if "module" in program:
            del sys.modules["outplay.cli.main"]  # it looks at the terminal when it is imported
            runpy.run_module(program["module"], run_name="__main__", alter_sys=True)
        else:
            exec(compile(program["code"], "<string>", "exec"), {"__name__": "__main__", "__builtins__": __builtins__})
