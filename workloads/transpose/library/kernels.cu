// The library's kernels for elements of ELEMENT bytes. What ships is their PTX, for CUDA 12 and later and any GPU from compute
// capability 5.2 on: make.sh makes kernels_1.ptx to kernels_16.ptx in the folder ptx.
#include "cells.cuh"
#include "designs.hpp"
#include "lines.cuh"
#include "narrow.cuh"
#include "plain.cuh"
#include "strips.cuh"
#include "swaps.cuh"

namespace apod::transposing {

constexpr Design cells_now = cells_design(ELEMENT);
constexpr Design small_now = small_cells_design(ELEMENT);
constexpr Design in_place_now = in_place_design(ELEMENT);
constexpr Design lines_now = lines_design(ELEMENT);
constexpr Design small_lines_now = small_lines_design(ELEMENT);
constexpr Design plain_in_place_now = plain_in_place_design(ELEMENT);

using CellsNow = Cells<ELEMENT, cells_now.word, cells_now.columns, cells_now.rows, cells_now.threads, cells_now.hint>;
using SmallNow = Cells<ELEMENT, small_now.word, small_now.columns, small_now.rows, small_now.threads, small_now.hint>;
using InPlaceNow = Cells<ELEMENT, in_place_now.word, in_place_now.columns, in_place_now.rows, in_place_now.threads, in_place_now.hint>;
using LinesNow = Lines<ELEMENT, lines_now.word, lines_now.columns, lines_now.rows, lines_now.threads, lines_now.hint>;
using SmallLinesNow =
    Lines<ELEMENT, small_lines_now.word, small_lines_now.columns, small_lines_now.rows, small_lines_now.threads, small_lines_now.hint>;

#if ELEMENT < 4
using StripsNow = Strips<ELEMENT, strips_design.threads, whole_lines | past_l1>;
#endif

} // namespace apod::transposing

namespace now = apod::transposing;

extern "C" __global__ void __launch_bounds__(now::cells_now.threads)
    transpose_cells(void* out, const void* in, long long rows, long long columns, long long in_pitch, long long out_pitch,
                    long long in_stride, long long out_stride, int shift) {
    now::CellsNow::move(out, in, rows, columns, in_pitch, out_pitch, in_stride, out_stride, shift);
}

extern "C" __global__ void __launch_bounds__(now::small_now.threads)
    transpose_small_cells(void* out, const void* in, long long rows, long long columns, long long in_pitch, long long out_pitch,
                          long long in_stride, long long out_stride, int) {
    now::SmallNow::move_small(out, in, static_cast<int>(rows), static_cast<int>(columns), static_cast<int>(in_pitch),
                              static_cast<int>(out_pitch), in_stride, out_stride);
}

extern "C" __global__ void __launch_bounds__(now::in_place_now.threads)
    transpose_in_place(void* matrix, long long size, long long pitch, long long stride, int tiles) {
    now::InPlaceNow::exchange(matrix, size, pitch, stride, tiles);
}

// In place of the shift of bands: the rows, or columns, of a block.
extern "C" __global__ void __launch_bounds__(now::narrow_threads)
    transpose_few_columns(void* out, const void* in, long long rows, long long columns, long long, long long out_pitch, long long in_stride,
                          long long out_stride, int height) {
    now::Narrow<ELEMENT, now::narrow_threads>::few_columns(out, in, rows, static_cast<int>(columns), out_pitch, in_stride, out_stride,
                                                           height);
}

extern "C" __global__ void __launch_bounds__(now::narrow_threads)
    transpose_few_rows(void* out, const void* in, long long rows, long long columns, long long in_pitch, long long, long long in_stride,
                       long long out_stride, int width) {
    now::Narrow<ELEMENT, now::narrow_threads>::few_rows(out, in, static_cast<int>(rows), columns, in_pitch, in_stride, out_stride, width);
}

// Rows that begin anywhere.
extern "C" __global__ void __launch_bounds__(now::lines_now.threads)
    transpose_lines(void* out, const void* in, long long rows, long long columns, long long in_pitch, long long out_pitch,
                    long long in_stride, long long out_stride, int shift) {
    now::LinesNow::move(out, in, rows, columns, in_pitch, out_pitch, in_stride, out_stride, shift);
}

extern "C" __global__ void __launch_bounds__(now::small_lines_now.threads)
    transpose_small_lines(void* out, const void* in, long long rows, long long columns, long long in_pitch, long long out_pitch,
                          long long in_stride, long long out_stride, int) {
    now::SmallLinesNow::move_small(out, in, static_cast<int>(rows), static_cast<int>(columns), static_cast<int>(in_pitch),
                                   static_cast<int>(out_pitch), in_stride, out_stride);
}

extern "C" __global__ void __launch_bounds__(now::plain_in_place_now.threads)
    transpose_plain_in_place(void* matrix, long long size, long long pitch, long long stride, int tiles) {
#if ELEMENT < 4
    now::exchange_plainly<ELEMENT, now::plain_in_place_now.columns, now::plain_in_place_now.threads>(matrix, size, pitch, stride, tiles);
#else
    now::Lines<ELEMENT, ELEMENT, now::plain_in_place_now.columns, now::plain_in_place_now.rows, now::plain_in_place_now.threads>::exchange(
        matrix, size, pitch, stride, tiles);
#endif
}

#if ELEMENT < 4
extern "C" __global__ void __launch_bounds__(now::strips_design.threads, now::strips_design.blocks)
    transpose_strips(void* out, const void* in, long long rows, long long columns, long long in_pitch, long long out_pitch,
                     long long in_stride, long long out_stride, int order) {
    now::StripsNow::move(out, in, rows, columns, in_pitch, out_pitch, in_stride, out_stride, order);
}

extern "C" __global__ void __launch_bounds__(now::Swaps<ELEMENT>::threads)
    transpose_swaps(void* matrix, long long size, long long pitch, long long stride, int tiles) {
    now::Swaps<ELEMENT>::exchange(matrix, size, pitch, stride, tiles);
}
#endif
