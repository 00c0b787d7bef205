// What `apod run` tells the runtime, through the environment of the program.
#pragma once

#include <limits>
#include <string>

namespace apod::runtime {

constexpr unsigned every_launch = std::numeric_limits<unsigned>::max();

struct Settings {
    std::string device = "emu:h200"; // APOD_DEVICE
    int devices = 1;                 // APOD_DEVICES: how many of it, 1 to 16
    unsigned threads = 0;            // APOD_THREADS: worker threads of the emulator; 0: all cores
    unsigned counted = every_launch; // APOD_COUNTED: launches of a kernel and a shape that are counted; without it all
    bool check = false;              // APOD_CHECK: kernels and the use of memory are checked
    bool poison = false;             // APOD_FRESH_MEMORY: "ones" or "zeros"; without it ones under checks, zeros otherwise
    std::string record;              // APOD_RUN_RECORD: the file to append to; empty: none
};

[[nodiscard]] Settings settings_from_environment();

} // namespace apod::runtime
