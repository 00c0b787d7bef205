// What `apod run` shows of a program: where the device's time went, the kernels, every launch, what is wrong with the costliest ones.
#pragma once

#include "arch/gpu.hpp"
#include "base/text_table.hpp"
#include "report/json.hpp"
#include "report/line_table.hpp"
#include "report/run_record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apod::report {

struct RunView {
    const RunRecord& record;
    std::string device; // emu:h200
    const arch::Gpu& gpu;
};

// All launches of one kernel.
struct KernelTotal {
    std::string kernel; // without its parameters
    std::uint64_t launches = 0;
    double time_ns = 0;
    double floor_ns = 0;
    const LaunchRecord* costliest = nullptr; // its longest launch
};

// The kernel that took longest first.
[[nodiscard]] std::vector<KernelTotal> kernel_totals(const RunRecord& record);

struct RunTextOptions {
    TextStyle style;
    bool verbose = false; // every launch; otherwise the first twenty. Every kernel explained, line by line
    SourceText source = [](const std::string&, std::uint32_t) { return std::optional<std::string>(); };
};

[[nodiscard]] std::string run_text(const RunView& run, const RunTextOptions& options);
[[nodiscard]] std::string run_json(const RunView& run); // docs/schema/apod-1.schema.json, "run"
[[nodiscard]] std::string run_csv(const RunView& run);  // one line a launch
[[nodiscard]] std::string run_markdown(const RunView& run);

} // namespace apod::report
