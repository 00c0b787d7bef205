// What run and check have in common: whether a program can run at all, and what it left behind.
#pragma once

#include "arch/gpu.hpp"
#include "base/result.hpp"
#include "cli/run_program.hpp"
#include "report/run_record.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace apod::cli {

// Says now what would otherwise fail in the middle of the program, or in a way that nobody understands.
Result<void> check_program(const std::string& program, const arch::Gpu& gpu);

// What the command line of run and check names that may be a file: the program, its arguments, what --device names.
[[nodiscard]] std::vector<std::string> files_of_program(const std::vector<std::string>& program, const std::string& device);

// Before the program starts: the marker that a process which cannot write its record removes (runtime/core/record_file.hpp).
Result<void> expect_whole_records(const std::filesystem::path& directory);

// Whether it is still there.
[[nodiscard]] bool are_whole(const std::filesystem::path& directory);

// What is said of records that are not: of the kind unavailable.
[[nodiscard]] Diagnostic records_lack_something();

// The record files of all processes of the program, in the order in which they were begun.
Result<report::RunRecord> read_records(const std::filesystem::path& directory);

// What checks found and the calls that failed.
std::vector<CheckReport> all_mistakes(const report::RunRecord& record);

// "after 3 s, while a kernel was running: spin(int*), grid 1 1 1, block 32 1 1"; empty: it ended by itself.
std::string how_it_was_stopped(const ProgramEnd& end, double timeout_s, const report::RunRecord& record);

// "_Z4spinPVi, grid 1 1 1, block 32 1 1" with the kernel's name as people write it.
std::string readable_launch(const std::string& launch);

} // namespace apod::cli
