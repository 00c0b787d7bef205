// Running another program to its end, without a shell.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace apod {

struct ProcessResult {
    int exit_status = 0; // 128 + n when signal n ended it
    std::string output;  // standard output and standard error together, as they came
};

// `arguments` begin with the program, looked up in PATH unless it holds a '/'. Standard input is empty. A program that cannot be started is
// unavailable; one that fails is a result with its exit status.
Result<ProcessResult> run_process(const std::vector<std::string>& arguments);

} // namespace apod
