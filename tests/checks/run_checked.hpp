// Running one of the kernels of this folder under checks, and what its source says that the reports must be.
#pragma once

#include "apod/check.hpp"
#include "apod/record.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace apod::checks {

struct CheckedLaunch {
    std::string kernel;
    Dim3 grid{1, 1, 1};
    Dim3 block{32, 1, 1};
    std::uint32_t n = 256; // words of `out` and `in`
    std::uint32_t dynamic_shared = 0;
    bool fills_out = false; // with zeros, before
    bool cooperative = false;
};

struct CheckedRun {
    std::vector<CheckReport> reports;
    std::string error; // of loading or launching; faults are reports too
};

// `file`: "bugs" or "correct". in[k] is k, but in[3] the distance from `out` to `in` in words.
[[nodiscard]] CheckedRun run_checked(const std::string& file, const CheckedLaunch& launch);

// One "// expect: KIND" of a source.
struct Expectation {
    std::string kind;
    std::uint32_t line = 0;
};
// By kernel. Those in a device function belong to the kernel that follows it.
[[nodiscard]] std::map<std::string, std::vector<Expectation>> expectations(const std::string& file);

[[nodiscard]] std::string kind_name(CheckKind kind);
// For messages of tests.
[[nodiscard]] std::string to_text(const CheckReport& report);
// The lines of file that a side names: its own, or those of the calls that were inlined.
[[nodiscard]] bool names_line(const CheckPlace& place, const std::string& file, std::uint32_t line);

} // namespace apod::checks
