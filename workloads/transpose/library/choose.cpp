#include "workloads/transpose/library/choose.hpp"

#include "workloads/transpose/library/designs.hpp"

#include <algorithm>
#include <bit>

namespace apod::transposing {

namespace {

constexpr std::int64_t most_blocks_x = 0x7fffffff;
constexpr std::int64_t most_blocks_y = 65535;
constexpr int most_static_shared = 48 * 1024;

std::int64_t tiles_of(std::int64_t elements, std::int64_t tile) { return (elements + tile - 1) / tile; }

// Whether all rows of all matrices begin at multiples of so many bytes.
bool is_aligned(int to, std::uintptr_t address, const Transpose& what, std::int64_t pitch, std::int64_t stride) {
    const auto unit = static_cast<unsigned>(to);
    return address % unit == 0 && pitch * what.element_bytes % to == 0 && (what.batches == 1 || stride * what.element_bytes % to == 0);
}

// Whether the kernel for small matrices is to move it: so few bytes that the caches hold them, all offsets within 31 bits, and no more rows
// of tiles than a grid has.
bool is_small(const Transpose& what, int bytes = bytes_of_small) {
    constexpr std::int64_t most = 1'000'000'000; // elements, tiles beyond the edges included
    return what.rows * what.columns <= bytes / what.element_bytes / what.batches && what.rows < 1'000'000 && what.columns < 1'000'000 &&
           what.rows + 256 < most / what.in_pitch && what.columns + 256 < most / what.out_pitch;
}

// Tiles across the columns and down the rows, in bands of at least 2^shift.
bool spread(std::int64_t across, std::int64_t down, int shift, Choice& choice) {
    while (shift > 0 && (std::int64_t{1} << (shift - 1)) >= down) --shift; // no wider than there are tiles
    while (tiles_of(down, std::int64_t{1} << shift) > most_blocks_y && shift < 31) ++shift;
    const std::int64_t x = across << shift;
    const std::int64_t y = tiles_of(down, std::int64_t{1} << shift);
    choice.shift = shift;
    choice.grid_x = static_cast<unsigned>(x);
    choice.grid_y = static_cast<unsigned>(y);
    return across <= (most_blocks_x >> shift) && y <= most_blocks_y;
}

bool choose_cells(const Transpose& what, Choice& choice) {
    const bool small = is_small(what, bytes_of_small_cells(what.element_bytes));
    const Design design = small ? small_cells_design(what.element_bytes) : cells_design(what.element_bytes);
    choice.kernel = small ? "transpose_small_cells" : "transpose_cells";
    const std::int64_t side = design.word / what.element_bytes;
    const std::int64_t width = design.columns * side;
    const std::int64_t height = design.rows * side;
    choice.threads = static_cast<unsigned>(design.threads);
    const std::int64_t shared = width * height * what.element_bytes;
    choice.shared_bytes = shared > most_static_shared ? static_cast<unsigned>(shared) : 0;
    return spread(tiles_of(what.columns, width), tiles_of(what.rows, height),
                  small ? 0 : cells_shift(what.element_bytes, what.rows * what.columns), choice);
}

// Rows above a tile that its words of the output may begin in (lines.cuh).
int rows_above(const Design& design, int bytes) {
    const int unit = std::max(4 / bytes, 1);
    return design.word <= bytes ? 0 : (design.word / bytes - 1 + unit - 1) / unit * unit;
}

bool choose_lines(const Transpose& what, Choice& choice) {
    const bool small = is_small(what);
    const Design design = small ? small_lines_design(what.element_bytes) : lines_design(what.element_bytes);
    choice.kernel = small ? "transpose_small_lines" : "transpose_lines";
    choice.threads = static_cast<unsigned>(design.threads);
    // Words of the output begin up to so many rows before their tile: the last tile must reach as far beyond.
    const std::int64_t rows = what.rows + rows_above(design, what.element_bytes);
    return spread(tiles_of(what.columns, design.columns), tiles_of(rows, design.rows),
                  small ? 0 : lines_shift(what.element_bytes, what.columns), choice);
}

bool choose_strips(const Transpose& what, Choice& choice) {
    choice.kernel = "transpose_strips";
    choice.threads = static_cast<unsigned>(strips_design.threads);
    // A step is 64 bytes of each row of the output. Of a block's first and last step one half is another block's.
    const std::int64_t step = 64 / what.element_bytes;
    const std::int64_t height = (strips_steps - 1) * step + step / 2;
    const bool fits = spread(tiles_of(what.columns, strip_width(what.element_bytes)), tiles_of(what.rows, height), 0, choice);
    choice.shift |= strips_steps << 8;
    return fits;
}

bool choose_in_place(const Transpose& what, bool aligned, Choice& choice) {
    choice.form = Form::in_place;
    const bool swapped = !aligned && what.element_bytes < 4 && what.rows >= least_swapped;
    choice.kernel = aligned ? "transpose_in_place" : swapped ? "transpose_swaps" : "transpose_plain_in_place";
    const Design design = aligned   ? in_place_design(what.element_bytes)
                          : swapped ? swaps_design(what.element_bytes)
                                    : plain_in_place_design(what.element_bytes);
    const std::int64_t tiles = tiles_of(what.rows, design.columns * (aligned ? design.word / what.element_bytes : 1));
    choice.threads = static_cast<unsigned>(design.threads);
    choice.grid_x = static_cast<unsigned>(tiles);
    choice.grid_y = static_cast<unsigned>(tiles / 2 + 1);
    choice.tiles = static_cast<int>(tiles);
    return tiles / 2 + 1 <= most_blocks_y;
}

// Arrays of small structures: `few` elements each, `many` of them.
bool choose_narrow(std::int64_t few, std::int64_t many, int bytes, const char* kernel, Choice& choice) {
    choice.kernel = kernel;
    choice.threads = narrow_threads;
    choice.shift = static_cast<int>(std::bit_floor(static_cast<unsigned>(narrow_bytes / (few * bytes))));
    const std::int64_t blocks = tiles_of(many + 16 / bytes - 1, choice.shift);
    choice.grid_x = static_cast<unsigned>(blocks);
    choice.grid_y = 1;
    return blocks <= most_blocks_x;
}

} // namespace

bool choose(const Transpose& what, std::uintptr_t out, std::uintptr_t in, Choice& choice) {
    choice = {};
    if ((what.columns == 1 && what.in_pitch == 1) || (what.rows == 1 && what.out_pitch == 1)) {
        choice.form = Form::copy;
        return true;
    }
    const int unit = what.element_bytes == 16 ? 32 : 16;
    const bool aligned =
        is_aligned(unit, in, what, what.in_pitch, what.in_stride) && is_aligned(unit, out, what, what.out_pitch, what.out_stride);
    if (out == in) return choose_in_place(what, aligned, choice);
    if (what.element_bytes < 4 && !aligned && what.columns > most_narrow && what.columns <= strip_width(what.element_bytes) &&
        !is_small(what))
        return choose_strips(what, choice);
    if (what.columns <= most_narrow_columns(what.element_bytes) && what.in_pitch == what.columns && what.rows >= least_long)
        return choose_narrow(what.columns, what.rows, what.element_bytes, "transpose_few_columns", choice);
    if (what.rows <= most_narrow && what.out_pitch == what.rows && what.columns >= least_long)
        return choose_narrow(what.rows, what.columns, what.element_bytes, "transpose_few_rows", choice);
    return aligned ? choose_cells(what, choice) : choose_lines(what, choice);
}

} // namespace apod::transposing
