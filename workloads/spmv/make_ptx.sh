#!/usr/bin/env bash
# Makes the PTX that ships from spmv.cu: spmv.ptx for every GPU, and spmv_80.ptx, whose copies to shared memory are asynchronous, for those
# of compute capability 8.0 and newer. Files are named without their folders, so that it is the same wherever it is made.
set -euo pipefail
cd "$(dirname "$0")"
for architecture in 75 80; do
    to=spmv.ptx
    [[ $architecture == 75 ]] || to=spmv_$architecture.ptx
    "${APOD_NVCC:-nvcc}" -ptx -lineinfo -arch=compute_$architecture spmv.cu -o "$to.made"
    sed 's,^\(\t\.file\t[0-9]* "\).*/,\1,' "$to.made" >"$to"
    rm "$to.made"
done
