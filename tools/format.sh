#!/usr/bin/env bash
# Formats every C++ and CUDA source in place.   usage: tools/format.sh
set -euo pipefail
cd "$(dirname "$0")/.."
folders=()
for folder in include src runtime inject workloads tests fuzz bench examples; do
    [[ -d $folder ]] && folders+=("$folder")
done
find "${folders[@]}" -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 | xargs -0 clang-format-14 -i
