// Each family of handlers adds its forms; tables.cpp calls them all.
#pragma once

#include "emu/forms.hpp"

namespace apod::emu::APOD_LANES {

void add_integer_forms(FormTable& table);
void add_wide_integer_forms(FormTable& table);
void add_logic_forms(FormTable& table);
void add_bit_forms(FormTable& table);
void add_float_forms(FormTable& table);
void add_special_forms(FormTable& table);
void add_compare_forms(FormTable& table);
void add_convert_integer_forms(FormTable& table);
void add_convert_float_forms(FormTable& table);
void add_move_forms(FormTable& table);
void add_load_forms(FormTable& table);
void add_store_forms(FormTable& table);
void add_atomic_forms(FormTable& table);
void add_warp_forms(FormTable& table);

} // namespace apod::emu::APOD_LANES
