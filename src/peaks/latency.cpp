// Latency: one thread follows pointers whose order no prefetcher knows.
#include "peaks/bench_kernel.hpp"

#include "base/units.hpp"
#include "bench/launch_arguments.hpp"
#include "bench/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace apod::peaks {

namespace {

struct Chain {
    const char* id;
    const char* level;
    const char* kernel;
    std::uint64_t set_bytes; // over which the nodes lie
    std::uint64_t stride;
    std::uint64_t rounds; // in one launch: L1 is empty when a kernel starts
    bool cold;            // L2 is emptied before
};

constexpr std::uint32_t link_threads = 256;
constexpr std::size_t trials = 5;

// Every node once, in an order of its own (Sattolo's algorithm gives one cycle; a shuffled list of nodes does as well).
std::vector<std::uint32_t> shuffled(std::uint64_t nodes) {
    std::vector<std::uint32_t> order(nodes);
    std::iota(order.begin(), order.end(), 0U);
    std::mt19937_64 random(20251201);
    std::shuffle(order.begin(), order.end(), random);
    return order;
}

class Chaser {
public:
    Chaser(const Bench& bench, device::Stream& stream) : bench_(bench), stream_(stream) {}

    [[nodiscard]] device::Stream& stream() const { return stream_; }

    // The cycles of a hop in this launch; `out` holds two 64-bit words.
    Result<double> run(const char* name, const device::Launch& launch, device::Address out, double hops) {
        Result<std::shared_ptr<device::Kernel>> kernel = bench_.kernel(name);
        if (!kernel) return kernel.error();
        if (const Result<void> done = stream_.launch(**kernel, launch); !done) return done.error();
        if (const Result<void> done = stream_.synchronize(); !done) return done.error();
        std::uint64_t words[2] = {};
        if (const Result<void> read = bench_.device().read(std::as_writable_bytes(std::span(words)), out); !read) return read.error();
        return static_cast<double>(words[0]) / hops;
    }

private:
    const Bench& bench_;
    device::Stream& stream_;
};

// In ns by the SM clock that was counted while the rates were measured.
Figure figure(const char* id, std::string what, const std::vector<double>& cycles, const Bench& bench, const Peaks& peaks) {
    const double median = bench::median(cycles);
    Figure made{id, "latency", std::move(what), "cycles", {median, bench.async().clock_source(), {}}, std::nullopt, {}, {}};
    const double mhz = peaks.clock_mhz > 0 ? peaks.clock_mhz : bench.gpu().boost_mhz;
    made.note = fmt::format("{} a hop", format_time_ns(median * 1000 / mhz));
    return made;
}

// What is in L2 goes, and nothing is left there that would have to be written back.
Result<void> empty_l2(const Bench& bench, device::Stream& stream, const Buffer& flush) {
    Result<std::shared_ptr<device::Kernel>> read = bench.kernel("apod_read_1");
    if (!read) return read.error();
    constexpr std::uint32_t threads = 256;
    return stream.launch(**read, Bench::shape(flush.bytes() / (threads * 16), threads, {flush.address(), flush.address()}));
}

Result<void> link(const Bench& bench, const Buffer& set, const Buffer& order, std::uint64_t nodes, std::uint64_t stride) {
    const std::vector<std::uint32_t> numbers = shuffled(nodes);
    if (const Result<void> written = bench.device().write(order.address(), std::as_bytes(std::span(numbers))); !written) return written;
    Result<std::shared_ptr<device::Kernel>> kernel = bench.kernel("apod_link");
    if (!kernel) return kernel.error();
    const auto launch =
        Bench::shape((nodes + link_threads - 1) / link_threads, link_threads, {set.address(), order.address(), nodes, stride});
    const Result<LaunchRecord> linked = bench.device().launch(**kernel, launch);
    return linked ? Result<void>() : Result<void>(linked.error());
}

Result<void> measure_chain(const Bench& bench, const Chain& chain, Chaser& chaser, Peaks& peaks) {
    const std::string what = fmt::format("{}, pointers over {}", chain.level, format_bytes_binary(static_cast<double>(chain.set_bytes), 3));
    bench.tell(what);
    const std::uint64_t nodes = chain.set_bytes / chain.stride;
    Result<Buffer> set = Buffer::make(bench.device(), chain.set_bytes, "chain");
    if (!set) return set.error();
    Result<Buffer> order = Buffer::make(bench.device(), nodes * 4 + 16, "order");
    if (!order) return order.error();
    Result<Buffer> out = Buffer::make(bench.device(), 16, "out");
    if (!out) return out.error();
    if (const Result<void> linked = link(bench, *set, *order, nodes, chain.stride); !linked) return linked;
    std::vector<double> cycles;
    const std::uint64_t hops = nodes * chain.rounds;
    const device::Launch launch = Bench::shape(1, 1, {set->address(), hops, out->address()});
    std::optional<Buffer> flush;
    if (chain.cold) {
        Result<Buffer> made = Buffer::make(bench.device(), 3 * std::max<std::uint64_t>(bench.gpu().caches.l2_bytes, 1 << 20), "flush");
        if (!made) return made.error();
        flush.emplace(*std::move(made));
    }
    for (std::size_t trial = 0; trial <= trials; ++trial) {
        if (flush) {
            if (const Result<void> emptied = empty_l2(bench, chaser.stream(), *flush); !emptied) return emptied;
        }
        const Result<double> hop = chaser.run(chain.kernel, launch, out->address(), static_cast<double>(hops));
        if (!hop) return hop.error();
        if (trial == 0) continue; // fills the caches that are to be measured, and the TLBs
        cycles.push_back(*hop);
    }
    peaks.figures.push_back(figure(chain.id, what, cycles, bench, peaks));
    return {};
}

Result<void> measure_shared(const Bench& bench, Chaser& chaser, Peaks& peaks) {
    constexpr std::uint64_t hops = 4096;
    Result<Buffer> out = Buffer::make(bench.device(), 16, "out");
    if (!out) return out.error();
    std::vector<double> cycles;
    for (std::size_t trial = 0; trial < trials; ++trial) {
        const Result<double> hop =
            chaser.run("apod_chase_shared", Bench::shape(1, 1, {hops, out->address()}), out->address(), static_cast<double>(hops));
        if (!hop) return hop.error();
        cycles.push_back(*hop);
    }
    peaks.figures.push_back(figure("latency.shared", "shared memory", cycles, bench, peaks));
    return {};
}

} // namespace

Result<void> measure_latencies(const Bench& bench, Peaks& peaks) {
    Result<std::unique_ptr<device::Stream>> stream = bench.async().make_stream();
    if (!stream) return stream.error();
    Chaser chaser(bench, **stream);
    if (const Result<void> done = measure_shared(bench, chaser, peaks); !done) return done;
    const std::uint64_t l2 = bench.gpu().caches.l2_bytes;
    const std::uint64_t dram = std::min<std::uint64_t>(bench.options().dram_bytes / 4, std::uint64_t{512} << 20);
    std::vector<Chain> chains = {{"latency.l1", "L1", "apod_chase_l1", 16 << 10, 128, 64, false}};
    if (l2 != 0) chains.push_back({"latency.l2", "L2", "apod_chase", std::min<std::uint64_t>(l2 / 8, 2 << 20), 128, 1, false});
    // Strides beyond a page's lines spread the nodes over all channels; an odd multiple of a line keeps them off one slice.
    chains.push_back({"latency.dram", "DRAM", "apod_chase", dram, 8192 + 128, 1, true});
    for (const Chain& chain : chains)
        if (const Result<void> done = measure_chain(bench, chain, chaser, peaks); !done) return done;
    return {};
}

} // namespace apod::peaks
