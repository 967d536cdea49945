"""A tournament on a Ray cluster: the same records as at home, whatever happens to a worker; strangers' machines are refused."""

import json
import os
import subprocess
import sys
from dataclasses import asdict, astuple
from pathlib import Path

import pytest
from patience import PATIENCE
from processes import outplay
from ray_tournament import AGENTS, OPTIONS

from outplay import load
from outplay.arena import cluster
from outplay.arena.isolation import tiers
from outplay.arena.isolation.tiers import Isolation
from outplay.arena.schedule import Openings, pair_fixtures
from outplay.arena.store import Store
from outplay.arena.time_control import TimeControl
from outplay.arena.tournament import Settings, tournament
from outplay.errors import OptionError, OutplayError

HERE = Path(__file__).parent
CHOICES = {
    "first": "moves[0]",
    "last": "moves[-1]",
    "middle": "moves[len(moves) // 2]",
    "second": "moves[:2][-1]",
    "third": "moves[:3][-1]",
}
AGENT = """import time

def choose(game, state):
    time.sleep(0.001)
    moves = game.legal(state)
    return {}
"""


def written(folder):
    """Write the agents to *folder*; return their files."""
    for name, choice in CHOICES.items():
        (folder / f"{name}.py").write_text(AGENT.format(choice))
    return [str(folder / name) for name in AGENTS]


def records(path):
    """Return all that a store says about its games, without the time that they took."""
    with Store(path, readonly=True) as store:
        assert store.problems() == []
        return {
            game.id: (
                game.key,
                record.verdict,
                record.blamed,
                record.score,
                record.detail,
                [(step.seat, step.choice) for step in record.steps],
            )
            for game, record in store.records()
        }


def settings(agents=(), **more):
    return asdict(
        Settings(
            game="tic-tac-toe",
            agents=tuple(agents),
            control=asdict(TimeControl()),
            seconds=0.1,
            **{"isolation": None, "untrusted": False, **more},
        )
    )


def played_on_ray(folder, *modes):
    """Play the tournament on Ray, in each of *modes*; return what the program says, and see that nothing is left of Ray."""
    pytest.importorskip("ray", reason="Ray is not installed, so the cluster is not tested")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent / "src"), os.environ.get("PYTHONPATH", "")])}
    program = subprocess.Popen(
        [sys.executable, HERE / "ray_tournament.py", folder, *modes],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    try:
        said, errors = program.communicate(timeout=2 * PATIENCE)
    finally:
        program.kill()
        program.wait()
    assert program.returncode == 0, errors[-3000:]
    told = json.loads(said.splitlines()[-1])
    assert told["alive"] == []
    assert told["strangers"] == []
    return told


def test_a_cluster_plays_the_same_games_even_if_a_worker_is_killed_half_way(tmp_path):
    tournament("tic-tac-toe", written(tmp_path), store=tmp_path / "local.store", **OPTIONS)
    local = records(tmp_path / "local.store")
    assert len(local) == 200
    assert played_on_ray(tmp_path, "worker")["killed"]
    assert records(tmp_path / "worker.store") == local


@pytest.mark.fuzz
def test_a_cluster_plays_the_same_games_undisturbed_and_if_a_machine_is_lost(tmp_path):
    tournament("tic-tac-toe", written(tmp_path), store=tmp_path / "local.store", **OPTIONS)
    played_on_ray(tmp_path, "whole", "node")
    for mode in ("whole", "node"):
        assert records(tmp_path / f"{mode}.store") == records(tmp_path / "local.store")


def test_a_worker_plays_the_batches_that_it_is_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    agents = written(tmp_path)
    setup = settings(agents)
    fixtures = pair_fixtures(0, 1, range(2), Openings(load("tic-tac-toe"), 5, plies=3), 5)
    try:
        found, seconds = cluster.play_batch(
            (str(tmp_path), setup, cluster.present(setup)), [(7 + place, astuple(one)) for place, one in enumerate(fixtures)]
        )
    finally:
        while cluster._pools:
            cluster._pools.popitem()[1].close()
    assert sorted(number for number, _ in found) == [7, 8, 9, 10]
    assert seconds > 0
    assert all(record["verdict"] == "finished" for _, record in found)


def test_a_worker_with_another_agent_refuses_to_play(tmp_path):
    agents = written(tmp_path)
    setup = settings(agents)
    begun = cluster.present(setup)
    cluster.check_present(setup, begun)
    (tmp_path / "last.py").write_text("def choose(state):\n    return 0\n")
    with pytest.raises(OptionError, match=r"the agent .*last.py differs on the worker on .*install the same versions"):
        cluster.check_present(setup, begun)
    with pytest.raises(OptionError, match="Outplay differs on the worker on .*: it has .*, and the tournament 0.0.1"):
        cluster.check_present(settings(), {**cluster.present(settings()), "Outplay": "0.0.1"})
    missing = {**settings(), "game": str(tmp_path / "nogame.py")}
    with pytest.raises(OptionError, match="cannot play: .*nogame.py.*copy the files of the tournament"):
        cluster.check_present(missing, begun)


def test_a_worker_without_the_tier_of_isolation_refuses_untrusted_agents(monkeypatch):
    monkeypatch.setattr(tiers, "problem", lambda tier: "it is not there")
    setup = settings(isolation=asdict(Isolation("L")), untrusted=True)
    with pytest.raises(OptionError, match="the worker on .* refuses to play: untrusted agents cannot be isolated here"):
        cluster.check_present(setup, cluster.present(setup))


class Unconnected:
    """Ray before it has connected; nothing else of it is needed where nobody listens."""

    @staticmethod
    def is_initialized():
        return False


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "[::1]:1", "127.0.0.1:99999999"])
def test_a_cluster_that_is_not_there_is_said_at_once(address):
    with pytest.raises(OutplayError, match=r"there is no Ray cluster at '.*1.*': .*; start one with ray start --head"):
        cluster.Cluster(Settings(**settings()), address, Unconnected)


def test_a_cluster_and_jobs_are_not_given_together(tmp_path):
    found = outplay("tournament", "tic-tac-toe", "random", "random", "--jobs", 2, "--cluster", "auto", cwd=tmp_path)
    assert found.returncode == 2
    assert "--cluster plays on others; leave one of them out" in found.stderr


def test_a_cluster_without_ray_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(OptionError, match=r"a cluster needs ray, which is not installed: pip install 'outplay\[cluster\]'"):
        cluster.on_cluster("auto")
