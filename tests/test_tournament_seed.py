"""The seed of a tournament: nobody can guess one that is drawn, the store keeps it, and it can be named to repeat the tournament."""

from outplay import RandomAgent
from outplay.arena.store import Store
from outplay.arena.tournament import GUESSED_BITS, tournament


def lucks(store):
    return sorted({game.key.luck for game in store.games()})


def test_a_seed_that_is_left_out_is_drawn_kept_and_can_be_named(tmp_path):
    agents, starts = ["random", RandomAgent()], []
    for name in ("one", "two"):
        tournament("pig:goal=10", agents, games=4, store=tmp_path / name, begun=starts.append)
    with Store(tmp_path / "one", readonly=True) as one, Store(tmp_path / "two", readonly=True) as two:
        seed, before = one.about("seed"), lucks(one)
        assert seed != two.about("seed")
        assert seed.bit_length() > GUESSED_BITS
        choices = {game.id: record.choices for game, record in one.records()}
    assert any(f"the seed is {seed};" in note for note in starts[0].notes)
    tournament("pig:goal=10", agents, games=8, store=tmp_path / "one", resume=True)
    with Store(tmp_path / "one", readonly=True) as one:
        assert lucks(one)[:2] == before
        assert (len(one.ids()), len(lucks(one))) == (8, 4)
    with Store() as again:
        tournament("pig:goal=10", agents, games=4, seed=seed, store=again)
        assert {game.id: record.choices for game, record in again.records()} == choices


def test_untrusted_agents_and_a_seed_that_can_be_guessed_are_warned_of():
    for seed, untrusted, warned in (
        (20261118, True, True),
        (20261118, False, False),
        (1 << 127, True, False),
        (None, True, False),
    ):
        starts = []
        tournament("nim", ["random", RandomAgent()], games=2, seed=seed, untrusted=untrusted, begun=starts.append)
        assert any("can guess the seed" in note for note in starts[0].notes) is warned
