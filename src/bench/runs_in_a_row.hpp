// k runs one after another, and 2k: as graphs where the work can be captured, else as launches.
#pragma once

#include "base/result.hpp"
#include "device/async.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace apod::bench {

// Queues one run on the stream.
using Work = std::function<Result<void>(device::Stream&)>;

class RunsInARow {
public:
    // `capture_graphs`: as graphs; what goes wrong with capturing is the result then.
    static Result<std::unique_ptr<RunsInARow>> make(device::Stream& stream, const Work& work, std::uint32_t runs, bool capture_graphs);

    [[nodiscard]] std::uint32_t runs() const { return runs_; }
    [[nodiscard]] bool captured() const { return graphs_[0] != nullptr; }
    // Queues k runs (0) or 2k (1).
    Result<void> queue(device::Stream& stream, std::size_t which) const;

private:
    RunsInARow(Work work, std::uint32_t runs) : work_(std::move(work)), runs_(runs) {}

    Work work_;
    std::uint32_t runs_;
    std::array<std::unique_ptr<device::Graph>, 2> graphs_;
};

} // namespace apod::bench
