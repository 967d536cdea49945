"""Files with games in them: whatever a file does when it is loaded, the error says so."""

import sys

import pytest

from outplay import Solution, load
from outplay.errors import LearnedError, OptionError, TableError, UnknownGame
from outplay.learn.learned import Learned

FILES = {
    b"": "has no Game in it",
    b"game = 3\n": "has no Game in it",
    b"x = 1\nimport sys\nsys.exit(3)\n": r'leaves Python by sys.exit or exit \(line 3\); put that below if __name__ == "__main__":',
    b"raise SystemExit\n": r"leaves Python by sys.exit or exit \(line 1\)",
    b"\nimport nowhere_at_all\n": r"ModuleNotFoundError: No module named 'nowhere_at_all' \(line 2\)",
    b"from outplay import nothing\n": r"ImportError: cannot import name 'nothing' .*\(line 1\)",
    b"x = 1\ndef (\n": r"invalid syntax \(line 2\)",
    b"x = 1 / 0\n": r"ZeroDivisionError: division by zero \(line 1\)",
    b"class Stop(BaseException): ...\nraise Stop('now')\n": r"Stop: now \(line 2\)",
    b"def f(): f()\nf()\n": r"RecursionError: .*\(line 1\)",
    b"\x7fELF\x00\x01\xff\xfe": "is not Python in UTF-8|cannot contain null bytes",
    b"x = '\xff'\n": "utf-8|UTF-8",
    b"import sys\nsys.path.clear()\n": "has no Game in it",
}


@pytest.mark.parametrize("content", FILES)
def test_a_file_that_cannot_be_loaded_says_why(content, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_bytes(content)
    with pytest.raises(UnknownGame, match=FILES[content]):
        load("mine.py")


def test_a_folder_is_no_file(tmp_path):
    (tmp_path / "mine.py").mkdir()
    with pytest.raises(UnknownGame, match="is a folder; name the Python file in it"):
        load(str(tmp_path / "mine.py"))


def test_a_parameter_that_is_given_twice_is_refused():
    with pytest.raises(OptionError, match="columns is given twice in 'columns=4,columns=5'; give it once"):
        load("connect-four:columns=4,columns=5")


def test_a_folder_is_neither_a_table_nor_a_learned_estimate(tmp_path):
    game = load("nim")
    with pytest.raises(TableError, match="is a folder; name the file of a table in it"):
        Solution.load(tmp_path, game)
    with pytest.raises(LearnedError, match="is a folder; name the file of a learned estimate in it"):
        Learned.load(tmp_path, game)


def test_ctrl_c_while_a_file_is_loaded_is_ctrl_c(tmp_path):
    (tmp_path / "mine.py").write_text("raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        load(str(tmp_path / "mine.py"))
