#include "model/floor.hpp"

#include "arch/memory_bound.hpp"
#include "model/metric_registry.hpp"

#include <algorithm>

namespace apod::model {
namespace {

// Of an SM and clock.
double tensor_rate(const arch::Gpu& gpu, const std::string& type) {
    const arch::Throughput& rate = gpu.throughput;
    if (type == "tensor_half") return 2 * rate.tensor_half;
    // Words of half the width go twice as fast, tf32 at half the rate.
    if (type == "tensor_tf32") return gpu.cc.major >= 8 ? rate.tensor_half : 0;
    if (type == "tensor_int8") return gpu.cc.number() >= 75 ? 4 * rate.tensor_half : 0;
    if (type == "tensor_double") return 2 * rate.tensor_double;
    return 0;
}

} // namespace

double peak_operations_per_ns(const arch::Gpu& gpu, const std::string& type) {
    if (type == "fp32") return gpu.fp32_gflops();
    if (type == "fp64") return gpu.fp64_gflops();
    const double sm_ghz = gpu.sm_count * gpu.clock_ghz();
    if (type == "fp16") return 4 * gpu.throughput.fp16x2 * sm_ghz;
    if (type == "int32") return gpu.throughput.int_add * sm_ghz;
    return tensor_rate(gpu, type) * sm_ghz;
}

double own_operations_ns(const MetricMap& metrics, const arch::Gpu& gpu) {
    using namespace metric;
    const auto count = [&metrics](std::string_view name) { return value_or_zero(metrics, name); };
    double longest = 0;
    const auto at_least = [&](double operations, const char* type) {
        const double rate = operations > 0 ? peak_operations_per_ns(gpu, type) : 0;
        if (rate > 0) longest = std::max(longest, operations / rate);
    };
    at_least(count(fadds) + count(fmuls) + 2 * count(ffmas), "fp32");
    at_least(count(dadds) + count(dmuls) + 2 * count(dfmas), "fp64");
    at_least(2 * (count(hadds) + count(hmuls) + 2 * count(hfmas)), "fp16");
    at_least(count(tensor_half), "tensor_half");
    at_least(count(tensor_tf32), "tensor_tf32");
    at_least(count(tensor_int8), "tensor_int8");
    at_least(count(tensor_double), "tensor_double");
    return longest;
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
