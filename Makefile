# Two commands matter: `make run` plays, `make test` proves. Both set up what they need.
PYTHON ?= python3
VENV := .venv
STAMP := $(VENV)/.ready

.PHONY: setup run test check lint types clean golden
.DEFAULT_GOAL := run

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

run: setup
	$(VENV)/bin/turnlog up

test: setup lint types
	$(VENV)/bin/python -m pytest -n auto

lint: setup
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

types: setup
	$(VENV)/bin/mypy

check: lint types

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

golden: setup
	$(VENV)/bin/python -m tests.golden.make
	$(VENV)/bin/python -m tests.golden.notices
