# Two commands do everything on a fresh machine: `make sweep` and `make test`. Both set up the environment first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TESTS ?= tests

.PHONY: sweep test test-slow test-nojit test-bounds lint bench golden setup clean

sweep: setup
	$(BIN)/pinchsim sweep --variant aces-bite

# The tests in tests/browser show a report in Chromium; where there is none they are skipped, but not if CI is set.
# Two processes test at once, so linear algebra gets one thread in each.
test: setup
	$(MAKE) --no-print-directory --jobs 2 --output-sync lint test-nojit
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist loadgroup -rs $(TESTS)
	$(MAKE) --no-print-directory test-bounds

# What takes minutes: runs that are killed at a hundred moments.
test-slow: setup
	$(BIN)/python -m pytest -n 2 --dist loadgroup -rs -m slow $(TESTS)

# The same rules without compilation: integer overflows show as warnings, which are errors.
test-nojit: setup
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest tests/games/pinch/test_examples.py tests/games/pinch/test_without_compilation.py

# With checked indexes: a kernel that reads or writes beside an array fails.
test-bounds: setup
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n 2 tests/games/pinch/test_examples.py tests/games/pinch/test_golden.py

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy pinchsim
	$(BIN)/lint-imports

bench: setup
	$(BIN)/python -m bench

# Rewrites the golden games; commit the change alone and say which rule moved.
golden: setup
	$(BIN)/python -m tests.golden

setup: $(VENV)/ready

$(VENV)/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .mypy_cache .hypothesis
