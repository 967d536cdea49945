"""A process gives up its rights before it becomes an agent, and cannot get them back."""

import ctypes
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from outplay.arena.isolation import landlock, system_calls

SET_PDEATHSIG, SET_KEEPCAPS, SET_NO_NEW_PRIVS, CAP_AMBIENT = 1, 8, 38, 47
CAP_AMBIENT_RAISE = 2
READ_SEARCH = 2  # CAP_DAC_READ_SEARCH: permissions do not keep it from reading; Landlock does
CAPABILITY_VERSION = 0x20080522
HIGH_USER = 0x70000000  # above every real user; the number of a process is added
DEVICES = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom")  # not /dev/zero: it gives memory that no limit counts
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Resources:
    """How much an agent may take. Memory is in megabytes, as is the folder that it may write to."""

    memory_mb: int = 2048
    folder_mb: int = 16
    files: int = 64  # open at once
    tasks: int = 64  # threads, and processes where they are allowed
    cpu_seconds: int = 86_400  # of one process; a last resort


@dataclass(frozen=True)
class Confinement:
    """What an agent may still do; all else is denied.

    `readable`: files and folders; those that are also in `own` were brought by the agent, and must not be links. `folder`: where it may write; `removal`: it may also remove files there. `processes`: it may start
    others. `programs`: it may run programs. `user`: the number of the user that it becomes; None if this process is not root.
    """

    readable: tuple[str, ...]
    folder: str
    own: tuple[str, ...] = ()
    removal: bool = False
    processes: bool = False
    programs: bool = False
    user: int | None = None
    resources: Resources = field(default_factory=Resources)
    in_namespace: bool = False


def confine(what: Confinement) -> None:
    """Give up every right that *what* does not name; raise an OSError if that fails."""
    abi = landlock.landlock_abi()
    if abi < 1:
        raise OSError("this kernel has no Landlock")
    parent = os.getppid()
    os.chdir(what.folder)
    os.umask(0o077)
    limit_resources(what)
    ruleset = landlock.make_ruleset(abi, rules(what), own=what.own)
    if what.user is not None:
        become(what.user, search=any(not open_to_all(path) for path in what.readable))
    prctl(SET_PDEATHSIG, signal.SIGKILL)  # a change of the user has cleared it
    if not what.in_namespace and os.getppid() != parent:
        os._exit(1)
    prctl(SET_NO_NEW_PRIVS, 1)
    landlock.enforce(ruleset)
    denied = system_calls.denials(
        pid=os.getpid(),
        processes=what.processes,
        programs=what.programs,
        signals=what.processes and (abi >= 6 or what.in_namespace),
    )
    system_calls.install_filter(system_calls.filter_program(denied))


def rules(what: Confinement) -> Iterator[tuple[str, int]]:
    """Yield the paths that Landlock allows, each with the allowed accesses."""
    for path in what.readable:
        if os.path.exists(path):
            yield path, landlock.RUN if what.programs else landlock.READ
    for device in DEVICES:
        if os.path.exists(device):
            yield device, landlock.READ_FILE | landlock.WRITE_FILE
    if what.in_namespace and what.programs:
        yield "/proc", landlock.READ
    yield what.folder, landlock.OWN if what.removal else landlock.KEEP


def limit_resources(what: Confinement) -> None:
    """Set the limits that the kernel enforces for each process."""
    import resource

    allowed = what.resources
    memory = allowed.memory_mb * MEGABYTE
    # A program that is not Python may reserve far more addresses than it uses: only what it can write to counts.
    limits = [(resource.RLIMIT_DATA if what.programs else resource.RLIMIT_AS, memory)]
    limits += [
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, allowed.cpu_seconds),
        (resource.RLIMIT_FSIZE, allowed.folder_mb * MEGABYTE),
        (resource.RLIMIT_NOFILE, allowed.files),
        (resource.RLIMIT_MEMLOCK, 65_536),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_SIGPENDING, 256),
        (resource.RLIMIT_NICE, 0),
        (resource.RLIMIT_RTPRIO, 0),
    ]
    alone = what.user is not None or what.in_namespace  # no other process counts towards its limit
    limits.append((resource.RLIMIT_NPROC, allowed.tasks if alone else tasks_of_user(os.getuid()) + 8 * allowed.tasks))
    for kind, most in limits:
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


def tasks_of_user(user: int) -> int:
    """Return how many threads a user has now."""
    found = 0
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with suppress(OSError):
                if process.stat().st_uid == user:
                    found += len(os.listdir(process / "task"))
    return found


def unused_user(process: int) -> int | None:
    """Return the number of a user that does not exist, for the agent of *process*; None if this process cannot become another user."""
    if os.geteuid() != 0:
        return None
    try:
        ranges = [tuple(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text().splitlines()]
    except (OSError, ValueError):
        return None
    for first, _, length in sorted(ranges, reverse=True):
        if first <= HIGH_USER < first + length - (1 << 22):
            return HIGH_USER + process
        if length > 60_000:  # a container: the upper part of what it has
            return int(first + length // 2 + process % (length // 2 - 600))
    return None


def open_to_all(path: str) -> bool:
    """Return whether a user without rights can read *path* and reach it."""
    try:
        real = Path(path).resolve()
        mode = real.stat().st_mode
        reached = all(folder.stat().st_mode & 0o001 for folder in real.parents)
        return reached and bool(mode & 0o004) and (not real.is_dir() or bool(mode & 0o001))
    except OSError:
        return True  # there is nothing to read


def become(user: int, *, search: bool) -> None:
    """Become another user without any rights; with *search*, it may still read all files, and only Landlock limits it."""
    if search:
        prctl(SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    if search:
        set_capabilities(1 << READ_SEARCH)
        prctl(CAP_AMBIENT, CAP_AMBIENT_RAISE, READ_SEARCH)


def set_capabilities(bits: int) -> None:
    """Keep the capabilities *bits*, all below 32, and no other."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    data = (ctypes.c_uint32 * 6)(bits, bits, bits, 0, 0, 0)
    library = ctypes.CDLL(None, use_errno=True)
    if library.capset(header, data) != 0:
        raise OSError(ctypes.get_errno(), "capset fails")


def prctl(option: int, *arguments: int) -> None:
    """Call prctl; raise an OSError if it fails."""
    library = ctypes.CDLL(None, use_errno=True)
    given = [ctypes.c_ulong(argument) for argument in (*arguments, 0, 0, 0, 0)[:4]]
    if library.prctl(ctypes.c_int(option), *given) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl({option}): {os.strerror(number)}")
