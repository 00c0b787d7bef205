#!/bin/sh
# Compiles the kernels of the checks' tests to the PTX that ships: sh tests/checks/regenerate.sh, where nvcc is.
set -e
cd "$(dirname "$0")"
for name in bugs correct reduction; do
    nvcc -ptx -lineinfo -arch=compute_90 -std=c++17 "$name.cu" -o "$name.ptx"
    sed -i -E 's|(\.file[[:space:]]+[0-9]+ ")[^"]*/([^"/]*")|\1\2|' "$name.ptx"
done
