// A test's kernel on GPU 0, through the driver library that is loaded when it is asked for.
#pragma once

#include "tests/emu/kernel_run.hpp"

namespace apod::emu::testing {

// What the driver refuses to compile begins with "refused: ".
[[nodiscard]] std::string run_on_hardware(KernelRun& run);

} // namespace apod::emu::testing
