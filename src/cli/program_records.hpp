// What run and check have in common: whether a program can run at all, and what it left behind.
#pragma once

#include "arch/gpu.hpp"
#include "base/result.hpp"
#include "report/run_record.hpp"

#include <filesystem>
#include <string>

namespace apod::cli {

// Says now what would otherwise fail in the middle of the program, or in a way that nobody understands.
Result<void> check_program(const std::string& program, const arch::Gpu& gpu);

// The record files of all processes of the program, in the order in which they were begun.
Result<report::RunRecord> read_records(const std::filesystem::path& directory);

} // namespace apod::cli
