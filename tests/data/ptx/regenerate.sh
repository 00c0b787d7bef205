#!/bin/sh
# Compiles the .cu files beside this script to the .ptx files that the parser's tests read. Needs nvcc 13.
set -eu
cd "$(dirname "$0")"
nvcc=${APOD_NVCC:-nvcc}

compile() { # source, architecture, output, options
    source=$1 arch=$2 output=$3
    shift 3
    "$nvcc" -std=c++17 -ptx -lineinfo -arch="compute_$arch" "$@" "$source" -o "$output"
    # Paths of the machine it ran on do not belong in the tests.
    sed -i -e "s|\"$PWD/|\"|" -e 's|\(\.file.*"\)/.*/\(include/.*"\)|\1/usr/local/cuda/\2|' "$output"
}

for arch in 75 80 90; do
    for name in traps warps numbers matrices; do compile "$name.cu" "$arch" "${name}_$arch.ptx"; done
done
for name in calls grid; do compile "$name.cu" 80 "${name}_80.ptx"; done
"$nvcc" -std=c++17 -ptx -G -arch=compute_80 traps.cu -o traps_debug_80.ptx
sed -i -e "s|\"$PWD/|\"|" -e 's|\(\.file.*"\)/.*/\(include/.*"\)|\1/usr/local/cuda/\2|' traps_debug_80.ptx
