# Two commands do everything on a fresh machine: `make demo` shows the main job, `make test` runs the tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
TESTED := $(VENV)/.tested
# More processes than cores: tests of the page and of clusters mostly wait, as do those of a game for what another compiles.
WORKERS ?= 4
DOCUMENTED := $(VENV)/.documented

# Without bytecode every process compiles PyTorch anew: 17 seconds instead of 6, in each of the many that the tests start.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test thorough lint docs golden bench chromium clean

demo: $(INSTALLED)
	$(BIN)/meeple list
	$(BIN)/meeple warm jaipur:round splendor lotr:hard rake:complete
	$(BIN)/meeple replay examples/jaipur_round.txt --no-moves
	$(BIN)/meeple tournament jaipur:round random basic2 basic3 advanced1 advanced2 --games 200 --seed 1 --store .demo.sqlite
	$(BIN)/meeple match splendor heuristic greedy --games 200 --seed 1 --store .demo.sqlite
	$(BIN)/meeple match lotr:hard expert random-listings --games 2000 --seed 1 --store .demo.sqlite
	$(BIN)/meeple match splendor:2 champion:iterations=100 heuristic --games 20 --seed 1 --store .demo.sqlite
	$(BIN)/meeple match jaipur:round champion:iterations=100 advanced3 --games 20 --seed 1 --store .demo.sqlite
	$(BIN)/meeple match lotr:hard champion:iterations=20 expert --games 400 --seed 1 --store .demo.sqlite
	$(BIN)/meeple match rake:complete champion:iterations=10 beginner --games 10 --seed 1 --store .demo.sqlite
	$(BIN)/meeple simulate jaipur:round --games 100000 --seed 1
	@echo "To play in the browser: $(BIN)/pip install -c requirements.lock -e '.[web]' && $(BIN)/meeple serve"

test: $(TESTED) lint chromium
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

# The same with all games of the comparisons with slow engines; about an hour of one core.
thorough: $(TESTED) chromium
	MEEPLE_THOROUGH=1 $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

# The tests of the page drive a real browser: found, or installed where this is root on Debian. Without it they are skipped and say so.
chromium:
	@command -v chromium > /dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null \
		&& apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } \
		|| echo "Tests of the page are skipped without Chromium; on Debian: apt-get install chromium fonts-dejavu-core"

lint: $(TESTED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The documents as a site in site/, the API reference from docstrings; a dead link fails. No page may load anything from elsewhere.
OUTSIDE := <(script|link|img|iframe|source)[^>]*(src|href)="?(https?:)?//|(url\(|@import )["']?(https?:)?//

docs: $(DOCUMENTED)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	! grep -rnoE --include='*.html' --include='*.css' '$(subst ','"'"',$(OUTSIDE))' site

# When a rule is meant to change: write the golden playthroughs anew, read the diff, raise the game's version.
golden: $(TESTED)
	$(BIN)/python -m tests.make_golden

bench: $(TESTED)
	$(BIN)/meeple bench
	$(BIN)/meeple bench search
	$(BIN)/meeple bench envs

# The lock file pins every version; the package itself stays editable. Bytecode is made when it is first needed: of most of it, never.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c requirements.lock

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("Meeple needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

$(INSTALLED): pyproject.toml requirements.lock | $(BIN)/python
	$(PIP) -e .
	touch $(INSTALLED)

# The tests train with real clients, so they need PyTorch and more; what is shown and played needs none of it.
$(TESTED): pyproject.toml requirements.lock | $(BIN)/python
	$(PIP) -e ".[test]"
	touch $(TESTED)

$(DOCUMENTED): pyproject.toml requirements.lock | $(BIN)/python
	$(PIP) -e ".[docs]"
	touch $(DOCUMENTED)

clean:
	rm -rf $(VENV) site .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
