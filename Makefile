# The front door. `make run` shows what apod does, `make test` shows that it is right; `make help` lists the rest.
# PRESET picks a build of CMakePresets.json; all of them put the command at build/apod.
PRESET ?= dev
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 30
UBSAN_OPTIONS ?= print_stacktrace=1
TSAN_OPTIONS ?= halt_on_error=1
# GCC 13's fake stack is on by default, and shuffles fault there (docs/results/sanitizers.md).
ASAN_OPTIONS ?= detect_stack_use_after_return=0
export JOBS UBSAN_OPTIONS TSAN_OPTIONS ASAN_OPTIONS

TEST_OPTIONS ?=
CTEST = ctest --progress --output-on-failure -j$(JOBS) --no-tests=error $(TEST_OPTIONS)

.DEFAULT_GOAL := help
.PHONY: help setup build run test fast asan tsan clang tidy format bench fuzz clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

setup: ## install the Debian packages that are missing, or say which
	@tools/setup.sh

build: setup ## build everything (PRESET=dev)
	@tools/build.sh $(PRESET)

run: setup ## build the command and what `apod run` needs, and climb the transpose ladder
	@tools/build.sh $(PRESET) command run_libraries
	@build/apod climb transpose

test: build ## build everything and run all tests
	@cd build/$(PRESET) && $(CTEST)

fast: build ## run the unit and golden tests only
	@cd build/$(PRESET) && $(CTEST) -L 'unit|golden' -LE slow

asan: ## all tests with the address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory test PRESET=asan

tsan: ## all tests with the thread sanitizer
	@$(MAKE) --no-print-directory test PRESET=tsan

clang: ## all tests, compiled by clang
	@tools/setup.sh clang
	@$(MAKE) --no-print-directory test PRESET=clang

tidy: ## clang-tidy over every source
	@tools/setup.sh clang
	@tools/build.sh tidy

format: setup ## format every source in place
	@tools/format.sh

bench: setup ## build the release preset and run the benchmarks
	@tools/build.sh release
	@for program in build/release/benchmarks/*; do $$program || exit 1; done

fuzz: ## fuzz each target for FUZZ_SECONDS (30)
	@tools/setup.sh clang
	@tools/build.sh fuzz
	@tools/fuzz.sh $(FUZZ_SECONDS)

clean: ## remove everything that was built
	@rm -rf build
