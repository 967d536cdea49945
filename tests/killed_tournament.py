"""Run as a program: plays a tournament in a child process that is killed again and again. Prints how often, as JSON.

The child is forked, so that no time is spent on starting Python; that takes a process without other threads, which pytest is not. It
says when it begins and when it has written games, so that the moments of the kills do not depend on how fast the machine is. If the
tournament is over before enough kills, it goes on with more games.
"""

import json
import os
import random
import signal
import sys
import time

from outplay.arena.tournament import tournament

OPTIONS = {"seed": 5, "opening": 3, "trusted": True}
AGENTS = ["first.py", "last.py", "middle.py"]
MOST_WRITES = 2  # that a child lives through
LONGEST = 0.01  # seconds after the last of them, or after the fork


def play(folder, store, games, say):
    agents = [f"{folder}/{name}" for name in AGENTS]

    def tell(_):
        os.write(say, b"x")

    tournament("tic-tac-toe", agents, games=games, begun=tell, progress=tell, store=store, resume=True, **OPTIONS)


def main(folder, store, games, kills):
    source, killed, step = random.Random(os.urandom(8)), 0, games
    while killed < kills:
        hear, say = os.pipe()
        child = os.fork()
        if child == 0:
            play(folder, store, games, say)
            os._exit(0)
        os.close(say)
        for _ in range(source.randint(0, 1 + MOST_WRITES)):  # 0: at any moment from the start on
            if not os.read(hear, 1):
                break
        time.sleep(source.uniform(0, LONGEST))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        os.close(hear)
        if os.WIFSIGNALED(status):
            killed += 1
        else:
            games += step  # the tournament was over before
    print(json.dumps({"killed": killed, "games": games}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
