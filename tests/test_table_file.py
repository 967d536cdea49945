"""A table on disk: read as it was written, refused when it is not what it should be, and finished after any interruption."""

import contextlib
import errno
import hashlib
import json
import random
import re
import signal
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest
from toy_games import Pile, pile

from outplay import Interrupted, OutplayError, load
from outplay.errors import TableError
from outplay.solve.solution import Solution
from outplay.solve.solve import solve
from outplay.solve.tables import durable
from outplay.solve.tables.blocks import BLOCK
from outplay.solve.tables.checkpoint import Checkpoint
from outplay.solve.tables.file import FIXED
from outplay.solve.values import backward

BOARD = "connect-four:columns=4,rows=4"
DICE = random.Random(4)


@pytest.fixture(scope="module")
def game():
    return load(BOARD)


@pytest.fixture(scope="module")
def whole(game, tmp_path_factory):
    """The file of a solve that nothing disturbed, and the solution."""
    path = tmp_path_factory.mktemp("whole") / "board.table"
    return path, solve(game, file=path)


@pytest.fixture
def copy(whole, tmp_path):
    path = tmp_path / "copy.table"
    path.write_bytes(whole[0].read_bytes())
    return path


def places(path):
    """Where the parts of a file are: the header, the checksums, each section."""
    _, header_size, data_at, size, _ = FIXED.unpack(path.read_bytes()[: FIXED.size])
    sections = json.loads(path.read_bytes()[FIXED.size : FIXED.size + header_size])["sections"]
    return {
        "magic": (0, 16),
        "lengths": (16, 40),
        "digest": (40, 72),
        "header": (FIXED.size, FIXED.size + header_size),
        "checksums": (FIXED.size + header_size, data_at),
        "keys": (data_at, data_at + 8 * sections["keys"]["states"]),
        "codes": (data_at + sections["codes"]["offset"], size),
    }


def spoil(path, place):
    data = bytearray(path.read_bytes())
    data[place] ^= 1 << DICE.randrange(8)
    path.write_bytes(data)


def read_all(path, game):
    loaded = Solution.load(path, game)
    for rows in loaded.table.rows:
        assert len(rows.keys[:]) == len(rows.codes[:])


def states_of(game, number):
    """Some states by random play."""
    found = []
    for _ in range(number):
        state = game.start
        for _ in range(DICE.randrange(16)):
            if game.turn(state) < 0:
                break
            state = game.play(state, DICE.choice(list(game.moves(state))))
        found.append(state)
    return found


def test_a_table_is_read_as_it_was_written(whole, game, tmp_path):
    path, solution = whole
    loaded = Solution.load(path, game)
    for name in ("state", "method", "value", "moves", "distance", "states", "counts", "error", "proper"):
        assert getattr(loaded, name) == getattr(solution, name)
    assert loaded.table.scale == solution.table.scale
    for state in states_of(game, 50):
        assert loaded[state] == solution[state]
        assert loaded[state].candidates == solution[state].candidates
    loaded.save(tmp_path / "again.table")
    assert (tmp_path / "again.table").read_bytes() == path.read_bytes()
    assert [file.name for file in path.parent.iterdir()] == [path.name]  # the checkpoint is gone


@pytest.mark.parametrize("make", [lambda: pile(start=Pile(20, 0)), lambda: load("coin-tic-tac-toe")], ids=["pile", "coin"])
def test_tables_of_graphs_and_of_chance_are_read_as_they_were_written(make, tmp_path):
    game = make()
    solution = solve(game)
    solution.save(tmp_path / "table")
    loaded = Solution.load(tmp_path / "table", game)
    assert (loaded.value, loaded.moves, loaded.candidates) == (
        solution.value,
        solution.moves,
        solution.candidates,
    )
    assert loaded.seconds == 0.0


def test_a_finished_file_is_not_made_again(whole, game, monkeypatch):
    monkeypatch.setattr(backward, "codes_of_layers", None)
    assert solve(game, file=whole[0]).counts == whole[1].counts
    with pytest.raises(
        TableError, match="holds the table from .* with endless=0.0, and not the one asked for; choose another name"
    ):
        solve(game, game.after(game.start, (1,)), file=whole[0])
    with pytest.raises(TableError, match="endless=0.0, and not the one asked for"):
        solve(game, file=whole[0], endless=0.5)


@pytest.mark.parametrize("part", ["magic", "lengths", "digest", "header", "checksums"])
def test_a_changed_byte_before_the_sections_is_refused_at_once(part, copy, game):
    spoil(copy, DICE.randrange(*places(copy)[part]))
    with pytest.raises(TableError, match=f"{re.escape(str(copy))} (is damaged|is not a table|has .* bytes and should have)"):
        Solution.load(copy, game)


@pytest.mark.parametrize("part", ["keys", "codes"])
def test_a_changed_byte_in_a_section_is_refused_when_it_is_read(part, copy, game, whole):
    first, last = places(copy)[part]
    place = DICE.randrange(first, last)
    spoil(copy, place)
    block = (place - places(copy)["keys"][0]) // BLOCK
    words = f"is damaged: block {block} of its sections does not have its checksum; copy it again, or delete it and solve again"
    with pytest.raises(TableError, match=words):
        read_all(copy, game)
    with contextlib.suppress(TableError):  # what is sound in it is right all the same, and nothing else is ever said
        loaded = Solution.load(copy, game)
        for state in states_of(game, 50):
            with contextlib.suppress(TableError):
                assert loaded[state] == whole[1][state]


def test_a_truncated_or_longer_file_is_refused(copy, game):
    data = copy.read_bytes()
    for length in (len(data) - 1, len(data) // 2, 5000, 100):
        copy.write_bytes(data[:length])
        with pytest.raises(TableError, match=f"has {length:,} bytes and should have {len(data):,}: it was cut short or added to"):
            Solution.load(copy, game)
    copy.write_bytes(data + b"\0")
    with pytest.raises(TableError, match="cut short or added to; copy it again"):
        Solution.load(copy, game)


def test_what_is_no_table_is_refused(tmp_path, game):
    for content in (b"", b"outplay", b"PNG" * 100):
        (tmp_path / "foreign").write_bytes(content)
        with pytest.raises(TableError, match=r"is not a table of this version of Outplay; a table begins with 'outplay table 2'"):
            Solution.load(tmp_path / "foreign", game)
    with pytest.raises(TableError, match="missing cannot be read \\(No such file"):
        Solution.load(tmp_path / "missing", game)


def test_a_changed_rule_is_refused_and_a_changed_opinion_is_not(tmp_path):
    game = pile(start=Pile(9, 0))
    solve(game).save(tmp_path / "pile")

    def misere(state):
        return -1 if state.player == 1 else 1

    words = "the rules of 'pile' have changed since .* was made .*delete it and solve again, or restore the rules"
    for changes in ({"score": misere}, {"low": -2}, {"moves": lambda state: (1,)}):
        with pytest.raises(TableError, match=words):
            Solution.load(tmp_path / "pile", game.replace(**changes))
    other = game.replace(estimate=misere, rank=lambda state, move: move, key=lambda state: state.stones, max_moves=2)
    assert Solution.load(tmp_path / "pile", other).value == -1


def test_a_table_of_another_game_or_python_is_refused_by_name(copy, monkeypatch):
    with pytest.raises(TableError, match="is a table of 'connect-four 4x4, 4 in line', and not of 'pile'"):
        Solution.load(copy, pile())
    other = load(BOARD).replace(score=lambda state: 0)
    monkeypatch.setattr("platform.python_version", lambda: "3.99.0")
    with pytest.raises(
        TableError, match=r"was made by Python 3\.\d+, and this is 3.99: whether .* cannot be told; use that Python"
    ):
        Solution.load(copy, other)


def test_a_table_is_mapped_not_read_and_its_blocks_are_checked_once(whole, game):
    loaded = Solution.load(whole[0], game)
    blocks = loaded.table.rows[0].keys._blocks
    assert isinstance(blocks._data, np.memmap)
    assert sum(blocks._sound) < len(blocks._sound)
    for rows in loaded.table.rows:
        assert len(rows.keys[:]) == len(rows.codes[:])
    assert all(blocks._sound)


INTERRUPTED = """
import sys, time
sys.path[:0] = {path!r}
from outplay import load
from outplay.solve.tables import durable
from outplay.solve.tables.checkpoint import Checkpoint
from outplay.solve.values import backward
from outplay.solve.tables.checkpoint import Checkpoint
from outplay.solve.solve import solve

def wait(*_):
    print("here", flush=True)
    time.sleep(60)

{setting}
solve(load({board!r}), file={file!r}, threads=2)
"""
STAGES = {
    "enumerating": """
keep = Checkpoint.keep
Checkpoint.keep = lambda self, states: (keep(self, states), wait() if len(states.counts) == 9 else None)
""",
    "settling": """
keep = Checkpoint.keep_codes
Checkpoint.keep_codes = lambda self, depth, codes: (keep(self, depth, codes), wait() if depth == 8 else None)
""",
    "writing a part": """
put, seen = durable.put, []
def half(file, data):
    seen.append(1)
    if len(seen) == 31:
        put(file, bytes(data)[:100])
        file.flush()
        wait()
    put(file, data)
durable.put = half
""",
    "writing the table": """
from outplay.solve.tables import file as tablefile
put = tablefile.Body.put
seen = []
def half(self, array):
    seen.append(1)
    if len(seen) == 12:
        self._file.flush()
        wait()
    put(self, array)
tablefile.Body.put = half
""",
}


@pytest.mark.parametrize("stage", STAGES)
def test_a_killed_solve_goes_on_and_ends_as_if_it_had_not_been(stage, whole, tmp_path, game):
    file = tmp_path / "board.table"
    code = INTERRUPTED.format(path=sys.path, setting=STAGES[stage], board=BOARD, file=str(file))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "here\n"
        process.kill()
    assert not file.exists()
    left = list((tmp_path / "board.table.work").rglob("keys-*"))
    assert len(left) > 3
    kept = []
    watched = Checkpoint.keep
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Checkpoint, "keep", lambda self, states: (kept.append(len(states.counts)), watched(self, states)))
        solve(game, file=file)
    assert len(kept) <= 17 - len([part for part in left if part.suffix != ".part"])  # of 17 layers
    assert file.read_bytes() == whole[0].read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["board.table"]


@pytest.mark.parametrize("phase", ["states", "values"])
def test_ctrl_c_keeps_what_is_done_and_says_where(phase, whole, tmp_path, game):
    file = tmp_path / "board.table"

    def interrupt(report):
        if report.phase == phase:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(
        Interrupted, match="solve interrupted; .*board.table.work holds what is done, and the same call goes on from there"
    ):
        solve(game, file=file, progress=interrupt)
    assert not file.exists()
    solve(game, file=file)
    assert file.read_bytes() == whole[0].read_bytes()
    with pytest.raises(KeyboardInterrupt, match="nothing of it is kept: give file="):
        solve(game, progress=interrupt)


@pytest.mark.parametrize("after", [1, 20, 45, 90])
def test_a_full_disk_is_said_and_leaves_nothing_half_written(after, whole, tmp_path, game, monkeypatch):
    file, put, written = tmp_path / "board.table", durable.put, []

    def full(open_file, data):
        written.append(1)
        if len(written) > after:
            raise OSError(errno.ENOSPC, "No space left on device")
        put(open_file, data)

    with monkeypatch.context() as patch:
        patch.setattr(durable, "put", full)
        with pytest.raises(
            OutplayError, match="the disk is full: .* could not be written, and nothing is left of it; free some space"
        ):
            solve(game, file=file)
    assert not file.exists()
    assert not list(tmp_path.rglob("*.part"))
    solve(game, file=file)
    assert file.read_bytes() == whole[0].read_bytes()


def test_a_full_disk_while_a_solution_is_saved_leaves_what_was_there(whole, tmp_path, monkeypatch):
    path = tmp_path / "old"
    path.write_bytes(b"old")

    def full(file, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(durable, "put", full)
    with pytest.raises(OutplayError, match="the disk is full"):
        whole[1].save(path)
    assert path.read_bytes() == b"old"
    with pytest.raises(OutplayError, match=r"cannot be written \(No such file or directory\); choose another place"):
        whole[1].save(tmp_path / "nowhere" / "table")


def test_a_place_where_nothing_can_be_written_is_said_before_the_work(tmp_path, game):
    (tmp_path / "plain").write_bytes(b"")
    with pytest.raises(OutplayError, match="there is no folder .*plain' for the table; make it first"):
        solve(game, file=tmp_path / "plain" / "board.table")


def stopped(game, file, depth):
    """Leave the checkpoint of a solve that ended after *depth* layers of codes."""
    keep = Checkpoint.keep_codes

    def stop(self, place, codes):
        keep(self, place, codes)
        if place == depth:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Checkpoint, "keep_codes", stop)
        with pytest.raises(Interrupted):
            solve(game, file=file)


@pytest.mark.parametrize("part", ["keys-7", "keys-0", "codes-12", "end", "packing"])
@pytest.mark.parametrize("damage", ["a bit", "cut", "gone", "swapped"])
def test_a_damaged_part_of_a_checkpoint_is_dropped(part, damage, whole, tmp_path, game):
    file = tmp_path / "board.table"
    stopped(game, file, 10)
    (path,) = (tmp_path / "board.table.work").rglob(part)
    data = bytearray(path.read_bytes())
    if damage == "a bit":
        data[DICE.randrange(len(data))] ^= 1
    elif damage == "cut":
        data = data[: DICE.randrange(len(data))]
    elif damage == "swapped":
        (other,) = (tmp_path / "board.table.work").rglob("keys-5")
        data = other.read_bytes()
    path.write_bytes(data)
    if damage == "gone":
        path.unlink()
    solve(game, file=file)
    assert file.read_bytes() == whole[0].read_bytes()


def test_a_checkpoint_of_other_rules_is_dropped(whole, tmp_path, game):
    file = tmp_path / "board.table"
    stopped(game.replace(score=lambda state: 0, bounds=None, useful=None), file, 10)
    solve(game, file=file)
    assert file.read_bytes() == whole[0].read_bytes()


def test_what_is_not_of_a_solve_is_left_alone_and_said(tmp_path, game):
    folder = tmp_path / "table.work"
    folder.mkdir()
    (folder / "thesis.txt").write_text("precious")
    with pytest.raises(TableError, match="table.work holds 'thesis.txt', which is not of a solve"):
        solve(game, file=tmp_path / "table")
    assert (folder / "thesis.txt").read_text() == "precious"


def test_a_folder_that_is_not_there_is_said_before_the_work(tmp_path, game):
    with pytest.raises(TableError, match="there is no folder .*nowhere' for the table; make it first"):
        solve(game, file=tmp_path / "nowhere" / "table")
    assert not (tmp_path / "nowhere").exists()


def test_two_processes_do_not_solve_into_one_file(tmp_path, game):
    folder = tmp_path / "table.work"
    words = "another process is solving into the same file, and keeps its work in .*table.work"
    with Checkpoint(folder, {}, compiled=False).held(), pytest.raises(TableError, match=words):
        solve(game, file=tmp_path / "table")
    solve(game, file=tmp_path / "table")
    assert not folder.exists()


def test_a_solve_whose_packing_grew_goes_on_after_an_interruption(tmp_path):
    from test_packing import lonely

    game = lonely()
    solve(game, file=tmp_path / "whole")
    keep = Checkpoint.keep
    for stop in (20, 24, 25):
        file = tmp_path / f"stopped {stop}"

        def interrupted(self, states, stop=stop):
            keep(self, states)
            if len(states.counts) == stop:
                raise KeyboardInterrupt

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Checkpoint, "keep", interrupted)
            with pytest.raises(Interrupted):
                solve(game, file=file)
        solve(game, file=file)
        assert file.read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_graph_goes_on_after_an_interruption(tmp_path):
    game = pile(start=Pile(60, 0))
    solve(game, file=tmp_path / "whole")
    keep = Checkpoint.keep

    def interrupted(self, states):
        keep(self, states)
        if len(states.counts) == 30:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Checkpoint, "keep", interrupted)
        with pytest.raises(Interrupted):
            solve(game, file=tmp_path / "stopped")
    solve(game, file=tmp_path / "stopped")
    assert (tmp_path / "stopped").read_bytes() == (tmp_path / "whole").read_bytes()
    assert Solution.load(tmp_path / "whole", game).states == 120


def test_a_file_can_be_read_by_what_the_documentation_says(whole, game):
    data = whole[0].read_bytes()
    magic, header_size, sections_at, size, digest = struct.unpack("<16sQQQ32s", data[:72])
    assert (magic, size, sections_at % 4096) == (b"outplay table 2\n", len(data), 0)
    assert hashlib.sha256(data[:40] + bytes(32) + data[72:sections_at]).digest() == digest
    header = json.loads(data[72 : 72 + header_size])
    blocks = [data[place : place + 65_536] for place in range(sections_at, size, 65_536)]
    assert list(struct.unpack_from(f"<{len(blocks)}I", data, 72 + header_size)) == [zlib.crc32(block) for block in blocks]
    number, codes = sum(header["counts"]), header["sections"]["codes"]
    keys = struct.unpack_from(f"<{number}q", data, sections_at)
    values = struct.unpack_from(f"<{number}{ {'uint8': 'B', 'uint16': 'H'}[codes['type']] }", data, sections_at + codes["offset"])
    held = dict(zip(keys, values, strict=True))
    for state in states_of(game, 30):
        rest = [word - base for word, (base, _) in zip(state, header["packing"]["words"], strict=True)]
        packed = sum((rest[word] >> start & mask) << to for word, start, mask, to in header["packing"]["runs"])
        stirred = packed * 0x9E3779B97F4A7C15 % 2**64
        stirred = (stirred ^ stirred >> 32) * 0xD6E8FEB86659FD93 % 2**64
        stirred ^= stirred >> 29
        place, rest = divmod(held[stirred - 2**64 if stirred >> 63 else stirred], header["span"])
        value = header["scores"][place]
        distance = None if value == 0 else rest if value < 0 else header["span"] - 1 - rest
        assert (value, distance) == (whole[1][state].value, whole[1][state].distance)


@pytest.mark.parametrize("name", ["", ".", "folder", "folder/"])
def test_a_table_needs_a_file_s_name(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(TableError, match=r"name one, such as mygame\.table"):
        solve(pile(), file=name, compiled=False)
    with pytest.raises(OutplayError):
        Solution.load(name, pile())
    assert [file.name for file in tmp_path.iterdir()] == ["folder"]
