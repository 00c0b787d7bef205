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
void add_half_forms(FormTable& table);
void add_bfloat_forms(FormTable& table);
void add_carry_forms(FormTable& table);
void add_rounded_forms(FormTable& table);
void add_float_pair_forms(FormTable& table);
void add_scalar_video_forms(FormTable& table);
void add_minmax_forms(FormTable& table);
void add_saturating_forms(FormTable& table);
void add_dot_forms(FormTable& table);
void add_select_forms(FormTable& table);
void add_set_forms(FormTable& table);
void add_convert_any_forms(FormTable& table);
void add_convert_half_forms(FormTable& table);
void add_video_forms(FormTable& table);
void add_compare_forms(FormTable& table);
void add_convert_integer_forms(FormTable& table);
void add_convert_float_forms(FormTable& table);
void add_move_forms(FormTable& table);
void add_load_forms(FormTable& table);
void add_store_forms(FormTable& table);
void add_frame_forms(FormTable& table);
void add_atomic_forms(FormTable& table);
void add_wide_atomic_forms(FormTable& table);
void add_cluster_forms(FormTable& table);
void add_async_forms(FormTable& table);
void add_bulk_reduce_forms(FormTable& table);
void add_mbarrier_forms(FormTable& table);
void add_matrix_memory_forms(FormTable& table);
void add_matrix_multiply_forms(FormTable& table);
void add_warp_forms(FormTable& table);

} // namespace apod::emu::APOD_LANES
