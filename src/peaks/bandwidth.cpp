// DRAM, L2 and shared memory. Bytes over ns are GB/s.
#include "peaks/bench_kernel.hpp"

#include "base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace apod::peaks {

namespace {

constexpr std::uint32_t threads = 256;
constexpr std::uint64_t block_bytes = std::uint64_t{threads} * 4 * 16; // of one buffer, that a block moves
constexpr std::uint32_t shared_threads = 1024;
constexpr std::uint64_t shared_reads = 8; // a pass, 16 bytes each
constexpr std::uint64_t least_dram_bytes = std::uint64_t{1} << 20;

std::string size_text(std::uint64_t bytes) { return format_bytes_binary(static_cast<double>(bytes), 3); }

// Three buffers of the same size, halved until they fit.
Result<std::vector<Buffer>> three_buffers(const Bench& bench, std::uint64_t bytes) {
    while (true) {
        std::vector<Buffer> buffers;
        std::optional<Diagnostic> failed;
        for (const char* name : {"a", "b", "c"}) {
            Result<Buffer> buffer = Buffer::make(bench.device(), bytes, name);
            if (!buffer) {
                failed = buffer.error();
                break;
            }
            if (const Result<void> filled = bench.device().fill(buffer->address(), std::byte{0}, bytes); !filled) return filled.error();
            buffers.push_back(*std::move(buffer));
        }
        if (!failed) return buffers;
        if (failed->kind != ErrorKind::unavailable || bytes / 2 < least_dram_bytes) return *failed;
        bytes = bytes / 2 / block_bytes * block_bytes;
    }
}

Figure figure(const char* id, std::string what, const Quantity& value, std::optional<double> bound, std::string formula) {
    return {id, "bandwidth", std::move(what), "GB/s", value, bound, std::move(formula), {}};
}

struct Case {
    const char* id;
    const char* name;
    const char* kernel;
    device::Launch launch;
    double buffers; // moved
};

// The better of one and four elements in a thread: how many accesses DRAM likes in flight differs between GPUs and mixes.
Result<Figure> best_of_two(const Bench& bench, const Case& each, std::uint64_t bytes) {
    std::optional<Figure> best;
    for (const std::uint64_t in_thread : {1, 4}) {
        device::Launch launch = each.launch;
        launch.grid.x = static_cast<std::uint32_t>(bytes / (threads * 16 * in_thread));
        const std::string what = fmt::format("DRAM {}, buffers of {}", each.name, size_text(bytes));
        const std::string kernel = fmt::format("{}_{}", each.kernel, in_thread);
        const Result<bench::Measurement> measured = bench.time(what, kernel.c_str(), launch);
        if (!measured) return measured.error();
        Figure made = figure(each.id, what, bench.per_time(each.buffers * static_cast<double>(bytes), *measured), std::nullopt, {});
        made.note = in_thread == 1 ? "16 bytes a thread" : "4 x 16 bytes a thread";
        if (!best || made.value.value > best->value.value) best = std::move(made);
    }
    return *std::move(best);
}

Result<void> measure_dram(const Bench& bench, Peaks& peaks) {
    const std::uint64_t wanted = std::max(bench.options().dram_bytes / block_bytes * block_bytes, block_bytes);
    Result<std::vector<Buffer>> buffers = three_buffers(bench, wanted);
    if (!buffers) return buffers.error();
    const std::vector<Buffer>& b = *buffers;
    const std::uint64_t bytes = b[0].bytes();
    const Case cases[] = {
        {"dram.copy", "copy", "apod_copy", Bench::shape(1, threads, {b[0].address(), b[1].address()}), 2},
        {"dram.read", "read", "apod_read", Bench::shape(1, threads, {b[0].address(), b[2].address()}), 1},
        {"dram.write", "write", "apod_write", Bench::shape(1, threads, {b[1].address()}), 1},
        {"dram.triad", "triad", "apod_triad", Bench::shape(1, threads, {b[0].address(), b[1].address(), b[2].address()}), 3}};
    const device::DeviceFacts& facts = bench.facts();
    for (const Case& each : cases) {
        Result<Figure> best = best_of_two(bench, each, bytes);
        if (!best) return best.error();
        if (facts.peak_gbs() > 0) {
            best->theoretical = facts.peak_gbs();
            best->formula = fmt::format("2 x {:.0f} MHz x {} bit / 8", facts.memory_mhz, facts.bus_bits);
        }
        peaks.figures.push_back(*std::move(best));
    }
    return {};
}

// What 24 passes move lasts long enough for a timer and is mostly L2: the first pass may come from DRAM.
Result<void> measure_l2(const Bench& bench, Peaks& peaks) {
    const std::uint64_t l2 = bench.gpu().caches.l2_bytes;
    if (l2 == 0) {
        peaks.notes.emplace_back("L2 is not measured: the GPU has none");
        return {};
    }
    constexpr std::uint64_t passes = 24;
    const std::uint64_t all = bench.options().l2_bytes != 0 ? bench.options().l2_bytes : l2 / 4;
    const std::uint32_t blocks = bench.options().blocks != 0 ? bench.options().blocks : bench.gpu().sm_count * 8;
    const auto part = [&](std::uint64_t buffers) { return std::max(all / buffers / block_bytes * block_bytes, block_bytes); };
    Result<Buffer> memory = Buffer::make(bench.device(), std::max(all, 3 * block_bytes) + 3 * block_bytes, "l2");
    if (!memory) return memory.error();
    if (const Result<void> filled = bench.device().fill(memory->address(), std::byte{0}, memory->bytes()); !filled) return filled;
    const device::Address a = memory->address();
    const Case cases[] = {
        {"l2.copy", "copy", "apod_l2_copy", Bench::shape(blocks, threads, {a, a + part(2), part(2) / 16, passes}), 2},
        {"l2.read", "read", "apod_l2_read", Bench::shape(blocks, threads, {a, a, part(1) / 16, passes}), 1},
        {"l2.write", "write", "apod_l2_write", Bench::shape(blocks, threads, {a, part(1) / 16, passes}), 1},
        {"l2.triad", "triad", "apod_l2_triad", Bench::shape(blocks, threads, {a, a + part(3), a + 2 * part(3), part(3) / 16, passes}), 3}};
    for (const Case& each : cases) {
        const auto buffers = static_cast<std::uint64_t>(each.buffers);
        const std::string what = fmt::format("L2 {}, {} in all", each.name, size_text(buffers * part(buffers)));
        const Result<bench::Measurement> measured = bench.time(what, each.kernel, each.launch);
        if (!measured) return measured.error();
        const double moved = each.buffers * static_cast<double>(part(buffers) * passes);
        Figure made = figure(each.id, what, bench.per_time(moved, *measured), std::nullopt, {});
        if (measured->clock_mhz > 0) made.note = fmt::format("{:.0f} bytes a clock", made.value.value * 1000 / measured->clock_mhz);
        peaks.figures.push_back(std::move(made));
    }
    return {};
}

Result<void> measure_shared(const Bench& bench, Peaks& peaks) {
    const std::uint32_t blocks = bench.options().blocks != 0 ? bench.options().blocks : bench.gpu().sm_count * 2;
    const std::uint64_t passes = std::max<std::uint64_t>(bench.options().rate_passes, 1);
    Result<Buffer> sink = Buffer::make(bench.device(), 256, "sink");
    if (!sink) return sink.error();
    const std::string what = "shared memory, 16 bytes a thread";
    const Result<bench::Measurement> measured =
        bench.time(what, "apod_shared_read", Bench::shape(blocks, shared_threads, {sink->address(), passes}));
    if (!measured) return measured.error();
    const double moved = static_cast<double>(std::uint64_t{blocks} * shared_threads * passes * shared_reads * 16);
    const arch::Gpu& gpu = bench.gpu();
    peaks.figures.push_back(
        figure("shared.read", what, bench.per_time(moved, *measured), gpu.sm_count * gpu.caches.shared_bytes_per_clk * gpu.clock_ghz(),
               fmt::format("{} SMs x {:.0f} bytes a clock x {:.0f} MHz", gpu.sm_count, gpu.caches.shared_bytes_per_clk, gpu.boost_mhz)));
    return {};
}

} // namespace

Result<void> measure_bandwidth(const Bench& bench, Peaks& peaks) {
    if (const Result<void> done = measure_dram(bench, peaks); !done) return done;
    if (const Result<void> done = measure_l2(bench, peaks); !done) return done;
    return measure_shared(bench, peaks);
}

} // namespace apod::peaks
