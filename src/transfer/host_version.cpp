#include "transfer/host_version.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>

#include <sched.h>

namespace apod::transfer {
namespace {

constexpr std::size_t block = 64; // elements kept in registers while they are multiplied

inline __attribute__((always_inline)) void scale_range(float* y, const float* x, std::size_t count, float factor,
                                                       std::uint32_t multiplications) {
    std::size_t i = 0;
    for (; i + block <= count; i += block) {
        float values[block];
        for (std::size_t j = 0; j < block; ++j) values[j] = x[i + j];
        for (std::uint32_t k = 0; k < multiplications; ++k)
            for (std::size_t j = 0; j < block; ++j) values[j] *= factor;
        for (std::size_t j = 0; j < block; ++j) y[i + j] = values[j];
    }
    for (; i < count; ++i) {
        float value = x[i];
        for (std::uint32_t k = 0; k < multiplications; ++k) value *= factor;
        y[i] = value;
    }
}

void scale_plain(float* y, const float* x, std::size_t count, float factor, std::uint32_t multiplications) {
    scale_range(y, x, count, factor, multiplications);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void scale_avx2(float* y, const float* x, std::size_t count, float factor, std::uint32_t multiplications) {
    scale_range(y, x, count, factor, multiplications);
}
__attribute__((target("avx512f"))) void scale_avx512(float* y, const float* x, std::size_t count, float factor,
                                                     std::uint32_t multiplications) {
    scale_range(y, x, count, factor, multiplications);
}
#endif

using Scale = void (*)(float*, const float*, std::size_t, float, std::uint32_t);

Scale best_scale() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") != 0) return scale_avx512;
    if (__builtin_cpu_supports("avx2") != 0) return scale_avx2;
#endif
    return scale_plain;
}

} // namespace

void scale_on_one_core(std::span<float> y, std::span<const float> x, float factor, std::uint32_t multiplications) {
    static const Scale scale = best_scale();
    scale(y.data(), x.data(), std::min(x.size(), y.size()), factor, multiplications);
}

void scale_on_all_cores(std::span<float> y, std::span<const float> x, float factor, std::uint32_t multiplications, HostPool& pool) {
    const std::size_t count = std::min(x.size(), y.size());
    const std::size_t share = (count / pool.threads() + block - 1) / block * block;
    if (pool.threads() < 2 || share == 0) return scale_on_one_core(y, x, factor, multiplications);
    const bool rest = share * pool.threads() < count;
    pool.run([&](unsigned index) {
        const std::size_t first = std::min(index * share, count);
        const bool last = index + 1 == pool.threads();
        const std::size_t size = last && rest ? count - first : std::min(share, count - first);
        scale_on_one_core(y.subspan(first, size), x.subspan(first, size), factor, multiplications);
    });
}

unsigned usable_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return static_cast<unsigned>(CPU_COUNT(&set));
    return std::max(1U, std::thread::hardware_concurrency());
}

std::vector<int> usable_nodes() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> nodes;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return {0};
    for (int node = 0; node < 64; ++node) {
        const std::filesystem::path folder = "/sys/devices/system/node/node" + std::to_string(node);
        std::error_code ignored;
        if (!std::filesystem::exists(folder, ignored)) continue;
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
            if (!CPU_ISSET(cpu, &set) || !std::filesystem::exists(folder / ("cpu" + std::to_string(cpu)), ignored)) continue;
            nodes.push_back(node);
            break;
        }
    }
    return nodes.empty() ? std::vector<int>{0} : nodes;
}

} // namespace apod::transfer
