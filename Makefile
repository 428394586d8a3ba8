# `make run` starts everything; `make test` checks everything. Python 3.11 or newer, pip and make are enough.

PYTHON ?= python3
PORT ?= 8000
HOST ?= 127.0.0.1
EXPLORE ?= 20
TIER ?= ffb
SCALE ?= 0.25
SEEDS ?= 1 2 3
UPLOADS ?= 60
VENV_PYTHON := .venv/bin/python
export PORT HOST

# What a shell may have set for another project must not steer this one.
unexport DJANGO_SETTINGS_MODULE PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONDONTWRITEBYTECODE PIP_USER PIP_TARGET PIP_PREFIX PYTEST_ADDOPTS

.PHONY: help run test explore faults security mutants bench screenshots css texts messages lock schemas clean

help:
	@echo "make run          start the pages and the worker (PORT=$(PORT) HOST=$(HOST))"
	@echo "make test         lint, checks and every test, on SQLite and on PostgreSQL with Redis"
	@echo "make explore      the property tests with random examples, EXPLORE=$(EXPLORE) times as many as make test"
	@echo "make faults       faults of real servers, an hour: a full disk, a frozen Redis, … (FAULTS=\"5 18\" SEEDS=\"1 2\")"
	@echo "make security     security tools of others on the source, the interface and a demo, half an hour"
	@echo "make mutants      small changes of the code that a test has to notice, an hour at a time"
	@echo "make bench        the measurements of docs/performance.md (BENCH=\"posting pages\" TIER=$(TIER) SCALE=$(SCALE))"
	@echo "make screenshots  pictures of every page under screenshots/"
	@echo "make css          cut Bootstrap to the rules that our pages use"
	@echo "make texts        add new texts to the Spanish catalogue, and name those without a translation"
	@echo "make messages     compile the translations"
	@echo "make lock         pin what the requirements need, with hashes (LOCK=--upgrade for the newest)"
	@echo "make schemas      write the JSON schemas of manage.py score anew (docs/schemas)"
	@echo "make clean        remove the virtual environment and what was built; the data in var/ stays"

run:
	@$(PYTHON) tools/prepare.py
	@BAZA_FAMILIES=$${BAZA_FAMILIES-aeb,sbf-bronze,sbf-silver,acbl,go} exec $(VENV_PYTHON) manage.py up

test:
	@$(PYTHON) tools/prepare.py --dev
	@exec $(VENV_PYTHON) tools/check.py

explore:
	@$(PYTHON) tools/prepare.py --dev
	@BAZA_EXPLORE=$(EXPLORE) exec $(VENV_PYTHON) -m pytest -q -p no:cacheprovider -n auto -m hypothesis -o faulthandler_timeout=0 tests

faults:
	@$(PYTHON) tools/prepare.py --dev
	@FAULTS="$(FAULTS)" SEEDS="$(SEEDS)" UPLOADS="$(UPLOADS)" exec $(VENV_PYTHON) -m pytest -s -q -p no:cacheprovider -o faulthandler_timeout=0 -o python_files='fault_*.py' tests/faults$(if $(FAULTS),/fault_matrix.py)

security:
	@$(PYTHON) tools/prepare.py --dev
	@exec $(VENV_PYTHON) -m tools.security

mutants:
	@$(PYTHON) tools/prepare.py --dev
	@exec $(VENV_PYTHON) -m tools.mutants $(MUTANTS)

bench:
	@$(PYTHON) tools/prepare.py --dev
	@exec $(VENV_PYTHON) -m benchmarks --tier $(TIER) --scale $(SCALE) $(BENCH)

screenshots:
	@$(PYTHON) tools/prepare.py --dev
	@exec $(VENV_PYTHON) -m tools.screenshots

css:
	@$(PYTHON) tools/prepare.py --dev
	@exec $(VENV_PYTHON) -m tools.styles

texts:
	@$(PYTHON) tools/prepare.py
	@exec $(VENV_PYTHON) -m tools.texts

messages:
	@$(PYTHON) tools/prepare.py

lock:
	@$(PYTHON) tools/prepare.py --dev
	@exec $(VENV_PYTHON) -m tools.lock $(LOCK)

schemas:
	@$(PYTHON) tools/prepare.py
	@for part in input output; do $(VENV_PYTHON) manage.py score --schema $$part > docs/schemas/score-$$part.json || exit 1; done

clean:
	rm -rf .venv staticfiles screenshots .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find locale -name '*.mo' -delete
