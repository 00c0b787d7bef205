// From what a driver tells to the description that predictions and floors use.
#include "device/facts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace apod::device {

namespace {

// Small: alike. The name and SMs decide, then the compute capability, then the memory's width.
double distance(const arch::Gpu& known, const DeviceFacts& facts) {
    const double architecture = std::abs(known.cc.number() - facts.cc.number());
    const double bandwidth =
        known.memory.peak_gbs > 0 && facts.peak_gbs() > 0 ? std::abs(std::log(known.memory.peak_gbs / facts.peak_gbs())) : 1;
    const double size =
        known.sm_count > 0 && facts.sm_count > 0 ? std::abs(std::log(static_cast<double>(known.sm_count) / facts.sm_count)) : 1;
    return architecture * 100 + bandwidth + size;
}

void replace(arch::Gpu& gpu, const char* key) { gpu.provenance[key] = {"the driver of this GPU", "M"}; }

template<class T, class U> void take(arch::Gpu& gpu, const char* key, T& to, U from) {
    if (from == 0) return;
    to = static_cast<T>(from);
    replace(gpu, key);
}

void overrule(arch::Gpu& gpu, const DeviceFacts& facts) {
    take(gpu, "sm_count", gpu.sm_count, facts.sm_count);
    take(gpu, "boost_mhz", gpu.boost_mhz, facts.boost_mhz);
    take(gpu, "memory.clock_mhz", gpu.memory.clock_mhz, facts.memory_mhz);
    take(gpu, "memory.rate_gbps", gpu.memory.rate_gbps, 2 * facts.memory_mhz / 1000);
    take(gpu, "memory.bus_bits", gpu.memory.bus_bits, facts.bus_bits);
    take(gpu, "memory.peak_gbs", gpu.memory.peak_gbs, facts.peak_gbs());
    take(gpu, "memory.size_bytes", gpu.memory.size_bytes, facts.memory_bytes);
    take(gpu, "caches.l2_bytes", gpu.caches.l2_bytes, facts.l2_bytes);
    arch::Limits& limits = gpu.limits;
    take(gpu, "limits.max_threads_per_block", limits.max_threads_per_block, facts.max_threads_per_block);
    take(gpu, "limits.max_threads_per_sm", limits.max_threads_per_sm, facts.max_threads_per_sm);
    take(gpu, "limits.max_blocks_per_sm", limits.max_blocks_per_sm, facts.max_blocks_per_sm);
    take(gpu, "limits.registers_per_sm", limits.registers_per_sm, facts.registers_per_sm);
    take(gpu, "limits.registers_per_block", limits.registers_per_block, facts.registers_per_block);
    take(gpu, "limits.shared_per_block_bytes", limits.shared_per_block_bytes, facts.shared_per_block_bytes);
    take(gpu, "limits.shared_per_block_optin_bytes", limits.shared_per_block_optin_bytes, facts.shared_per_block_optin_bytes);
    take(gpu, "limits.shared_per_sm_bytes", limits.shared_per_sm_bytes, facts.shared_per_sm_bytes);
}

bool is_that_gpu(const arch::Gpu& known, const DeviceFacts& facts) {
    return known.name == facts.name && known.cc == facts.cc && known.sm_count == facts.sm_count;
}

} // namespace

Result<arch::Gpu> describe(DeviceFacts& facts) {
    std::vector<arch::Gpu> known;
    for (const std::string& id : arch::known_gpu_ids()) {
        Result<arch::Gpu> gpu = arch::find_gpu(id);
        if (!gpu) return gpu.error();
        known.push_back(*std::move(gpu));
    }
    const auto nearest = std::min_element(known.begin(), known.end(), [&](const arch::Gpu& a, const arch::Gpu& b) {
        const bool a_is = is_that_gpu(a, facts);
        if (a_is != is_that_gpu(b, facts)) return a_is;
        return distance(a, facts) < distance(b, facts);
    });
    if (nearest == known.end()) return internal_error("no GPU is described");
    arch::Gpu gpu = *nearest;
    if (is_that_gpu(gpu, facts)) {
        facts.known_as = gpu.id;
    } else {
        gpu.note = "the driver's numbers; what it does not tell is that of the " + gpu.name;
        for (auto& [key, provenance] : gpu.provenance) provenance.confidence = "?";
    }
    overrule(gpu, facts);
    gpu.name = facts.name;
    gpu.cc = facts.cc;
    return gpu;
}

} // namespace apod::device
