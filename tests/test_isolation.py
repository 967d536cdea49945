"""Untrusted agents: every attack succeeds where nothing isolates it, and gets its verdict where something does."""

import itertools
import json
import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import hostile_agents as hostile
import pytest
from class_of_agents import CONTROL, write_class
from patience import wait_until

from outplay import load
from outplay.arena.entrants import entrants
from outplay.arena.isolation import landlock, process_tree, tiers
from outplay.arena.isolation.confinement import HIGH_USER, Resources
from outplay.arena.isolation.system_calls import NUMBERS, denials, filter_program
from outplay.arena.isolation.tiers import Isolation, choose_isolation
from outplay.arena.isolation.warden import Warden
from outplay.arena.player import open_player
from outplay.arena.record import Verdict
from outplay.arena.referee import play_game
from outplay.arena.time_control import TimeControl
from outplay.errors import Interrupted, OptionError, OutplayError
from outplay.runtime.stopper import Stopper

GAME = load("tic-tac-toe")
SMALL = Resources(memory_mb=512, folder_mb=16, tasks=48)
LINUX = sys.platform == "linux"
MARKS = itertools.count()
COLUMN = 1 if platform.machine() == "aarch64" else 0

pytestmark = pytest.mark.skipif(not LINUX, reason="isolation needs Linux")


@pytest.fixture(params=["L", "W"])
def isolation(request):
    if (reason := tiers.problem(request.param)) is not None:
        pytest.skip(f"tier {request.param} does not work here: {reason}")
    return Isolation(request.param, resources=SMALL)


class Scene:
    """A folder that every user can read and write, with a canary, and a victim that stands for the referee."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="outplay-scene-"))
        self.mark = f"evil{os.getpid()}x{next(MARKS)}"  # unique, and at most 15 characters, as names of processes are
        self.secret = f"canary-{self.mark}"
        for name in ("mine", "others", "outside"):
            (self.folder / name).mkdir()
        self.canary, self.outside = self.folder / "others" / "opponent.py", self.folder / "outside"
        self.canary.write_text(self.secret)
        self.replant()
        for path in (self.folder, *self.folder.rglob("*")):
            path.chmod(0o777)
        self.server = socket.create_server(("127.0.0.1", 0))
        code = "import sys, time; sys.stdin.fileno(); time.sleep(600)"
        self.victim = subprocess.Popen(
            [sys.executable, "-S", "-c", code, self.secret], stdin=subprocess.PIPE, env={"SECRET": self.secret}
        )
        self.watched: list[subprocess.Popen[bytes]] = [self.victim]

    def replant(self):
        for name in ("old", "waste"):
            (self.outside / name).write_text("x")

    def file(self, attack):
        """Write the agent of *attack*, and return its file."""
        known = {
            "canary": self.canary,
            "outside": self.outside,
            "victim": self.victim.pid,
            "mark": self.mark,
            "secret": self.secret,
        }
        known |= {"port": self.server.getsockname()[1]}
        known |= {name: NUMBERS[name][COLUMN] for name in ("unshare", "add_key")}
        source = attack.source
        for name, value in known.items():
            source = source.replace(f"{{{name}}}", str(value))
        path = self.folder / "mine" / "agent.py"
        path.write_text(source)
        path.chmod(0o644)
        return path

    def marked(self):
        """Return the processes that bear the mark of this scene."""
        found = []
        for path in Path("/proc").glob("[0-9]*/comm"):
            try:
                if path.read_text().strip() == self.mark:
                    found.append(int(path.parent.name))
            except OSError:
                continue
        return found

    def clear(self):
        """Kill what the attacks have started, also children that do not bear the mark yet."""
        for process in self.watched:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        for process in self.marked():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def close(self):
        self.clear()
        self.server.close()
        for process in self.watched:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    with suppress(BrokenPipeError):  # what it was still to read
                        stream.close()
        shutil.rmtree(self.folder)


@pytest.fixture
def scene():
    scene = Scene()
    yield scene
    scene.close()


def control(attack):
    short = attack.seconds < 1
    return TimeControl(move_seconds=attack.seconds, margin=0.05, idle_seconds=0.1 if short else 60.0, start_seconds=60.0)


def played(scene, attack, isolation, *, seat=0):
    """Play one game of *attack* against a search of no depth, and return its record."""
    file = scene.file(attack)
    text = f"program:python3 {file}" if attack.program else str(file)
    with open_player(text, GAME, isolation=isolation) as mine, open_player("random", GAME) as other:
        players = (mine, other) if seat == 0 else (other, mine)
        record = play_game(GAME, players, control=control(attack), luck="3")
    # Nothing of it is left, and what it should not have read is nowhere.
    assert scene.marked() == []
    assert scene.victim.poll() is None
    assert scene.secret not in record.detail + getattr(mine, "errors", "")
    assert scene.canary.read_text() == scene.secret
    assert sorted(path.name for path in scene.outside.iterdir()) == ["old", "waste"]
    return record


@pytest.mark.parametrize(
    "attack",
    [*hostile.ENDLESS, *hostile.TAKERS, hostile.DAEMON, *hostile.SPEAKERS, *hostile.SPIES],
    ids=lambda attack: attack.name,
)
def test_an_attack_gets_its_verdict_and_does_no_harm(scene, isolation, attack):
    record = played(scene, attack, isolation)
    assert record.verdict == attack.verdict, record.detail
    assert record.blamed == (None if attack.verdict is Verdict.FINISHED else 0)
    assert attack.words in record.detail
    assert record.detail.isprintable()


def test_a_spy_that_tries_everything_succeeds_in_nothing(scene, isolation):
    record = played(scene, hostile.function("spy", hostile.MANY, Verdict.CRASH), isolation)
    assert "succeeded: nothing" in record.detail


def test_a_program_that_spies_succeeds_in_nothing_but_starting_processes(scene, isolation):
    source = hostile.HONEST_PROGRAM + hostile.MANY + "\nplay(lambda said, turns: choose(None))\n"
    with open_player(
        f"program:python3 {scene.file(hostile.function('spy', source, Verdict.CRASH))}", GAME, isolation=isolation
    ) as spy:
        record = play_game(GAME, (spy, spy))
    assert record.verdict is Verdict.PROTOCOL  # it prints what it has done
    assert "TAKEN fork,spawn " in record.detail


@pytest.mark.skipif(COLUMN != 0, reason="the call is written for x86_64")
def test_a_process_that_is_born_beside_its_parent_does_not_survive(scene, isolation):
    source = """
import ctypes
def attack(said, turns):
    CLONE_PARENT, SIGCHLD = 0x8000, 17
    if ctypes.CDLL(None).syscall(56, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) == 0:
        os.setsid()
        mark()
        time.sleep(60)
    reply(said)
play(attack)
"""
    record = played(scene, hostile.program("sibling", hostile.MARKED + source, Verdict.FINISHED), isolation)
    assert record.verdict is Verdict.FINISHED, record.detail


# The same attacks where nothing isolates them.

NAIVE_HOST = """
import inspect, sys
class Game:
    def legal(self, state):
        return [0]
space = {}
exec(open(sys.argv[1]).read(), space)
choose = space["choose"]
print("MOVE", choose(**{name: Game() for name in inspect.signature(choose).parameters}), flush=True)
"""


def unconfined(scene, attack, **more):
    """Start *attack* as an ordinary process of this user."""
    file = scene.file(attack)
    code = [str(file)] if attack.program else ["-c", NAIVE_HOST, str(file)]
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    process = subprocess.Popen([sys.executable, "-S", *code], **streams, cwd=scene.outside, start_new_session=True, **more)
    scene.watched.append(process)
    return process


@pytest.mark.parametrize("attack", hostile.ENDLESS, ids=lambda attack: attack.name)
def test_without_isolation_it_never_returns(scene, attack):
    process = unconfined(scene, attack)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.2)


@pytest.mark.parametrize("attack", [*hostile.TAKERS, *hostile.SPIES], ids=lambda attack: attack.name)
def test_without_isolation_it_takes_what_it_wants(scene, attack):
    process = unconfined(scene, attack)
    if attack.program:
        for message in ({"type": "turn", "id": "1", "legal": [0]},):
            process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        wait_until(lambda: b"TAKEN" in process.stderr.readline())
    else:
        wait_until(lambda: b"TAKEN" in process.stdout.readline())
    if "fork bomb" in attack.name:
        wait_until(lambda: len(scene.marked()) >= 30)
    if attack.name == "signalling the referee":
        assert scene.victim.wait(60) == -signal.SIGTERM


def test_without_isolation_a_daemon_outlives_the_kill(scene):
    process = unconfined(scene, hostile.DAEMON)
    wait_until(lambda: bool(scene.marked()))
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert len(scene.marked()) == 1


def test_without_isolation_a_spy_succeeds_in_everything(scene):
    spy = hostile.function("spy", hostile.MANY, Verdict.CRASH)
    unused = [os.open(os.devnull, os.O_RDONLY) for _ in range(3)]
    try:
        process = unconfined(scene, spy, pass_fds=unused, env={**os.environ, "SECRET": scene.secret})
        out, _ = process.communicate(timeout=60)
    finally:
        for number in unused:
            os.close(number)
    for path in (f"/tmp/outplay-{scene.mark}", f"/dev/shm/outplay-{scene.mark}"):
        Path(path).unlink(missing_ok=True)
    succeeded, tried = (set(names.split(",")) for names in out.decode().split()[1:3])
    # Some need what not every machine or user has: a file system with attributes, root, a terminal.
    may_fail = {
        "attribute",
        "temporary_file",
        "key",
        "namespace",
        "home",
        "shared_memory",
        "netlink",
        "scheduler",
        "memory",
        "limit",
        "own_nice",
    }
    assert len(tried) > 40
    assert tried - succeeded <= may_fail


class NaiveReferee:
    """A referee that trusts what it is told."""

    def __init__(self, process):
        self.process = process
        for message in ({"type": "hello"}, {"type": "begin"}):
            self.ask(message)

    def ask(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def turn(self, number=1):
        return self.ask({"type": "turn", "id": str(number), "legal": [0]})

    def move(self, number=1):
        return json.loads(self.turn(number))["move"]

    def begin_turn(self):
        self.process.stdin.write(b'{"type": "turn", "id": "1", "legal": [0]}\n')
        self.process.stdin.flush()


def floods(stream):
    return len(stream.read(5 << 20)) == 5 << 20  # and there is more


def raises(error, action):
    with pytest.raises(error):
        action()
    return True


NAIVELY = {
    "flood of stdout": lambda naive: naive.begin_turn() or floods(naive.process.stdout),
    "flood of stdout without an end of line": lambda naive: naive.begin_turn() or floods(naive.process.stdout),
    "a line of 50 MB": lambda naive: len(naive.turn()) > 50 << 20,
    "flood of stderr": lambda naive: naive.begin_turn() or floods(naive.process.stderr),
    "invalid UTF-8": lambda naive: raises(UnicodeDecodeError, naive.turn().decode),
    "deep JSON": lambda naive: raises(RecursionError, naive.move),
    "no JSON": lambda naive: b"\x1b[2J" in naive.turn(),  # clears the instructor's screen
    "no object": lambda naive: raises(TypeError, naive.move),
    "late reply to an earlier turn": lambda naive: [naive.move(1), json.loads(naive.turn(2))["id"]] == [0, "1"],
    "reply sent before being asked": lambda naive: naive.move() == json.loads(naive.process.stdout.readline())["move"],
    "closing stdin": lambda naive: (
        naive.move() == 0 and raises(BrokenPipeError, lambda: [naive.begin_turn() for _ in range(10**6)])
    ),
    "closing stdout": lambda naive: naive.turn() == b"" and naive.process.poll() is None,
    "exit during a move": lambda naive: naive.turn() == b"" and naive.process.wait() == 3,
    "killed during a move": lambda naive: naive.turn() == b"" and naive.process.wait() == -9,
    "a move that is a huge number": lambda naive: naive.move() not in [0],
    "a move that is no number": lambda naive: raises(TypeError, lambda: int(naive.move())),
    "a value that is no number": lambda naive: raises(TypeError, lambda: 0 + json.loads(naive.turn())["value"]),
    "no move at all": lambda naive: raises(KeyError, naive.move),
}


@pytest.mark.parametrize("attack", [one for one in hostile.SPEAKERS if one.name in NAIVELY], ids=lambda attack: attack.name)
def test_a_naive_referee_falls_for_it(scene, attack):
    assert NAIVELY[attack.name](NaiveReferee(unconfined(scene, attack)))


# Thinking on the opponent's time.

THINKER = """
import threading, time
ticks = [0.0]
def think():
    while True:
        ticks.append(time.monotonic())
        if len(ticks) > 100_000: del ticks[:50_000]
        time.sleep(0.001)
threading.Thread(target=think, daemon=True).start()
def choose(game, state):
    from outplay import Choice
    known = [tick for tick in list(ticks) if tick] + [time.monotonic()]
    gap = max([later - earlier for earlier, later in zip(known, known[1:])], default=0.0)
    return Choice(game.legal(state)[0], value=gap)
"""


def test_an_agent_stands_still_while_the_other_one_thinks(scene, isolation):
    slow = scene.folder / "mine" / "slow.py"
    slow.write_text("import time\ndef choose(game, state):\n    time.sleep(0.3)\n    return game.legal(state)[-1]\n")
    file = scene.file(hostile.function("thinker", THINKER, Verdict.FINISHED))
    with open_player(str(file), GAME, isolation=isolation) as thinker, open_player(str(slow), GAME) as other:
        record = play_game(GAME, (thinker, other), control=TimeControl(move_seconds=60))
    assert record.verdict is Verdict.FINISHED, record.detail
    gaps = [step.value for step in record.steps if step.seat == 0]
    assert min(gaps[1:]) > 0.25  # its thread did nothing in 0.3 seconds of the other's turn


@pytest.mark.parametrize(
    ("attack", "limit"),
    list(zip(hostile.UNCHARGED, [{"game_seconds": 0.1}, {"move_seconds": 0.1}], strict=True)),
    ids=lambda value: getattr(value, "name", ""),
)
def test_time_that_is_in_no_account_is_charged(scene, isolation, attack, limit):
    # No move is too long: each waits for less than the limit and the idle time. All moves together wait for longer.
    text = f"program:python3 {scene.file(attack)}" if attack.program else str(scene.file(attack))
    with open_player(text, GAME, isolation=isolation) as one, open_player("random", GAME) as two:
        record = play_game(GAME, (one, two), control=TimeControl(**limit, margin=0.02, idle_seconds=0.25))
    assert record.verdict is Verdict.TIMEOUT
    assert record.blamed == 0
    assert "without computing" in record.detail or "exceeds its" in record.detail


FAMILY = """
import signal
parent = os.getpid()
if os.fork() == 0:
    os.setsid()
    with open("ticks", "a", buffering=1) as file:
        while True:
            os.kill(parent, signal.SIGCONT)
            print(time.monotonic(), file=file)
            time.sleep(0.002)
def attack(said, turns):
    while not os.path.exists("ticks") or not os.path.getsize("ticks"):
        time.sleep(0.001)
    ticks = [float(tick) for tick in open("ticks").read().split("\\n")[:-1]] + [time.monotonic()]
    gap = max([later - earlier for earlier, later in zip(ticks, ticks[1:])], default=0.0)
    say({"type": "move", "id": said["id"], "move": said["legal"][0], "value": gap})
play(attack)
"""


def test_a_child_in_another_session_stands_still_too(scene, isolation):
    slow = scene.folder / "mine" / "slow.py"
    slow.write_text("import time\ndef choose(game, state):\n    time.sleep(0.3)\n    return game.legal(state)[-1]\n")
    file = scene.file(hostile.program("family", FAMILY, Verdict.FINISHED))
    with open_player(f"program:python3 {file}", GAME, isolation=isolation) as family, open_player(str(slow), GAME) as other:
        record = play_game(GAME, (family, other), control=TimeControl(move_seconds=60))
    assert record.verdict is Verdict.FINISHED, record.detail
    gaps = [step.value for step in record.steps if step.seat == 0]
    assert min(gaps[1:]) > 0.25


@pytest.fixture
def sleeper():
    user = HIGH_USER + os.getpid() if os.geteuid() == 0 else None
    process = subprocess.Popen(["/bin/sleep", "60"], user=user, group=user, extra_groups=None if user is None else [])
    yield process, user
    process.kill()
    process.wait()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give an agent a user of its own")
def test_a_process_that_no_list_shows_is_stopped_and_killed_by_its_user(sleeper, monkeypatch):
    process, user = sleeper
    other = subprocess.Popen(["/bin/sleep", "60"], user=user + 1, group=user + 1, extra_groups=[])
    monkeypatch.setattr(process_tree, "descendants", lambda root: [])
    tree = process_tree.ProcessTree(os.getpid(), grows=True, user=user)
    assert tree.stop()
    wait_until(lambda: process_tree.stat_of(process.pid)[0] == "T")
    assert not process_tree.sweep(1000, signal.SIGCONT)  # a user that others may be
    assert process_tree.sweep(user, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert process_tree.stat_of(other.pid)[0] != "T"
    other.kill()
    assert other.wait() == -signal.SIGKILL


def test_a_process_that_some_lists_do_not_show_is_stopped(sleeper, monkeypatch):
    process, _ = sleeper
    lists = iter([[], [], [], [], [process.pid]])
    monkeypatch.setattr(process_tree, "descendants", lambda root: next(lists, [process.pid]))
    tree = process_tree.ProcessTree(os.getpid(), grows=True)
    assert tree.stop()
    assert tree.stopped == [process.pid]


def test_without_isolation_an_agent_thinks_on(scene):
    source = THINKER.replace("from outplay import Choice", "Choice = lambda move, value: len(ticks)")
    process = unconfined(scene, hostile.function("thinker", source + "\ntime.sleep(0)", Verdict.FINISHED))
    first = int(process.stdout.readline().split()[1])
    assert first >= 1  # the thread runs, though nobody asks


# Honest agents.

HONEST = """
import time
def choose(game, state, clock):
    began = time.monotonic()
    moves = game.legal(state)
    while time.monotonic() - began < 0.9 * clock.seconds:
        pass
    return moves[hash(state) % len(moves)]
"""


def test_an_agent_that_uses_nine_tenths_of_its_time_is_never_failed_on_a_loaded_machine(scene):
    isolation = choose_isolation(untrusted=True)
    file = scene.file(hostile.function("honest", HONEST, Verdict.FINISHED))
    loads = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]

    # The usual margins. The lanes are threads of one process, so each waits for the others, too.
    control = TimeControl(move_seconds=0.002)

    def verdicts(lane):
        moves, found = 0, set()
        with open_player(str(file), GAME, isolation=isolation) as one, open_player(str(file), GAME, isolation=isolation) as two:
            while moves < 500:
                record = play_game(GAME, (one, two), control=control, luck=f"{lane}/{moves}")
                found.add((record.verdict, record.detail))
                moves += max(1, record.moves)
        return found

    try:
        with ThreadPoolExecutor(4) as lanes:  # 2,000 moves in all
            found = set().union(*lanes.map(verdicts, range(4)))
    finally:
        for busy in loads:
            busy.kill()
            busy.wait()
    assert found == {(Verdict.FINISHED, "")}


def test_an_isolated_agent_plays_as_it_does_in_this_process(scene, isolation):
    file = scene.folder / "mine" / "lucky.py"
    file.write_text("def choose(game, state, dice):\n    print('hello')\n    return dice.choice(game.legal(state))\n")
    records = []
    for how in (None, isolation):
        with open_player(str(file), GAME, isolation=how) as one, open_player(str(file), GAME, isolation=how) as two:
            records.append([play_game(GAME, (one, two), luck=str(luck)).choices for luck in range(3)])
    assert records[0] == records[1]


def test_an_agent_may_read_the_folder_of_its_own_name_and_write_to_its_own_folder(scene, isolation):
    file = scene.folder / "mine" / "packed.py"
    file.write_text(
        "from pathlib import Path\nimport helper\n"
        "def choose(game, state):\n"
        "    Path('notes').write_text('x')\n"
        "    assert (Path(__file__).with_suffix('') / 'table').read_text() == 'data'\n"
        "    return helper.first(game.legal(state))\n"
    )
    (scene.folder / "mine" / "packed").mkdir()
    (scene.folder / "mine" / "packed" / "table").write_text("data")
    (scene.folder / "mine" / "packed" / "helper.py").write_text("def first(moves):\n    return moves[0]\n")
    with open_player(str(file), GAME, isolation=isolation) as one:
        record = play_game(GAME, (one, one))
    assert record.verdict is Verdict.FINISHED, record.detail
    assert not (scene.folder / "mine" / "notes").exists()


@pytest.mark.parametrize("brought", ["folder", "file"])
def test_an_agent_that_brings_a_link_is_refused(scene, isolation, brought):
    file = scene.folder / "mine" / "linked.py"
    if brought == "folder":
        file.write_text("def choose(state):\n    return 0\n")
        file.with_suffix("").symlink_to(scene.folder / "others")
    else:
        file.symlink_to(scene.canary)
    with pytest.raises(OptionError, match="is a link, and what an agent brings must not be one"):
        open_player(str(file), GAME, isolation=isolation)
    with pytest.raises(OptionError, match="is a link, and what an agent brings must not be one"):
        open_player(f"program:python3 {file}", GAME, isolation=isolation)
    open_player(str(file), GAME, isolation=Isolation("none")).close()  # where nothing is confined, a link does no harm


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_link_leads_out_of_the_folder_of_an_agent_to_nothing(scene, isolation, when):
    file = scene.folder / "mine" / "linked.py"
    folder = file.with_suffix("")
    file.write_text(f"def choose(state):\n    raise RuntimeError(open('{folder}/' + {when!r}).read())\n")
    folder.mkdir()
    (folder / "before").symlink_to(scene.canary)
    with open_player(str(file), GAME, isolation=isolation) as one, open_player("random", GAME) as two:
        if when == "after":  # the folder becomes a link when it has been looked at
            folder.rename(scene.folder / "mine" / "moved")
            folder.symlink_to(scene.folder / "others")
            (scene.folder / "others" / "after").write_text(scene.secret)
        record = play_game(GAME, (one, two), control=TimeControl(move_seconds=60))
    assert record.verdict is Verdict.CRASH
    assert "Error" in record.detail
    assert scene.secret not in record.detail


def test_a_changed_agent_is_another_one_whatever_its_path_is(scene):
    for name in ("a b,c=d é.py", "plain.py"):
        file = scene.folder / "mine" / name
        identities = set()
        for text in ("def choose(state):\n    return 0\n", "def choose(state):\n    return 1\n"):
            file.write_text(text)
            for how in (None, Isolation("none")):
                with open_player(str(file), GAME, isolation=how) as one:
                    identities.add(one.identity)
        assert len(identities) == 4
    program = scene.folder / "mine" / "a program"
    identities = set()
    for text in ("#!/bin/true\n", "#!/bin/echo\n"):
        program.write_text(text)
        program.chmod(0o755)
        with open_player(str(program), GAME) as one:
            identities.add(one.identity)
    assert len(identities) == 2


def test_a_name_that_a_terminal_would_obey_is_written_out(scene):
    file = scene.folder / "mine" / "a\x1b[2J\nb\udc80é.py"
    file.write_text("def choose(state):\n    return 99\n")
    (one,) = entrants([str(file)])
    assert one.name == "a\\x1b[2J\\x0ab\\udc80é"
    with open_player(str(file), GAME, isolation=Isolation("none")) as player:
        assert play_game(GAME, (player, player)).detail.isprintable()


def test_a_game_in_a_file_is_played_by_isolated_agents(scene, isolation):
    game = scene.folder / "own.py"
    game.write_text((Path(__file__).parent.parent / "src/outplay/games/nim.py").read_text() + "\ngame = nim()\n")
    agent = scene.folder / "mine" / "first.py"
    agent.write_text("def choose(game, state):\n    return game.legal(state)[0]\n")
    own = load(str(game))
    with open_player(str(agent), own, isolation=isolation, game_text=str(game)) as one:
        record = play_game(own, (one, one))
    assert record.verdict is Verdict.FINISHED, record.detail
    with pytest.raises(OptionError, match="name the game by its file"):
        open_player(str(agent), own, isolation=isolation)


def test_a_process_is_kept_between_games_only_if_the_time_control_allows_it(scene, isolation):
    file = scene.folder / "mine" / "counting.py"
    file.write_text(
        "from outplay import Choice\nturns = 0\n"
        "def choose(game, state):\n    global turns\n    turns += 1\n    return Choice(game.legal(state)[0], value=turns)\n"
    )
    for keep in (True, False):
        with open_player(str(file), GAME, isolation=isolation) as one, open_player("random", GAME) as two:
            records = [play_game(GAME, (one, two), control=TimeControl(keep_alive=keep)) for _ in range(2)]
        assert (records[1].steps[0].value > 1) is keep


def test_no_process_remembers_the_dice_of_an_earlier_game(scene):
    file = scene.folder / "mine" / "counting.py"
    file.write_text(
        "from outplay import Choice\nturns = 0\n"
        "def choose(game, state):\n    global turns\n    turns += 1\n    return Choice(game.legal(state)[-1], value=turns)\n"
    )
    pig = load("pig:goal=10")
    for keep in (None, True):
        with open_player(str(file), pig, isolation=Isolation("none"), game_text="pig:goal=10") as one:
            records = [play_game(pig, (one, one), control=TimeControl(keep_alive=keep)) for _ in range(2)]
        first = [next(step.value for step in record.steps if step.seat >= 0) for record in records]
        assert (first == [1, 1]) is (keep is None)


def test_an_agent_that_did_not_start_twice_is_not_started_again(scene, isolation):
    file = scene.folder / "mine" / "broken.py"
    file.write_text("def choose(state) return 0\n")
    with open_player(str(file), GAME, isolation=isolation) as one, open_player("random", GAME) as two:
        records = [play_game(GAME, (one, two)) for _ in range(4)]
        assert len(one._refusals) == 2
    assert {record.verdict for record in records} == {Verdict.REFUSED}
    assert "line 1" in records[3].detail


# Choosing a tier.


def test_untrusted_agents_are_refused_where_no_tier_works(monkeypatch):
    monkeypatch.setattr(tiers, "problem", lambda tier: "the test says so")
    with pytest.raises(OptionError, match="tier W: the test says so; tier L: the test says so.*apt-get install bubblewrap"):
        choose_isolation(untrusted=True)
    with pytest.raises(OptionError, match="tier L of isolation does not work here"):
        choose_isolation("L")
    with pytest.raises(OptionError, match="tier none has none"):
        choose_isolation("none", untrusted=True)
    assert choose_isolation().tier == "none"
    with pytest.raises(OptionError, match="there is no tier 'X'"):
        choose_isolation("X")


def test_other_systems_have_no_tier(monkeypatch):
    monkeypatch.setattr(tiers.sys, "platform", "darwin")
    assert "needs Linux" in tiers.problem.__wrapped__("L")
    with pytest.raises(OutplayError, match="programs as agents need Linux"):
        Warden()


def test_a_tier_that_does_not_hold_is_noticed():
    # A process that nothing confines tries what a probe tries: the probe must say so.
    reason = tiers._probed(Isolation("none"), __file__)
    assert "could still read a file" in reason
    assert "start a process" in reason


def test_a_tier_says_in_one_line_what_it_is(isolation):
    said = isolation.describe()
    assert said.startswith(f"tier {isolation.tier}: ")
    assert "\n" not in said


def test_older_versions_of_landlock_are_asked_for_what_they_have():
    newest = landlock.landlock_abi()
    if newest < 1:
        pytest.skip("this kernel has no Landlock")
    for abi in range(1, newest + 1):
        os.close(landlock.make_ruleset(abi, [("/usr", landlock.RUN), ("/dev/null", landlock.READ | landlock.TRUNCATE)]))


def test_the_filter_of_the_other_machine_can_be_made_too():
    denied = denials(pid=1, processes=False, programs=False, signals=False)
    for machine in ("x86_64", "aarch64"):
        program = filter_program(denied, machine)
        assert len(program) % 8 == 0
        assert len(program) // 8 < 4096


# A class, and the end of the referee.


def test_every_agent_of_a_class_gets_its_verdict(tmp_path):
    isolation = choose_isolation(untrusted=True)
    members = write_class(tmp_path / "agents")
    assert len(members) == 30
    assert [sum(member.verdict is not None for member in members), sum(member.hostile for member in members)] == [12, 2]

    def judged(member):
        with open_player(str(member.file), GAME, isolation=isolation) as one, open_player("random", GAME) as two:
            return play_game(GAME, (one, two), control=CONTROL), one.errors

    with ThreadPoolExecutor(4) as lanes:
        for member, (record, errors) in zip(members, lanes.map(judged, members), strict=True):
            assert record.verdict == (member.verdict or Verdict.FINISHED), (member.file.name, record.detail)
            if member.verdict is not None:
                assert record.blamed == 0
            assert "all of them were read" not in record.detail
            assert "return game.legal(state)[0]" not in errors or member.file.name == "no_module.py"


def test_all_agents_end_when_the_referee_is_killed(scene, isolation):
    file = scene.file(
        hostile.function(
            "marked", hostile.MARKED + "mark()\ndef choose(state):\n    print('x')\n    time.sleep(60)\n", Verdict.FINISHED
        )
    )
    code = f"""
from outplay import load
from outplay.arena.isolation.tiers import Isolation
from outplay.arena.isolation.warden import Warden
from outplay.arena.player import open_player
from outplay.arena.referee import play_game
game = load("tic-tac-toe")
one = open_player({str(file)!r}, game, isolation=Isolation({isolation.tier!r}))
play_game(game, (one, one))
"""
    referee = subprocess.Popen([sys.executable, "-c", code])
    scene.watched.append(referee)
    wait_until(lambda: bool(scene.marked()))
    folders = set(Path(tempfile.gettempdir()).glob("outplay-agent-*"))
    referee.kill()
    wait_until(lambda: not scene.marked())
    if isolation.tier == "L":
        assert folders
        wait_until(lambda: not all(folder.exists() for folder in folders))


def test_an_agent_that_is_stopped_from_outside_does_not_hang_the_referee(scene, isolation):
    attack = hostile.function(
        "stops itself", "import os\ndef choose(state):\n    os.kill(os.getpid(), 19)\n    return 0\n", Verdict.TIMEOUT, "", 0.1
    )
    assert played(scene, attack, isolation).verdict is Verdict.TIMEOUT


def test_a_game_that_is_stopped_ends_its_agents(scene, isolation):
    stopper = Stopper()
    threading.Timer(0.3, stopper.stop).start()
    file = scene.file(
        hostile.function("marked", hostile.MARKED + "mark()\ndef choose(state):\n    time.sleep(60)\n", Verdict.FINISHED)
    )
    with open_player(str(file), GAME, isolation=isolation) as one, pytest.raises(Interrupted):
        play_game(GAME, (one, one), stopper=stopper)
    wait_until(lambda: not scene.marked())
