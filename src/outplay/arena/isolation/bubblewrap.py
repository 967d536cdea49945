"""Tier W: bubblewrap gives a process namespaces of its own, in which there is nothing but what it may read."""

import os
import shutil

from outplay.arena.isolation.confinement import DEVICES, MEGABYTE, Confinement

FOLDER = "/private"  # inside, a file system in memory of limited size


def find_bubblewrap() -> str | None:
    """Return the path of bubblewrap; None if it is not installed."""
    return shutil.which("bwrap", path="/usr/local/bin:/usr/bin:/bin") or shutil.which("bwrap")


def bubblewrap_command(what: Confinement, command: list[str]) -> list[str]:
    """Return the command that runs *command* in namespaces of its own: processes, network, IPC, host name, files and, unless root, users.

    Root needs no namespace of users, and must not have one: the throwaway user would not be in it.
    """
    program = find_bubblewrap()
    if program is None:
        raise FileNotFoundError("bubblewrap is not installed")
    found = [program, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    if os.geteuid() == 0:
        found += ["--cap-drop", "ALL"]
        for name in ("CAP_SETUID", "CAP_SETGID", "CAP_DAC_READ_SEARCH"):
            found += ["--cap-add", name]
    else:
        found += ["--unshare-user", "--cap-drop", "ALL"]
    found += ["--die-with-parent", "--new-session", "--hostname", "agent", "--proc", "/proc"]
    for device in DEVICES:
        found += ["--dev-bind-try", device, device]
    found += ["--perms", "1777", "--size", str(what.resources.folder_mb * MEGABYTE), "--tmpfs", FOLDER]
    bound: list[str] = []
    for path in sorted(set(what.readable)):  # a folder before what is in it, which is then there already
        if any(path.startswith(f"{folder}/") for folder in bound) or (path in what.own and os.path.islink(path)):
            continue
        bound.append(path)
        if os.path.islink(path) and os.path.isdir(path) and os.path.dirname(path) == "/":
            found += ["--symlink", os.readlink(path), path]
        else:
            found += ["--ro-bind-try", path, path]
    return [*found, "--remount-ro", "/", "--chdir", FOLDER, "--", *command]
