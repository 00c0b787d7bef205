#include "model/floor.hpp"

#include "arch/memory_bound.hpp"

#include <algorithm>

namespace apod::model {

double peak_operations_per_ns(const arch::Gpu& gpu, const std::string& type) {
    if (type == "fp32") return gpu.fp32_gflops();
    if (type == "fp64") return gpu.fp64_gflops();
    if (type == "int32") return gpu.sm_count * gpu.throughput.int_add * gpu.clock_ghz();
    return 0;
}

double floor_ns(const LaunchFacts& facts, const Work& work) {
    const double distinct = facts.cache.footprint_bytes * facts.scale;
    double bytes = static_cast<double>(work.useful_bytes);
    if (work.useful_bytes == 0) bytes = (facts.cache.footprint_read_bytes + facts.cache.footprint_write_bytes) * facts.scale;
    const double memory = arch::memory_bound(facts.gpu, bytes, distinct).ns();
    const double rate = peak_operations_per_ns(facts.gpu, work.operation_type);
    const double compute = rate > 0 ? work.operations / rate : 0;
    return std::max(memory, compute);
}

} // namespace apod::model
