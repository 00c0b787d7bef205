// Integer arithmetic of 16 and 32 bits, and the forms whose operands differ in width. 64-bit: wide_integer.cpp.
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

void add_integer_forms(FormTable& table) {
    add_integer_arithmetic<std::uint16_t>(table, "u16");
    add_integer_arithmetic<std::int16_t>(table, "s16");
    add_integer_arithmetic<std::uint32_t>(table, "u32");
    add_integer_arithmetic<std::int32_t>(table, "s32");
    add_wide_products<std::uint16_t, std::uint32_t>(table, "u16");
    add_wide_products<std::int16_t, std::int32_t>(table, "s16");
    add_wide_products<std::uint32_t, std::uint64_t>(table, "u32");
    add_wide_products<std::int32_t, std::int64_t>(table, "s32");
    add_binary<Mul24Lo, std::uint32_t, std::uint32_t>(table, "mul24.lo.u32", OpClass::int_mul);
    add_binary<Mul24Lo, std::int32_t, std::int32_t>(table, "mul24.lo.s32", OpClass::int_mul);
    add_ternary<Mad24Lo, std::uint32_t, std::uint32_t>(table, "mad24.lo.u32", OpClass::int_mul);
    add_ternary<Mad24Lo, std::int32_t, std::int32_t>(table, "mad24.lo.s32", OpClass::int_mul);
}

} // namespace apod::emu::APOD_LANES
