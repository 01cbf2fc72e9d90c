# Everything a contributor runs. Nothing is written outside this folder (cargo's download cache aside): build output
# goes to target/, tools and logs to build/, Python to .venv/.
SHELL := /bin/bash
TOOLS := $(CURDIR)/build/tools
FMT   := cargo fmt --all -- --config max_width=120,use_small_heuristics=Max

.PHONY: help demo test test-python test-readme fmt fmt-check clippy doc header header-check bench sizes fuzz fuzz-build mutants faults clean

help:
	@echo 'make demo      build into .venv and show a slice beside a delivery, on real tool output (FILE=… for your own)'
	@echo 'make test      every test in every language, cheap ones first'
	@echo 'make fmt       format; make clippy, make doc: lints and documentation, warnings are errors'
	@echo 'make header    write include/haversack.h from the crate'
	@echo 'make bench     speed and fidelity tables beside other libraries, with versions and date'
	@echo 'make sizes     size of the wheel with and without tokenizers, and what an import costs'
	@echo 'make fuzz      every fuzz target (or TARGETS=…) for FUZZ_SECONDS=30; needs a nightly compiler'
	@echo 'make mutants   every mutant of json/ and deliver/ in one build (MUTANTS=--anew forgets); make faults: planted faults'
	@echo 'make clean     remove target/, build/ and .venv/'

# Only Rust and Python are needed.
demo: .venv/.built
	.venv/bin/python python/demo.py $(if $(FILE),"$(FILE)")

test:
	python3 tests/all.py

# The wheel in .venv, rebuilt when a source is newer; the tests' own packages on top.
.venv/.built: $(shell find core ffi python \( -name '*.rs' -o -name '*.toml' -o -name '*.py' -o -name '*.pyi' \) 2>/dev/null) Cargo.lock
	bash python/build.sh
	@touch $@

.venv/.dev: .venv/.built python/requirements-dev.txt
	.venv/bin/python -m pip install --quiet --disable-pip-version-check -r python/requirements-dev.txt
	@touch $@

test-python: .venv/.dev
	.venv/bin/python -m pytest -q python/tests

test-readme: .venv/.built
	.venv/bin/python tests/readme.py

fmt:
	$(FMT)
	python3 tests/comments.py --write

fmt-check:
	$(FMT) --check
	python3 tests/comments.py

clippy:
	cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
	cargo clippy --locked -p haversack --no-default-features -- -D warnings

doc:
	RUSTDOCFLAGS='-D warnings' cargo doc --locked --workspace --no-deps

# The version of cbindgen is pinned in ffi/header.sh.
CBINDGEN := $(TOOLS)/bin/cbindgen
$(CBINDGEN): ffi/header.sh
	version=$$(sed -n 's/^wanted="cbindgen \(.*\)"/\1/p' $<) && cargo install --quiet --locked --root $(TOOLS) cbindgen --version "$$version"
	@touch $@

header: $(CBINDGEN)
	CBINDGEN=$(CBINDGEN) sh ffi/header.sh

header-check: $(CBINDGEN)
	CBINDGEN=$(CBINDGEN) sh ffi/header.sh --check

bench: .venv/.built
	bash tests/benches/run.sh

sizes: .venv/.built
	bash python/sizes.sh

fuzz-build: $(TOOLS)/bin/cargo-fuzz
	cd fuzz && PATH=$(TOOLS)/bin:$$PATH cargo +nightly fuzz build --fuzz-dir .

FUZZ_SECONDS ?= 30
fuzz: $(TOOLS)/bin/cargo-fuzz
	PATH=$(TOOLS)/bin:$$PATH sh fuzz/run.sh $(FUZZ_SECONDS) $(TARGETS)

# Verdicts and survivors: build/mutants/*.txt; what is said of survivors: tests/mutants/survivors.md.
mutants: $(TOOLS)/bin/cargo-mutants
	PATH=$(TOOLS)/bin:$$PATH cargo run --quiet --release --locked --manifest-path tests/mutants/Cargo.toml --target-dir target/mutants/tool -- $(MUTANTS)

faults:
	sh tests/faults.sh $(FAULT)

$(TOOLS)/bin/cargo-fuzz:
	cargo install --quiet --locked --root $(TOOLS) cargo-fuzz --version 0.13.2

$(TOOLS)/bin/cargo-mutants:
	cargo install --quiet --locked --root $(TOOLS) cargo-mutants --version 27.1.0

clean:
	rm -rf target build .venv fuzz/target
