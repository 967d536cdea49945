"""`python -m outplay`."""

import sys

try:
    from outplay.cli.main import main
except KeyboardInterrupt:  # the first second goes into imports
    sys.stderr.write("Interrupted.\n")
    sys.exit(130)

main()
