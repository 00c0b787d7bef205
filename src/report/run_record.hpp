// What a program did on its device, as the CUDA runtime wrote it down (runtime/core/record_file.hpp): launches, copies, faults.
#pragma once

#include "apod/check.hpp"
#include "apod/record.hpp"
#include "base/diagnostic.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace apod::report {

// A launch, with how many launches of the program were equal to it in shape and in every counter, itself included.
struct CountedLaunch {
    LaunchRecord record;
    std::uint64_t count = 1;
    std::uint64_t uncounted = 0; // of `count`: those that only ran, of the same shape (apod run --counted)

    // None was counted (--counted 0): the record has neither a time nor metrics.
    [[nodiscard]] bool only_ran() const { return uncounted == count; }
};

// So many launches in a row that are equal.
struct LaunchRow {
    std::size_t launch = 0; // into RunRecord::launches
    std::uint64_t times = 0;
};

struct CopyTotal {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    double time_ns = 0;               // predicted
    std::uint64_t pageable_bytes = 0; // of them, from or to memory of the host that is not page-locked
    double pageable_ns = 0;
};

struct CountedTime {
    std::uint64_t count = 0;
    double time_ns = 0;
};

struct RunRecord {
    std::string program;
    std::vector<CountedLaunch> launches;     // in the order of their first occurrence
    std::vector<LaunchRow> order;            // all of them, process after process
    std::map<std::string, CopyTotal> copies; // by direction: "host to device", ..., "fill"
    std::vector<Diagnostic> faults;
    std::vector<std::string> unfinished;   // launches that were running when their process ended: "kernel, grid 4 1 1, block 256 1 1"
    std::vector<CheckReport> checks;       // under apod check
    std::vector<CheckReport> failed_calls; // of the CUDA API
    std::vector<Finding> findings;         // of the program around its kernels

    [[nodiscard]] std::uint64_t launch_count() const;
    [[nodiscard]] std::uint64_t uncounted() const; // launches that only ran
    [[nodiscard]] bool only_ran() const;           // there are launches, and none was counted
    [[nodiscard]] double kernel_ns() const;        // all launches together, apod's own left out
    [[nodiscard]] CountedTime apods_own() const;   // these
    [[nodiscard]] double copy_ns() const;
};

// The time of the kernel alone, as a profiler shows it; LaunchRecord::time_ns has the cost of the events around a single launch in it.
[[nodiscard]] double kernel_ns(const LaunchRecord& launch);

// A kernel of apod's own timing (apod::measure), which the program itself did not ask for.
[[nodiscard]] bool is_apods_own(const LaunchRecord& launch);

// Adds the lines of one process to the record. An incomplete last line (the process was killed while writing) is left out; any other line
// that cannot be read is bad_input with its number.
[[nodiscard]] Result<void> read_run_lines(std::string_view lines, RunRecord& record);

} // namespace apod::report
