"""A seccomp filter: the system calls that an agent has no honest use for fail, and a call of another machine kills it."""

import ctypes
import errno
import platform
import struct
from dataclasses import dataclass

from outplay.arena.isolation.landlock import system_call
from outplay.arena.isolation.syscall_numbers import CONDITIONAL, FORBIDDEN, LAST_KNOWN

MACHINES = {"x86_64": (0, 0xC000003E, 317), "aarch64": (1, 0xC00000B7, 277)}  # column, audit number, number of `seccomp`
NUMBERS = FORBIDDEN | CONDITIONAL
SET_MODE_FILTER = 1
KILL, ALLOW, ERROR = 0x80000000, 0x7FFF0000, 0x00050000
LOAD, AND, EQUAL, GREATER, ABOVE, RETURN = 0x20, 0x54, 0x15, 0x25, 0x35, 0x06
X32 = 0x40000000  # the third set of calls of an x86_64 machine

CLONE_THREAD, NEW_NAMESPACES = 0x00010000, 0x7E020000
SHARED_AND_ANONYMOUS = 0x21
TEMPORARY_FILE = 0x400000  # O_TMPFILE: a file that no folder shows
PDEATHSIG, SET_OWN, SET_SIGNAL, SET_OWN_EX = 1, 8, 10, 15
TERMINAL_INPUT, LINUX_CONSOLE, OWN_BY_IOCTL, GROUP_BY_IOCTL = 0x5412, 0x541C, 0x8901, 0x8902


@dataclass(frozen=True)
class Denial:
    """A call fails with `error`; with a `mask`, only where (argument & mask) == value, or != value if not `equal`."""

    call: str
    error: int = errno.EPERM
    argument: int = 0
    mask: int = 0
    value: int = 0
    equal: bool = True


def denials(*, pid: int, processes: bool, programs: bool, signals: bool) -> list[Denial]:
    """Return what is denied to the process *pid*. The flags say whether it may start *processes*, run *programs* or send *signals*.

    In any case it may send signals to itself and start threads.
    """
    whole = 0xFFFFFFFF
    found = [Denial(name) for name in FORBIDDEN]
    found += [Denial("clone3", errno.ENOSYS), Denial("openat2", errno.ENOSYS)]  # the C library then uses clone and openat
    found += [Denial("clone", argument=0, mask=NEW_NAMESPACES, value=0, equal=False)]
    if not processes:
        found += [Denial("fork"), Denial("vfork"), Denial("clone", argument=0, mask=CLONE_THREAD, value=0)]
    if not programs:
        found += [Denial("execve"), Denial("execveat")]
    if not signals:
        found += [
            Denial(name, argument=0, mask=whole, value=pid, equal=False)
            for name in ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
        ]
        found += [Denial("pidfd_send_signal"), Denial("pidfd_open")]
    for name in ("prlimit64", "sched_setaffinity"):
        found.append(Denial(name, argument=0, mask=whole, value=0, equal=False))
    found.append(Denial("prctl", argument=0, mask=whole, value=PDEATHSIG))
    found += [Denial("fcntl", argument=1, mask=whole, value=command) for command in (SET_OWN, SET_SIGNAL, SET_OWN_EX)]
    for command in (TERMINAL_INPUT, LINUX_CONSOLE, OWN_BY_IOCTL, GROUP_BY_IOCTL):
        found.append(Denial("ioctl", argument=1, mask=whole, value=command))
    for name, argument in (("open", 1), ("openat", 2)):
        found.append(Denial(name, errno.EOPNOTSUPP, argument, TEMPORARY_FILE, TEMPORARY_FILE))
    # Memory that is shared and has no file does not count as a process's own.
    found.append(Denial("mmap", argument=3, mask=SHARED_AND_ANONYMOUS, value=SHARED_AND_ANONYMOUS))
    return found


def filter_program(denied: list[Denial], machine: str | None = None) -> bytes:
    """Return *denied* as a program of the kernel's packet filter, 8 bytes an instruction."""
    column, audit, _ = MACHINES[machine or platform.machine()]
    code = [_step(LOAD, 4), _step(EQUAL, audit, 1, 0), _step(RETURN, KILL), _step(LOAD, 0)]
    if column == 0:
        code += [_step(ABOVE, X32, 0, 1), _step(RETURN, KILL)]
    code += [_step(GREATER, LAST_KNOWN, 0, 1), _step(RETURN, ERROR | errno.ENOSYS)]
    for denial in denied:
        number = NUMBERS[denial.call][column]
        if number is None:
            continue
        refuse = _step(RETURN, ERROR | denial.error)
        if not denial.mask:
            code += [_step(EQUAL, number, 0, 1), refuse]
            continue
        code += [
            _step(EQUAL, number, 0, 5),
            _step(LOAD, 16 + 8 * denial.argument),  # the lower half; both machines are little-endian
            _step(AND, denial.mask),
            _step(EQUAL, denial.value, *((0, 1) if denial.equal else (1, 0))),
            refuse,
            _step(LOAD, 0),
        ]
    return b"".join([*code, _step(RETURN, ALLOW)])


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


class FilterProgram(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def install_filter(program: bytes) -> None:
    """Filter the system calls of this thread, and of all that it starts, by *program*. It needs no_new_privs."""
    given = FilterProgram(len(program) // 8, program)
    system_call(MACHINES[platform.machine()][2], SET_MODE_FILTER, 0, ctypes.byref(given))
