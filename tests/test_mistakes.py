"""Typical mistakes in rules: `check` and `search` say each in one sentence, nothing hangs, and nothing wrong is proven."""

import re

import pytest
from mistakes import (
    ARRAYS,
    BOARD,
    BOARD_END,
    COMPILED,
    INTERPRETED,
    PILE,
    PILE_END,
    REFUSED,
    SEVERAL,
    SEVERAL_TOLD,
    TRAPPED,
    TUPLE,
)

from outplay import check, playouts, search
from outplay.compile.traps import traps_in
from outplay.compile.watchdog import watched
from outplay.errors import CompileError, GameError, OutplayError, UnknownGame
from outplay.games.catalogue import load, module_of
from outplay.rules import loading

FOREIGN = (
    "numba",
    "nopython",
    "Traceback",
    "TypingError",
    "Literal[",
    "UniTuple",
    "int64 x",
    "unicode_type",
    "float() argument",
    "NoneType",
)
ENDLESS = ("turn never returns", "moves never returns", "play never returns")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """What a mistake writes, it writes into a folder of its own."""
    monkeypatch.chdir(tmp_path)


def written(folder, *parts):
    file = folder / "student.py"
    file.write_text("".join(parts))
    return file


def said_by_search(file, **options):
    with pytest.raises(GameError) as raised:
        search(load(str(file)), depth=8, **options)
    head, _, sentence = str(raised.value).partition("\n")
    assert head in (
        "'pile' cannot be searched",
        "'board' cannot be searched",
        "'pile' cannot be compiled",
        "'squares' cannot be compiled",
    )
    return sentence.strip()


def assert_told(sentence, file, at, words):
    for part in words:
        assert part in sentence
    if at is not None:
        lines = [number for number, line in enumerate(file.read_text().splitlines(), 1) if at in line]
        assert re.search(r"line (\d+)", sentence)[1] in map(str, lines)
    assert not any(foreign in sentence for foreign in FOREIGN)


@pytest.mark.parametrize("name", [name for name in INTERPRETED if name not in ENDLESS])
def test_a_mistake_is_told_in_one_sentence_by_check_and_search(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)  # one of them writes a file
    text, at, words = INTERPRETED[name]
    file = written(tmp_path, PILE, text, PILE_END)
    (problem,) = check(file).problems
    assert_told(problem, file, at, words)
    assert_told(said_by_search(file), file, at, words)


@pytest.mark.parametrize("name", ENDLESS)
def test_a_rule_that_never_returns_is_named_with_its_line_and_its_state(tmp_path, monkeypatch, name):
    text, _, words = INTERPRETED[name]
    monkeypatch.setitem(watched.__kwdefaults__, "patience", 0.5)  # test_endless.py gives a rule the time that users give it
    file = written(tmp_path, PILE, text, PILE_END)
    (problem,) = check(file).problems
    assert_told(problem, file, None, words)
    sentence = said_by_search(file, compiled=False)
    assert_told(sentence, file, None, words)
    rule = name.partition(" ")[0]
    lines = [number for number, line in enumerate(file.read_text().splitlines(), 1) if line.startswith(f"def {rule}(")]
    assert lines[-1] < int(re.search(r"line (\d+)", sentence)[1]) <= lines[-1] + text.count("\n")


@pytest.mark.parametrize("name", ARRAYS)
def test_a_mistake_with_an_array_is_told_in_one_sentence(tmp_path, name):
    text, at, words = ARRAYS[name]
    file = written(tmp_path, BOARD, text, BOARD_END)
    (problem,) = check(file).problems
    assert_told(problem, file, at, words)
    assert_told(said_by_search(file), file, at, words)


@pytest.mark.parametrize("name", COMPILED)
def test_what_only_compiled_rules_do_wrong_is_told_in_one_sentence(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)  # one of them writes a file
    text, at, words = COMPILED[name]
    file = written(tmp_path, PILE, text, PILE_END)
    (problem,) = check(file).problems
    assert_told(problem, file, at, words)
    assert_told(said_by_search(file), file, at, words)


def test_several_mistakes_that_do_not_compile_are_told_in_one_run(tmp_path):
    file = written(tmp_path, PILE, SEVERAL, PILE_END)
    problems = check(file).problems
    assert len(problems) == len(SEVERAL_TOLD)
    for problem, (at, words) in zip(problems, SEVERAL_TOLD, strict=True):
        assert_told(problem, file, at, words)
    assert said_by_search(file).split("\n  ") == list(problems)


def test_count_of_a_tuple_and_a_tuple_of_a_list_are_told(tmp_path):
    file = written(tmp_path, TUPLE)
    said = "\n".join(check(file).problems)
    assert ".count of a tuple does not compile; write the loop out" in said or "put(items, index, item)" in said


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_game_at_all_is_refused(tmp_path, name):
    text, words = REFUSED[name]
    with pytest.raises(OutplayError, match=re.escape(words)):
        load(str(written(tmp_path, PILE, text, PILE_END)))


@pytest.mark.parametrize("name", TRAPPED)
def test_what_does_not_compile_is_told_by_the_source(tmp_path, name):
    text, at, words = TRAPPED[name]
    file = written(tmp_path, BOARD, text, BOARD_END)
    (line,) = [number for number, line in enumerate(file.read_text().splitlines(), 1) if at in line]
    told = [str(trap) for trap in traps_in(load(str(file)))]
    assert any(f", line {line}: {words}" in sentence for sentence in told)


def test_a_game_without_a_mistake_has_no_trap(tmp_path):
    assert traps_in(load(str(written(tmp_path, BOARD, BOARD_END)))) == []


@pytest.mark.parametrize(
    "text",
    ["while True:\n    pass\n", "while True:\n    try:\n        sum(range(9))\n    except Exception:\n        tried = 1\n"],
)
def test_a_file_that_computes_without_end_while_it_is_loaded_is_told_with_its_line(tmp_path, monkeypatch, text):
    monkeypatch.setattr(loading, "PATIENCE", 0.3)
    with pytest.raises(
        UnknownGame, match=r"seconds while it is loaded \(line 2[4-8]\); put what plays .* below if __name__ == \"__main__\":"
    ):
        load(str(written(tmp_path, PILE, text, PILE_END)))


def test_a_function_may_ask_a_person_once_its_file_is_loaded(tmp_path):
    asked = module_of(written(tmp_path, PILE, "def name():\n    return input('Your name? ')\n", PILE_END)).name
    assert "input" not in asked.__globals__


@pytest.mark.parametrize(("head", "end"), [(PILE, PILE_END), (BOARD, BOARD_END)])
def test_the_games_without_a_mistake_are_well(tmp_path, head, end):
    report = check(written(tmp_path, head, end), games=20, seconds=600)
    assert report.ok
    assert report.games == 20


def test_a_search_without_a_check_is_not_checked(tmp_path):
    text, _, _ = INTERPRETED["moves yields a move twice"]
    assert search(load(str(written(tmp_path, PILE, text, PILE_END))), depth=8, compiled=False, check=False).proven


def test_a_verdict_is_kept_with_the_compiled_code(tmp_path, monkeypatch):
    from outplay.checking import trust

    monkeypatch.setenv("OUTPLAY_CACHE_DIR", str(tmp_path / "cache"))
    game = load(str(written(tmp_path, PILE, PILE_END)))
    monkeypatch.setattr(trust, "_inspected", {})
    monkeypatch.setattr(trust, "_trusted", set())
    assert playouts(game, number=1).number == 1  # of the verbs that check a game, it has the smallest kernel
    assert len(list((tmp_path / "cache").glob("*.checked"))) == 1
    monkeypatch.setattr(trust, "_inspected", {})
    monkeypatch.setattr(trust, "_trusted", set())
    monkeypatch.setattr(trust, "Inspection", None)  # it would be called if the verdict were not found
    assert playouts(game, number=1).number == 1


def _truncated(path):
    path.write_bytes(path.read_bytes()[:3])


def _emptied(path):
    path.write_bytes(b"")


def _scrambled(path):
    path.write_bytes(bytes(range(256)))


def _made_a_folder(path):
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("damage", [_truncated, _emptied, _scrambled, _made_a_folder])
def test_a_damaged_verdict_is_found_anew(tmp_path, monkeypatch, damage):
    from outplay.checking import trust

    monkeypatch.setenv("OUTPLAY_CACHE_DIR", str(tmp_path))
    trust._keep("digest")
    assert trust._kept("digest")
    (verdict,) = tmp_path.iterdir()
    damage(verdict)
    assert not trust._kept("digest")
    trust._keep("digest")
    assert trust._kept("digest") or verdict.is_dir()
    assert list(tmp_path.iterdir()) == [verdict]  # nothing is left beside it


def test_a_place_for_verdicts_that_cannot_be_written_is_survived(tmp_path, monkeypatch):
    from outplay.checking import trust

    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("OUTPLAY_CACHE_DIR", str(tmp_path / "file"))
    trust._keep("digest")
    assert not trust._kept("digest")


def test_what_cannot_be_compiled_is_a_compile_error(tmp_path):
    text, _, _ = COMPILED["_replace"]
    with pytest.raises(CompileError, match="'pile' cannot be compiled\n  play, line"):
        search(load(str(written(tmp_path, PILE, text, PILE_END))), depth=2)


def test_a_function_for_people_that_never_returns_is_named_by_check(tmp_path, monkeypatch):
    monkeypatch.setitem(watched.__kwdefaults__, "patience", 0.5)
    text = "def show(state):\n    while True:\n        pass\nextra = {'show': show}\n"
    (problem,) = check(written(tmp_path, PILE, text, PILE_END)).problems
    assert_told(problem, tmp_path, None, ("show, line", "does not return", "State(stones="))
