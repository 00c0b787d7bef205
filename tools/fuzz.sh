#!/usr/bin/env bash
# Runs every fuzz target of the fuzz preset for SECONDS each, from its corpus; what it finds new stays in build/fuzz/corpus, a crash in
# build/fuzz/crashes. Add a crash to fuzz/corpus/<target> when it is repaired: the tests replay that folder.
# usage: tools/fuzz.sh SECONDS
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/fuzz/crashes
for program in build/fuzz/fuzzers/*; do
    [[ -x $program ]] || continue
    name=$(basename "$program")
    mkdir -p "build/fuzz/corpus/$name" "fuzz/corpus/$name"
    echo "fuzzing $name for $1 s" >&2
    "$program" -max_total_time="$1" -artifact_prefix=build/fuzz/crashes/ -verbosity=0 -print_final_stats=0 \
        "build/fuzz/corpus/$name" "fuzz/corpus/$name"
done
