# `make` alone lists what can be made.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
PINS := requirements-dev.txt

# Set-up happens once: these files say that it is done and what it was done from.
PLAYABLE := .venv/.playable
TESTABLE := .venv/.testable
PROVABLE := .venv/.provable
MEASURABLE := .venv-bench/.measurable
BENCH_BIN := .venv-bench/bin
OLDEST := .venv-oldest/.testable
OLDEST_BIN := .venv-oldest/bin
NODE := .node/.installed
NODE_BIN := .node/node_modules/.bin
BROWSER := .venv/.browser
PROXY := .venv/.proxy

# Set-up and checks run beside each other.
MAKEFLAGS += --jobs=4

# Some tests wait, for a browser, a database or a killed server: one more than cores.
AT_ONCE = $(shell $(PYTHON) -c 'import os; print(1 + (os.cpu_count() or 1))')
PYTEST = $(BIN)/pytest --numprocesses $(AT_ONCE) --dist loadfile --no-loadscope-reorder

# The same tests with the oldest dependencies, but for those of the browser, which none of
# them reaches, and the pictures of the app, which show one version of Textual.
OLDEST_PYTEST = timeout 1800 $(subst $(BIN),$(OLDEST_BIN),$(PYTEST)) --ignore tests/browser --ignore tests/app/test_pictures.py

# Every branch of these is walked by tests: they are pure, and all else rests on them.
PURE := classroom pairing session learning coach matchups levels theory rulebooks notation match game rules errors text

# Without bytecode, each process that a test starts would compile the program anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play test cover prove check format lint types layers page bench strengths research clean

help: ## List these targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

play: $(PLAYABLE) ## Start the game; ARGS="..." are passed on, as in ARGS="madness --first 2"
	@$(BIN)/ninefold $(ARGS)

test: check $(BROWSER) ## Run every check: format, lint, types, layers, tests, examples
	$(PYTEST) -m "not prove"

cover: $(TESTABLE) $(NODE) $(BROWSER) ## Run the same tests and tell which lines they walk
	$(PYTEST) -m "not prove" --cov --cov-report=
	@$(BIN)/coverage report
	@$(BIN)/coverage report --fail-under=100 --include="$$(printf '*/ninefold/%s.py,' $(PURE); printf '*/ninefold/%s/*,' $(PURE))"

prove: $(PROVABLE) $(NODE) $(BROWSER) $(PROXY) $(OLDEST) ## Run what is exhaustive, what is random anew, and all with the oldest dependencies; it takes minutes
	$(PYTEST) -m "prove or hypothesis" --hypothesis-profile=prove
	$(OLDEST_PYTEST) -m "not prove"
	$(OLDEST_PYTEST) -m prove tests/arena/test_dask.py tests/rl/test_openspiel.py

check: format lint types layers page ## The fast checks: format, lint, types, layers; of the page's modules too

# Biome looks through every folder, and none may come and go meanwhile.
format lint types layers page: $(TESTABLE)

format:
	$(BIN)/ruff format --check --quiet

lint:
	$(BIN)/ruff check --quiet

types:
	$(BIN)/mypy

layers:
	$(BIN)/lint-imports

page: $(NODE)
	@if test -e $(NODE); then $(NODE_BIN)/tsc --project jsconfig.json && $(NODE_BIN)/biome ci --error-on-warnings; fi

bench: $(TESTABLE) $(MEASURABLE) $(BROWSER) ## Measure, side by side: start-up, moves, the perfect answer, matchups, the page
	$(BIN)/python -m benchmarks.startup
	$(BENCH_BIN)/python -m benchmarks.moves
	$(BENCH_BIN)/python -m benchmarks.oracle
	OPENBLAS_NUM_THREADS=1 $(BENCH_BIN)/python -m benchmarks.matchups
	$(BENCH_BIN)/python -m benchmarks.environments
	$(BIN)/python -m benchmarks.worst
	$(BIN)/python -m benchmarks.store
	$(BIN)/python -m benchmarks.hops
	$(BIN)/python -m benchmarks.readers
	$(BIN)/python -m benchmarks.learners
	$(BIN)/python -m benchmarks.tournament
	$(BIN)/python -m benchmarks.server
	$(BIN)/python -m benchmarks.classes
	$(BIN)/python -m benchmarks.page

strengths: $(PLAYABLE) ## Compute how strong the levels are; writes docs/levels.md
	$(BIN)/python -m benchmarks.strengths

research: $(TESTABLE) ## Train small networks and judge them; writes docs/research.md
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.generalisation

clean: ## Remove everything that was made
	rm -rf .venv .venv-bench .venv-oldest .node .coverage .hypothesis .import_linter_cache .*_cache dist
	find src tests benchmarks -name __pycache__ -prune -exec rm -r {} +

# Bytecode is compiled here, as an installer does, so that no game waits for it.
$(PLAYABLE): pyproject.toml $(PINS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "ninefold needs Python 3.11 or newer; name one with: make PYTHON=python3.12 play")' >&2
	@echo "Setting up .venv ..." >&2
	@$(PYTHON) -m venv .venv >&2
	@$(PIP) install --upgrade --constraint $(PINS) pip >&2
	@$(PIP) install --constraint $(PINS) --editable '.[cluster]' >&2
	@$(BIN)/python -m compileall -q src >&2
	@touch $@

$(TESTABLE): $(PLAYABLE)
	@$(PIP) install --requirement $(PINS) >&2
	@touch $@

$(PROVABLE): $(TESTABLE) requirements-prove.txt
	@$(PIP) install --constraint $(PINS) --requirement requirements-prove.txt >&2
	@touch $@

# What checks the page's modules comes from npm; without it that is left out, and said.
$(NODE): requirements-npm.txt
	@if command -v npm >/dev/null; \
	then npm install --silent --no-audit --no-fund --no-save --no-package-lock --prefix .node $$(cat $<) >&2 && touch $@; \
	else echo "Not checked: the modules of the page (tsc, Biome, axe). To check them, install npm." >&2; test -z "$$CI"; \
	fi

# A browser and a proxy are the system's own, or Debian's where they may be installed.
# The tests themselves say what was not tested.
INSTALL = test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get -qq update >&2 \
	&& apt-get -qq install -y --no-install-recommends

$(BROWSER): | $(PLAYABLE)
	@if { test -n "$$NINEFOLD_BROWSER" || command -v chromium || command -v google-chrome; } >/dev/null; then touch $@; \
	elif $(INSTALL) chromium fonts-dejavu-core >&2; then touch $@; \
	fi

# Two that install at once would stand in each other's way.
$(PROXY): | $(BROWSER)
	@if PATH="$$PATH:/usr/sbin" command -v nginx >/dev/null; then touch $@; \
	elif $(INSTALL) nginx-light >&2; then touch $@; \
	fi

# The tools are those of the other tests; what they need of an older version stays older.
$(OLDEST): pyproject.toml requirements-oldest.txt $(PINS)
	@echo "Setting up .venv-oldest ..." >&2
	@$(PYTHON) -m venv .venv-oldest >&2
	@$(OLDEST_BIN)/python -m pip --quiet --disable-pip-version-check install --requirement $(PINS) >&2
	@$(OLDEST_BIN)/python -m pip --quiet --disable-pip-version-check install --editable '.[cluster]' --requirement requirements-oldest.txt >&2
	@touch $@

# The peers that the benchmarks measure against stay out of the other environment.
$(MEASURABLE): pyproject.toml benchmarks/requirements.txt
	@echo "Setting up .venv-bench ..." >&2
	@$(PYTHON) -m venv .venv-bench >&2
	@$(BENCH_BIN)/python -m pip --quiet --disable-pip-version-check install --editable . --requirement benchmarks/requirements.txt >&2
	@touch $@
