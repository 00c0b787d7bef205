// Do the numbers of a description fit together?
#pragma once

#include "arch/gpu.hpp"

#include <optional>
#include <string>

namespace apod::arch {

struct Implausible {
    std::string path;    // the number to look at: "memory.peak_gbs"
    std::string message; // what is wrong with it
};

// The first contradiction found, nothing when all is well. Checked: the id is a plain name; a block fits an SM; warps and threads agree;
// the largest carve-out is the SM's shared memory and lies within the unified store; peak bandwidth = rate * bus / 8 within 1 %.
[[nodiscard]] std::optional<Implausible> implausible(const Gpu& gpu);

} // namespace apod::arch
