"""The report of a tournament: one file that stands alone, with every name and every last word as text."""

import re
from html.parser import HTMLParser
from itertools import count

import pytest
from processes import outplay
from tournaments import RULES, add_pair, describe, round_robin_store, won_by

from outplay.arena.record import Verdict
from outplay.arena.report import report, write_report
from outplay.arena.report_plots import linear_axis, seconds, seconds_axis
from outplay.arena.report_text import plain, points
from outplay.arena.standings import tournament_of
from outplay.arena.store import Store

EVIL = "<script>alert(1)</script>"
WORDS = '</pre><img src=x onerror="alert(2)">\x1b[31m last\nwords \u202e'


class Elements(HTMLParser):
    """The elements of a text, each tag with its attributes; and that all of them are closed in order."""

    VOID = ("meta", "br", "col")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words += data


def told(first, second):
    """Return a crash of the evil agent, a timeout of the slow one, and a win by the alphabet for all others."""
    for seat, name in enumerate((first, second)):
        if name == EVIL:
            return Verdict.CRASH, seat, -1.0 if seat == 0 else 1.0, WORDS
        if name == "slow":
            return Verdict.TIMEOUT, seat, -1.0 if seat == 0 else 1.0, "slow exceeds its 1 s in turn 3"
    return won_by(first, second)


def test_a_report_stands_alone_and_says_who_is_first(tmp_path):
    store = round_robin_store(tmp_path / "class.sqlite", ["anna", "berta", "clara"], 3, notes=["a note"])
    write_report(tournament_of(store), store, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    page = Elements(text)
    tags = {tag for tag, _ in page.found}
    assert {"table", "svg", "details", "style"} <= tags
    assert not tags & {"script", "link", "img", "iframe", "object", "base", "form"}
    assert not re.search(r"https?:|//[a-z]|url\(|@import", text)
    ids = [attributes["id"] for _, attributes in page.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = {attributes["href"].removeprefix("#") for tag, attributes in page.found if tag == "a"}
    assert targets <= set(ids)
    assert {"p0-1", "p0-2", "p1-2"} <= targets
    assert re.search(
        r"anna is first, with \+\d+ (± \d+|\+\d+/−\d+) Elo. The likelihood that it is stronger than berta, the second, is",
        page.words,
    )
    for said in (
        "a note",
        "round-robin",
        "1 s a move, a bank of 30 s a game",
        "none: trusted",
        RULES,
        "No game ended by a fault",
    ):
        assert said in page.words
    game = store.scheduled_games()[0]
    assert f"outplay replay class.sqlite NAME, with the name of the game, such as {game.id[:8]}" in page.words
    assert page.words.count(game.id[:8]) == 2  # there, and in the list


def test_names_and_last_words_of_agents_are_text_and_nothing_else():
    names = [EVIL, "slow", "\u202egnp.exe", "a" * 5_000, "'\"&lt;", "x\x00y", "\ud800", "ok"]
    store = round_robin_store(None, names[:6] + names[7:], 1, told)
    result = tournament_of(store)
    text = report(result, store)
    page = Elements(text)
    assert not {tag for tag, _ in page.found} & {"script", "img"}
    assert all(not name.startswith("on") for _, attributes in page.found for name in attributes)
    assert EVIL in page.words
    assert '</pre><img src=x onerror="alert(2)">\\x1b[31m last\nwords \\u202e' in page.words
    assert "slow exceeds its 1 s in turn 3" in page.words
    assert "\\u202egnp.exe" in page.words
    assert "x\\x00y" in page.words
    assert "'\"&lt;" in page.words
    assert "a" * 500 not in text
    assert plain(names[6], 10) == "\\ud800"  # half a character cannot be written to a file
    policy = next(attributes["content"] for _, attributes in page.found if attributes.get("http-equiv"))
    assert policy.startswith("default-src 'none'")


def test_faults_are_told_apart_once_for_all_games_with_the_same_words():
    store = round_robin_store(None, [EVIL, "slow", "anna", "berta"], 2, told)
    page = Elements(report(tournament_of(store), store))
    assert page.words.count("last\nwords") == 1
    assert re.search(r"crash in 10 games: \w{8}, \w{8}, \w{8} …", page.words)
    assert re.search(r"timeout in 10 games: ", page.words)
    assert page.words.count("Games that ended by a fault of the agent") == 1


def test_a_repeated_fault_is_told_once_whatever_its_numbers_and_states():
    numbers = count()

    def repeated(first, second):
        number, seat = next(numbers), 0 if first in ("late", "wrong") else 1
        if "late" in (first, second):
            detail = f"late exceeds its {number / 2:g} s in turn {number}"
            return Verdict.TIMEOUT, (first, second).index("late"), 0.0, detail
        legal = list(range(number % 4))
        return Verdict.ILLEGAL, seat, 0.0, f"wrong plays -1, which is not legal in stones={number}; legal moves: {legal}"

    store = round_robin_store(None, ["late", "wrong", "anna"], 2, repeated)
    page = Elements(report(tournament_of(store), store))
    assert page.words.count("late exceeds its") == page.words.count("wrong plays -1") == 1
    assert page.words.count("The words of the other games differ only in numbers, states and legal moves.") == 2


def test_errors_of_the_rules_are_nobodys_fault():
    store = Store()
    ids = add_pair(store, "anna", "berta", 0)
    ids += add_pair(store, "anna", "berta", 1, lambda *_: (Verdict.RULE, None, None, "score raised IndexError"))
    describe(store, ["anna", "berta"], ids)
    page = Elements(report(tournament_of(store), store))
    assert "Errors of the rules" in page.words
    assert "rule error in 2 games" in page.words
    assert "score raised IndexError" in page.words


def test_a_tournament_that_has_just_begun_has_a_report():
    store = Store()
    describe(store, ["anna", "berta"], [], total=20)
    page = Elements(report(tournament_of(store), store))
    assert "No game has been played yet." in page.words
    assert "The tournament is not over: 20 games are still to be played." in page.words


def test_a_solitaire_has_mean_scores_with_intervals_and_no_cross_table():
    store, ids = Store(), []
    for name, base in (("anna", 100.0), ("berta", 50.0)):
        for game in range(10):
            ids += add_pair(store, name, name, game, lambda *_, score=base + game: (Verdict.FINISHED, None, score, ""))
    describe(store, ["anna", "berta"], ids, solitaire=True, game="yahtzee")
    page = Elements(report(tournament_of(store), store))
    assert re.search(r"anna is first, with a mean score of 104.5 10[12]\.\d to 10[67]", page.words)
    assert "Who beat whom" not in page.words
    assert "Scores: worst to best, and the mean with its 95 % interval" in page.words


def test_thirty_agents_have_a_matrix_and_a_list_of_games_that_is_folded_away():
    store = round_robin_store(None, [f"agent{number:02}" for number in range(30)], 1)
    text = report(tournament_of(store), store)
    page = Elements(text)
    assert "All 435 pairings" in page.words
    assert sum(tag == "details" for tag, _ in page.found) == 436
    assert sum(tag == "rect" and attributes.get("class") in ("won", "lost") for tag, attributes in page.found) == 30 * 29
    assert len(text) < 1_000_000


@pytest.mark.parametrize(("number", "said"), [(0, "0"), (0.5, "½"), (1, "1"), (7.5, "7½"), (10, "10")])
def test_points_are_written_with_halves(number, said):
    assert points(number) == said


def test_axes_show_all_numbers_with_round_ticks():
    axis = linear_axis([-327.0, 412.0])
    assert axis.low < -327 < 412 < axis.high
    assert axis.ticks == (-200.0, 0.0, 200.0, 400.0)
    assert linear_axis([5.0, 5.0]).low < 5 < linear_axis([5.0, 5.0]).high
    times = seconds_axis([0.003, 2.5])
    assert [seconds(tick) for tick in times.ticks] == ["1 ms", "10 ms", "100 ms", "1 s", "10 s"]
    assert times.at(0.01) - times.at(0.001) == pytest.approx(times.at(1.0) - times.at(0.1))
    assert seconds_axis([0.0]).at(0.0) >= 0


def test_the_command_line_writes_a_report(tmp_path):
    arguments = ("tournament", "tic-tac-toe", "random", "random", "--games", 4, "--report", "report.html")
    found = outplay(*arguments, cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert "The report is in report.html." in found.stderr
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "outplay replay tournament.store NAME" in text
    assert "round-robin, 4 games of every two agents that meet" in text
    lost = outplay(*arguments[:-1], "nowhere/report.html", cwd=tmp_path)
    assert lost.returncode == 2
    assert "'nowhere/report.html' is in a folder that does not exist" in lost.stderr


def test_agents_that_share_the_first_place_are_counted_in_the_headline():
    def drawn(first, second):
        return (Verdict.FINISHED, None, 0.0, "") if "last" not in (first, second) else won_by(first, second)

    store = round_robin_store(None, [*(f"a{number}" for number in range(7)), "last"], 1, drawn)
    page = Elements(report(tournament_of(store), store))
    assert re.search(r"7 agents share the first place, each with \S.* Elo: a0, a1, a2, a3, a4 and 2 more\.", page.words)


def test_a_report_names_files_without_the_folders_of_the_machine(tmp_path):
    class_folder = tmp_path / "Ann Lee" / "agents"
    class_folder.mkdir(parents=True)
    words = f"bob failed in {class_folder / 'bob.py'}, line 3, after '/usr/lib/python3/pathlib.py', at .X./O../... and 1/2"

    def crash(first, second):
        return (Verdict.CRASH, (first, second).index("bob"), -1.0 if first == "bob" else 1.0, words)

    agents = [
        {"name": name, "identity": f"[{name}]", "text": str(class_folder / f"{name}.py"), "refused": words * (name == "carl")}
        for name in ("anna", "bob", "carl")
    ]
    store = round_robin_store(None, ["anna", "bob"], 1, crash, agents=agents, notes=[words], game=str(tmp_path / "my.py"))
    result = tournament_of(store)
    assert "Tournamentmy.py" in Elements(report(result, store)).words
    store.describe(title="dash")
    page = Elements(report(result, store))
    assert "Tournamentdash" in page.words
    for folder in (str(tmp_path), "Ann Lee", "/usr/lib"):
        assert folder not in page.words
    assert page.words.count("bob failed in bob.py, line 3, after 'pathlib.py', at .X./O../... and 1/2") == 3
    assert str(tmp_path) in result.game  # only the report leaves them out
