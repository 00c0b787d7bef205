// How many blocks of a kernel fit on an SM, and which block size fits best.
#include "runtime/core/kernel_facts.hpp"
#include "runtime/cuda/kernel_call.hpp"

#include <algorithm>

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

using apod::emu::Program;

constexpr unsigned warp = 32;

struct Best {
    int grid = 0;
    int block = 0;
};

// Among the multiples of a warp the one with most resident threads; the largest block of several, as NVIDIA's own search finds it.
Best best_block(const apod::arch::Gpu& gpu, const Program& program, std::size_t (*shared_of)(int), std::size_t dynamic_shared,
                unsigned largest) {
    Best best;
    unsigned most_threads = 0;
    for (unsigned block = largest / warp * warp; block >= warp; block -= warp) {
        const std::size_t shared = shared_of != nullptr ? shared_of(static_cast<int>(block)) : dynamic_shared;
        const unsigned blocks = kernel_occupancy(gpu, program, block, shared).blocks_per_sm;
        if (blocks * block <= most_threads) continue;
        most_threads = blocks * block;
        best = {static_cast<int>(blocks * gpu.sm_count), static_cast<int>(block)};
    }
    return best;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Kernel* kernel, int block, std::size_t dynamic_shared, unsigned) {
    if (blocks == nullptr || block <= 0) return refuse(Error::invalid_value);
    return kernel_call(kernel, [&](Runtime& runtime, Kernel&, const Program& program) {
        *blocks = static_cast<int>(kernel_occupancy(runtime.gpu(), program, static_cast<unsigned>(block), dynamic_shared).blocks_per_sm);
        return Error::success;
    });
}

Error cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel* kernel, int block, std::size_t dynamic_shared) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, block, dynamic_shared, 0);
}

Error cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, Kernel* kernel, std::size_t (*shared_of)(int),
                                                std::size_t dynamic_shared, int limit, unsigned) {
    if (grid == nullptr || block == nullptr || limit < 0) return refuse(Error::invalid_value);
    return kernel_call(kernel, [&](Runtime& runtime, Kernel& found, const Program& program) {
        const auto most = static_cast<unsigned>(kernel_facts(runtime.gpu(), found, program).max_threads_per_block);
        const unsigned largest = limit == 0 ? most : std::min(most, static_cast<unsigned>(limit));
        const Best best = best_block(runtime.gpu(), program, shared_of, dynamic_shared, largest);
        *grid = best.grid;
        *block = best.block;
        return Error::success;
    });
}

Error cuOccupancyMaxPotentialBlockSize(int* grid, int* block, Kernel* kernel, std::size_t (*shared_of)(int), std::size_t dynamic_shared,
                                       int limit) {
    return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, kernel, shared_of, dynamic_shared, limit, 0);
}

Error cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, Kernel* kernel, int blocks, int block) {
    if (bytes == nullptr || blocks <= 0 || block <= 0) return refuse(Error::invalid_value);
    return kernel_call(kernel, [&](Runtime& runtime, Kernel&, const Program& program) {
        *bytes = available_dynamic_shared(runtime.gpu(), program, static_cast<unsigned>(blocks));
        return Error::success;
    });
}

} // extern "C"
#pragma GCC visibility pop
