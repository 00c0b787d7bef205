// The line numbers of a section of instructions: DWARF's line program (version 2), as ptxas writes it into .nv_debug_line_sass, where the
// lines are those of the PTX that it assembled.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

namespace apod::sass {

// Line by address: each holds until the next address. Line 0 ends what is known. `starts` has, by the place in `program` of an address that
// the linker would fill in, whether that sequence belongs to the wanted section; sequences at other places are skipped.
using LineTable = std::map<std::uint64_t, std::uint32_t>;
[[nodiscard]] LineTable read_lines(std::string_view program, const std::map<std::uint64_t, bool>& starts);

} // namespace apod::sass
