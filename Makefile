# make run and make test need git, make and Python 3.11 or later; they set up .venv themselves.

PYTHON ?= python3
BIN := .venv/bin
# Two more than the cores of a small machine, because many tests wait for a process or a clock.
WORKERS ?= 4

.PHONY: run test browser bubblewrap check bench fuzz signature clean
.DEFAULT_GOAL := run

run: .venv/installed-web ## the page: play, analyse, watch a search; prints its address
	@$(BIN)/outplay web

test: check browser bubblewrap ## every test
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not fuzz"

browser: ## Chromium for the tests of the page, by apt-get where it is missing and may be installed
	@sh tests/install-chromium

bubblewrap: ## bubblewrap for the tests of isolation, by apt-get where it is missing and may be installed
	@sh tests/install-bubblewrap

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
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis artefacts

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	|| { echo "Outplay needs Python 3.11 or later; say which by make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/installed-web: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[web]'
	@touch $@

.venv/installed-test: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

.venv/installed-bench: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	@touch $@
