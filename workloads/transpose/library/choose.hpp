// Which kernel moves a transpose, and how it is launched: decided from sizes, pitches and addresses alone.
#pragma once

#include "apod/transpose.hpp"

#include <cstdint>

namespace apod::transposing {

// How a kernel is given its work.
enum class Form : unsigned char {
    two_matrices, // (out, in, rows, columns, in_pitch, out_pitch, in_stride, out_stride, shift)
    in_place,     // (matrix, size, pitch, stride, tiles)
    copy          // no kernel: a transpose of one row or column is a copy
};

struct Choice {
    Form form = Form::two_matrices;
    const char* kernel = nullptr;
    unsigned grid_x = 0;
    unsigned grid_y = 0;
    unsigned threads = 0;
    unsigned shared_bytes = 0; // dynamic; beyond 48 KB they must be allowed first
    int shift = 0; // of the bands of tiles (pieces.cuh), above its 8 bits the steps of strips; or a narrow matrix's long side (narrow.cuh)
    int tiles = 0; // along a side, in place
};

// `what` is complete and not empty. False where the grid would be too large for any GPU.
[[nodiscard]] bool choose(const Transpose& what, std::uintptr_t out, std::uintptr_t in, Choice& choice);

} // namespace apod::transposing
