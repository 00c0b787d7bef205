// The instruction names of PTX ISA 9.0, modifiers left off. The one place that knows them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace apod::ptx {

[[nodiscard]] bool is_opcode(std::string_view name);

// The known name with the fewest edits, for messages; nothing when none is near.
[[nodiscard]] std::optional<std::string> nearest_opcode(std::string_view name);

} // namespace apod::ptx
