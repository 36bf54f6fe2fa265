# make chat   set up, and talk to an agent that remembers
# make test   set up, and run format, lint, types and tests
# Set-up is done once and again when pyproject.toml or this file changes.

VENV  := .venv
PY    := $(VENV)/bin/python
STAMP := $(VENV)/.ready
# Lines from a pipe belong to the chat, so set-up must not read standard input.
QUIET := < /dev/null

.PHONY: help setup chat test quick lint format bench clean

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

setup: $(STAMP)

$(STAMP): pyproject.toml Makefile scripts/setup.sh
	@scripts/setup.sh $(VENV) $(QUIET)
	@touch $@

chat: $(STAMP)
	@$(VENV)/bin/hma chat $(ARGS)

test: lint
	$(PY) -m pytest -n 2 --dist loadfile

quick: $(STAMP)
	$(PY) -m pytest -m "not slow" -x

lint: $(STAMP)
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/ruff check
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

format: $(STAMP)
	$(VENV)/bin/ruff format
	$(VENV)/bin/ruff check --fix

bench: $(STAMP)
	$(VENV)/bin/hma bench turn

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
