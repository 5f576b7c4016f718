# Two commands matter: `make run` plays, `make test` proves. Both set up what they need.
PYTHON ?= python3
VENV := .venv
STAMP := $(VENV)/.ready
DEV := $(VENV)/.ready-dev
PIP := $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: setup run test test-cluster failover coverage check check-deploy lint types js-types clean golden mutants fuzz screenshots pictures crowd docs
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
	$(VENV)/bin/python -m pytest -n auto --dist worksteal

# The same tests, and how much of the code they run. Processes that tests start are not counted.
coverage: $(DEV)
	$(VENV)/bin/python -m pytest -n auto --cov=engine --cov=bots --cov=infra --cov=service --cov=workers --cov-report=term

# The integration suite once more, with its matches on a real cluster of six servers. Needs redis-server.
test-cluster: $(DEV)
	$(VENV)/bin/python -m pytest tests/integration --on-cluster -n auto

# Masters die under load: what is lost, by case and level. A table, in some minutes. Needs redis-server.
failover: $(DEV)
	$(VENV)/bin/python -m tests.failover

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

# infra/deploy through the checkers of Docker, Compose, Kubernetes, Caddy, systemd and Prometheus.
check-deploy: $(DEV)
	$(PIP) -e '.[deploy]'
	$(VENV)/bin/python -m pytest tests/deploy -q

# Three relays and three workers in a crowd of overdue turns, one of each killed.
crowd: $(DEV)
	$(VENV)/bin/python -m tests.crowd

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .mutants

# Are the tests awake? A curated list of mistakes and 200 at random, each of which a test should notice.
# Takes an hour or so; stopped, it goes on where it was. ARGS="--help" tells more.
mutants: $(DEV)
	$(PIP) -e '.[mutants]'
	$(VENV)/bin/python -m tests.mutants.run $(ARGS)

# What is kept of every game, or with GAME=key of one: new files are complete before the old ones go.
golden: $(DEV)
	$(VENV)/bin/python -m tests.golden.make $(GAME)
	$(VENV)/bin/python -m tests.golden.notices $(GAME)
	$(VENV)/bin/python -m tests.golden.decisions $(GAME)
	$(VENV)/bin/python -m tests.golden.worth $(GAME)
	$(if $(GAME),,$(VENV)/bin/python -m tests.sixth.golden)

# What the documents say of the code, from the code: tables, and the walks of docs/architecture.md.
docs: $(DEV)
	$(VENV)/bin/python -m tests.docs
	$(VENV)/bin/python -m tests.walks --write

# Schemathesis over the OpenAPI document, on loopback; EXAMPLES for each operation.
EXAMPLES ?= 100
fuzz: $(DEV)
	$(VENV)/bin/python -m tests.fuzz --examples $(EXAMPLES)

# Covers and icons as PNG: previews of links and home screens take nothing else.
pictures: $(DEV)
	$(VENV)/bin/python -m tests.e2e.pictures

# Every board, early and late, on a phone and on a desk. Looked at before they are committed.
screenshots: $(DEV)
	$(VENV)/bin/python -m tests.e2e.screenshots docs/screenshots
