"""The referee: games that replay, faults that blame one seat, luck that no agent can change."""

import pytest

from outplay import Agent, Choice, RandomAgent, load
from outplay.arena.player import AgentPlayer, open_player
from outplay.arena.record import GameRecord, Verdict, replay
from outplay.arena.referee import play_game
from outplay.arena.schedule import Openings, gauntlet, pair_fixtures, round_robin
from outplay.arena.store import GameKey, Store
from outplay.errors import IllegalMove, OptionError, StoreError

GAME = load("tic-tac-toe")


class Says(Agent):
    """An agent that answers with whatever it was made with, or raises it."""

    name = "says"

    def __init__(self, answer):
        self.answer = answer

    def choose(self, game, state, clock, dice, *, stopper=None, progress=None):
        if isinstance(self.answer, Exception):
            raise self.answer
        return Choice(self.answer)


def random_players():
    return AgentPlayer(RandomAgent()), AgentPlayer(RandomAgent())


def test_a_game_replays_to_its_score_and_survives_json():
    for luck in range(20):
        record = play_game(GAME, random_players(), luck=str(luck))
        assert (record.verdict, record.blamed) == (Verdict.FINISHED, None)
        assert GAME.score(list(replay(GAME, record))[-1]) == record.score
        assert GameRecord.from_dict(record.to_dict()) == record


def test_the_same_luck_gives_the_same_dice_whoever_plays():
    pig = load("pig:goal=20")
    first = play_game(pig, random_players(), luck="7")
    again = play_game(pig, random_players(), luck="7")
    assert first.choices == again.choices
    assert play_game(pig, random_players(), luck="8").choices != first.choices


@pytest.mark.parametrize("answer", [99, -1, "1", None, 1.5, True, 10**30])
def test_a_move_that_is_not_legal_is_the_fault_of_its_seat(answer):
    for seat in (0, 1):
        players = [AgentPlayer(RandomAgent()), AgentPlayer(RandomAgent())]
        players[seat] = AgentPlayer(Says(answer))
        record = play_game(GAME, players)
        assert (record.verdict, record.blamed) == (Verdict.ILLEGAL, seat)
        assert record.score == (GAME.low if seat == 0 else GAME.high)


def test_an_exception_is_a_crash_and_its_text_is_kept():
    record = play_game(GAME, (AgentPlayer(RandomAgent()), AgentPlayer(Says(ZeroDivisionError("oh no")))))
    assert (record.verdict, record.blamed) == (Verdict.CRASH, 1)
    assert "oh no" in record.detail


@pytest.mark.parametrize("parameters", ["state", "game, state", "game, state, clock"])
def test_a_function_in_a_file_takes_what_it_names(tmp_path, parameters):
    file = tmp_path / "mine.py"
    file.write_text(
        f"from outplay import load\nown = load('tic-tac-toe')\ndef choose({parameters}):\n    return own.legal(state)[-1]\n"
    )
    with open_player(str(file), GAME) as mine:
        record = play_game(GAME, (mine, AgentPlayer(RandomAgent())))
    assert record.verdict is Verdict.FINISHED
    assert record.steps[0].choice == GAME.legal(GAME.start)[-1]


def test_a_record_of_other_rules_does_not_replay():
    record = play_game(GAME, random_players())
    with pytest.raises(IllegalMove, match="see whether the record belongs to these rules"):
        list(replay(GAME, GameRecord.from_dict(record.to_dict() | {"opening": [record.choices[0]]})))
    with pytest.raises(OptionError, match="not the record of a game"):
        GameRecord.from_dict({"verdict": "won"})


def test_the_store_keeps_a_game_once_and_notices_changes(tmp_path):
    file = tmp_path / "games.store"
    record = play_game(GAME, random_players(), luck="3")
    key = GameKey("rules", "one", "other", 0, "3", "{}", record.start, record.opening)
    with Store(file) as store:
        assert store.add(key, record)
        assert not store.add(key, record)
        with pytest.raises(StoreError, match="another process is writing"):
            Store(file)
    assert (tmp_path / "games.store.lock").exists()  # removing it would let two processes hold a lock each
    with Store(file) as store:
        assert store.find(key.id[:6])[1] == record
        assert store.problems(GAME) == []
        with store._database:
            store._database.execute("UPDATE games SET score = ?", (record.score + 1,))
        assert "by the rules" in store.problems(GAME)[0]
    other = tmp_path / "text"
    other.write_text("not a database, " * 100)
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(other)


def test_every_pair_shares_start_and_luck_and_exchanges_seats():
    assert sorted(round_robin(4)) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert len(round_robin(5)) == 10
    assert gauntlet(4) == [(0, 1), (0, 2), (0, 3)]
    openings = Openings(GAME, 1, plies=2)
    fixtures = pair_fixtures(0, 1, range(6), openings, 1)
    for one, two in zip(fixtures[::2], fixtures[1::2], strict=True):
        assert (one.first, one.second) == (two.second, two.first)
        assert (one.start, one.opening, one.luck) == (two.start, two.opening, two.luck)
    assert len({fixture.opening for fixture in fixtures}) == 6
    assert Openings(GAME, 1, plies=2)[3] == openings[3]


def test_openings_that_must_repeat_are_counted():
    few = Openings(GAME, 1, plies=1)
    assert len({few[pair] for pair in range(9)}) == 9
    assert few.repeated == 0
    few[29]
    assert few.repeated == 21
    alone = Openings(GAME, 1, plies=0)
    alone[3]
    assert alone.repeated == 3
    dice = Openings(load("pig:goal=20"), 1)
    dice[3]
    assert dice.repeated == 0
