// How the elements of a matrix lie in the registers of a warp (PTX ISA, "Matrix Fragments for mma"): mma.sync's documented layouts, which
// wmma's opaque fragments use too, with copies where a wmma fragment has more registers than the elements need.
//
// With g = lane / 4, t = lane % 4 and p elements to a register:
//   A (m x k): tiles of 16 (or 8) rows; register r of a tile holds row g + 8 * (r % 2), columns t * p + i + 4p * (r / 2)
//   B (k x n): tiles of 8 columns; register r of a tile holds column g, rows t * p + i + 4p * r
//   C (m x n): tiles of 16 (or 8) x 8; element e of a tile lies in row g + 8 * (e / 2), column t * 2 + e % 2
#pragma once

#include <cstdint>

namespace apod::emu {

enum class MatrixPart : std::uint8_t { a, b, c };
enum class MatrixType : std::uint8_t { f16, bf16, tf32, f32, f64, u8, s8, s32, u4, s4, b1 };

constexpr std::uint32_t matrix_bits(MatrixType type) {
    switch (type) {
    case MatrixType::f16:
    case MatrixType::bf16: return 16;
    case MatrixType::tf32:
    case MatrixType::f32:
    case MatrixType::s32: return 32;
    case MatrixType::f64: return 64;
    case MatrixType::u8:
    case MatrixType::s8: return 8;
    case MatrixType::u4:
    case MatrixType::s4: return 4;
    case MatrixType::b1: return 1;
    }
    return 32;
}

struct MatrixShape {
    std::uint16_t m = 0;
    std::uint16_t n = 0;
    std::uint16_t k = 0;
};

struct Fragment {
    MatrixPart part = MatrixPart::a;
    MatrixType type = MatrixType::f32;
    MatrixShape shape;
    std::uint32_t registers = 0; // in the instruction; a multiple of what the elements need

    [[nodiscard]] constexpr std::uint32_t rows() const { return part == MatrixPart::b ? shape.k : shape.m; }
    [[nodiscard]] constexpr std::uint32_t columns() const { return part == MatrixPart::a ? shape.k : shape.n; }
    [[nodiscard]] constexpr std::uint32_t per_register() const { return matrix_bits(type) >= 32 ? 1 : 32 / matrix_bits(type); }
    // Registers that the elements need.
    [[nodiscard]] constexpr std::uint32_t needed() const {
        const std::uint32_t elements = rows() * columns() / 32;
        return elements / per_register() == 0 ? 1 : elements / per_register();
    }
};

struct ElementPlace {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
};

constexpr ElementPlace element_place(const Fragment& fragment, std::uint32_t lane, std::uint32_t reg, std::uint32_t sub) {
    const std::uint32_t g = lane / 4;
    const std::uint32_t t = lane % 4;
    const std::uint32_t p = fragment.per_register();
    reg %= fragment.needed();
    if (fragment.part == MatrixPart::c) {
        const std::uint32_t element = reg * p + sub;
        const std::uint32_t tile_rows = fragment.shape.m >= 16 ? 16 : 8;
        const std::uint32_t per_tile = tile_rows / 4;
        const std::uint32_t tile = element / per_tile;
        const std::uint32_t across = fragment.shape.n / 8u;
        const std::uint32_t e = element % per_tile;
        return {tile / across * tile_rows + g + 8 * (e / 2), tile % across * 8 + t * 2 + e % 2};
    }
    const std::uint32_t column_sets = fragment.shape.k / (4 * p);
    if (fragment.part == MatrixPart::b) {
        const std::uint32_t tile = reg / column_sets;
        return {t * p + sub + 4 * p * (reg % column_sets), tile * 8 + g};
    }
    if (fragment.shape.m < 16) return {g, t * p + sub + 4 * p * reg};
    const std::uint32_t per_tile = 2 * column_sets;
    const std::uint32_t r = reg % per_tile;
    return {reg / per_tile * 16 + g + 8 * (r % 2), t * p + sub + 4 * p * (r / 2)};
}

// What a matrix op's Code::extra entries mean: a header of this many words, then the register references.
// load, store: [0] fragment, [1] m | n << 16, [2] k | registers << 16, [3] 1 when row-major, [4] stride reference; then registers
// mma: [0] type a | type b << 8 | type c << 16 | type d << 24, [1] m | n << 16, [2] k | flags << 16, then count and registers of d, a, b, c
inline constexpr std::uint32_t matrix_load_header = 5;
inline constexpr std::uint32_t matrix_mma_header = 3;
enum MatrixFlag : std::uint32_t { matrix_saturate = 1, matrix_xor_popc = 2, matrix_and_popc = 4 };

} // namespace apod::emu
