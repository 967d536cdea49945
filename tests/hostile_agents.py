"""Agents that attack the referee, the machine or the other agent; each is bounded, so that it does no harm where it succeeds.

`{canary}`, `{victim}` and so on are filled in by the scene that plays an attack. A *program* speaks the protocol itself.
"""

import platform
from dataclasses import dataclass

from outplay.arena.record import Verdict

HONEST_PROGRAM = """
import json, os, sys, time
def say(message):
    print(json.dumps(message), flush=True)
def play(attack):
    turns = 0
    for line in sys.stdin:
        said = json.loads(line)
        if said["type"] in ("hello", "begin"):
            say({"type": "ready"})
        elif said["type"] == "turn":
            turns += 1
            attack(said, turns)
def reply(said, move=None):
    say({"type": "move", "id": said["id"], "move": said["legal"][0] if move is None else move})
"""
MARKED = """
import ctypes, os, time
def mark():
    ctypes.CDLL(None).prctl(15, b"{mark}", 0, 0, 0)
"""


@dataclass(frozen=True)
class Attack:
    """An attack, the verdict that it must get, and a part of the sentence that explains the verdict."""

    name: str
    source: str
    verdict: Verdict
    words: str = ""
    program: bool = False
    seconds: float = 60.0  # for a move; short where the attack is to take too long


def function(name, source, verdict, words="", seconds=60.0):
    return Attack(name, source, verdict, words, False, seconds)


def program(name, source, verdict, words="", seconds=60.0):
    return Attack(name, HONEST_PROGRAM + source, verdict, words, True, seconds)


ENDLESS = [
    function("endless loop", "def choose(state):\n    while True: pass\n", Verdict.TIMEOUT, "exceeds its", 0.1),
    function(
        "endless loop inside one C call",
        "import itertools\ndef choose(state):\n    all(itertools.repeat(True))\n",
        Verdict.TIMEOUT,
        "exceeds its",
        0.1,
    ),
    function("endless wait", "import time\ndef choose(state):\n    time.sleep(600)\n", Verdict.TIMEOUT, "without computing", 0.1),
    function(
        "endless loop that catches everything",
        "def choose(state):\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass\n",
        Verdict.TIMEOUT,
        "exceeds its",
        0.1,
    ),
]

TAKERS = [
    function(
        "memory hog",
        "def choose(game, state):\n    taken = bytearray(1 << 30)\n    print('TAKEN')\n    return game.legal(state)[0]\n",
        Verdict.CRASH,
        "MemoryError",
    ),
    function(
        "memory hog in a start",
        "taken = bytearray(1 << 30)\nprint('TAKEN')\ndef choose(state):\n    return 0\n",
        Verdict.REFUSED,
        "MemoryError",
    ),
    function(
        "fork bomb",
        MARKED
        + """
def choose(state):
    for _ in range(30):
        if os.fork() == 0:
            mark()
            time.sleep(30)
            os._exit(0)
    print("TAKEN")
    return 0
""",
        Verdict.CRASH,
        "PermissionError",
    ),
    program(
        "fork bomb of a program",
        MARKED
        + """
def attack(said, turns):
    for _ in range(120):
        if os.fork() == 0:
            mark()
            time.sleep(30)
            os._exit(0)
    print("TAKEN", file=sys.stderr)
    reply(said)
play(attack)
""",
        Verdict.CRASH,
        "",
    ),
    function(
        "thread bomb",
        """
import threading, time
threading.stack_size(65536)
def choose(game, state):
    for _ in range(300):
        threading.Thread(target=time.sleep, args=(3,), daemon=True).start()
    print("TAKEN")
    return game.legal(state)[0]
""",
        Verdict.CRASH,
        "",
    ),
    function(
        "filling the disk",
        """
def choose(game, state):
    for number in range(48):
        with open(f"filler-{number}", "wb") as file:
            file.write(bytes(1 << 20))
    print("TAKEN")
    return game.legal(state)[0]
""",
        Verdict.CRASH,
        "",
    ),
    function(
        "one huge file",
        """
def choose(game, state):
    with open("filler", "wb") as file:
        file.truncate(1 << 30)
    print("TAKEN")
    return game.legal(state)[0]
""",
        Verdict.CRASH,
        "",
    ),
]

UNCHARGED = [
    function(
        "sleeping in every move",
        "import time\ndef choose(game, state):\n    time.sleep(0.2)\n    return game.legal(state)[0]\n",
        Verdict.TIMEOUT,
    ),
    program(
        "computing in children that nobody waits for",
        """
import signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # their processor time is then in no account
def attack(said, turns):
    for _ in range(4):
        reading, writing = os.pipe()
        if os.fork() == 0:
            began = time.process_time()
            while time.process_time() < began + 0.05: pass
            os.write(writing, b"x")
            os._exit(0)
        os.read(reading, 1)
        os.close(reading)
        os.close(writing)
    reply(said)
play(attack)
""",
        Verdict.TIMEOUT,
    ),
]

DAEMON = program(
    "daemon that outlives the kill",
    MARKED
    + """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        mark()
        for number in range(3):
            os.close(number)
        time.sleep(60)
    os._exit(0)
os.wait()
play(lambda said, turns: reply(said))
""",
    Verdict.FINISHED,
)

SPEAKERS = [
    program(
        "flood of stdout",
        "def attack(said, turns):\n    while True: os.write(1, b'x\\n' * 10_000)\nplay(attack)\n",
        Verdict.PROTOCOL,
        "more than one line",
    ),
    program(
        "flood of stdout without an end of line",
        "def attack(said, turns):\n    while True: os.write(1, b'x' * 10_000)\nplay(attack)\n",
        Verdict.PROTOCOL,
        "a line of more than 65,536 bytes",
    ),
    program(
        "a line of 50 MB",
        "def attack(said, turns):\n    os.write(1, b'')\n    print('x' * (50 << 20), flush=True)\nplay(attack)\n",
        Verdict.PROTOCOL,
        "a line of more than 65,536 bytes",
    ),
    program(
        "flood of stderr",
        "def attack(said, turns):\n    while True: os.write(2, b'x' * 60_000)\nplay(attack)\n",
        Verdict.PROTOCOL,
        "to standard error",
    ),
    program(
        "invalid UTF-8",
        'def attack(said, turns):\n    os.write(1, b\'{"move": "\\xff\\xfe"}\\n\')\nplay(attack)\n',
        Verdict.PROTOCOL,
        "not UTF-8",
    ),
    program(
        "deep JSON",
        "def attack(said, turns):\n    os.write(1, b'[' * 60_000 + b'\\n')\nplay(attack)\n",
        Verdict.PROTOCOL,
        "nested too deeply",
    ),
    program(
        "no JSON", "def attack(said, turns):\n    os.write(1, b'\\x1b[2Je4\\n')\nplay(attack)\n", Verdict.PROTOCOL, "not JSON"
    ),
    program(
        "deep JSON in a field",
        """
def attack(said, turns):
    os.write(1, b'{"type": "move", "id": ' + b'[' * 900 + b']' * 900 + b', "move": ' + b'[' * 900 + b']' * 900 + b'}\\n')
play(attack)
""",
        Verdict.PROTOCOL,
        "",
    ),
    program(
        "no object",
        "def attack(said, turns):\n    os.write(1, b'4\\n')\nplay(attack)\n",
        Verdict.PROTOCOL,
        "a message is a JSON object",
    ),
    program(
        "late reply to an earlier turn",
        """
first = []
def attack(said, turns):
    first.append(said)
    reply({**said, "id": first[0]["id"]})
play(attack)
""",
        Verdict.PROTOCOL,
        "the id of its turn",
    ),
    program(
        "reply sent before being asked",
        """
def attack(said, turns):
    reply(said)
    reply({**said, "id": "2"})
play(attack)
""",
        Verdict.PROTOCOL,
        "",
    ),
    program(
        "closing stdin",
        """
def attack(said, turns):
    reply(said)
    os.close(0)
    time.sleep(60)
play(attack)
""",
        Verdict.PROTOCOL,
        "closes its standard input",
    ),
    program(
        "closing stdout",
        "def attack(said, turns):\n    os.close(1)\n    time.sleep(60)\nplay(attack)\n",
        Verdict.PROTOCOL,
        "closes its standard output",
    ),
    program(
        "exit during a move", "def attack(said, turns):\n    os._exit(3)\nplay(attack)\n", Verdict.CRASH, "ends with status 3"
    ),
    program(
        "killed during a move", "def attack(said, turns):\n    os.kill(os.getpid(), 9)\nplay(attack)\n", Verdict.CRASH, "SIGKILL"
    ),
    program(
        "a move that is a huge number",
        "def attack(said, turns):\n    reply(said, 10**4000)\nplay(attack)\n",
        Verdict.ILLEGAL,
        "digits",
    ),
    program(
        "a move that is no number",
        "def attack(said, turns):\n    reply(said, {'a': [1]})\nplay(attack)\n",
        Verdict.ILLEGAL,
        "not legal",
    ),
    program(
        "a value that is no number",
        """
def attack(said, turns):
    say({"type": "move", "id": said["id"], "move": said["legal"][0], "value": "high"})
play(attack)
""",
        Verdict.PROTOCOL,
        "a value is a number",
    ),
    program(
        "no move at all",
        "def attack(said, turns):\n    say({'type': 'move', 'id': said['id']})\nplay(attack)\n",
        Verdict.PROTOCOL,
        "without a move",
    ),
    program("another version", "say({'type': 'ready', 'version': 99})\ntime.sleep(60)\n", Verdict.REFUSED, "version 99"),
    program("a start that ends", "sys.exit('no such\\x1b[2J thing')\n", Verdict.REFUSED, "it wrote: no such [2J thing"),
]

SPIES = [
    function(
        "reading the opponent's file",
        "def choose(state):\n    print('TAKEN', open('{canary}').read())\n    return 0\n",
        Verdict.CRASH,
        "",
    ),
    function(
        "writing outside its folder",
        "def choose(state):\n    open('{outside}/planted', 'w').write('x')\n    print('TAKEN')\n    return 0\n",
        Verdict.CRASH,
        "",
    ),
    function(
        "opening a socket",
        """
import socket
def choose(state):
    socket.create_connection(("127.0.0.1", {port}), 5)
    print("TAKEN")
    return 0
""",
        Verdict.CRASH,
        "",
    ),
    function(
        "signalling the referee",
        "import os\ndef choose(state):\n    os.kill({victim}, 15)\n    print('TAKEN')\n    return 0\n",
        Verdict.CRASH,
        "",
    ),
    function(
        "tracing the referee",
        """
import ctypes
def choose(state):
    if ctypes.CDLL(None).ptrace(16, {victim}, None, None) != 0:
        raise PermissionError("ptrace")
    print("TAKEN")
    return 0
""",
        Verdict.CRASH,
        "",
    ),
]

if platform.machine() == "x86_64":
    SPIES.append(
        function(
            "a system call of a 32-bit machine",
            """
import ctypes
def choose(state):
    library = ctypes.CDLL(None)
    library.mmap.restype = ctypes.c_void_p
    place = library.mmap(None, 4096, 7, 0x22, -1, 0)
    ctypes.memmove(place, bytes([0xB8, 20, 0, 0, 0, 0xCD, 0x80, 0xC3]), 8)  # getpid by int 0x80
    if ctypes.CFUNCTYPE(ctypes.c_int)(place)() > 0:
        print("TAKEN")
    return 0
""",
            Verdict.CRASH,
            "SIGSYS",
        )
    )

# Everything in one process: what succeeds is named in the exception.
MANY = """
import ctypes, fcntl, mmap, os, resource, signal, socket, struct, time
library = ctypes.CDLL(None, use_errno=True)
canary, outside, victim = "{canary}", "{outside}", {victim}
def call(number, *arguments):
    if library.syscall(number, *arguments) < 0:
        raise OSError(ctypes.get_errno(), "system call")
def written(path, text="x"):
    with open(path, "w") as file:
        file.write(text)
def prctl(*arguments):
    if library.prctl(*arguments) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
def owner():
    reading, writing = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETOWN, victim)
def child():
    process = os.fork()
    if process == 0:
        os._exit(0)
    os.waitpid(process, 0)
def abstract():
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\\0outplay-{mark}")
def secret_environment():
    assert b"{secret}" in open("/proc/%d/environ" % victim, "rb").read()
def secret_command():
    assert b"{secret}" in open("/proc/%d/cmdline" % victim, "rb").read()
def own_environment():
    assert "{secret}" in str(dict(os.environ))
def memory():
    local = ctypes.create_string_buffer(8)
    address = int(open("/proc/%d/maps" % victim).readline().split("-")[0], 16)
    one, two = (ctypes.c_ulong * 2)(ctypes.addressof(local), 8), (ctypes.c_ulong * 2)(address, 8)
    if library.process_vm_readv(victim, one, 1, two, 1, 0) < 0:
        raise OSError(ctypes.get_errno(), "process_vm_readv")
def descriptors():
    assert len(OPEN) > 2  # the two of the protocol are its own
def exists(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
OPEN = [number for number in range(3, 60) if exists(number)]
def pidfd():
    handle = os.pidfd_open(victim)
    signal.pidfd_send_signal(handle, signal.SIGCONT)
ATTEMPTS = dict(
    canary=lambda: open(canary).read(),
    folder=lambda: os.listdir(os.path.dirname(canary)),
    home=lambda: os.listdir(os.path.expanduser("~root") if os.getuid() == 0 else outside),
    passwords=lambda: open("/etc/passwd").read(),
    append=lambda: open(canary, "a").close(),
    mode=lambda: os.chmod(canary, 0o666),
    times=lambda: os.utime(canary, (1, 1)),
    attribute=lambda: os.setxattr(canary, "user.x", b"x"),
    truncate=lambda: os.truncate(canary, 3),
    hardlink=lambda: os.link(canary, outside + "/link"),
    symlink=lambda: os.symlink(canary, outside + "/symlink"),
    own_symlink=lambda: (os.symlink(canary, "way"), open("way").read()),
    plant=lambda: written(outside + "/planted"),
    temporary=lambda: written("/tmp/outplay-{mark}"),
    shared_memory=lambda: written("/dev/shm/outplay-{mark}"),
    temporary_file=lambda: os.close(os.open(outside, os.O_TMPFILE | os.O_RDWR)),
    memfd=lambda: os.close(os.memfd_create("x")),
    zeros=lambda: mmap.mmap(os.open("/dev/zero", os.O_RDWR), 1 << 20).close(),
    rename=lambda: os.rename(outside + "/old", outside + "/new"),
    remove=lambda: os.remove(outside + "/waste"),
    environment=secret_environment,
    command=secret_command,
    own_environment=own_environment,
    memory=memory,
    input=lambda: os.write(os.open("/proc/%d/fd/0" % victim, os.O_WRONLY), b"x"),
    signal=lambda: os.kill(victim, signal.SIGCONT),
    parent=lambda: os.kill(os.getppid(), 0),
    pidfd=pidfd,
    owner=owner,
    limit=lambda: resource.prlimit(victim, resource.RLIMIT_CORE, (0, 0)),
    affinity=lambda: os.sched_setaffinity(victim, {0}),
    nice=lambda: os.setpriority(os.PRIO_PROCESS, victim, 1),
    own_nice=lambda: os.setpriority(os.PRIO_USER, 0, 0),
    scheduler=lambda: os.sched_setscheduler(victim, os.SCHED_BATCH, os.sched_param(0)),
    fork=child,
    spawn=lambda: os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0),
    tcp=lambda: socket.create_connection(("127.0.0.1", {port}), 5).close(),
    udp=lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close(),
    netlink=lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close(),
    abstract=abstract,
    namespace=lambda: call({unshare}, 0x10000000),
    key=lambda: call({add_key}, b"user", b"{mark}", b"x", 1, -3),
    deathsig=lambda: prctl(1, 0, 0, 0, 0),
    descriptors=descriptors,
)
def succeeded():
    found = []
    for name, attempt in ATTEMPTS.items():
        try:
            attempt()
        except (OSError, AssertionError, IndexError):
            continue
        found.append(name)
    return ",".join(found) or "nothing"
def choose(state):
    found = succeeded()
    print("TAKEN", found, ",".join(ATTEMPTS))
    raise RuntimeError("succeeded: " + found)
"""
