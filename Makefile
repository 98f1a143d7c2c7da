# clusterprint: `make demo` shows what it does, `make test` tests it. With CI=true, as in CI, that is everything.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Python compiles what is used: of complete bindings that is a small part.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile

.DEFAULT_GOAL := help

# What of the tests a target leaves out: see the markers in pyproject.toml.
QUICK ?= not slow and not terraform and not process
TEST ?= $(if $(CI),,not long)

# Tests wait for programs: half as many workers again as there are processors.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) \* 3 / 2)

.PHONY: help bindings demo test all check quick schema generate lock goldens cases coverage mutants bench real real-few machines site clean

help:            ## show this list
	@sed -n 's/^\([a-z]*\):.*## /\1 /p' $(MAKEFILE_LIST) | awk '{t=$$1; $$1=""; printf "  make %-10s%s\n", t, $$0}'

# With LOCKED=1, all that is installed has the version and the hash of tests/requirements.txt, as for a release.
# The environment is remade when what it holds changes; an interrupted installation leaves no stamp.
$(STAMP): pyproject.toml simcloud/pyproject.toml provisioner/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "clusterprint needs Python 3.11 or newer; found " + sys.version.split()[0] + ". Try: make PYTHON=python3.12")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing into $(VENV) (a minute or two the first time) ..."
	@$(PIP) $(if $(LOCKED),--no-deps --require-hashes --only-binary=:all: --requirement tests/requirements.txt,hatchling editables)
# Built here: an isolated build would fetch the complete bindings, which the tests need anyway, once more.
	@$(PIP) --no-build-isolation --no-deps --editable ./simcloud --editable ./provisioner --editable .
	@$(if $(LOCKED),,$(PIP) 'clusterprint[test]')
	@$(BIN)/python build_hooks/cutting.py
	@touch $@

bindings: $(STAMP) ## renew the cut provider bindings, after stacks/ import another type; tests do so themselves
	@$(BIN)/python build_hooks/cutting.py

demo: bindings   ## validate a blueprint, synthesize it, and show what was made and where
	@$(BIN)/python tools/demo.py

test: $(STAMP)   ## the checks and the tests, without the long ones unless CI is set; thirteen minutes on two cores
	@$(BIN)/python tools/install_clis.py & clis=$$!; $(MAKE) --no-print-directory check; checked=$$?; \
	  wait $$clis || echo "not all programs from the registries of npm, Go and Python could be installed: their tests will not run"; \
	  exit $$checked
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m '$(TEST)'

all:             ## everything that CI runs, which sets CI and runs `make test`; an hour on two cores
	@$(MAKE) --no-print-directory test TEST=

quick: $(STAMP)  ## what runs in one process: rules, cases, plans, reviews; half a minute on two cores
	$(BIN)/python -m pytest tests -n auto --dist worksteal -m '$(QUICK)'

check: bindings  ## formatting, lint, types, import contracts, freshness of generated files
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	cd simcloud && ../$(BIN)/mypy
	cd provisioner && ../$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/generate_schema.py --check
	$(BIN)/python tools/generate_docs.py --check
	$(BIN)/python tools/generate_facts.py --check
	$(BIN)/python tools/generate_lock.py --check
	$(BIN)/clusterprint validate blueprints
	$(BIN)/clusterprint fmt --check blueprints

# What everything that validates reads: goldens, cases and pages are made with it.
schema: $(STAMP)
	$(BIN)/python tools/generate_schema.py

# The page of rights is about all goldens: where those change too, it is `make goldens generate`.
generate: schema   ## remake schema/, the generated pages of docs/ and the facts of reviews
	$(BIN)/python tools/generate_docs.py
	$(BIN)/python tools/generate_facts.py

lock: $(STAMP)     ## remake the lists of what CI installs, with the newest versions that fit; needs uv
	$(BIN)/python tools/generate_lock.py

goldens: schema    ## remake the expected Terraform JSON; review the difference like code
	$(BIN)/python -m pytest tests/test_goldens.py --update-goldens

cases: schema      ## remake what people read of each case of the rules; review the difference like code
	$(BIN)/python -m pytest tests/test_cases.py --update-cases

coverage: $(STAMP) ## as make all, and which branches of what decides are run; slower before Python 3.14
	@$(BIN)/python tools/install_clis.py & clis=$$!; $(MAKE) --no-print-directory check; checked=$$?; \
	  wait $$clis || echo "not all programs from the registries of npm, Go and Python could be installed: their tests will not run"; \
	  exit $$checked
	@$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n auto --dist loadgroup
	@$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

mutants: $(STAMP)  ## break a sample of what decides, and see whether a test notices; an hour
	$(BIN)/python tools/mutants.py

real-few: $(STAMP) ## the same for two blueprints, where Terraform's own configuration names a mirror
	@if [ -e "$${TF_CLI_CONFIG_FILE:-$$HOME/.terraformrc}" ]; then \
		$(BIN)/python tools/real/real.py --apply gke-smallest vm-smallest || [ $$? = 3 ]; \
	else echo "no real provider was tried: Terraform's configuration names no mirror (make real)"; fi

bench: bindings    ## measure; prints medians and ratios
	$(BIN)/python bench/run.py

real: $(STAMP)     ## apply all by the real providers to simulated APIs; with KUBECONFIG, to that cluster with kwok
	$(BIN)/python tools/real/real.py --apply
	$(BIN)/python -m pytest -n 0 -rs -m real_api provisioner/tests

machines: $(STAMP) ## boot real machines by systemd-nspawn; needs root, debootstrap, systemd-container; 5 minutes
	$(BIN)/python tools/machines/boot.py

site: $(STAMP)     ## build the documentation as a site, in .cache/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

clean:           ## remove the environment, caches and output
	rm -rf $(VENV) .cache .mypy_cache .ruff_cache .pytest_cache .import_linter_cache cdktf.out
