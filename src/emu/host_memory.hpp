// Addresses that kernels are given by mistake: of the program's own memory, or of none.
#pragma once

#include <cstdint>
#include <string>

namespace apod::emu {

// What the address of global memory is that lies in no allocation and near none: null, or outside the device's memory.
enum class StrangeAddress : std::uint8_t {
    no,   // in the device's memory
    null, // near 0
    host, // memory of the program that the device does not reach
    none  // of nothing at all
};

[[nodiscard]] StrangeAddress strange_address(std::uint64_t address, std::uint32_t bytes);

// "at a null pointer (0x0)"; empty for `no`.
[[nodiscard]] std::string strange_text(StrangeAddress kind, std::uint64_t address);
[[nodiscard]] const char* strange_advice(StrangeAddress kind);

} // namespace apod::emu
