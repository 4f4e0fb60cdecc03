# Two commands matter: `make demo` and `make test`. Both work on a fresh clone.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PORT ?= 8501

.PHONY: demo serve test test-all tests proofs lint simulate fuzz bench quality cluster-trial picture docs lock sbom clean

demo: .venv/ready
	$(BIN)/hcat demo --port $(PORT)

serve: .venv/ready
	$(BIN)/hcat serve --port $(PORT)

# Types are checked while tests wait for browsers and other processes.
test: .venv/ready-test
	$(MAKE) --no-print-directory --jobs 2 lint tests

# With the larger versions of tests, which `make test` leaves out, and all draws of simulations.
test-all: .venv/ready-test
	HCAT_LARGER=1 $(MAKE) --no-print-directory --jobs 2 lint tests CHOSEN=

# Several tests at a time; those that fail are tried once more, by themselves. Its own tests: tests/test_stage.py.
CHOSEN := -m "not slow"
tests: .venv/ready-test
	$(BIN)/python -m benchmarks.chromium
	$(BIN)/python -P tests/stage.py $(CHOSEN)

# Keeps the proofs of the last run: the files of long tests that `make test` leaves out while nothing under them changes.
proofs: build/proofs.json
	cp $< tests/proofs.json

# The rules for imports are checked on a copy, since the checker follows no links.
COPY := build/imports
lint: .venv/ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	rm -rf $(COPY) && mkdir -p $(COPY) && cp -RL hcat $(COPY)
	cd $(COPY) && $(CURDIR)/$(BIN)/lint-imports --config $(CURDIR)/pyproject.toml
	$(BIN)/mypy

# Every simulation with its full number of draws, and docs/verdicts.md, the table of how often each verdict errs: a minute
# at most for each verdict on each kind of data.
simulate: .venv/ready-test
	OMP_NUM_THREADS=1 $(BIN)/python -m benchmarks.battery --seconds 60 --write
	HCAT_DRAWS=1000 OMP_NUM_THREADS=1 $(BIN)/pytest --numprocesses 2 tests/simulation --ignore tests/simulation/test_battery.py \
		tests/core/calibration/test_calibration_on_people.py tests/core/storage/test_team_labelling.py \
		tests/core/capabilities/robustness/variants/test_protected.py tests/core/slices/test_permutation.py

# Broken files, names and addresses for MINUTES, each in a process of its own; CASE repeats one that failed.
MINUTES ?= 10
SEED ?= 7
fuzz: .venv/ready-test
	HCAT_FUZZ_SEED=$(SEED) $(if $(CASE),HCAT_FUZZ_CASE=$(CASE),HCAT_FUZZ_MINUTES=$(MINUTES)) \
		OMP_NUM_THREADS=1 $(BIN)/pytest -q -s tests/fuzz -k "$(if $(CASE),one_case,many_cases)"

bench: .venv/ready-test
	$(BIN)/python -m benchmarks

# The README's picture, of the demo as it is today.
picture: .venv/ready-test
	$(BIN)/python -m benchmarks.picture

# The generated pages of docs/, and the site in build/site: its builder has an environment of its own, and builds without a network.
SITE := .venv/docs
docs: .venv/ready $(SITE)/ready
	$(BIN)/python -m benchmarks.pages_of_docs
	$(SITE)/bin/mkdocs build --quiet --strict

$(SITE)/ready: requirements/docs.txt
	test -x $(SITE)/bin/python || $(PYTHON) -m venv $(SITE)
	$(SITE)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement $<
	touch $@

# Agreement with people, on public sets that are not part of the repository: DATA is their folder.
DATA ?= ../shared/data
quality: .venv/ready-test
	$(BIN)/python -m benchmarks.quality $(if $(wildcard $(DATA)),$(DATA))
	$(BIN)/python -m benchmarks.test_sets $(wildcard $(DATA)/financebench)
	$(if $(wildcard $(DATA)/financebench),$(BIN)/python -m benchmarks.policy $(DATA))
	$(BIN)/python -m benchmarks.privacy $(if $(wildcard $(DATA)),$(DATA))
	$(if $(wildcard $(DATA)/safety),$(BIN)/python -m benchmarks.toxicity $(DATA))

# A Ray cluster of two nodes with an S3-compatible store. The store's packages have an environment of their own.
STORE := .venv/store
cluster-trial: .venv/ready-test $(STORE)/ready
	HCAT_TEST_STORE=$(STORE)/bin/python OMP_NUM_THREADS=1 $(BIN)/pytest -v \
		tests/core/records/stores/test_buckets.py tests/core/executors/test_two_nodes.py

# Every file is held against its hash. torch for processors alone comes first, since pip would else take the larger build;
# where the index has only that one, what it needs for graphics cards is in cuda.txt. hcat is compiled here, as pip compiles
# what it copies: where the tree can't be written to, or PYTHONDONTWRITEBYTECODE is set, each start would compile 800 files.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps
NEEDS_CUDA := import importlib.metadata as m; raise SystemExit(not any("nvidia" in r for r in m.requires("torch") or ()))
.venv/ready: pyproject.toml constraints.txt requirements/cpu.txt requirements/run.txt requirements/cuda.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(INSTALL) --require-hashes --requirement requirements/cpu.txt 2>/dev/null \
		|| echo "This index has no torch for processors alone: the other one is taken."
	$(INSTALL) --require-hashes --requirement requirements/run.txt
	if $(BIN)/python -c '$(NEEDS_CUDA)'; then $(INSTALL) --require-hashes --requirement requirements/cuda.txt; fi
	$(INSTALL) --no-build-isolation --editable .
	$(BIN)/python -m compileall -q hcat core dashboard pages
	touch $@

.venv/ready-test: .venv/ready requirements/postgres.txt requirements/ray.txt requirements/test.txt
	$(INSTALL) --require-hashes --requirement requirements/postgres.txt --requirement requirements/ray.txt --requirement requirements/test.txt
	touch $@

$(STORE)/ready: requirements/store.txt
	test -x $(STORE)/bin/python || $(PYTHON) -m venv $(STORE)
	$(STORE)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement $<
	touch $@

# After a change of constraints.txt or of the dependencies: the hashes, and the list of licences.
UV := 0.13.9
lock: .venv/ready-test
	$(PYTHON) -m venv .venv/lock && .venv/lock/bin/python -m pip install --quiet uv==$(UV)
	$(BIN)/python -m benchmarks.supply.lock .venv/lock/bin/uv
	$(BIN)/python -m benchmarks.supply.licences

# What is installed, with versions and licences, as CycloneDX.
SBOM ?= sbom.json
sbom: .venv/ready
	$(BIN)/python -m benchmarks.supply.inventory $(SBOM)

clean:
	rm -rf .venv data/workspace
