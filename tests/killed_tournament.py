"""Run as a program: plays a tournament in a child process that is killed again and again. Prints how often, as JSON.

The child is forked, so that no time is spent on starting Python; that takes a process without other threads, which pytest is not.
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


def play(folder, store, games, say):
    agents = [f"{folder}/{name}" for name in AGENTS]
    tournament("tic-tac-toe", agents, games=games, begun=lambda start: os.write(say, b"x"), store=store, resume=True, **OPTIONS)


def main(folder, store, games, kills, longest):
    source, killed, lives = random.Random(os.urandom(8)), 0, 0
    while killed < kills:
        lives += 1
        hear, say = os.pipe()
        child = os.fork()
        if child == 0:
            play(folder, store, games, say)
            os._exit(0)
        os.close(say)
        if source.random() < 0.75:  # most often while games are played, else at any moment from the start on
            os.read(hear, 1)
        time.sleep(source.uniform(0, longest))
        os.close(hear)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            break  # the tournament was over before
        killed += 1
    print(json.dumps({"killed": killed, "lives": lives}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5]))
