"""What the page's server answers, to what is asked rightly and wrongly."""

import json
import re
import sys
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple, get_args

import pytest
from patience import PATIENCE
from web_server import Page, Running, changed_file, wait_until

from outplay import CHANCE, OVER, Game, analyse, load
from outplay.search.techniques import TECHNIQUES
from outplay.search.trace import trace
from outplay.solve.progress import Progress
from outplay.trees.examples import examples
from outplay.web import answers, limits, messages, moves, preparation
from outplay.web.analyses import _answer
from outplay.web.answers import written
from outplay.web.game_registry import GameRegistry
from outplay.web.limits import POSITIONS, Caps
from outplay.web.page_constants import BY_CHANCE, constants
from outplay.web.positions import Positions

pytest_plugins = ["served"]

WON = [1, 4, 2, 5, 3]  # tic-tac-toe: X has the top row


# What is answered.


def test_the_games_are_listed_with_what_a_page_needs_to_offer_them(page: Page):
    answer = page.ask("games")
    games = {game["name"]: game for game in answer["games"]}
    assert games["connect-four"]["title"] == "Connect Four"
    assert [parameter["name"] for parameter in games["connect-four"]["parameters"]] == ["columns", "rows", "line"]
    assert games["connect-four"]["parameters"][0]["default"] == "7"
    assert games["pig"]["chance"]
    assert not games["tic-tac-toe"]["chance"]
    assert games["blacksin"]["deals"]
    assert games["blacksin"]["policies"] == ["house"]
    assert games["tic-tac-toe"]["players"] == ["X", "O"]
    assert games["mypile.py"] == {
        "name": "mypile.py",
        "title": "pile",
        "about": "",
        "parameters": [],
        "chance": False,
        "policies": [],
        "players": ["player 0", "player 1"],
        "own": True,
        "deals": False,
        "learned": [],
    }


def test_what_is_said_of_a_game_does_not_repeat_its_title(page: Page):
    about = {game["title"]: game["about"] for game in page.ask("games")["games"]}
    assert about["Connect Four"] == "Drop stones, line up four. Faster wins score higher."
    assert not [title for title, said in about.items() if said.casefold().startswith(f"{title.casefold()}:")]


def test_an_error_repeats_only_the_beginning_of_a_long_state(page: Page):
    said = page.ask("read", game="tic-tac-toe", text="X" * 500)
    assert said["code"] == "state-error"
    assert "X" * 60 + "…" in said["message"]
    assert "X" * 61 not in said["message"]


class Twig(NamedTuple):
    """A choice, then a toss, then a choice."""

    ply: int


def twig(scores: tuple[float, float]) -> Game:
    def chances(state: Twig) -> Iterator[tuple[int, float]]:
        yield 0, 0.5
        yield 1, 0.5

    def moves(state: Twig) -> Iterator[int]:
        yield 0
        yield 1

    return Game(
        name="twig",
        start=Twig(0),
        turn=lambda state: (0, 1, CHANCE, 0, OVER)[state.ply],
        moves=moves,
        chances=chances,
        play=lambda state, choice: Twig(state.ply + 1),
        score=lambda state: scores[state.ply % 2],
        name_move=lambda state, move: f"[{move}]",
    )


def test_a_line_of_an_analysis_ends_where_chance_decides_whatever_moves_are_called():
    found = analyse(twig((0.5, 0.5)), depth=3, compiled=False, check=False)
    moves = _answer(found, None).moves
    assert [(move.name, move.line, move.then_chance, move.undecided) for move in moves] == [
        ("[0]", ["[0]"], True, False),
        ("[1]", ["[0]"], True, False),
    ]
    short = _answer(analyse(twig((0.5, 0.5)), depth=2, compiled=False, check=False), None)
    assert short.undecided
    assert all(move.undecided for move in short.moves)  # no end was seen, and there is no estimate


def test_a_view_shows_the_position_and_what_can_be_chosen(page: Page):
    view = page.ask("view", game="tic-tac-toe", choices=[5, 1])
    assert view["event"] == "view"
    assert view["title"] == "Tic-tac-toe"
    assert view["turn"] == 0
    assert view["score"] is None
    assert view["result"] == ""
    assert view["svg"].startswith("<svg")
    assert [choice["choice"] for choice in view["choices"]] == [2, 3, 4, 6, 7, 8, 9]
    assert [(step["turn"], step["choice"]) for step in view["past"]] == [(0, 5), (1, 1)]
    assert page.ask("view", game="tic-tac-toe", start=view["state"])["state"] == view["state"]


def test_a_view_of_a_game_that_is_over_says_who_has_won(page: Page):
    view = page.ask("view", game="tic-tac-toe", choices=WON)
    assert (view["turn"], view["choices"], view["score"], view["result"]) == (-2, [], 1, "X wins")


def test_a_win_by_a_margin_says_the_margin(page: Page):
    choices: list[int] = []
    while (view := page.ask("view", game="dots-and-boxes:rows=1,columns=1", choices=choices))["turn"] != -2:
        choices.append(view["choices"][0]["choice"])
    assert re.fullmatch(r".+ wins by 1", view["result"])


def test_a_score_of_the_users_own_game_is_said_as_it_is(page: Page):
    assert page.ask("view", game="mypile.py", choices=[3, 3, 1])["result"] == "player 0 wins, with a score of +3"
    assert page.ask("view", game="mypile.py", choices=[3, 2, 1, 1])["result"] == "player 1 wins, with a score of \u22123"


def test_a_view_where_chance_acts_has_probabilities(page: Page):
    view = page.ask("view", game="pig", choices=[1])
    assert view["turn"] == -1
    assert [choice["probability"] for choice in view["choices"]] == [pytest.approx(1 / 6)] * 6


def test_a_rule_that_goes_wrong_is_an_error_that_says_where(page: Page):
    assert (
        page.ask("view", game="mypile.py", start="-1,0")["message"]
        == "show, line 25: raises ValueError: no stones to show; see why, in that line"
    )


def changed(page: Page) -> dict[str, str]:
    """Return what the server says of its own accord once a file has changed."""
    while (event := page.event())["event"] != "changed":
        pass
    return event


def test_a_file_that_changes_is_read_again_and_every_page_is_told(server: Running, page: Page):
    assert [choice["choice"] for choice in page.ask("view", game="mypile.py")["choices"]] == [1, 2, 3]
    with server.page() as other:
        assert other.ask("view", game="pig")["event"] == "view"
        with changed_file(server, "mypile.py", "in (1, 2, 3)", "in (1, 2)"):
            for one in (page, other):
                assert changed(one).items() >= {"id": None, "event": "changed", "game": "mypile.py", "error": ""}.items()
            assert [choice["choice"] for choice in page.ask("view", game="mypile.py")["choices"]] == [1, 2]
    assert changed(page)["error"] == ""
    assert len(page.ask("view", game="mypile.py")["choices"]) == 3


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("def moves(state):", "def moves(state:", "line "),
        ("game = Game(", "exit(3)\ngame = Game(", "exit"),
        ("game = Game(", "game = dict(", "has no Game in it"),
    ],
)
def test_a_file_that_is_broken_by_a_change_leaves_the_old_rules_and_says_why(server: Running, page: Page, old, new, why):
    assert page.ask("view", game="mypile.py")["broken"] == ""
    with changed_file(server, "mypile.py", old, new):
        assert why in changed(page)["error"]
        view = page.ask("view", game="mypile.py", choices=[3, 3])
        assert (view["event"], len(view["choices"])) == ("view", 1)
        assert why in view["broken"]
        assert page.ask("view", game="tic-tac-toe")["broken"] == ""
    assert changed(page)["error"] == ""
    assert page.ask("view", game="mypile.py")["broken"] == ""


def test_chance_that_a_game_does_not_have_is_an_error_that_says_so(page: Page):
    assert "the game has no chances; give the Game chances" in page.ask("view", game="mypile.py", start="7,-1")["message"]


def test_what_cannot_be_sent_is_an_error_that_says_so():
    for value in ("\ud800", "x" * limits.ANSWER_BYTES, object()):
        answer = json.loads(written(answers.State(id=7, start=value)))
        assert (answer["id"], answer["event"], answer["done"]) == (7, "error", True)
        assert answer["code"] == ("too-large" if value == "x" * limits.ANSWER_BYTES else "unsendable")
    assert json.loads(written(answers.Point(ply=0, value=float("inf"), depth=0, proven=True)))["value"] is None


def test_many_positions_are_drawn_at_once(page: Page):
    positions = [{"game": "tic-tac-toe", "choices": WON[:count]} for count in range(5)] + [{"game": "pig"}]
    views = page.ask("views", positions=positions)["views"]
    assert [view["state"] for view in views[:2]] == [
        page.ask("view", game="tic-tac-toe", choices=WON[:n])["state"] for n in (0, 1)
    ]
    assert all(view["svg"].startswith("<svg") for view in views)


def test_a_deal_is_a_start_that_can_be_viewed(page: Page):
    start = page.ask("deal", game="blacksin")["start"]
    assert page.ask("view", game="blacksin", start=start)["turn"] in (0, 1)
    assert page.ask("deal", game="tic-tac-toe")["start"] == ""


def test_a_state_typed_in_comes_back_as_the_game_writes_it(page: Page):
    answer = page.ask("read", game="connect-four", text="44")
    assert answer["start"] == "......./......./......./......./...O.../...X..."
    assert page.ask("read", game="connect-four", text="99")["event"] == "error"


def test_a_roll_is_one_of_the_outcomes(page: Page):
    assert page.ask("roll", game="pig", choices=[1])["choice"] in range(1, 7)
    assert "nothing to roll" in page.ask("roll", game="pig")["message"]


def shown(view: dict[str, Any]) -> dict[str, Any]:
    """Return what a view shows, without what it answers."""
    return {name: value for name, value in view.items() if name not in ("id", "done")}


def test_a_move_and_a_roll_bring_the_view_of_the_position_after_them(page: Page):
    moved = page.ask("move", game="tic-tac-toe", choices=[5, 1], agent="random")
    assert shown(moved["view"]) == shown(page.ask("view", game="tic-tac-toe", choices=[5, 1, moved["choice"]]))
    rolled = page.ask("roll", game="pig", choices=[1])
    assert shown(rolled["view"]) == shown(page.ask("view", game="pig", choices=[1, rolled["choice"]]))


COUNTING_GAME = """
from typing import NamedTuple
from outplay import OVER, Game

played = []

class State(NamedTuple):
    stones: int
    player: int

def turn(state):
    return state.player if state.stones else OVER

def moves(state):
    yield from range(1, min(3, state.stones) + 1)

def play(state, take):
    played.append(take)
    return State(state.stones - take, 1 - state.player)

def show(state):
    return str(1 // (state.stones - 3))

game = Game(name="counting", show=show, start=State(9, 0), turn=turn, moves=moves, play=play, score=lambda state: 1)
"""


def test_a_longer_game_plays_only_its_new_choices(tmp_path):
    file = tmp_path / "counting.py"
    file.write_text(COUNTING_GAME)
    positions = Positions(GameRegistry({file.name: load(str(file))}), Caps(positions=6))
    played = sys.modules["outplay_file_counting"].played

    def view(*choices: int) -> list[int]:
        played.clear()
        found = positions.view(messages.View(id=1, game="counting.py", choices=list(choices)))
        assert [past.choice for past in found.past] == list(choices)
        return list(played)

    assert view(1, 2, 1) == [1, 2, 1]
    assert view(1, 2, 1, 3) == [3]
    assert view(1, 2, 2) == [2]
    assert view(1, 2) == []
    assert view(1, 2, 1, 3, 1) == [1]  # one more than are kept: all are forgotten
    assert view(1, 2) == [1, 2]
    place = positions.place(messages.View(id=1, game="counting.py", choices=[1, 2]))
    assert positions.view_after(place, 2) is not None
    assert positions.view_after(place, 3) is None  # show fails there, and whoever asks for the view hears why
    positions.registry.own["counting.py"] = load(str(file))  # by its new rules
    assert positions.place(messages.View(id=1, game="counting.py", choices=[1, 2])) is not place


def test_agents_move(page: Page):
    best = page.ask("move", game="tic-tac-toe", choices=[1, 4, 2, 5], agent="search:depth=3")
    assert (best["event"], best["choice"], best["value"], best["proven"]) == ("moved", 3, 1, True)
    assert page.ask("move", game="tic-tac-toe", agent="random")["choice"] in range(1, 10)
    start = page.ask("deal", game="blacksin")["start"]
    assert page.ask("move", game="blacksin", start=start, agent="house")["event"] == "moved"


def test_a_solved_game_is_played_from_its_table_and_a_large_one_is_refused(page: Page):
    moved = page.ask("move", game="mypile.py", agent="solved")
    assert (moved["choice"], moved["value"], moved["proven"]) == (3, 3, True)
    assert "solved" in page.ask("move", game="connect-four", agent="solved")["message"]


def test_a_solve_can_be_stopped(server: Running, page: Page, monkeypatch):
    def endless(*_, progress, **__):
        while True:
            progress(Progress("states", 1, None, 1, 1.0, None))
            time.sleep(0.01)

    monkeypatch.setattr(moves, "solve", endless)
    number = page.send("move", game="chomp", agent="solved")
    assert page.event()["event"] == "solving"
    page.send("stop", of=number)
    assert list(page.events(number))[-1]["event"] == "stopped"
    wait_until(lambda: server.jobs == 0)


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        ("solved:/etc/passwd", "is for the command line"),
        ("search:threads=64", "one thread"),
        ("person", "there is no agent"),
    ],
)
def test_an_agent_that_a_page_may_not_have_is_refused(page: Page, agent, why):
    assert why in page.ask("move", game="tic-tac-toe", agent=agent)["message"]


def test_nobody_moves_where_no_player_is_to_move(page: Page):
    assert "no player is to move" in page.ask("move", game="tic-tac-toe", choices=WON, agent="random")["message"]


def test_an_analysis_gives_every_move_its_value(page: Page):
    events = list(page.events(page.send("analyse", game="tic-tac-toe", choices=[1, 2], seconds=5)))
    last = events[-1]
    assert (last["event"], last["done"], last["stopped_by"], last["proven"], last["value"]) == (
        "analysis",
        True,
        "proof",
        True,
        1,
    )
    assert last["best"] in {move["choice"] for move in last["moves"] if move["value"] == 1}
    assert [move["choice"] for move in last["moves"]] == [3, 4, 5, 6, 7, 8, 9]
    assert all(not event["done"] for event in events[:-1] if event["event"] == "analysis")


def test_an_analysis_goes_on_until_it_is_stopped(page: Page):
    number = page.send("analyse", game="connect-four", seconds=600)
    seen = set()
    for event in page.events(number):
        seen.add(event["event"])
        if {"analysis", "tick"} <= seen:
            break
    page.send("stop", of=number)
    last = list(page.events(number))[-1]
    assert (last["event"], last["done"], last["stopped_by"]) == ("analysis", True, "stop")
    assert last["rate"] > 0


def test_a_newer_analysis_takes_the_place_of_the_older(server: Running, page: Page):
    first = page.send("analyse", game="connect-four", seconds=600)
    second = page.send("analyse", game="connect-four", choices=[4], seconds=600)
    ended = next(event for event in iter(page.event, None) if event["id"] == first and event.get("done"))
    assert ended.get("stopped_by", "stop") == "stop"
    page.send("stop", of=second)
    list(page.events(second))
    wait_until(lambda: server.jobs == 0)


def test_a_graph_has_a_point_for_every_position_of_the_game(page: Page):
    events = list(page.events(page.send("graph", game="tic-tac-toe", choices=WON, seconds=0.05)))
    assert [event["ply"] for event in events if event["event"] == "point"] == list(range(6))
    assert [event["value"] for event in events if event["event"] == "point"][-2:] == [1, 1]
    assert events[-1]["event"] == "done"


def test_a_trace_lists_every_node_under_its_parent(page: Page):
    found = page.ask("trace", game="tic-tac-toe", choices=[1, 4, 2, 5], depth=2, only=["pruning"])
    assert found["event"] == "trace"
    assert found["nodes"][0]["parent"] == -1
    assert all(node["parent"] < place for place, node in enumerate(found["nodes"]))
    assert sum(found["counts"].values()) == len(found["nodes"])
    assert found["visited"] == sum(node["entered"] is not None for node in found["nodes"])
    assert found["nodes"][0]["alpha"] is None  # minus infinity
    assert found["move_name"] == "3"


def test_a_trace_is_cut_where_its_nodes_have_too_many_choices(page: Page, monkeypatch):
    whole = page.ask("trace", game="tic-tac-toe", depth=3, nodes=300)
    monkeypatch.setattr(limits, "RECORDS", 200)
    found = page.ask("trace", game="tic-tac-toe", depth=3, nodes=300)
    assert len(whole["nodes"]) > 200 >= len(found["nodes"]) > 50
    assert found["cut"]
    assert found["visited"] < 300
    wide = page.ask("trace", game="nim:heaps=63-63-63-63-63-63-63-63", nodes=5000)
    assert wide["visited"] <= 8 * 63 + 3


def test_the_ladder_counts_what_each_technique_saves(page: Page):
    rows = page.ask("ladder", game="tic-tac-toe", choices=[5], depth=6)["rows"]
    assert [row["name"] for row in rows] == ["plain", "alpha-beta", "ordering", "table", "scout"]
    assert rows[0]["nodes"] > rows[1]["nodes"] > rows[3]["nodes"]
    assert len({row["value"] for row in rows}) == 1
    with_chance = page.ask("ladder", game="pig:goal=20", depth=2)["rows"]
    assert [row["name"] for row in with_chance][-2:] == ["star1", "star2"]


def test_a_tree_written_as_text_is_solved_exactly_and_traced(page: Page):
    text = "max(A = chance(1/2: 1, 1/2: 2), B = min(3, 12, 8), min(2, 4, 6))"
    found = page.ask("tree", text=text)
    assert (found["event"], found["value"], found["best"]) == ("tree", "3", ["B"])
    assert [node["parent"] for node in found["nodes"][:6]] == [-1, 0, 0, 0, 1, 1]
    assert [node["value_text"] for node in found["nodes"][:4]] == ["3", "3/2", "3", "2"]
    assert [node["best"] for node in found["nodes"][:7]] == [True, False, True, False, False, False, True]
    assert all(found["nodes"][step["index"]]["kind"] != "leaf" for step in found["steps"])
    traced = page.ask("trace", tree=text, only=["pruning"])
    assert traced["value"] == 3
    assert traced["counts"]["alpha cut"] == 1
    assert [row["value"] for row in page.ask("ladder", tree=text)["rows"]] == [3] * 7
    wrong = page.ask("tree", text="max(3,\n  min(1, x y))")
    assert (wrong["code"], wrong["line"]) == ("tree-error", 2)
    assert f"line 2, column {wrong['column']}" in wrong["message"]


def test_simulations_are_sent_with_all_that_a_step_shows(page: Page):
    found = page.ask("simulate", game="coin-tic-tac-toe", simulations=30, seed=4)
    game = load("coin-tic-tac-toe")
    recorded = trace(game, method="mcts", simulations=30, seed=4)
    assert (found["event"], found["stopped_by"], found["rule"]) == ("simulations", "simulations", "UCB1")
    assert [(node["parent"], node["choice"], node["born"]) for node in found["nodes"]] == [
        (node.parent, node.choice, node.born) for node in recorded.nodes
    ]
    assert (found["value"], found["line"], found["proven"]) == (recorded.result.value, [*recorded.line], False)
    for sent, one in zip(found["simulations"], recorded.simulations, strict=True):
        assert (sent["path"], sent["expanded"], sent["playout"]) == ([*one.path], [*one.expanded], [*one.playout])
        assert (sent["result"], sent["told"], sent["proven"]) == (one.result, [*one.backed_up], one.proven)
        assert {figures["node"]: figures["visits"] for figures in sent["changes"]} == {
            index: figures.visits for index, figures in one.changes.items()
        }
        for told, selection in zip(sent["selections"], one.selections, strict=True):
            assert (told["node"], told["chosen"]) == (selection.node, selection.chosen)
            assert len(told["options"]) + told["untried"] == len(selection.options)
    assert page.ask("simulate", game="coin-tic-tac-toe", simulations=30, seed=5)["simulations"] != found["simulations"]


def test_a_typed_tree_and_a_users_game_are_simulated_too(page: Page):
    found = page.ask("simulate", tree="max(min(3, 12, 8), min(2, 4, 6), min(14, 5, 2))")
    assert (found["proven"], found["stopped_by"], found["value"]) == (True, "proof", 3)
    assert found["simulations"][-1]["changes"][0]["lower"] == 3
    own = page.ask("simulate", game="mypile.py", choices=[1], simulations=20)
    assert len(own["simulations"]) == 20 or own["proven"]
    random = page.ask("simulate", game="tic-tac-toe", choices=[1, 4, 2, 5], opponent="random", simulations=20)
    assert "chance" in {node["kind"] for node in random["nodes"]}
    ranked = page.ask("simulate", game="connect-four:columns=4,rows=4", simulations=5)
    assert ranked["rule"] == "PUCT"
    assert ranked["nodes"][1]["prior"] > 0


def test_simulations_stop_where_the_tree_gets_too_large_or_they_take_too_long(page: Page, monkeypatch):
    whole = page.ask("simulate", game="tic-tac-toe", simulations=60)
    assert len(whole["nodes"]) > 60
    monkeypatch.setattr(limits, "SIMULATION_NODES", 60)
    small = page.ask("simulate", game="tic-tac-toe", simulations=60)
    assert small["stopped_by"] == "size"
    assert 30 < len(small["nodes"]) <= 60
    assert small["simulations"] == whole["simulations"][: len(small["simulations"])]
    monkeypatch.setattr(limits, "SIMULATION_SECONDS", 1e-6)
    late = page.ask("simulate", game="tic-tac-toe", simulations=60)
    assert (late["stopped_by"], late["simulations"], len(late["nodes"])) == ("time", [], 1)


@pytest.mark.parametrize("number", [0, -1, limits.SIMULATIONS + 1, 10**12])
def test_simulations_that_cannot_be_shown_are_refused_in_a_sentence(page: Page, number):
    refused = page.ask("simulate", game="tic-tac-toe", simulations=number)
    assert refused["code"] == "limit-error"
    assert refused["message"] == f"{number:,} simulations cannot be shown; choose a number from 1 to 200"


def test_several_traces_of_a_page_are_all_answered(page: Page):
    numbers = [page.send("trace", game="tic-tac-toe", depth=2) for _ in range(4)]
    done: dict[int, str] = {}
    while len(done) < 4:
        event = page.event()
        done[event["id"]] = event["event"]
    assert done == dict.fromkeys(numbers, "trace")


def test_a_game_is_prepared_and_the_page_hears_of_a_compilation_that_takes_long(page: Page, monkeypatch):
    assert page.ask("prepare", game="tic-tac-toe")["event"] == "ready"
    released = threading.Event()
    monkeypatch.setattr(preparation, "prepare", lambda *_, **__: released.wait(PATIENCE))
    events = []
    for event in page.events(page.send("prepare", game="tic-tac-toe")):
        events.append(event)
        released.set()  # it is told while it lasts
    names = [event["event"] for event in events]
    assert names[0] == "compiling"
    assert names[-2:] == ["compiled", "ready"]
    assert events[0]["game"] == "tic-tac-toe"
    assert 0.4 <= events[0]["seconds"] <= events[-2]["seconds"]


def test_a_job_that_only_compiles_is_given_up_at_once(page: Page, monkeypatch):
    released = threading.Event()
    monkeypatch.setattr(preparation, "prepare", lambda *_, **__: released.wait(PATIENCE))
    number = page.send("analyse", game="tic-tac-toe")
    page.send("stop", of=number)
    try:
        assert list(page.events(number))[-1]["event"] == "stopped"  # before the compilation is over
    finally:
        released.set()


# What is asked wrongly.


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("not JSON", "malformed"),
        ("[]", "Expected `object`"),
        ('{"id": 1, "do": "erase"}', "Invalid value 'erase'"),
        ('{"id": 1, "do": "view"}', "missing required field `game`"),
        ('{"id": 1, "do": "view", "game": "pig", "path": "x"}', "unknown field `path`"),
        ('{"id": 1, "do": "view", "game": "pig", "choices": ["1"]}', "Expected `int`"),
        (json.dumps({"id": 1, "do": "view", "game": "pig", "choices": [1] * 2001}), "length <= 2000"),
        (json.dumps({"id": 1, "do": "view", "game": "x" * 4001}), "length <= 4000"),
        ('{"id": 1, "do": "analyse", "game": "pig", "seconds": 601}', "<= 600"),
        ('{"id": 1, "do": "trace", "game": "pig", "nodes": 5001}', "<= 5000"),
        ('{"id": 1, "do": "trace", "game": "pig", "depth": 201}', "<= 200"),
        ('{"id": 1, "do": "simulate", "game": "pig", "seed": -1}', ">= 0"),
        ('{"id": 1, "do": "simulate", "game": "pig", "simulations": "many"}', "Expected `int`"),
        ('{"id": 1, "do": "simulate", "game": "pig", "depth": 3}', "unknown field `depth`"),
        (json.dumps({"id": 1, "do": "views", "positions": [{"game": "pig"}] * (POSITIONS + 1)}), "length <= 200"),
        ("[" * 30_000, "not a request"),
    ],
)
def test_a_malformed_request_is_an_error_and_the_socket_lives(page: Page, message, why):
    page.connection.send(message)
    answer = page.event()
    assert answer["event"] == "error"
    assert why in answer["message"]
    assert answer["id"] == (1 if message.startswith("{") else None)
    assert page.ask("view", game="pig")["event"] == "view"


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"do": "view", "game": "nothing"}, "unknown-game"),
        ({"do": "view", "game": "tic-tac-toe", "choices": [1, 1]}, "illegal-move"),
        ({"do": "view", "game": "tic-tac-toe", "start": "?"}, "state-error"),
        ({"do": "view", "game": "mypile.py", "start": "-1,0"}, "rule-raised"),
        ({"do": "move", "game": "pig", "agent": "search:threads=2"}, "option-error"),
        ({"do": "move", "game": "connect-four", "agent": "solved"}, "too-large"),
        ({"do": "trace", "tree": "max("}, "tree-error"),
        ({"do": "simulate", "tree": "max("}, "tree-error"),
        ({"do": "simulate", "game": "tic-tac-toe", "choices": WON}, "state-error"),
        ({"do": "simulate", "game": "pig", "opponent": "nobody"}, "option-error"),
        ({"do": "erase"}, "malformed"),
    ],
)
def test_every_error_has_a_code(page: Page, request_, code):
    failed = page.ask(**request_)
    assert (failed["event"], failed["code"]) == ("error", code)
    assert failed["message"]


def test_every_request_has_one_handler(server: Running):
    handlers = server.service.handlers
    assert handlers.quick.keys() == {*messages.QUICK}
    assert not handlers.quick.keys() & handlers.lengthy.keys()
    assert {*handlers.quick, *handlers.lengthy, messages.Stop} == {*get_args(messages.Asked)}


def test_the_constants_of_the_page_are_those_of_the_package():
    served = constants()
    assert {one["name"] for one in served["EXAMPLES"]} == {*examples()}
    assert {one["name"] for one in served["TECHNIQUES"]} <= {*TECHNIQUES}
    assert [name for rung in served["RUNGS"] for name in rung["added"]] == [one["name"] for one in served["TECHNIQUES"]]
    assert [rung["name"] for rung in served["RUNGS"] if rung["chance"]] == [*BY_CHANCE]
    assert served["SIMULATIONS"]["most"] == limits.SIMULATIONS >= served["SIMULATIONS"]["usual"]


def test_parameters_that_make_no_game_are_an_error_in_words(page: Page):
    assert "columns" in page.ask("view", game="connect-four:columns=9999999")["message"]
    assert "not a parameter" in page.ask("view", game="connect-four:colour=red")["message"]


def test_an_illegal_move_is_an_error_that_lists_the_legal_ones(page: Page):
    assert "legal moves: " in page.ask("view", game="tic-tac-toe", choices=[1, 1])["message"]


def test_in_the_example_every_technique_saves_and_none_changes_the_value(page: Page):
    text = examples()["every-technique"]
    rows = page.ask("ladder", tree=text)["rows"]
    nodes = [row["nodes"] for row in rows]
    assert all(after < before for before, after in pairwise(nodes)), nodes
    assert len({row["value"] for row in rows}) == 1
    for why, row in (("alpha cut", rows[4]), ("table", rows[3]), ("star2 cut", rows[6])):
        assert page.ask("trace", tree=text, only=row["only"])["counts"][why] > 0


def test_a_game_for_one_has_one_seat_and_its_score_counts_rewards(tmp_path):
    file = tmp_path / "walk.py"
    file.write_text(
        "from typing import NamedTuple\nfrom outplay import OVER, Game\n\n"
        "class State(NamedTuple):\n    steps: int\n\n"
        "def turn(state):\n    return OVER if state.steps == 0 else 0\n\n"
        "def moves(state):\n    yield 1\n    yield 2\n\n"
        "def play(state, choice):\n    return State(state.steps - 1)\n\n"
        "def reward(state, choice):\n    return choice * 1.5\n\n"
        "def score(state):\n    return 10\n\n"
        "game = Game(name='walk', start=State(2), turn=turn, moves=moves, play=play, score=score, reward=reward, low=0, high=20, players=('you',))\n"
    )
    positions = Positions(GameRegistry({file.name: load(str(file))}))
    begun = positions.view(messages.View(id=1, game="walk.py", choices=[2]))
    assert (begun.players, begun.paid, begun.score) == (["you"], 3.0, None)
    ended = positions.view(messages.View(id=1, game="walk.py", choices=[2, 1]))
    assert (ended.paid, ended.score, ended.result) == (4.5, 14.5, "a score of 14.5")
    assert positions.view(messages.View(id=1, game="tic-tac-toe", choices=[])).paid is None
