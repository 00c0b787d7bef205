// Every exported entry, for cuGetProcAddress. The table is generated from names.txt, which gives for each the CUDA version that it came
// with.
#pragma once

namespace apod::runtime::cuda {

struct EntryPoint {
    const char* symbol; // "cuMemAlloc_v2"
    int version;        // 3020
    void* function;
};

extern const EntryPoint* const entry_points; // sorted by symbol
extern const int entry_point_count;

} // namespace apod::runtime::cuda
