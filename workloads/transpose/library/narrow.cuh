// The transpose of matrices with few columns, or few rows, which would leave most of a tile empty: arrays of small structures become one
// array for each member, and back. The narrow side must have no gaps between its rows, so that what a block reads, or writes, is in one
// piece. Rows begin anywhere; all accesses are whole, aligned words of 16 bytes, but for those across an edge of the matrix.
// matrix.
#pragma once

#include "pieces.cuh"

namespace apod::transposing {

constexpr int narrow_words = 1200; // of shared memory

template<int bytes, int threads> struct Narrow {
    static constexpr int each = 16 / bytes;
    using Element = Piece<bytes>;

    static __device__ int elements_before(const Element* at) {
        return static_cast<int>(reinterpret_cast<unsigned long long>(at) & 15) / bytes;
    }

    // The word at `at`, of which elements from `first` on and below `end` are there.
    static __device__ uint4 load_word(const Element* at, long long first, long long end) {
        if (first <= 0 && end >= each) return load<keep>(reinterpret_cast<const uint4*>(at));
        return to_piece(load_elements<bytes, 16>(at, first, end));
    }
    static __device__ void store_word(Element* at, const Word<16>& value, long long first, long long end) {
        if (first <= 0 && end >= each) {
            store<keep>(reinterpret_cast<uint4*>(at), to_piece(value));
        } else {
            store_elements<bytes, 16>(at, value, first, end);
        }
    }
    // A word is left out after every eight, so that places that are a multiple of eight words apart do not share their banks.
    static __device__ const Element* spaced(const uint4* tile, int element) {
        const int byte = element * bytes;
        return reinterpret_cast<const Element*>(reinterpret_cast<const char*>(tile) + byte + byte / 128 * 16);
    }

    // Few columns, in one piece: a block has `height` rows, a power of two, and the few above that its words of the output begin with.
    static __device__ void few_columns(void* out, const void* in, long long rows, int columns, long long out_pitch, long long in_stride,
                                       long long out_stride, int height) {
        __shared__ uint4 tile[narrow_words];
        const Element* const from = static_cast<const Element*>(in) + blockIdx.z * in_stride;
        Element* const to = static_cast<Element*>(out) + blockIdx.z * out_stride;
        const long long y = static_cast<long long>(blockIdx.x) * height;
        const long long y_first = max(y - (each - 1), 0LL);
        const int y_number = static_cast<int>(min(y + height, rows) - y_first);
        const Element* const begin = from + y_first * columns;
        const int lead = elements_before(begin);
        const int words = (lead + y_number * columns + each - 1) / each;
        for (int i = static_cast<int>(threadIdx.x); i < words; i += threads) {
            const Element* const at = begin - lead + i * each;
            tile[i + i / 8] = load_word(at, from - at, from + rows * columns - at);
        }
        __syncthreads();
        const int across = height / each;
        for (int i = static_cast<int>(threadIdx.x); i < columns * across; i += threads) {
            const int x = i / across;
            Element* const row = to + x * out_pitch;
            const long long y_word = y + i % across * each - elements_before(row + y);
            if (y_word >= rows) continue;
            Word<16> value{};
#pragma unroll
            for (int k = 0; k < each; ++k) {
                const int place = min(max(static_cast<int>(y_word - y_first) + k, 0), y_number - 1); // beyond the edges: anything
                set_element<bytes>(value, k, *spaced(tile, lead + place * columns + x));
            }
            store_word(row + y_word, value, -y_word, rows - y_word);
        }
    }

    // Few rows, which become an output in one piece: a block has `width` columns, and the few before that its first word begins with.
    static __device__ void few_rows(void* out, const void* in, int rows, long long columns, long long in_pitch, long long in_stride,
                                    long long out_stride, int width) {
        __shared__ uint4 tile[narrow_words];
        const Element* const from = static_cast<const Element*>(in) + blockIdx.z * in_stride;
        Element* const to = static_cast<Element*>(out) + blockIdx.z * out_stride;
        const long long x = static_cast<long long>(blockIdx.x) * width;
        const long long x_first = max(x - (each - 1), 0LL);
        const long long x_end = min(x + width, columns);
        const int row_words = (width + each - 1) / each + 2;
        for (int i = static_cast<int>(threadIdx.x); i < rows * row_words; i += threads) {
            const int y = i / row_words;
            const Element* const row = from + y * in_pitch;
            const Element* const at = row + x_first - elements_before(row + x_first) + i % row_words * each;
            if (at < row + x_end) tile[i] = load_word(at, row - at, row + columns - at);
        }
        __syncthreads();
        const long long first = x * rows - elements_before(to + x * rows); // of the output, as one row
        const long long end = x_end == columns ? columns * rows : x_end * rows - elements_before(to + x_end * rows);
        const unsigned reciprocal =
            0xffffffffU / static_cast<unsigned>(rows) + 1; // of rows, which is above 1: exact for what is divided here
        const int p = static_cast<int>(in_pitch) & (each - 1);
        const int lead = elements_before(from + x_first);
        const int before = static_cast<int>(x - x_first) * rows; // elements of the output that the tile has before x
        for (int i = static_cast<int>(threadIdx.x); first + i * each < end; i += threads) {
            Word<16> value{};
            const int word = before + static_cast<int>(first - x * rows) + i * each;
#pragma unroll
            for (int k = 0; k < each; ++k) {
                const int place = min(max(word + k, 0), static_cast<int>(x_end - x_first) * rows - 1); // beyond the edges: anything
                const int column = static_cast<int>(__umulhi(static_cast<unsigned>(place), reciprocal));
                const int y = place - column * rows;
                const Element* const line = reinterpret_cast<const Element*>(tile + y * row_words) + ((lead + y * p) & (each - 1));
                set_element<bytes>(value, k, line[column]);
            }
            const long long at = first + i * each;
            store_word(to + at, value, -at, columns * rows - at);
        }
    }
};

} // namespace apod::transposing
