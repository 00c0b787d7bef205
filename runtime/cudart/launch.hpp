// From a call's arguments to a launch.
#pragma once

#include "runtime/core/runtime.hpp"

#include <cstddef>
#include <vector>

namespace apod::runtime::cudart {

// The arguments, one pointer each, as one block laid out as the kernel expects it.
Error pack_parameters(Runtime& runtime, Kernel& kernel, int device, void** arguments, std::vector<std::byte>& packed);

// Launches a host stub or a handle on a stream; `work` brings the shape.
Error launch(Stream* handle, const void* function, KernelWork work, void** arguments);

} // namespace apod::runtime::cudart
