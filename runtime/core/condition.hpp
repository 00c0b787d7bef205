// Conditions of graphs: values that kernels set and conditional nodes act upon.
#pragma once

#include "runtime/core/graph.hpp"

#include <cstdint>

namespace apod::runtime {

class Runtime;

// Makes a condition, whose value lives in device memory of its own until the process ends. Flag 1: every launch begins with `initial`.
Error create_condition(Runtime& runtime, int device, unsigned initial, unsigned flags, std::uint64_t& handle);
// The work of the one node that has the condition, with its graphs. `kind` and `size` are the program's own numbers.
Error conditional_work(Runtime& runtime, std::uint64_t handle, int kind, unsigned size, ConditionalWork& work);

} // namespace apod::runtime
