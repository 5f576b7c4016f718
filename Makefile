# Two commands matter: `make run` plays, `make test` proves. Both set up what they need.
PYTHON ?= python3
VENV := .venv
STAMP := $(VENV)/.ready
DEV := $(VENV)/.ready-dev
PIP := $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: setup run test check lint types js-types clean golden mutants fuzz screenshots crowd
.DEFAULT_GOAL := run

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) -e .
	touch $@

# What only tests and checks need; whoever just plays does not wait for it.
$(DEV): $(STAMP)
	$(PIP) -e '.[dev]'
	touch $@

run: setup
	$(VENV)/bin/turnlog up

test: $(DEV) lint types js-types
	$(VENV)/bin/python -m pytest -n auto

lint: $(DEV)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

types: $(DEV)
	$(VENV)/bin/mypy

# The page's scripts, through their JSDoc. Needs npm, which whoever only changes Python may lack.
TSC := $(VENV)/typescript/node_modules/.bin/tsc
js-types: $(DEV)
	@if command -v npm >/dev/null; then \
	  test -x $(TSC) || npm install --silent --no-save --no-package-lock --prefix $(VENV)/typescript typescript@5.9.3; \
	  $(TSC) -p jsconfig.json; \
	else echo "js-types: skipped, there is no npm on this machine"; fi

check: lint types js-types

# Three relays and three workers in a crowd of overdue turns, one of each killed.
crowd: $(DEV)
	$(VENV)/bin/python -m tests.crowd

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Are the tests awake? A curated list of mistakes and 200 at random, each of which a test should notice. Takes hours.
mutants: $(DEV)
	$(PIP) -e '.[mutants]'
	$(VENV)/bin/python -m tests.mutants.run

golden: $(DEV)
	$(VENV)/bin/python -m tests.golden.make
	$(VENV)/bin/python -m tests.golden.notices
	$(VENV)/bin/python -m tests.golden.decisions

# Schemathesis over the OpenAPI document, on loopback; EXAMPLES for each operation.
EXAMPLES ?= 100
fuzz: $(DEV)
	$(VENV)/bin/python -m tests.fuzz --examples $(EXAMPLES)

# Every board, early and late, on a phone and on a desk. Looked at before they are committed.
screenshots: $(DEV)
	$(VENV)/bin/python -m tests.e2e.screenshots docs/screenshots
