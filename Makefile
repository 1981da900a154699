# Everything is set up by the first target that needs it: make demo, make test.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml setup.py $(wildcard nardy_core/*.py* nardy_core/*.px* nardy_core/*.h)

.PHONY: demo test general general-core lint exhaustive bench instructions peers clean

demo: $(VENV)/.installed
	$(BIN)/nardy rollout examples/positions.txt --trials 1296 --seed 1

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto

# The general path only; heavy tests are smaller there (tests/sizes.py). CI runs CORE of them, what
# stands nearest to the kernels.
CORE := $(addprefix tests/test_,$(addsuffix .py,kernel perft playout properties cases \
	found_faults contract position judge explain game_cases match truncate))
general: $(VENV)/.dev
	NARDY_GENERAL_ONLY=1 $(BIN)/python -m pytest -n auto

general-core: $(VENV)/.dev
	NARDY_GENERAL_ONLY=1 $(BIN)/python -m pytest -n auto $(CORE)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PATH="$(BIN):$$PATH" $(BIN)/cython-lint nardy_core

# 10^6 pairs a variant against the slow judge, on all cores: some hours of one core in all.
exhaustive: $(VENV)/.dev
	$(BIN)/python tests/exhaustive.py

# Some two minutes; the tables go to .benchmarks/bench.md as well. Read bench/README.md first.
bench: $(VENV)/.dev
	$(BIN)/python bench/table.py

# Instructions per pair against stored bounds; needs valgrind.
instructions: $(VENV)/.dev
	$(BIN)/python bench/instructions.py

# The same positions through other engines, each in an environment of its own.
peers: $(VENV)/.dev
	for peer in gnubg_nn open_spiel pgx nard_backgammon; do bench/peers/setup.sh $$peer || exit; done
	$(BIN)/python bench/peers/compare.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.installed: $(VENV)/bin/python $(SOURCES)
	$(BIN)/python -m pip install --quiet -e '.[cli]'
	touch $@

$(VENV)/.dev: $(VENV)/bin/python $(SOURCES)
	$(BIN)/python -m pip install --quiet -e '.[dev]'
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) build dist *.egg-info nardy_core/*.so nardy_core/*.c .pytest_cache .mypy_cache \
		.ruff_cache .hypothesis .benchmarks
