// The kernels of bench/device/timing_cases.hpp, timed by apod: to hold against bench/device/timing_reference.cu, and identical versions
// against each other.
//
//   timing_check times    KERNELS.ptx [repetitions [kernel]]   kernel, repetition, figures of each measurement
//   timing_check cold     KERNELS.ptx                 the same with L2 flushed
//   timing_check compare  KERNELS.ptx [comparisons]   verdicts on identical versions, and on one that is 3 % longer
//   timing_check samples  KERNELS.ptx                 the raw samples of two kernels
#include "../device/timing_cases.hpp"

#include "base/file.hpp"
#include "bench/launch_arguments.hpp"
#include "bench/sampler.hpp"
#include "bench/stream_target.hpp"
#include "device/async.hpp"
#include "device/cuda/cuda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace apod;

template<class T> T must(Result<T> result) {
    if (result) return *std::move(result);
    fmt::print(stderr, "{}\n", to_text(result.error()));
    std::exit(exit_code(result.error().kind));
}
void must(const Result<void>& result) {
    if (result) return;
    fmt::print(stderr, "{}\n", to_text(result.error()));
    std::exit(exit_code(result.error().kind));
}

class Cases {
public:
    explicit Cases(const std::string& ptx) : device_(must(device::open_cuda(0))), stopwatch_(must(bench::Stopwatch::make(*device_))) {
        std::uint64_t largest = 0;
        for (const TimingCase& one : timing_cases) largest = std::max({largest, one.out_bytes, one.in_bytes});
        out_ = must(device_->allocate(largest, "out"));
        in_ = must(device_->allocate(largest, "in"));
        must(device_->fill(out_, std::byte{0}, largest));
        must(device_->fill(in_, std::byte{0}, largest));
        code_ = must(device_->load(must(read_file(ptx)), ptx));
    }

    std::unique_ptr<bench::StreamTarget> target(const TimingCase& one, const std::string& name, std::uint64_t n, bench::Caches caches) {
        const std::shared_ptr<device::Kernel> kernel = must(code_->kernel(one.kernel));
        device::Launch launch;
        launch.grid = {one.grid_x, one.grid_y, 1};
        launch.block = {one.block_x, one.block_y, 1};
        launch.parameters = bench::pack_arguments({out_, in_, n});
        return std::make_unique<bench::StreamTarget>(
            stopwatch_, name, [kernel, launch](device::Stream& stream) { return stream.launch(*kernel, launch); }, caches);
    }

private:
    std::unique_ptr<device::Device> device_;
    std::shared_ptr<bench::Stopwatch> stopwatch_;
    std::shared_ptr<device::Code> code_;
    device::Address out_ = 0;
    device::Address in_ = 0;
};

void times(Cases& cases, int repetitions, bench::Caches caches, const std::string& only) {
    fmt::print("kernel,repetition,runs,samples,median_ns,low_ns,high_ns,minimum_ns,upper_quartile_ns,deviation,clock_mhz,dropped,held_back,"
               "event_pair_ns,launch_ns,stop\n");
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        for (const TimingCase& one : timing_cases) {
            if (!only.empty() && only != one.name) continue;
            const auto target = cases.target(one, one.name, one.n, caches);
            const bench::Measurement m = must(bench::sample_one(*target, {}));
            const bench::Summary& s = m.time_ns;
            fmt::print("{},{},{},{},{:.1f},{:.1f},{:.1f},{:.1f},{:.1f},{:.5f},{:.0f},{},{},{:.0f},{:.0f},{}\n", one.name, repetition,
                       m.runs, s.samples, s.median, s.median_interval.low, s.median_interval.high, s.minimum, s.upper_quartile,
                       s.relative_deviation, m.clock_mhz, m.dropped, m.samples.back().held_back ? 1 : 0,
                       target->stopwatch().event_pair_ns(), target->stopwatch().launch_ns(), m.stop.rule);
            for (const std::string& note : m.notes) fmt::print(stderr, "{}: {}\n", one.name, note);
            std::fflush(stdout);
        }
    }
}

void compare(Cases& cases, int comparisons) {
    fmt::print("kernel,other,comparison,verdict,ratio,low,high,threshold,gap,cycle_ratio,rounds,reason\n");
    bench::Plan plan;
    plan.stopping.timeout_s = 5;
    for (const char* name : {"fma_2us", "copy_256mb"}) {
        const TimingCase& one = *std::find_if(std::begin(timing_cases), std::end(timing_cases),
                                              [&](const TimingCase& c) { return c.name == std::string(name); });
        const auto pair = [&](const char* other, std::uint64_t n, int comparison) {
            const auto a = cases.target(one, "a", one.n, bench::Caches::hot);
            const auto b = cases.target(one, "b", n, bench::Caches::hot);
            const bench::Comparison c = must(bench::compare(*a, *b, plan));
            const bench::Judgement& j = c.judgement;
            fmt::print("{},{},{},{},{:.5f},{:.5f},{:.5f},{:.5f},{:.5f},{:.5f},{},\"{}\"\n", name, other, comparison, to_text(j.verdict),
                       j.ratio, j.ratio_interval.low, j.ratio_interval.high, j.threshold, j.gap, j.cycle_ratio, c.rounds.size(), j.reason);
            std::fflush(stdout);
        };
        for (int comparison = 0; comparison < comparisons; ++comparison) pair("identical", one.n, comparison);
        if (std::string(one.kernel) == "copy") pair("3 % longer", one.n + one.n * 3 / 100, 0);
    }
}

void samples(Cases& cases) {
    fmt::print("kernel,caches,round,runs,time_ns,clock_mhz,throttled,held_back\n");
    for (const char* name : {"copy_4mb", "transpose_4096"}) {
        for (const bench::Caches caches : {bench::Caches::hot, bench::Caches::cold}) {
            const TimingCase& one = *std::find_if(std::begin(timing_cases), std::end(timing_cases),
                                                  [&](const TimingCase& c) { return c.name == std::string(name); });
            const auto target = cases.target(one, name, one.n, caches);
            bench::Plan plan;
            plan.stopping.most_samples = 1000;
            for (const bench::Sample& s : must(bench::sample_one(*target, plan)).samples)
                fmt::print("{},{},{},{},{:.1f},{:.1f},{},{}\n", name, caches == bench::Caches::cold ? "cold" : "hot", s.round, s.runs,
                           s.time_ns, s.clock_mhz, s.throttled ? 1 : 0, s.held_back ? 1 : 0);
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 2 ? argv[1] : "";
    const int count = argc > 3 ? std::atoi(argv[3]) : 0;
    if (what != "times" && what != "cold" && what != "compare" && what != "samples") {
        fmt::print(stderr, "usage: timing_check times|cold|compare|samples KERNELS.ptx [count]\n");
        return 2;
    }
    const std::string only = argc > 4 ? argv[4] : "";
    Cases cases(argv[2]);
    if (what == "times") times(cases, count > 0 ? count : 5, bench::Caches::hot, only);
    if (what == "cold") times(cases, count > 0 ? count : 1, bench::Caches::cold, only);
    if (what == "compare") compare(cases, count > 0 ? count : 20);
    if (what == "samples") samples(cases);
    return 0;
}
