#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

void add_all_forms(FormTable& table) {
    add_integer_forms(table);
    add_wide_integer_forms(table);
    add_logic_forms(table);
    add_bit_forms(table);
    add_float_forms(table);
    add_special_forms(table);
    add_compare_forms(table);
    add_convert_integer_forms(table);
    add_convert_float_forms(table);
    add_move_forms(table);
    add_load_forms(table);
    add_store_forms(table);
    add_atomic_forms(table);
    add_warp_forms(table);
}

} // namespace apod::emu::APOD_LANES
