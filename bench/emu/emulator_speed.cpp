// How many warp instructions a second the emulator executes, with all counters on, on one core (and on all: /threads:0).
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

// Best rate seen of each case: interference only ever makes a run slower.
std::map<std::string, double> best_rate;

void run_case(benchmark::State& state, const emu::Program& program, const bench::KernelCase& kernel, emu::DeviceMemory& memory,
              const arch::Gpu& gpu, unsigned threads) {
    emu::RunOptions options;
    options.sm_count = gpu.sm_count;
    options.threads = threads;
    std::uint64_t executed = 0;
    for (auto _ : state) {
        const double start = processor_seconds();
        const emu::LaunchConfig config = kernel.launch();
        model::Counters counters(program, gpu, config);
        auto execution = emu::run(program, config, memory, options, counters.sinks());
        if (!execution) {
            state.SkipWithError(to_text(execution.error()).c_str());
            return;
        }
        std::uint64_t count = 0;
        for (const emu::OpCount& op : execution->counts) count += op.warps;
        executed += count;
        const double seconds = processor_seconds() - start;
        double& best = best_rate[kernel.name];
        if (threads == 1) best = std::max(best, static_cast<double>(count) / seconds);
    }
    state.counters["warp_instr"] = benchmark::Counter(static_cast<double>(executed), benchmark::Counter::kIsRate);
}

void print_summary() {
    if (best_rate.empty()) return;
    double log_sum = 0;
    for (const auto& [name, rate] : best_rate) log_sum += std::log(rate);
    std::printf("lane handlers: %s\n", std::string(emu::lanes_isa()).c_str());
    for (const auto& [name, rate] : best_rate)
        std::printf("%-16s %7.1f million warp instructions a second on one core\n", name.c_str(), rate / 1e6);
    std::printf("%-16s %7.1f\n", "geometric mean", std::exp(log_sum / static_cast<double>(best_rate.size())) / 1e6);
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
        for (const unsigned threads : {1u, 0u})
            benchmark::RegisterBenchmark(
                (cases[i].name + (threads == 1 ? "/one_core" : "/all_cores")).c_str(),
                [&, i, threads](benchmark::State& state) { run_case(state, *programs[i], cases[i], memory, *gpu, threads); })
                ->Unit(benchmark::kMillisecond)
                ->UseRealTime()
                ->MinTime(0.3);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    print_summary();
    return 0;
}
