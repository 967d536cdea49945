"""Landlock: a process names the files that it needs, and gives up all others, the network and signals, also for its children."""

import ctypes
import os
import stat
from collections.abc import Collection, Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every machine
ABI_ONLY, PATH_BENEATH = 1, 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = (1 << bit for bit in range(6))
MAKE_CHAR, MAKE_DIR, MAKE_REG, MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK, MAKE_SYM, REFER, TRUNCATE, IOCTL_DEV = (
    1 << bit for bit in range(6, 16)
)
OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
READ = READ_FILE | READ_DIR
RUN = READ | EXECUTE
KEEP = READ | WRITE_FILE | MAKE_REG | TRUNCATE  # files can be made and written, but never removed
OWN = KEEP | MAKE_DIR | REMOVE_FILE | REMOVE_DIR

BOTH_TCP, BOTH_SCOPES = 3, 3  # bind and connect; abstract sockets and signals


class RulesetAttributes(ctypes.Structure):
    """`struct landlock_ruleset_attr`; older kernels know only its beginning."""

    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class PathAttributes(ctypes.Structure):
    """`struct landlock_path_beneath_attr`."""

    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def system_call(number: int, *arguments: object) -> int:
    """Make a system call; raise an OSError if it fails."""
    library = ctypes.CDLL(None, use_errno=True)
    given = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    library.syscall.restype = ctypes.c_long
    found = int(library.syscall(ctypes.c_long(number), *given))
    if found < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return found


def landlock_abi() -> int:
    """Return the version of Landlock that this kernel has; 0 if it has none."""
    try:
        return system_call(CREATE_RULESET, None, 0, ABI_ONLY)
    except (OSError, AttributeError):
        return 0


def handled_files(abi: int) -> int:
    """Return all accesses to files that Landlock of this version can deny."""
    return (1 << (13 + (abi >= 2) + (abi >= 3))) - 1 | (IOCTL_DEV if abi >= 5 else 0)


def make_ruleset(abi: int, rules: Iterable[tuple[str, int]], *, own: Collection[str] = ()) -> int:
    """Return the descriptor of a ruleset: no network, no signal to another process, and of all files only what *rules* allow.

    A rule is a path that exists, and what may be done with it and with all that is beneath it. A path in *own* is not followed if it
    is a link: the rule then allows nothing.
    """
    handled = handled_files(abi)
    attributes = RulesetAttributes(handled, BOTH_TCP if abi >= 4 else 0, BOTH_SCOPES if abi >= 6 else 0)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = system_call(CREATE_RULESET, ctypes.byref(attributes), size, 0)
    for path, allowed in rules:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC | (os.O_NOFOLLOW if path in own else 0))
        try:
            if stat.S_ISLNK(os.fstat(parent).st_mode):
                continue
            if not stat.S_ISDIR(os.fstat(parent).st_mode):
                allowed &= OF_A_FILE
            rule = PathAttributes(allowed & handled, parent)
            system_call(ADD_RULE, ruleset, PATH_BENEATH, ctypes.byref(rule), 0)
        finally:
            os.close(parent)
    return ruleset


def enforce(ruleset: int) -> None:
    """Restrict this thread, and all that it starts, to *ruleset*. It needs no_new_privs."""
    system_call(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
