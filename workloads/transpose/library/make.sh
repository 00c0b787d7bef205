#!/usr/bin/env bash
# Makes kernels_<bytes>.ptx from kernels.cu, in the folder given (default: ptx). The PTX needs nothing that PTX 7.4 and compute capability 7.5
# do not have, and is labelled so, for older drivers than nvcc's own label admits; without its hints for whole lines (old_gpus.cpp), nothing
# that PTX 6.0 and compute capability 5.2 do not have. A test has both assembled.
set -euo pipefail
source=$(cd "$(dirname "$0")" && pwd)
to=${1:-$source/ptx}
nvcc=${APOD_NVCC:-nvcc}
for bytes in 1 2 4 8 16; do
    "$nvcc" -std=c++17 -O3 -ptx -arch=compute_75 -DELEMENT=$bytes "$source/kernels.cu" -o "$to/kernels_$bytes.ptx.made"
    sed -e 's/[ \t]*$//' -e 's/^\.version .*/.version 7.4/' -e 's/^\.target .*/.target sm_75/' "$to/kernels_$bytes.ptx.made" \
        >"$to/kernels_$bytes.ptx"
    rm "$to/kernels_$bytes.ptx.made"
done
