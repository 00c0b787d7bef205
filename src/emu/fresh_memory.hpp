// What device memory holds before anything has written to it.
//
// Poison (0xFF, a NaN in every type of float) shows at once that a kernel reads what nobody wrote: for ladders and checks. Zeros are what a
// driver gives to a new process on real hardware, where programs that forget to clear their memory work: for programs that are only run.
#pragma once

#include <cstdint>

namespace apod::emu {

enum class FreshMemory : std::uint8_t { poison, zeros };

// For each DeviceMemory that the process makes from now on; poison without this call.
void set_fresh_memory(FreshMemory kind);
[[nodiscard]] FreshMemory fresh_memory();

} // namespace apod::emu
