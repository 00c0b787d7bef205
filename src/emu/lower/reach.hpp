// Which functions of a module a kernel may call.
#pragma once

#include "ptx/module.hpp"

#include <vector>

namespace apod::emu {

// The kernel, then what it calls directly, then what it may call through pointers: functions whose address is taken somewhere and whose
// parameters and results have the sizes of an indirect call's prototype. Functions without a body are left out. With calls or without.
[[nodiscard]] std::vector<const ptx::Function*> reachable_functions(const ptx::Module& module, const ptx::Function& kernel);

} // namespace apod::emu
