// The special registers of PTX ISA 9.0.
#pragma once

#include <string_view>

namespace apod::ptx {

// `name` without the leading % and without a component: "tid", "laneid", "envreg1".
[[nodiscard]] bool is_special_register(std::string_view name);

} // namespace apod::ptx
