// Shared loads that conflict four ways, beside different other accesses: what does a GPU's counter of shared conflicts count? Its own
// conflicts are the same in all four kernels, 6291456: 1024 blocks, 8 warps, 256 loads, 3 each.
//
//   nvcc -O3 -std=c++17 -arch=native bench/device/shared_conflicts.cu -o shared_conflicts && ncu --csv --page raw --metrics
//       l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum ./shared_conflicts
#include <cstdint>
#include <cstdio>

namespace {

constexpr unsigned blocks = 1024;
constexpr unsigned threads = 256;
constexpr unsigned cells = 1u << 24; // of 16 bytes: more than L2

enum class Beside { nothing, stores, loads_that_miss, loads_that_hit };

template<Beside What> __global__ void conflicting_loads(std::uint32_t* out, uint4* big) {
    __shared__ std::uint8_t rows[threads * 16];
    for (unsigned i = threadIdx.x; i < threads * 16; i += threads) rows[i] = static_cast<std::uint8_t>(i * 7);
    __syncthreads();
    const std::uint8_t* mine = rows + threadIdx.x * 16; // a row of four banks for each thread: four rows in each bank
    const unsigned n = blockIdx.x * threads + threadIdx.x;
    std::uint32_t sum = threadIdx.x;
    for (unsigned i = 0; i < 256; ++i) {
        sum += mine[(i + (sum >> 31)) % 16]; // the sum never gets there; the compiler does not know
        const unsigned at = (n + i * blocks * threads) % cells;
        if (What == Beside::stores) big[at] = make_uint4(0, 0, 0, 0);
        if (What == Beside::loads_that_miss) sum += big[at].x;
        if (What == Beside::loads_that_hit) sum += big[threadIdx.x].x & 1;
    }
    out[n] = sum;
}

} // namespace

int main() {
    std::uint32_t* out = nullptr;
    uint4* big = nullptr;
    cudaMalloc(&out, blocks * threads * sizeof(*out));
    cudaMalloc(&big, cells * sizeof(*big));
    cudaMemset(big, 0, cells * sizeof(*big));
    conflicting_loads<Beside::nothing><<<blocks, threads>>>(out, big);
    conflicting_loads<Beside::stores><<<blocks, threads>>>(out, big);
    conflicting_loads<Beside::loads_that_miss><<<blocks, threads>>>(out, big);
    conflicting_loads<Beside::loads_that_hit><<<blocks, threads>>>(out, big);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) std::fprintf(stderr, "shared_conflicts: %s\n", cudaGetErrorString(error));
    return error == cudaSuccess ? 0 : 1;
}
