#!/usr/bin/env bash
# Runs every fuzz target of a build for SECONDS each, JOBS at a time, from its corpus; what it finds new stays in <build>/corpus, a crash and
# what was said of it in <build>/crashes. Add a crash to fuzz/corpus/<target> when it is repaired: the tests replay that folder. The exit code
# is 1 when one crashed.
# usage: tools/fuzz.sh SECONDS [BUILD] [TARGET...]      BUILD: build/fuzz
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1
build=${2:-build/fuzz}
shift "$(($# < 2 ? $# : 2))"
targets=("$@")
((${#targets[@]})) || targets=("$build"/fuzzers/*)
mkdir -p "$build/crashes"

fuzz() {
    name=$(basename "$1")
    mkdir -p "$build/corpus/$name"
    echo "fuzzing $name for $seconds s" >&2
    if ! "$build/fuzzers/$name" -max_total_time="$seconds" -artifact_prefix="$build/crashes/" -verbosity=0 -print_final_stats=0 \
        "$build/corpus/$name" "fuzz/corpus/$name" 2>"$build/crashes/$name.log"; then
        echo "fuzz: $name crashed; see $build/crashes/$name.log" >&2
        exit 1
    fi
    tail -n 1 "$build/crashes/$name.log" >&2
    rm "$build/crashes/$name.log"
}
export -f fuzz
export build seconds
printf '%s\0' "${targets[@]}" | xargs -0 -P "${JOBS:-$(nproc)}" -I{} bash -c 'fuzz {}' || exit 1
