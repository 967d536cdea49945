"""Learning on the page's server: what it answers, what it keeps, and what it refuses."""

import pytest
from shapes import shape_found_once  # noqa: F401
from toy_games import pile
from web_server import Page, Running, changed_file, running_server, wait_until

from outplay import load
from outplay.agents.named import agent
from outplay.errors import LearnedError
from outplay.learn.session import learn_games
from outplay.web import messages
from outplay.web.lessons import WEIGHT_BYTES, Lessons
from outplay.web.limits import Caps
from outplay.web.server import Server

pytest_plugins = ["served"]

GAMES = ["tic-tac-toe", "mypile.py"]  # built in, and a user's file with a process of its own


@pytest.mark.parametrize("game", GAMES)
def test_a_page_learns_a_game_and_uses_what_it_learned(page: Page, game):
    answer = page.ask("learn", game=game, seconds=0.5)
    assert answer["event"] == "learned", answer
    assert answer["games"] > 0
    assert answer["stopped_by"] == "time"
    assert "an estimate learned from" in answer["told"]
    assert answer["history"][0]["games"] > 0
    key = answer["key"]
    assert answer["origin"] == "here"
    assert ("<svg" in answer["picture"]) == (game == "tic-tac-toe")
    plain = page.ask("move", game=game, agent="search:depth=1")
    moved = page.ask("move", game=game, agent="search:depth=1", learned=key)
    assert moved["value"] is not None
    assert moved["value"] != plain["value"]
    analysis = page.ask("analyse", game=game, seconds=0.2, learned=key)
    assert analysis["event"] == "analysis"
    on = page.ask("learn", game=game, seconds=0.2, learned=key)
    assert on["games"] > answer["games"]
    assert on["key"] != key
    old = page.ask("analyse", game=game, learned=key)
    assert (old["code"], old["message"]) == (
        "learned-error",
        "the server no longer has what was learned of this game; learn it again",
    )


def test_a_learning_that_is_stopped_answers_with_what_it_has(page: Page):
    said = page.first("learning", "learn", game="tic-tac-toe")
    assert said["games"] >= 0
    page.send("stop", of=said["id"])
    answer = list(page.events(said["id"]))[-1]
    assert (answer["event"], answer["stopped_by"]) == ("learned", "stop")


def test_what_was_learned_of_one_game_is_no_estimate_of_another(page: Page):
    key = page.ask("learn", game="tic-tac-toe", seconds=0.2)["key"]
    other = page.ask("move", game="nim", agent="search:depth=1", learned=key)
    assert other["message"] == "what was learned is of other rules than the game has now; learn it again"


def test_a_page_names_no_file_and_learns_no_longer_than_it_may(page: Page):
    for fields in ({"seconds": 61}, {"seconds": 0}, {"file": "/tmp/x"}, {"learned": "x" * 41}):
        assert page.ask("learn", game="tic-tac-toe", **fields)["code"] == "malformed", fields
    assert page.ask("learn", game="tic-tac-toe", learned="../../etc/passwd")["code"] == "learned-error"


def test_only_so_many_estimates_of_so_much_memory_are_kept():
    found = learn_games(pile(), games=2, compiled=False)
    size = found.weights * WEIGHT_BYTES / 2**20
    for caps, kept in ((Caps(lessons=2), 2), (Caps(lessons_mb=1.5 * size), 1), (Caps(lessons_mb=size / 2), 1)):
        lessons = Lessons(None, None, caps)
        keys = [lessons._keep(found, "") for _ in range(4)]
        assert list(lessons._learned) == keys[-kept:]


def test_a_game_with_too_many_weights_is_refused():
    with running_server([], caps=Caps(lesson_mb=0.01)) as running, running.page() as page:
        answer = page.ask("learn", game="tic-tac-toe", seconds=5)
        assert answer["code"] == "too-large"
        assert "takes more than the 0.01 MB that the page may take; learn it at the command line" in answer["message"]


def test_learning_ends_with_its_page(server: Running):
    with server.page() as page:
        page.first("learning", "learn", game="tic-tac-toe")
    wait_until(lambda: server.service.jobs.idle)


def test_what_was_learned_by_old_rules_is_gone_with_them(server: Running, page: Page):
    key = page.ask("learn", game="mypile.py", seconds=0.2)["key"]
    with changed_file(server, "mypile.py", "State(7, 0)", "State(9, 0)"):
        wait_until(lambda: page.ask("move", game="mypile.py", agent="search:depth=1", learned=key).get("code") == "learned-error")


def test_a_game_with_an_estimate_that_ships_is_analysed_with_it_unless_the_page_wants_none(page: Page):
    told = page.ask("lesson", game="connect-four")
    assert (told["event"], told["origin"]) == ("lesson", "shipped")
    assert told["games"] > 10_000
    assert told["picture"].startswith("<svg")
    assert "an estimate learned from" in told["told"]
    assert page.ask("lesson", game="nim")["origin"] == ""
    assert page.ask("lesson", game="connect-four:columns=5")["origin"] == ""
    first = page.first("analysis", "analyse", game="connect-four", seconds=60)
    while first["depth"] < 1:
        first = next(event for event in page.events(first["id"]) if event["event"] == "analysis")
    page.send("stop", of=first["id"])
    assert [move["undecided"] for move in first["moves"]] == [False] * 7
    assert len({move["value"] for move in first["moves"]}) > 1
    *_, last = page.events(first["id"])
    assert last["stopped_by"] == "stop"
    bare = page.ask("analyse", game="connect-four", seconds=0.1, learned="none")
    assert [move["undecided"] for move in bare["moves"]] == [True] * 7


def test_what_is_proven_is_proven_also_beside_an_estimate_that_ships(page: Page):
    late = {"game": "connect-four", "start": "44444265633553"}
    found = page.ask("analyse", **late, seconds=120)
    assert (found["proven"], found["stopped_by"]) == (True, "proof")
    bare = page.ask("analyse", **late, seconds=120, learned="none")
    assert [(move["choice"], move["value"]) for move in found["moves"]] == [
        (move["choice"], move["value"]) for move in bare["moves"]
    ]
    assert found["best"] in {move["choice"] for move in bare["moves"] if move["value"] == bare["value"]}
    points = [
        event
        for event in page.events(page.send("graph", game="connect-four", choices=[3, 3], seconds=0.2))
        if event["event"] == "point"
    ]
    assert any(point["value"] % 1 for point in points)  # an estimate


def test_an_easy_level_stays_easy_and_a_higher_one_uses_what_ships(page: Page):
    values = [page.ask("move", game="connect-four", agent=f"search:depth={depth}")["value"] for depth in (3, 4)]
    assert values[0] is None  # nothing is decided, and there is no estimate
    assert values[1] is not None
    assert page.ask("move", game="connect-four", agent="search:depth=1,learned=shipped")["value"] is not None
    assert page.ask("move", game="connect-four", agent="search:depth=4", learned="none")["value"] is None


def test_an_agent_by_simulations_uses_what_ships_only_if_it_says_so(server: Running):
    moves = server.service.handlers.lengthy[messages.Move].answer.__self__
    game = load("connect-four")
    asked = messages.Move(id=1, game="connect-four")
    for text, uses in (("mcts:simulations=9", False), ("mcts:simulations=9,learned=shipped", True), ("search:seconds=1", True)):
        assert (moves._estimate(asked, game, agent(text, game, files=False)) is not None) == uses


def test_a_server_takes_learned_files_for_built_in_games_and_for_those_of_the_user(tmp_path, server: Running):
    file = tmp_path / "pile.py"
    file.write_text(server.service.own.path("mypile.py").read_text())
    learn_games(load("tic-tac-toe"), games=3, compiled=False).save(tmp_path / "board.learned")
    learn_games(load(str(file)), games=5, compiled=False).save(tmp_path / "pile.learned")
    learned = [str(tmp_path / "board.learned"), str(tmp_path / "pile.learned")]
    with running_server([str(file)], learned=learned) as running, running.page() as page:
        for game, games in (("tic-tac-toe", 3), ("pile.py", 5)):
            told = page.ask("lesson", game=game)
            assert (told["origin"], told["games"]) == ("file", games)
        assert page.ask("lesson", game="nim")["origin"] == ""
        assert page.ask("games")["games"][0]["learned"] == ["pile.learned"]
        moved = page.ask("move", game="pile.py", agent="search:depth=4")
        assert moved["value"] not in (None, 0)
    with pytest.raises(
        LearnedError, match=r"pile.learned is of a game that is not built in; name the game's file, too, as in outplay"
    ):
        Server([], port=0, learned=learned)
    file.write_text(file.read_text().replace("(1, 2, 3)", "(1, 2)"))
    with pytest.raises(
        LearnedError, match=r"pile.learned was learned with other rules than those of pile.py; give the game that"
    ):
        Server([str(file)], port=0, learned=learned)
    (tmp_path / "broken.learned").write_text("no")
    with pytest.raises(LearnedError, match="broken.learned is not the file of a learned estimate"):
        Server([], port=0, learned=[str(tmp_path / "broken.learned")])
