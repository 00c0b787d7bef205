// The ten kernels that timings are held against each other on: from 2 us to 20 ms on an H200, bound by different things. Kernels are those
// of timing_kernels.cu; every one has the parameters (out, in, n).
#pragma once

#include <cstdint>

struct TimingCase {
    const char* name;
    const char* kernel;
    std::uint32_t grid_x;
    std::uint32_t grid_y;
    std::uint32_t block_x;
    std::uint32_t block_y;
    std::uint64_t n;
    std::uint64_t out_bytes;
    std::uint64_t in_bytes;
    std::uint64_t moved_bytes; // that must cross DRAM where they do not stay in L2
};

inline constexpr std::uint64_t mib = 1 << 20;

inline constexpr TimingCase timing_cases[] = {
    {"fma_2us", "fma_chain", 132, 1, 256, 1, 64, mib, mib, 0},
    {"copy_4mb", "copy", 512, 1, 256, 1, mib / 4, 4 * mib, 4 * mib, 8 * mib},
    {"gather_4mb", "gather", 4096, 1, 256, 1, mib, 4 * mib, 4 * mib, 8 * mib},
    {"copy_16mb", "copy", 1056, 1, 256, 1, mib, 16 * mib, 16 * mib, 32 * mib},
    {"reduce_64mb", "reduce", 1056, 1, 256, 1, 4 * mib, mib, 64 * mib, 64 * mib},
    {"transpose_4096", "transpose", 128, 128, 32, 32, 4096, 64 * mib, 64 * mib, 128 * mib},
    {"copy_256mb", "copy", 1056, 1, 256, 1, 16 * mib, 256 * mib, 256 * mib, 512 * mib},
    {"transpose_16384", "transpose", 512, 512, 32, 32, 16384, 1024 * mib, 1024 * mib, 2048 * mib},
    {"fma_5ms", "fma_chain", 1056, 1, 256, 1, 53000, 2 * mib, 2 * mib, 0},
    {"fma_20ms", "fma_chain", 1056, 1, 256, 1, 212000, 2 * mib, 2 * mib, 0},
};
