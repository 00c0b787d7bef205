#include "bench/host_target.hpp"

#include <chrono>
#include <utility>

namespace apod::bench {
namespace {

using Clock = std::chrono::steady_clock;

} // namespace

HostTarget::HostTarget(std::string name, std::function<Result<void>()> work, std::function<Result<void>()> before) :
    name_(std::move(name)), work_(std::move(work)), before_(std::move(before)) {}

Result<double> HostTarget::first_run() {
    const Result<Sample> first = sample(1);
    if (!first) return first.error();
    return first->time_ns;
}

Result<Sample> HostTarget::sample(std::uint32_t runs) {
    if (before_)
        if (const Result<void> ready = before_(); !ready) return ready.error();
    const Clock::time_point begin = Clock::now();
    for (std::uint32_t run = 0; run < runs; ++run)
        if (const Result<void> done = work_(); !done) return done.error();
    const double took = std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
    Sample sample;
    sample.runs = runs;
    sample.time_ns = took / runs;
    return sample;
}

} // namespace apod::bench
