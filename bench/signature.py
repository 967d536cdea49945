"""The bench signature: the nodes that a single thread visits over fixed positions of every game.

It changes when search behaviour changes, and then the commit says so: `make signature` writes it anew.
"""

import argparse
from pathlib import Path

from outplay import load, search
from outplay.rules.text import read_state

# What is compiled: interpreted, a search visits the same nodes, and the others take less time so than to compile.
COMPILED = ("connect-four", "connect-four:columns=5,rows=4", "extended-connect-four", "blacksin")

FILE = Path(__file__).with_name("signature.txt")
POSITIONS = (
    ("tic-tac-toe", "", 9, "best"),
    ("tic-tac-toe", "X../.O./...", 7, "best"),
    ("tic-tac-toe", "", 5, "random"),
    ("connect-four", "", 14, "best"),
    ("connect-four", "44353", 16, "best"),
    ("connect-four", "32164625", 18, "best"),
    ("connect-four", "44", 6, "random"),
    ("connect-four:columns=5,rows=4", "", 20, "best"),
    ("connect-four:columns=6,rows=5,line=3", "12", 8, "best"),
    ("coin-tic-tac-toe", "", 4, "best"),
    ("number-scrabble", "5", 6, "best"),
    ("extended-connect-four", "", 8, "best"),
    ("extended-connect-four:rows=4,columns=6,pops=2", "", 5, "random"),
    ("blacksin", "", 40, "best"),
    ("blacksin", "", 40, "house"),
    ("hidden-blacksin", "", 3, "best"),
    ("hidden-blacksin:cards=6", "", 12, "cautious"),
    ("kalah:houses=4,seeds=3", "", 12, "best"),
    ("othello", "", 9, "best"),
    ("dots-and-boxes", "", 12, "best"),
    ("domineering", "", 8, "best"),
    ("chomp:rows=4,columns=4", "", 12, "best"),
    ("nim", "", 10, "best"),
    ("three-mens-morris", "", 8, "best"),
    ("nine-mens-morris", "", 6, "best"),
    ("pig", "", 5, "best"),
    ("pig:goal=20", "", 7, "best"),
    ("pig:goal=20", "14,19,5,0,1", 6, "best"),
    ("pig:goal=20", "10,12,4,1", 5, "random"),
)


def counts() -> list[tuple[str, int]]:
    """Return each position with the nodes that its search takes."""
    found = []
    for name, text, depth, opponent in POSITIONS:
        game = load(name)
        state = read_state(game, text) if text else game.start
        compiled = name in COMPILED and opponent == "best"
        result = search(game, state, depth=depth, opponent=game.policies.get(opponent, opponent), compiled=compiled)
        found.append((f"{name} {text or 'start'} depth {depth} {opponent}", result.nodes))
    return found


def signature() -> str:
    """Return the text of the signature: a line for each position, then the total."""
    lines = counts()
    total = sum(nodes for _, nodes in lines)
    return "".join(f"{nodes:>12,}  {what}\n" for what, nodes in [*lines, ("total", total)])


def main() -> None:
    """Print the signature, or write it to its file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write it to bench/signature.txt")
    text = signature()
    if parser.parse_args().write:
        part = FILE.with_suffix(".part")
        part.write_text(text)
        part.replace(FILE)
    print(text, end="")


if __name__ == "__main__":
    main()
