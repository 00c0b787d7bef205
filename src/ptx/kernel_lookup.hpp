// Finding a kernel of a module by the name that a person would write.
#pragma once

#include "base/result.hpp"
#include "ptx/module.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace apod::ptx {

// Demangled names of the module's kernels, in its order.
[[nodiscard]] std::vector<std::string> kernel_displays(const Module& module);

// `name` may be mangled, the full demangled name, that without its parameters ("tiled<32>"), or without its template arguments either
// ("tiled"); the most exact reading that finds something counts. Nothing found, or several: bad_input that lists what there is.
[[nodiscard]] Result<const Function*> find_kernel(const Module& module, std::string_view name);

} // namespace apod::ptx
