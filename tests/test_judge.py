"""`judge`: a learned estimate beside exact values, or in a match."""

import json
import sys
from functools import partial

import pytest
from toy_games import Pile, pile
from typer.testing import CliRunner

from outplay import Stopper, judge, load
from outplay.arena.judgement import Judgement, Level
from outplay.cli import judge as cli_judge
from outplay.cli import main
from outplay.errors import GameError, Interrupted, LearnedError, LimitError, OptionError, TooLarge
from outplay.learn.session import learn_games
from outplay.solve.proof.prover import Prover

judging = sys.modules[judge.__module__]
GAME = pile(start=Pile(20, 0))


@pytest.fixture(scope="module")
def learned():
    """A little of the pile of twenty: positions divide by three, or are won."""
    return learn_games(GAME, games=64, compiled=False)


@pytest.fixture(scope="module")
def found(learned):
    return judge(GAME, learned, positions=30, seed=2, compiled=False)


def test_choices_are_compared_with_a_table(found):
    level = found.level
    assert found.by == "table"
    assert level.by_sign
    assert level.positions <= 30
    assert level.decisive <= level.positions
    assert level.kept + (level.positions - level.decisive) == level.best  # two results: who keeps it plays a best move
    assert level.loss == pytest.approx(2 * (level.decisive - level.kept) / level.positions)
    assert level.kept_by_chance == pytest.approx(0.5)
    assert 0 < level.interval[0] <= level.rate <= level.interval[1] <= 1


def test_the_rounding_of_exact_values_is_not_given_away(monkeypatch):
    """Values of a game with chance are right to within an error, by which the best move may seem worse than another."""
    exact = judging._Table.values

    def rounded(table, state):
        return {move: value - 1e-15 * move for move, value in exact(table, state).items()}

    monkeypatch.setattr(judging._Table, "values", rounded)
    game = GAME.replace(chances=lambda state: ((0, 1.0),))
    found = judge(game, learn_games(game, games=64, compiled=False), depth=20, positions=20, compiled=False)
    assert found.level.best == found.level.positions
    assert found.level.loss == 0


def test_the_report_says_how_positions_were_drawn(found):
    told = found.explain()
    assert "pile: depth 1 with an estimate learned from 64 games." in told
    assert f"It keeps the result (won, drawn or lost) in {found.level.kept} of {found.level.decisive} positions" in told
    assert "drawn by random play from the start, 0 to " in told
    assert "(seed 2); their values are exact, by a solved table." in told
    assert f"Of {found.draws} positions drawn by random play, {found.draws - found.level.positions} were left out: " in told
    assert " repeats of an earlier one" in told
    assert found.draws == found.level.positions + sum(number for _, number in found.left_out)
    json.dumps(found.to_dict())
    assert "64 games" in found._repr_html_()
    assert "Judgement(game='pile'" in repr(found)


def test_the_same_seed_judges_the_same_positions(learned, found):
    again = judge(GAME, learned, positions=30, seed=2, compiled=False)
    assert (again.level, again.plies, again.left_out) == (found.level, found.plies, found.left_out)


def test_a_search_that_sees_the_end_keeps_every_result(learned):
    level = judge(GAME, learned, depth=20, positions=20, compiled=False).level
    assert level.kept == level.decisive > 0
    assert level.loss == 0


def test_without_a_table_values_are_proven_within_a_limit_of_nodes(learned, found, monkeypatch):
    def too_large(*arguments, **options):
        raise TooLarge("no")

    monkeypatch.setattr(judging, "solve", too_large)
    proven = judge(GAME, learned, positions=30, seed=2, compiled=False)
    assert proven.by == "proof"
    assert proven.level == found.level
    assert "exact, by proofs" in proven.explain()
    prove = Prover.value

    def tire(prover, state, *, nodes, stopper):
        if state.stones > nodes:
            raise TooLarge("it takes more nodes")
        return prove(prover, state, nodes=nodes, stopper=stopper)

    monkeypatch.setattr(Prover, "value", tire)
    fewer = judge(GAME, learned, positions=30, seed=2, nodes=15, compiled=False)
    assert dict(fewer.left_out)["not proven within the limit of nodes"] > 0
    assert "these are easier than positions of a whole game" in fewer.explain()
    assert fewer.plies[0] > proven.plies[0]


def test_a_prover_gives_up_after_so_many_nodes():
    prover = Prover(GAME, compiled=False)
    with pytest.raises(TooLarge, match=r"takes more nodes to prove than are allowed"):
        prover.value(nodes=3)
    assert prover.value(nodes=1_000_000) == prover.value() == 1


def test_where_nothing_decisive_can_be_proven_a_match_is_the_judge(learned, monkeypatch):
    def too_large(*arguments, **options):
        raise TooLarge("no")

    monkeypatch.setattr(judging, "solve", too_large)
    monkeypatch.setattr(Prover, "value", too_large)
    found = judge(GAME, learned, games=2, compiled=False)
    assert (found.by, found.against) == ("match", "nothing")
    assert "Exact values could not be had: of 100 positions drawn by random play, " in found.explain()
    assert " not proven within the limit of nodes" in found.explain()


def test_an_opening_says_the_ply_of_every_position(learned):
    found = judge(GAME, learned, opening=4, positions=5, compiled=False)
    assert found.plies == (4, 4.0, 4)
    assert "4 plies after it" in found.explain()


def test_a_match_is_the_judge_where_it_is_asked_for_or_nothing_can_be_proven(learned, monkeypatch):
    found = judge(GAME, learned, against="nothing", games=4, compiled=False)
    assert (found.by, found.against, found.level) == ("match", "nothing", None)
    assert len(found.match.played) == 4
    assert (
        "Judged by a match against the same depth with no estimate:\npile: depth 1 with the learned estimate" in found.explain()
    )
    json.dumps(found.to_dict())
    monkeypatch.setattr(judging, "_exact", lambda *_: None)
    assert judge(GAME, learned, games=2, compiled=False).against == "nothing"


def test_the_game_s_own_estimate_is_the_other_player(learned):
    told = []
    game = pile(start=Pile(20, 0), estimate=lambda state: 0.25)
    own = learn_games(game, games=2, compiled=False)
    found = judge(game, own, against="estimate", games=2, compiled=False, progress=lambda *done: told.append(done))
    assert found.match.second == "depth 1 with the game's own estimate"
    assert told == [(1, 2), (2, 2)]


def test_a_stopped_judge_reports_on_fewer_positions(learned):
    stopper = Stopper()
    found = judge(
        GAME, learned, positions=10, compiled=False, stopper=stopper, progress=lambda done, _: done == 3 and stopper.stop()
    )
    assert found.stopped
    assert found.level.positions == 3
    assert "It was stopped before all positions were drawn." in found.explain()
    with pytest.raises(Interrupted):
        judge(GAME, learned, compiled=False, stopper=stopper)


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"positions": 0}, LimitError, "positions=0 is not valid"),
        ({"depth": 1.5}, LimitError, "depth=1.5 is not valid"),
        ({"seconds": -1}, LimitError, "seconds=-1"),
        ({"opening": -1}, OptionError, "opening=-1 must be a number of random plies"),
        ({"opening": 100}, OptionError, "100 random plies always end a game of pile"),
        ({"against": "god"}, OptionError, "against='god' is unknown; the other player has 'nothing' or 'estimate'"),
        ({"against": "estimate"}, OptionError, "'pile' has no estimate of its own to play against"),
        ({"seed": "x"}, OptionError, "seed='x'"),
    ],
)
def test_what_cannot_be_judged_is_refused(learned, options, kind, message):
    with pytest.raises(kind, match=message):
        judge(GAME, learned, compiled=False, **options)


def test_only_a_learned_estimate_of_the_same_game_is_judged(learned):
    with pytest.raises(OptionError, match=r"judge takes a learned estimate, and got 'x'; Learned.load\(file, game\) reads one"):
        judge(GAME, "x")
    with pytest.raises(GameError, match="judge takes a Game, and got 'pile'"):
        judge("pile", learned)
    with pytest.raises(OptionError, match="was learned for 'pile', and 'other' has other rules"):
        judge(pile(name="other", score=lambda state: 0), learned)


def test_positions_that_cannot_be_judged_are_told_with_the_reason(learned, monkeypatch):
    monkeypatch.setattr(judging, "opened", lambda *_: (Pile(1, 0), []))
    with pytest.raises(LimitError, match=r"no position of 'pile' could be judged: of \d+ drawn, .*only one legal move"):
        judge(GAME, learned, opening=3, positions=2, compiled=False)


def test_the_interval_is_sound_at_the_ends():
    whole = Level(10, 10, 10, 0.5, 10, 0.0, 0.0, True)
    assert whole.interval == (pytest.approx(0.722, abs=1e-3), 1.0)
    none = Level(3, 0, 0, 1.0, 3, 0.0, 0.0, True)
    assert (none.rate, none.interval) == (1.0, (0.0, 1.0))
    told = Judgement("g", 1, 1, "table", none, draws=3).explain()
    assert "In none of these positions could a move give the result (won, drawn or lost) away." in told


def test_judge_at_the_command_line(tmp_path, monkeypatch):
    path = tmp_path / "nim.learned"
    learn_games(load("nim"), games=10, compiled=False).save(path)
    monkeypatch.setattr(cli_judge, "run_judge", partial(judge, compiled=False))
    done = CliRunner().invoke(main.app, ["judge", "nim", "--learned", str(path), "--positions", "20"])
    assert done.exit_code == 0, done.exception
    assert done.stdout.startswith("nim")
    assert "exact, by a solved table" in done.stdout
    match = ["--against", "nothing", "--games", "2", "--json"]
    told = CliRunner().invoke(main.app, ["judge", "nim", "--learned", str(path), *match])
    assert json.loads(told.stdout)["by"] == "match"
    other = CliRunner().invoke(main.app, ["judge", "tic-tac-toe", "--learned", str(path)])
    assert isinstance(other.exception, LearnedError)
