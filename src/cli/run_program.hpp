// Running the user's program under the emulated CUDA runtime.
#pragma once

#include "base/result.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apod::cli {

struct ProgramRun {
    std::vector<std::string> arguments; // the program first; looked up in PATH unless it has a '/'
    std::string device;                 // emu:h200
    int devices = 1;
    unsigned threads = 0;
    std::filesystem::path record;    // directory for the runtime's record files
    bool output_to_stderr = false;   // where standard output is wanted for ourselves
    double timeout_s = 0;            // the program is ended after that; 0: never
    bool check = false;              // its kernels and its use of memory are checked
    std::optional<unsigned> counted; // launches of a kernel and a shape that are counted; later ones only run; empty: all
    std::string fresh_memory;        // "zeros" or "ones": what device memory holds at first; empty: ones under checks, zeros otherwise
};

// How the program ended.
struct ProgramEnd {
    int exit_code = 0; // its own; 128 + n when signal n ended it; 124 after a time-out, as timeout(1) has it
    int signal = 0;
    bool timed_out = false;
};

// The directory with our libcudart: beside the command in a build tree, in ../lib/apod where installed. unavailable when it is in neither.
Result<std::filesystem::path> runtime_directory();

// Waits for the program, which has our standard streams. Ctrl-C reaches the program, not us; a termination request is passed on to it.
// Where we are killed outright it is ended too (orphan_watch.hpp).
Result<ProgramEnd> run_program(const ProgramRun& run);

} // namespace apod::cli
