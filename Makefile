# make run and make test need git, make and Python 3.11 or later; they set up .venv themselves.

PYTHON ?= python3
BIN := .venv/bin
CORES ?= 2

.PHONY: run test check bench fuzz signature clean
.DEFAULT_GOAL := run

run: .venv/installed ## a game of Connect Four; without a terminal, one analysed position
	@if [ -t 0 ] && [ -t 1 ]; then $(BIN)/outplay play connect-four; \
	else $(BIN)/outplay best connect-four 44353 --seconds 1; fi

test: check ## every test
	$(BIN)/python -m pytest -n $(CORES) -m "not fuzz"

check: .venv/installed-test ## style, types, rooms
	$(BIN)/ruff check src tests bench
	$(BIN)/ruff format --check src tests bench
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/installed-bench ## speed beside the peers', in one run
	$(BIN)/python -m bench

fuzz: .venv/installed-test ## the property tests at length; FUZZ_SECONDS sets how long
	$(BIN)/python -m pytest -m fuzz -s

signature: .venv/installed ## write the bench signature anew, after a change of search behaviour
	$(BIN)/python -m bench.signature --write

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	|| { echo "Outplay needs Python 3.11 or later; say which by make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/installed-test: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

.venv/installed-bench: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	@touch $@
