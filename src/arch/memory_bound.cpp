#include "arch/memory_bound.hpp"

#include <algorithm>

namespace apod::arch {

double l2_read_gbs(const Gpu& gpu) { return gpu.caches.l2_bytes_per_clk * gpu.clock_ghz(); }

double l2_write_gbs(const Gpu& gpu) {
    constexpr double line_bytes = 128; // a packet of whole sectors
    double packets_per_clk = gpu.caches.l2_write_sectors_per_clk;
    if (packets_per_clk <= 0) packets_per_clk = gpu.model.store_packets_per_sm * gpu.sm_count;
    return packets_per_clk * line_bytes * gpu.clock_ghz();
}

double resident_share(const Gpu& gpu, double distinct) {
    if (distinct <= 0) return 0;
    const double l2 = static_cast<double>(gpu.caches.l2_bytes);
    return std::clamp((2 * l2 - distinct) / distinct, 0.0, 1.0);
}

MemoryBound memory_bound(const Gpu& gpu, double bytes, double distinct) {
    const MemoryBound dram{bytes * (1 - resident_share(gpu, distinct)), gpu.memory.peak_gbs, false};
    MemoryBound l2{bytes, 0, true};
    if (gpu.caches.l2_bytes_per_clk > 0) l2.gbs = l2_read_gbs(gpu) + l2_write_gbs(gpu);
    return l2.ns() > dram.ns() ? l2 : dram;
}

} // namespace apod::arch
