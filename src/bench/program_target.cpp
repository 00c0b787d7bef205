#include "bench/program_target.hpp"

#include "base/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace apod::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t shown_output = 500;

} // namespace

ProgramTarget::ProgramTarget(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {}

std::string ProgramTarget::name() const {
    std::string name;
    for (const std::string& argument : arguments_) name += (name.empty() ? "" : " ") + argument;
    return name;
}

Result<double> ProgramTarget::first_run() {
    const Result<Sample> first = sample(1);
    if (!first) return first.error();
    return first->time_ns;
}

Result<Sample> ProgramTarget::sample(std::uint32_t runs) {
    if (arguments_.empty()) return usage_error("there is no program to time", "give the program and its arguments");
    double took = 0;
    for (std::uint32_t run = 0; run < runs; ++run) {
        const Clock::time_point begin = Clock::now();
        const Result<ProcessResult> ended = run_process(arguments_);
        took += std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
        if (!ended) return ended.error();
        if (ended->exit_status == 0) continue;
        const std::string& output = ended->output;
        Diagnostic failed = check_failed(fmt::format("'{}' ended with exit status {}", name(), ended->exit_status),
                                         "a program that fails is not timed; run it by itself first");
        if (!output.empty()) failed.notes.push_back(output.substr(output.size() - std::min(output.size(), shown_output)));
        return failed;
    }
    Sample sample;
    sample.runs = runs;
    sample.time_ns = took / runs;
    return sample;
}

} // namespace apod::bench
