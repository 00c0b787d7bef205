// What stops a kernel.
#pragma once

#include <cstdint>

namespace apod::emu {

enum class FaultKind : std::uint8_t {
    none,
    out_of_bounds,
    misaligned,
    trap,
    deadlock,
    watchdog,
    cancelled,
    bad_branch,
    divergent_barrier,
    bad_call,       // address: the pointer
    stack_overflow, // address: bytes needed; bytes: calls deep
    assertion,
    bad_free,     // address: the pointer
    bad_image,    // textures and surfaces; address: the handle, bytes: an ImageFault
    absent_block, // distributed shared memory; address: the shared::cluster address
    stalled       // bytes: seconds for which nothing has changed
};

} // namespace apod::emu
