# make play: the table in the browser.  make site: the same without a server.  make docs: the documentation.
# make quick: what can be checked in a minute and a half.  make test: everything that must hold.
# Each prepares what it needs in .venv.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install
GAMES = $(shell $(BIN)/python -c "from infila.core.games import NAMES; print(*NAMES)")
CORES := $(shell nproc 2>/dev/null || echo 2)
# of the tests, some of which always wait: for a browser or a clock
PROCESSES = $(shell expr $(CORES) + 1)

.PHONY: play site docs quick test tests coverage test-long notebooks bench wasm lint types pin clean

play: .venv/ready-run
	@$(BIN)/infila

site: .venv/ready-site
	@$(BIN)/infila site build/site

docs: .venv/ready-docs
	$(BIN)/python -m sphinx -E -W --keep-going -n -q -d build/doctrees docs build/docs
	@echo "Open build/docs/index.html"

# all tests but those that are marked slow; it names the slowest, so that it stays quick
quick: .venv/ready-test lint types
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n $(CORES) --dist worksteal -m "not slow" --durations=10

# types and coverage are checked beside the tests
test: .venv/ready-test lint
	@$(MAKE) --no-print-directory -j3 types coverage tests

tests: .venv/ready-test
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m tests.prepare
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n $(PROCESSES) --dist worksteal

coverage: .venv/ready-test
	nice -n 19 $(BIN)/python -m tests.full_coverage

test-long: .venv/ready-test
	EVERY_SIZE=1 $(BIN)/python -m pytest -n $(CORES) tests/web/test_browser.py tests/site/test_sizes.py -k "touch or comes"
	export NUMBA_BOUNDSCHECK=1; for game in $(GAMES); do $(BIN)/python -m tests.compare $$game --games 100000 --processes $(CORES) || exit 1; done
	for game in $(GAMES); do $(BIN)/python -m tests.wasm.long $$game --out bench/results/equal.json || exit 1; done
	$(BIN)/python -m tests.site.kills --kills 100 --out bench/results/tabs.json
	EVERY_CHECK=1 $(BIN)/python -m pytest tests/test_log.py tests/test_positions.py -k "damaged or any"
	EVERY_CHECK=1 $(BIN)/python -m pytest tests/add_a_game tests/envs/test_small.py -k conform
	for game in $(GAMES); do $(BIN)/infila conformance $$game || exit 1; done
	EVERY_CHECK=1 $(BIN)/python -m pytest tests/test_one_source.py -k bounds

# the notebooks in full: each asserts what it promises and draws its picture anew
notebooks: .venv/ready-test
	cd docs/pictures && ../../$(BIN)/python ../tutorials/notebooks/take_that.py

bench: .venv/ready-bench .venv/ready-test
	$(BIN)/python -m bench.against_openspiel
	$(BIN)/python -m bench.connect_four
	$(BIN)/python -m bench.environments
	$(BIN)/python -m bench.batch
	$(BIN)/python -m bench.branching
	$(BIN)/python -m bench.searches
	$(BIN)/python -m bench.search --out bench/results/search.json
	$(BIN)/python -m bench.start
	$(BIN)/python -m bench.start --clone
	$(BIN)/python -m bench.wasm
	$(BIN)/python -m bench.site --out bench/results/site.json
	$(BIN)/python -m bench.solo
	$(BIN)/python -m bench.server
	$(BIN)/python -m bench.kill --kills 40
	$(BIN)/python -m bench.report

# the games' rules as WebAssembly, to be committed after any change of the rules
wasm: .venv/ready-test
	$(BIN)/python -m infila.wasm

lint: .venv/ready-test
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: .venv/ready-test
	$(BIN)/mypy

.venv/ready-%: requirements/%.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "infila needs Python 3.11 or later; give it as: make PYTHON=python3.12 ...")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing what is needed into .venv ..."
	@$(PIP) --require-hashes -r requirements/$*.txt
	@$(PIP) --no-deps --no-build-isolation -e .
	@test $* != test || $(BIN)/python -m tests.web.browser
	@test $* != test || $(BIN)/python -m tests.server.postgres
	@touch $@

# the pinned requirements anew, from what the .in files ask for; needs pip-tools, whose settings are in pyproject.toml
pin:
	pip-compile --output-file requirements/test.txt requirements/test.in
	for set in run site postgresql docs bench; do pip-compile -c requirements/test.txt --output-file requirements/$$set.txt requirements/$$set.in; done

clean:
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
