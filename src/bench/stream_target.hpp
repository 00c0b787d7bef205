// Work on a GPU's stream, timed by events. One sample is, in the stream's order:
//   gate (closed until the host has queued everything) -> [L2 flush] -> clock stamp -> event -> work -> event ... -> clock stamp
//
// Short work: k runs between two events, then 2k runs between two more, each as one CUDA graph; the difference over k is what one more run
// costs, with what events and launches cost in neither. The graphs are made anew every 40 ms: two graphs of the same work differ by up to 3
// % where L2 bounds it, so the noise must have that in it. Work that cannot be captured is launched into the stream instead. Long work, and
// work with cold caches: one run between two events, less what the pair of events takes, less what a single launch takes more than one in a
// row; both are measured once, with nothing and with an empty kernel between the events.
#pragma once

#include "bench/runs_in_a_row.hpp"
#include "bench/stopwatch.hpp"
#include "bench/target.hpp"
#include "device/device.hpp"

#include <memory>
#include <string>
#include <vector>

namespace apod::bench {

enum class Caches : std::uint8_t {
    cold, // L2 is flushed before each sample, and each sample is one run
    hot   // runs follow each other: what fits stays in L2
};

class StreamTarget final : public Target {
public:
    // Targets that are compared should share a stopwatch.
    StreamTarget(std::shared_ptr<Stopwatch> stopwatch, std::string name, Work work, Caches caches);
    // With a stopwatch of its own.
    static Result<std::unique_ptr<StreamTarget>> make(device::Device& device, std::string name, Work work, Caches caches);

    [[nodiscard]] std::string name() const override { return name_; }
    Result<double> first_run() override;
    Result<Sample> sample(std::uint32_t runs) override;
    [[nodiscard]] std::vector<std::string> notes() const override;
    [[nodiscard]] std::uint32_t most_runs() const override { return most_runs_; }
    [[nodiscard]] const Stopwatch& stopwatch() const { return *stopwatch_; }

private:
    Result<void> notice_other_streams();
    Result<Sample> single();
    Result<void> prepare_row(std::uint32_t runs);
    // Of k and 2k runs. False: they could not be held back, and fewer are to be tried.
    Result<bool> in_a_row(std::uint32_t runs, Sample& sample);
    void give_up_the_gate();
    Result<bool> throttled();

    std::shared_ptr<Stopwatch> stopwatch_;
    std::string name_;
    Work work_;
    Caches caches_;
    std::unique_ptr<RunsInARow> row_; // of the last number of runs
    std::uint32_t visit_samples_ = 0; // taken in a row since L2 was last overwritten
    bool captures_ = false;           // the work was held back once, so it does not wait for the device, and may be captured
    bool refused_ = false;            // it cannot be
    bool use_gate_ = true;
    std::uint32_t most_runs_ = UINT32_MAX;
    std::vector<std::string> throttle_seen_;
    std::vector<std::string> notes_;
};

} // namespace apod::bench
