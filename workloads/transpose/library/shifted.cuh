// The transpose where rows begin anywhere: in the input, in the output or in both. All accesses are whole, aligned words nevertheless.
//
// Input: of each row of the tile, the aligned words that it lies in go to shared memory as they are; where its elements begin in them
// differs from row to row. Output: each row of the tile begins at the aligned word that holds its first element, up to a word earlier than
// the tile, so that neighbouring tiles never share a word; for that a tile has a few more rows above it, which its neighbour has too. A
// thread collects the elements of a word of the output from as many rows. Row and place of each repeat with the elements of a word: a
// thread works on columns that are a multiple of a word apart, so that it computes them once. Words across an edge of the matrix are moved
// element by element: nothing outside is touched.
#pragma once

#include "pieces.cuh"

namespace apod::transposing {

// `words` words of a row (the last one holds what the first one lacks), `height` rows.
template<int bytes, int word, int words, int height, int threads, int hint = keep> struct Shifted {
    static_assert(word == 16 && bytes < word);
    static constexpr int each = word / bytes; // elements of a word
    static constexpr int width = (words - 1) * each;
    static constexpr int tile_rows = height + each - 1;
    static constexpr int tile_words = tile_rows * words + tile_rows / each + 1;
    // A warp collects 8 words of an output row's for 4 rows. Every `each` rows of shared memory a word is left out: the 8 then meet
    // different banks. Which of its elements each of the 4 begins with is chosen so that they, too, do where they can.
    static constexpr int across = height / each / 8;        // such eights of a row of the output
    static constexpr int classes = each < 4 ? 1 : each / 4; // fours of columns within a word
    static constexpr int column_step = each < 4 ? 4 : each; // from one column of a thread to its next
    static constexpr int teams = threads / 32 / (across * classes);
    static_assert(across * 8 * each == height && teams * across * classes * 32 == threads && threads % words == 0);
    using Element = Piece<bytes>;
    using Access = Piece<word>;

    // How many elements before `row` the word begins that holds its first one.
    static __device__ int elements_before(const Element* row) {
        return static_cast<int>(reinterpret_cast<unsigned long long>(row) & (word - 1)) / bytes;
    }
    static __device__ int place_of(int row, int index) { return row * words + row / each + index; }

    // From the matrix to shared memory. Unless all words that the tile lies in are `whole`ly there, those that cross an edge of the matrix
    // are taken by elements; of rows that are not there, zeros: words of the output that cross an edge read them. All loads of whole words
    // are on their way at once. Without gaps between rows, what lies beside a row is the next one.
    template<bool whole>
    static __device__ void take(Access* tile, const Element* in, long long pitch, const Tile& at, long long rows, long long columns) {
        constexpr int rounds = (tile_rows * words + threads - 1) / threads;
        const int column = static_cast<int>(threadIdx.x) % words;
        const int first = static_cast<int>(threadIdx.x) / words;
        const long long y = at.y - (each - 1) + first;
        const Element* row = in + y * pitch + at.x;
        const long long end = rows * columns;
        Word<word> value[rounds];
        unsigned partial = 0; // a bit for each of them
#pragma unroll
        for (int k = 0; k < rounds; ++k) {
            const int step = k * (threads / words);
            const Element* const word_at = row - elements_before(row) + column * each;
            value[k] = {};
            if (whole) {
                if (first + step < tile_rows) value[k] = to_word(load<hint>(reinterpret_cast<const Access*>(word_at)));
            } else if (first + step < tile_rows && y + step >= 0 && y + step < rows) {
                const long long x = at.x + (word_at - row); // in the row, where it may begin before it or end behind it
                const long long place = (y + step) * columns + x;
                if (pitch == columns ? place >= 0 && place + each <= end : x >= 0 && x + each <= columns) {
                    value[k] = to_word(load<hint>(reinterpret_cast<const Access*>(word_at)));
                } else if (x + each > 0 && x < columns) {
                    partial |= 1U << k;
                }
            }
            row += (threads / words) * pitch;
        }
        row -= rounds * (threads / words) * pitch;
#pragma unroll
        for (int k = 0; k < rounds; ++k) {
            const int place = first + k * (threads / words);
            if (!whole && (partial >> k & 1) != 0) {
                const Element* const word_at = row - elements_before(row) + column * each;
                const long long x = at.x + (word_at - row);
                value[k] = load_elements<bytes, word>(word_at, -x, columns - x);
            }
            if (place < tile_rows) tile[place_of(place, column)] = to_piece(value[k]);
            row += (threads / words) * pitch;
        }
    }

    // What a thread computes once: its column, which word of the output's row it has, and where the word's elements are in shared memory.
    struct Mine {
        int x;            // the first of its columns
        int y;            // of its word's first element, less the tile's first
        int turn;         // by how many parts of a word its elements are rotated
        int offset[each]; // in bytes, less those of the column's word
    };
    static __device__ Mine mine(const Element* in, long long in_pitch, const Element* out, long long out_pitch) {
        const int lane = static_cast<int>(threadIdx.x) % 32;
        const int warp = static_cast<int>(threadIdx.x) / 32;
        const int index = warp % across * 8 + lane % 8;
        const int one_of_four = lane / 8;
        Mine mine;
        mine.x = warp / across % classes * 4 + one_of_four + warp / (across * classes) * column_step;
        const int over = elements_before(out + mine.x * out_pitch);
        mine.y = index * each - over;
        const int first = each - 1 - over; // the row of the tile that the output's row begins with
        const int p = static_cast<int>(in_pitch) & (each - 1);
        const int q = static_cast<int>(out_pitch) & (each - 1);
        const int in_first = elements_before(in - (each - 1) * in_pitch);
        constexpr int unit = bytes < 4 ? 4 / bytes : 1; // elements of a part
        const int step = (1 - p * q) & (each - 1);      // from one of the four columns to the next, as places within a word
        mine.turn = (p & 1) != 0 && (step / unit & 1) == 0 ? one_of_four : 0;
#pragma unroll
        for (int i = 0; i < each; ++i) {
            const int row = first + ((i + mine.turn * unit) & (each - 1)); // less index * each
            const int place = mine.x % each + ((in_first + row * p) & (each - 1));
            mine.offset[i] = place_of(row, 0) * word + place * bytes + index * (each * words + 1) * word;
        }
        return mine;
    }

    static __device__ Word<word> rotated(const Word<word>& from, int turn) {
        constexpr int step = bytes == 8 ? 2 : 1;
        Word<word> by_one;
        for (int i = 0; i < 4; ++i) by_one.part[i] = (turn & 1) != 0 ? from.part[(i + 4 - step) % 4] : from.part[i];
        Word<word> by_two = by_one;
        for (int i = 0; i < 4 && bytes < 8; ++i) by_two.part[i] = (turn & 2) != 0 ? by_one.part[(i + 2) % 4] : by_one.part[i];
        return by_two;
    }

    template<bool whole>
    static __device__ void give(const Access* tile, const Mine& mine, Element* out, long long pitch, long long y, long long rows,
                                int x_end) {
        constexpr int rounds = (width + column_step * teams - 1) / (column_step * teams);
        const char* const from = reinterpret_cast<const char*>(tile) + mine.x / each * word;
        Element* to = out + mine.x * pitch + mine.y;
#pragma unroll
        for (int k = 0; k < rounds; ++k) {
            if (mine.x + k * column_step * teams < x_end) {
                Word<word> value{};
#pragma unroll
                for (int i = 0; i < each; ++i) {
                    set_element<bytes>(value, i,
                                       *reinterpret_cast<const Element*>(from + mine.offset[i] + k * (column_step * teams / each) * word));
                }
                value = rotated(value, mine.turn);
                if (whole || (y >= 0 && y + each <= rows)) {
                    store<hint>(reinterpret_cast<Access*>(to), to_piece(value));
                } else {
                    store_elements<bytes, word>(to, value, -y, rows - y);
                }
            }
            to += column_step * teams * pitch;
        }
    }

    static __device__ void move(void* out, const void* in, long long rows, long long columns, long long in_pitch, long long out_pitch,
                                long long in_stride, long long out_stride, int shift_of_band) {
        Access* const tile = shared_words<Access, tile_words>();
        const Tile at = tile_of_block<width, height>(shift_of_band);
        if (at.y >= rows + each - 1) return;
        const Element* const from = static_cast<const Element*>(in) + blockIdx.z * in_stride;
        Element* const to = static_cast<Element*>(out) + blockIdx.z * out_stride + at.x * out_pitch + at.y;
        const bool beside = in_pitch == columns && at.y + height < rows;
        const bool whole = at.y >= each && at.y + height <= rows && at.x + width <= columns &&
                           (beside || (at.x >= each && at.x + words * each <= columns));
        if (whole) {
            take<true>(tile, from, in_pitch, at, rows, columns);
        } else {
            take<false>(tile, from, in_pitch, at, rows, columns);
        }
        const Mine own = mine(from + at.y * in_pitch + at.x, in_pitch, to, out_pitch);
        __syncthreads();
        if (whole) {
            give<true>(tile, own, to, out_pitch, 0, 0, width);
        } else {
            give<false>(tile, own, to, out_pitch, at.y + own.y, rows, static_cast<int>(min(static_cast<long long>(width), columns - at.x)));
        }
    }
};

template<int bytes, int word, int words, int height, int threads, int hint>
__global__ void __launch_bounds__(threads) shifted(void* out, const void* in, long long rows, long long columns, long long in_pitch,
                                                   long long out_pitch, long long in_stride, long long out_stride, int shift) {
    Shifted<bytes, word, words, height, threads, hint>::move(out, in, rows, columns, in_pitch, out_pitch, in_stride, out_stride, shift);
}

} // namespace apod::transposing
