#!/usr/bin/env bash
# Configures a preset where that is due and builds it. Says nothing when there is nothing to do.
# usage: tools/build.sh PRESET [TARGET...]
# The environment's APOD_NVCC, where set, is handed to CMake: empty hides nvcc (see cmake/ApodNvcc.cmake).
set -euo pipefail
cd "$(dirname "$0")/.."

preset=$1
shift
targets=("${@:-all}")
dir=build/$preset
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# CMake itself notices changed CMakeLists.txt files while building, but not these.
configured="${APOD_NVCC-unset}"
if [[ ! -f $dir/build.ninja || CMakePresets.json -nt $dir/build.ninja || "$(cat "$dir/apod.nvcc" 2>/dev/null)" != "$configured" ]]; then
    echo "configuring $dir" >&2
    nvcc_option=(-UAPOD_NVCC)
    [[ -v APOD_NVCC ]] && nvcc_option=("-DAPOD_NVCC=$APOD_NVCC")
    if ! cmake --preset "$preset" "${nvcc_option[@]}" >"$log" 2>&1; then
        cat "$log" >&2
        exit 1
    fi
    grep -A5 'CMake Warning' "$log" >&2 || true
    touch "$dir/build.ninja"
    echo "$configured" >"$dir/apod.nvcc"
fi

keep_going=()
[[ $preset == tidy ]] && keep_going=(-k 0) # all findings, not the first file's

if [[ "$(ninja -C "$dir" -n "${targets[@]}" 2>/dev/null | tail -n 1)" != "ninja: no work to do." ]]; then
    ninja -C "$dir" -j "${JOBS:-$(nproc)}" "${keep_going[@]}" "${targets[@]}"
fi
# Another preset may have been the last to be built.
if [[ -x $dir/apod && "$(readlink build/apod || true)" != "$preset/apod" ]]; then
    ln -sfn "$preset/apod" build/apod
fi
