#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

void add_all_forms(FormTable& table) {
    add_integer_forms(table);
    add_wide_integer_forms(table);
    add_logic_forms(table);
    add_bit_forms(table);
    add_float_forms(table);
    add_special_forms(table);
    add_half_forms(table);
    add_bfloat_forms(table);
    add_carry_forms(table);
    add_rounded_forms(table);
    add_float_pair_forms(table);
    add_scalar_video_forms(table);
    add_minmax_forms(table);
    add_saturating_forms(table);
    add_dot_forms(table);
    add_compare_forms(table);
    add_select_forms(table);
    add_set_forms(table);
    add_convert_integer_forms(table);
    add_convert_float_forms(table);
    add_convert_half_forms(table);
    add_convert_any_forms(table);
    add_video_forms(table);
    add_move_forms(table);
    add_load_forms(table);
    add_store_forms(table);
    add_frame_forms(table);
    add_atomic_forms(table);
    add_wide_atomic_forms(table);
    add_cluster_forms(table);
    add_async_forms(table);
    add_bulk_reduce_forms(table);
    add_mbarrier_forms(table);
    add_matrix_memory_forms(table);
    add_matrix_multiply_forms(table);
    add_warp_forms(table);
}

} // namespace apod::emu::APOD_LANES
