// How many warp instructions a second are predicted: the emulation with all counters on, the caches, and the model, warm and cold; from the
// PTX alone, and from machine code where ptxas is installed. One core; the best of several rounds, each a prediction from scratch.
//
//   build/release/benchmarks/prediction_speed [ROUNDS]
#include "kernel_cases.hpp"

#include "arch/gpu.hpp"
#include "emu/launch.hpp"
#include "model/machine/machine_code.hpp"
#include "model/model.hpp"
#include "model/predict/predict.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include <time.h>

namespace {

using namespace apod;

// Processor time of this thread: what the work itself needs, whatever else the machine does.
double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Times {
    double emulated = 0; // and counted
    double recorded = 0; // caches, model, metrics, lines
    double warp_instructions = 0;
    [[nodiscard]] double rate() const { return warp_instructions / (emulated + recorded); }
};

// Loaded again for each way, because the machine code of a text is looked up once.
std::shared_ptr<const emu::Image> load_kernels(emu::DeviceMemory& memory, const char* comment) {
    std::ifstream file(APOD_BENCH_KERNELS);
    std::stringstream text;
    text << file.rdbuf() << "\n// " << comment << "\n";
    auto module = ptx::parse(text.str(), "kernels.ptx");
    auto image = module ? emu::Image::load(*module, memory) : Result<std::shared_ptr<const emu::Image>>(module.error());
    if (image) return *image;
    std::fprintf(stderr, "%s\n", to_text(image.error()).c_str());
    std::exit(1);
}

Times predict_once(const emu::Program& program, const bench::KernelCase& kernel, emu::DeviceMemory& memory, const arch::Gpu& gpu) {
    model::forget_predictions();
    emu::RunOptions options;
    options.sm_count = gpu.sm_count;
    options.threads = 1;
    const emu::LaunchConfig config = kernel.launch();
    model::Counters counters(program, gpu, config);
    Times times;
    const double start = processor_seconds();
    const auto execution = emu::run(program, config, memory, options, counters.sinks());
    if (!execution) {
        std::fprintf(stderr, "%s\n", to_text(execution.error()).c_str());
        std::exit(1);
    }
    const double middle = processor_seconds();
    const LaunchRecord record = counters.record(*execution, {});
    times.recorded = processor_seconds() - middle;
    times.emulated = middle - start;
    for (const emu::OpCount& op : execution->counts) times.warp_instructions += static_cast<double>(op.warps);
    if (record.time_ns.value <= 0) std::exit(1);
    return times;
}

void run_way(const char* title, const char* ptxas, int rounds, emu::DeviceMemory& memory, const std::vector<bench::KernelCase>& cases,
             const arch::Gpu& gpu) {
    if (ptxas != nullptr) setenv("APOD_PTXAS", ptxas, 1);
    const auto image = load_kernels(memory, title);
    std::printf("%s\n\n| kernel | million warp instructions | emulating (ms) | caches and model (ms) | million a second | ptxas (ms) |\n"
                "|---|---|---|---|---|---|\n",
                title);
    double log_sum = 0;
    for (const bench::KernelCase& kernel : cases) {
        const auto program = emu::lower(image, kernel.name);
        if (!program) std::exit(1);
        const auto start = std::chrono::steady_clock::now();
        const bool has_code = model::machine_code_of(**program, gpu) != nullptr;
        const double assembling = seconds_since(start);
        Times best;
        for (int round = 0; round < rounds; ++round) {
            const Times times = predict_once(**program, kernel, memory, gpu);
            if (round == 0 || times.rate() > best.rate()) best = times;
        }
        log_sum += std::log(best.rate());
        std::printf("| %s | %.2f | %.1f | %.1f | %.1f | %s |\n", kernel.name.c_str(), best.warp_instructions / 1e6, 1000 * best.emulated,
                    1000 * best.recorded, best.rate() / 1e6, has_code ? std::to_string(std::lround(1000 * assembling)).c_str() : "-");
    }
    std::printf("| geometric mean | | | | %.1f | |\n\n", std::exp(log_sum / static_cast<double>(cases.size())) / 1e6);
}

} // namespace

int main(int count, char** arguments) {
    const int rounds = count > 1 ? std::max(1, std::atoi(arguments[1])) : 5;
    emu::DeviceMemory memory(4ull << 30);
    const auto gpu = arch::find_gpu("h200");
    if (!gpu) return 1;
    const auto cases = bench::kernel_cases(memory);
    run_way("From machine code", nullptr, rounds, memory, cases, *gpu);
    run_way("From the PTX alone", "", rounds, memory, cases, *gpu);
    return 0;
}
