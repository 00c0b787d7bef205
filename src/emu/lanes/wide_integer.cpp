// Integer arithmetic of 64 bits.
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

void add_wide_integer_forms(FormTable& table) {
    add_integer_arithmetic<std::uint64_t>(table, "u64");
    add_integer_arithmetic<std::int64_t>(table, "s64");
}

} // namespace apod::emu::APOD_LANES
