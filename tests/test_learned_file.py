"""The file of a learned estimate: the same estimate comes back, and a damaged file, or one of other rules, is refused."""

import errno
import hashlib
import json

import numpy as np
import pytest
from toy_games import pile, tuple_nim

from outplay import Learned, load
from outplay.errors import GameError, LearnedError, NotSaved, OptionError
from outplay.learn import file as learned_file
from outplay.learn.file import FIXED, MAGIC
from outplay.learn.session import learn_games

game = tuple_nim(2, 3, 2)


@pytest.fixture(scope="module")
def learned():
    return learn_games(game, games=150, compiled=False)


@pytest.fixture
def path(learned, tmp_path):
    learned.save(tmp_path / "nim.learned")
    return tmp_path / "nim.learned"


def test_the_same_estimate_comes_back(learned, path, tmp_path):
    back = Learned.load(path, game)
    state = game.play(game.start, 1)
    assert back.estimate(state) == learned.estimate(state) != 0
    assert np.array_equal(back.network.weights, learned.network.weights)
    assert np.array_equal(back.network.trust, learned.network.trust)
    assert (back.games, back.moves, back.history, back.settings) == (
        learned.games,
        learned.moves,
        learned.history,
        learned.settings,
    )
    assert back.network.shape == learned.network.shape
    learned.save(tmp_path / "small.learned", resumable=False)
    small = Learned.load(tmp_path / "small.learned", game)
    assert small.estimate(state) == learned.estimate(state)
    assert (tmp_path / "small.learned").stat().st_size < path.stat().st_size
    with pytest.raises(OptionError, match=r"small.learned was saved with resumable=False, .*; learn into another file"):
        learn_games(game, games=5, file=tmp_path / "small.learned", compiled=False)


def test_a_truncated_file_is_refused(path):
    content = path.read_bytes()
    for length in {0, 5, 20, FIXED.size, len(content) // 2, len(content) - 1}:
        path.write_bytes(content[:length])
        with pytest.raises(LearnedError, match="nim.learned"):
            Learned.load(path, game)


def test_an_altered_byte_is_found(path):
    content = bytearray(path.read_bytes())
    for place in range(0, len(content), max(len(content) // 60, 1)):
        altered = bytearray(content)
        altered[place] ^= 0x20
        path.write_bytes(altered)
        with pytest.raises(LearnedError):
            Learned.load(path, game)


def test_other_rules_are_refused(path):
    with pytest.raises(LearnedError, match="other rules than those of 'tic-tac-toe': it is of 'tuple nim'"):
        Learned.load(path, load("tic-tac-toe"))

    def score(state):
        return 1 if state.player == 0 else -1

    with pytest.raises(LearnedError, match="other rules than those of 'tuple nim'"):
        Learned.load(path, game.replace(score=score))

    def cells(state):
        yield state.heaps[0]

    with pytest.raises(LearnedError, match="other cells"):
        Learned.load(path, game.replace(cells=cells))
    with pytest.raises(GameError, match="belongs to a Game"):
        Learned.load(path, "tuple nim")


def test_what_is_no_such_file_is_refused(tmp_path):
    with pytest.raises(LearnedError, match="cannot be read"):
        Learned.load(tmp_path / "none.learned", game)
    (tmp_path / "text").write_text("hello")
    with pytest.raises(LearnedError, match="is not the file of a learned estimate"):
        Learned.load(tmp_path / "text", game)
    (tmp_path / "new").write_bytes(b"outplay learn 9\n" + bytes(100))
    with pytest.raises(LearnedError, match="another version"):
        Learned.load(tmp_path / "new", game)


def rewritten(path, change):
    """Write the file again with a changed header and a right checksum."""
    content = path.read_bytes()
    _, length, _, _ = FIXED.unpack_from(content)
    header = json.loads(content[FIXED.size : FIXED.size + length])
    change(header)
    text, body = json.dumps(header).encode(), content[FIXED.size + length :]
    size = FIXED.size + len(text) + len(body)
    digest = hashlib.sha256(FIXED.pack(MAGIC, len(text), size, bytes(32)) + text + body).digest()
    path.write_bytes(FIXED.pack(MAGIC, len(text), size, digest) + text + body)


@pytest.mark.parametrize("restart", [1, -1, 1.5, 1 << 31])
def test_a_restart_that_is_not_sound_is_refused(path, restart):
    rewritten(path, lambda header: header["settings"].update(restart=restart))
    with pytest.raises(LearnedError, match="'restart' is not valid"):
        Learned.load(path, game)


def _word(header):
    header["shape"]["cells"][0]["terms"][0]["word"] = 1000


def _codes(header):
    header["shape"]["cells"][0]["terms"][0]["codes"][0] = 1 << 40


def _tuple(header):
    header["shape"]["tuples"][0][0] = 77


def _symmetry(header):
    header["shape"]["symmetries"].append([0] * len(header["shape"]["cells"]))


def _size(header):
    header["shape"]["cells"][0]["size"] = 1 << 19


def _phase(header):
    header["shape"]["phases"] = [9]


def _sections(header):
    header["sections"]["weights"][1] += 4


def _games(header):
    header["games"] = -1


def _missing(header):
    del header["shape"]["side"]


@pytest.mark.parametrize("change", [_word, _codes, _tuple, _symmetry, _size, _phase, _sections, _games, _missing])
def test_nonsense_with_a_right_checksum_is_refused(path, change):
    rewritten(path, lambda header: None)
    Learned.load(path, game)
    rewritten(path, change)
    with pytest.raises(LearnedError, match="not sound"):
        Learned.load(path, game)


def test_a_place_that_cannot_be_a_file_is_refused_before_anything_is_learned(tmp_path):
    with pytest.raises(LearnedError, match="is not a file"):
        learn_games(game, games=1, file=tmp_path, compiled=False)
    with pytest.raises(LearnedError, match="there is no folder"):
        learn_games(game, games=1, file=tmp_path / "no" / "where", compiled=False)


def test_a_full_disk_loses_nothing(path, monkeypatch):
    before = path.read_bytes()

    def full(file, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(learned_file, "put", full)
    with pytest.raises(NotSaved, match="the disk is full") as caught:
        learn_games(game, games=200, file=path, compiled=False)
    assert caught.value.result.games == 200
    assert path.read_bytes() == before


def test_learning_goes_on_only_upon_the_same(path):
    def guess(state):
        return 0.1

    with pytest.raises(OptionError, match="was learned upon 'nothing'"):
        learn_games(game.replace(estimate=guess), games=200, upon="estimate", file=path, compiled=False)
    upon = learn_games(pile(estimate=guess), games=20, upon="estimate", compiled=False)
    upon.save(path)

    def other(state):
        return 0.2

    with pytest.raises(LearnedError, match="other estimate"):
        Learned.load(path, pile(estimate=other))
    with pytest.raises(LearnedError, match="has none"):
        Learned.load(path, pile())
