"""Run as a program: starts Ray on this machine, plays a tournament on its two workers, and prints what happened as JSON.

Half-way nothing happens ("whole"), or a worker is killed while it plays ("worker"), or one of two machines is lost ("node"). Ray
listens on loopback alone, sends no statistics, and has its files in a folder of its own; nothing of it is left at the end. A process of
its own, because Ray changes the one that it is used in.
"""

import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from ipaddress import ip_address
from pathlib import Path

import psutil

os.environ |= {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_METRICS_COLLECTION": "0",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # elsewhere, too, that means: this machine alone, by loopback
    "RAY_memory_monitor_refresh_ms": "0",  # a machine that is short of memory is not what is tested
}

OPTIONS = {"games": 20, "seed": 5, "opening": 3, "trusted": True}
AGENTS = ["first.py", "last.py", "middle.py", "second.py", "third.py"]
MEMORY = 80 << 20  # bytes for Ray's objects, the least it takes


def started():
    """Return all processes that this one has started, and theirs."""
    return psutil.Process().children(recursive=True)


def strangers():
    """Return the addresses other than loopback at which these processes listen, or to which they are connected."""
    found = set()
    for process in [psutil.Process(), *started()]:
        with contextlib.suppress(psutil.Error):
            for connection in process.net_connections("inet"):
                for end in (connection.laddr, connection.raddr):
                    address = ip_address(end.ip) if end else None
                    address = getattr(address, "ipv4_mapped", None) or address
                    if address is not None and not address.is_loopback:
                        found.add(f"{process.name()} {connection.status} {end.ip}:{end.port}")
    return sorted(found)


class Killer:
    """Kills a worker of Ray, once half of the games are played, while it plays others."""

    def __init__(self):
        self.killed = 0

    def __call__(self, progress):
        while not self.killed and progress.played >= progress.total / 2:
            for process in started():
                with contextlib.suppress(psutil.Error):
                    if "play_batch" in process.name() + " ".join(process.cmdline()):
                        process.send_signal(signal.SIGKILL)
                        self.killed = process.pid
                        return
            time.sleep(0.01)


def main(folder, *modes):
    temporary = os.environ["RAY_TMPDIR"] = tempfile.mkdtemp(prefix="ray-")  # short: it has sockets in it
    from ray.cluster_utils import Cluster

    from outplay.arena.cluster import on_cluster
    from outplay.arena.tournament import tournament

    cluster = Cluster()
    killer = Killer()
    told = {}
    try:
        where = {"node_ip_address": "127.0.0.1", "include_dashboard": False, "object_store_memory": MEMORY}
        nodes = [cluster.add_node(num_cpus=number, **where) for number in ((0, 1, 1) if "node" in modes else (2,))]

        def lose_node(progress):
            if len(nodes) == 3 and progress.played >= progress.total / 2:
                cluster.remove_node(nodes.pop(), allow_graceful=False)

        agents = [str(folder / name) for name in AGENTS]
        for mode in modes:
            happens = {"whole": None, "worker": killer, "node": lose_node}[mode]
            plays = on_cluster(cluster.address)
            tournament("tic-tac-toe", agents, store=folder / f"{mode}.store", plays=plays, progress=happens, **OPTIONS)
            told.setdefault("strangers", strangers())
    finally:
        processes = started()
        cluster.shutdown()
        _, alive = psutil.wait_procs(processes, timeout=60)
        told |= {"killed": killer.killed, "alive": [process.name() for process in alive]}
        for process in alive:
            process.kill()
        shutil.rmtree(temporary, ignore_errors=True)
    print(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
