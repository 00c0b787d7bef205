// Arithmetic: independent chains in as many threads as the SMs hold. Operations over ns are 1e9 a second.
#include "peaks/bench_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::peaks {

namespace {

constexpr std::uint32_t threads = 256;
constexpr double operations_a_pass = 16 * 16; // a thread: chains x steps of kernels.cu

struct Case {
    const char* id;
    const char* what;
    const char* kernel;
    const char* unit;
    double counted_as;      // operations of one instruction's result
    double results_per_clk; // of an SM
    double slowness;        // passes are divided by it, so that all take about as long
};

} // namespace

Result<void> measure_rates(const Bench& bench, Peaks& peaks) {
    const arch::Gpu& gpu = bench.gpu();
    const arch::Throughput& t = gpu.throughput;
    const Case cases[] = {
        {"rate.fp32", "FP32 multiply-add", "apod_fp32", "GFLOP/s", 2, t.fp32, 1},
        {"rate.fp64", "FP64 multiply-add", "apod_fp64", "GFLOP/s", 2, t.fp64, std::clamp(t.fp32 / std::max(t.fp64, 1.0), 1.0, 64.0)},
        {"rate.int32", "INT32 multiply-add, counted as one", "apod_int32", "Gop/s", 1, t.int_mul, 2},
        {"rate.special", "special functions (ex2)", "apod_special", "Gop/s", 1, t.special, 8}};
    // Half the threads that an SM holds: sixteen chains in each fill the pipes, and all blocks are resident at once.
    const std::uint32_t resident = std::max(gpu.limits.max_threads_per_sm / threads / 2, 1u);
    const std::uint32_t blocks = bench.options().blocks != 0 ? bench.options().blocks : gpu.sm_count * resident;
    Result<Buffer> sink = Buffer::make(bench.device(), 256, "sink");
    if (!sink) return sink.error();
    for (const Case& each : cases) {
        const auto passes =
            std::max<std::uint64_t>(static_cast<std::uint64_t>(static_cast<double>(bench.options().rate_passes) / each.slowness), 1);
        const Result<bench::Measurement> measured =
            bench.time(each.what, each.kernel, Bench::shape(blocks, threads, {sink->address(), passes}));
        if (!measured) return measured.error();
        const double operations = each.counted_as * operations_a_pass * static_cast<double>(passes) * blocks * threads;
        Figure figure{each.id, "rate", each.what, each.unit, bench.per_time(operations, *measured), std::nullopt, {}, {}};
        if (each.results_per_clk > 0) {
            figure.theoretical = each.counted_as * gpu.sm_count * each.results_per_clk * gpu.clock_ghz();
            figure.formula = fmt::format("{} SMs x {:.0f} a clock x {}{:.0f} MHz", gpu.sm_count, each.results_per_clk,
                                         each.counted_as == 2 ? "2 x " : "", gpu.boost_mhz);
        }
        if (measured->clock_mhz > 0) {
            figure.note = fmt::format("SM clock {:.0f} MHz", measured->clock_mhz);
            peaks.clock_mhz = std::max(peaks.clock_mhz, measured->clock_mhz);
        }
        peaks.figures.push_back(std::move(figure));
    }
    return {};
}

} // namespace apod::peaks
