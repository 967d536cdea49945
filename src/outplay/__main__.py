"""`python -m outplay`."""

from outplay.cli.main import main

main()
