"""`outplay`, and `python -m outplay`: it begins here, so that Ctrl-C ends it quietly in its first second, too."""

import sys


def start() -> None:
    """Import the command line, which takes most of a second, and run it."""
    try:
        from outplay.cli.main import main
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted.\n")
        sys.exit(130)
    main()


if __name__ == "__main__":
    start()
