// How many warp instructions a second the emulator executes: with all counters on, on one core and on all; and, to see what counting costs,
// on one core with none.
//
//   build/release/benchmarks/emulator_speed [--benchmark_filter=...]
#include "kernel_cases.hpp"

#include "arch/gpu.hpp"
#include "emu/forms.hpp"
#include "emu/launch.hpp"
#include "model/model.hpp"

#include <benchmark/benchmark.h>

#include <time.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

namespace {

using namespace apod;

std::shared_ptr<const emu::Image> load_kernels(emu::DeviceMemory& memory) {
    std::ifstream file(APOD_BENCH_KERNELS);
    std::stringstream text;
    text << file.rdbuf();
    auto module = ptx::parse(text.str(), "kernels.ptx");
    if (!module) std::fprintf(stderr, "%s\n", to_text(module.error()).c_str());
    auto image = module ? emu::Image::load(*module, memory) : Result<std::shared_ptr<const emu::Image>>(module.error());
    if (!image) std::exit(1);
    return *image;
}

// Processor time of this thread: what the emulator itself needs, whatever else the machine does.
double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Variant {
    const char* name;
    unsigned threads; // 0: all cores
    bool counting;
};

constexpr Variant variants[] = {{"one_core", 1, true}, {"one_core_uncounted", 1, false}, {"all_cores", 0, true}};

// Best rate on one core of each case, counted and not: interference only ever makes a run slower.
using Rates = std::map<std::string, double>;
Rates counted_rates;
Rates uncounted_rates;

void run_case(benchmark::State& state, const emu::Program& program, const bench::KernelCase& kernel, emu::DeviceMemory& memory,
              const arch::Gpu& gpu, const Variant& variant) {
    emu::RunOptions options;
    options.sm_count = gpu.sm_count;
    options.threads = variant.threads;
    std::uint64_t executed = 0;
    for (auto _ : state) {
        const double start = processor_seconds();
        const emu::LaunchConfig config = kernel.launch();
        model::Counters counters(program, gpu, config);
        auto execution = emu::run(program, config, memory, options, variant.counting ? counters.sinks() : emu::SinkFactory{});
        if (!execution) {
            state.SkipWithError(to_text(execution.error()).c_str());
            return;
        }
        std::uint64_t count = 0;
        for (const emu::OpCount& op : execution->counts) count += op.warps;
        executed += count;
        const double seconds = processor_seconds() - start;
        if (variant.threads != 1) continue; // processor time is this thread's alone
        double& best = (variant.counting ? counted_rates : uncounted_rates)[kernel.name];
        best = std::max(best, static_cast<double>(count) / seconds);
    }
    state.counters["warp_instr"] = benchmark::Counter(static_cast<double>(executed), benchmark::Counter::kIsRate);
}

void print_summary(const char* title, const Rates& rates) {
    if (rates.empty()) return;
    double log_sum = 0;
    std::printf("million warp instructions a second on one core, %s (lane handlers %s)\n", title, std::string(emu::lanes_isa()).c_str());
    for (const auto& [name, rate] : rates) {
        std::printf("  %-16s %7.1f\n", name.c_str(), rate / 1e6);
        log_sum += std::log(rate);
    }
    std::printf("  %-16s %7.1f\n", "geometric mean", std::exp(log_sum / static_cast<double>(rates.size())) / 1e6);
}

} // namespace

int main(int argc, char** argv) {
    emu::DeviceMemory memory(4ull << 30);
    const auto image = load_kernels(memory);
    auto gpu = arch::find_gpu("h200");
    if (!gpu) return 1;
    const auto cases = bench::kernel_cases(memory);
    std::vector<std::shared_ptr<const emu::Program>> programs;
    for (const bench::KernelCase& kernel : cases) {
        auto program = emu::lower(image, kernel.name);
        if (!program) {
            std::fprintf(stderr, "%s\n", to_text(program.error()).c_str());
            return 1;
        }
        programs.push_back(*program);
    }
    for (std::size_t i = 0; i < cases.size(); ++i)
        for (const Variant& variant : variants)
            benchmark::RegisterBenchmark(
                (cases[i].name + "/" + variant.name).c_str(),
                [&, i](benchmark::State& state) { run_case(state, *programs[i], cases[i], memory, *gpu, variant); })
                ->Unit(benchmark::kMillisecond)
                ->UseRealTime()
                ->MinTime(0.3);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    print_summary("all counters on", counted_rates);
    print_summary("not counting", uncounted_rates);
    return 0;
}
