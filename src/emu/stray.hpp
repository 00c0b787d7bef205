// Accesses of kernels beyond every allocation.
//
// A GPU's memory is mapped in pieces of 2 MiB: an access that misses its allocation but hits a piece in which there is any passes without a
// word, and programs have come to live with it. Ladders and checks want the fault; programs that are only run want what a GPU does, and a
// warning.
#pragma once

#include "base/diagnostic.hpp"
#include "emu/program.hpp"

#include <cstdint>
#include <vector>

namespace apod::emu {

enum class StrayAccess : std::uint8_t { fault, passes_where_mapped };

// For all launches of the process from now on; fault without this call.
void set_stray_access(StrayAccess kind);
[[nodiscard]] StrayAccess stray_access();

// What passed since the last call, in launches of the program: a warning for each op, in their order.
[[nodiscard]] std::vector<Diagnostic> take_stray_accesses(const Program& program);

// For the emulator: whether the access of one lane (or of neighbouring ones, together as narrow as one may be), which hits no allocation,
// passes; it is noted then.
[[nodiscard]] bool stray_access_passes(const DeviceMemory& memory, std::uint32_t op, DeviceAddress first, DeviceAddress end);

// Likewise: lanes at this op went on without lanes that it names, which wait elsewhere.
void lanes_go_on_without_others(std::uint32_t op);

// Whether the addresses belong to the range of a DeviceMemory, whose pages the host can touch.
[[nodiscard]] bool in_device_range(DeviceAddress first, DeviceAddress end);

} // namespace apod::emu
