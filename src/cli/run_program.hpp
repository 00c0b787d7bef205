// Running the user's program under the emulated CUDA runtime.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace apod::cli {

struct ProgramRun {
    std::vector<std::string> arguments; // the program first; looked up in PATH unless it has a '/'
    std::string device;                 // emu:h200
    int devices = 1;
    unsigned threads = 0;
    std::filesystem::path record;  // directory for the runtime's record files
    bool output_to_stderr = false; // where standard output is wanted for ourselves
};

// The directory with our libcudart: beside the command in a build tree, in ../lib/apod where installed. unavailable when it is in neither.
Result<std::filesystem::path> runtime_directory();

// Waits for the program, which has our standard streams; its exit status, 128 + n when signal n ended it. Ctrl-C reaches the program, not
// us; a termination request is passed on to it.
Result<int> run_program(const ProgramRun& run);

} // namespace apod::cli
