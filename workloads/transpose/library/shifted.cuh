// The transpose where rows begin anywhere: in the input, in the output or in both. All accesses are whole, aligned words nevertheless.
//
// Input: a word of the tile lies across two words of memory; both are read (its neighbour's reading finds the second in L1) and the word is
// shifted out of them. Output: each row of the tile begins at the word that holds its first element, up to a word earlier than the tile, so
// that neighbouring tiles never share a word. For that a tile has a few more rows above it, which its neighbour has too.
// Words across an edge of the matrix are moved element by element: nothing outside is touched.
#pragma once

#include "pieces.cuh"

namespace apod::transposing {

// `words` words wide, `height` rows.
template<int bytes, int word, int words, int height, int threads, int hint = keep> struct Shifted {
    static constexpr int each = word / bytes; // elements of a word
    static constexpr int width = words * each;
    static constexpr int tile_rows = height + each - 1;
    // Of 32 lanes that read elements for words of the output's rows: so many words of a row, of so many rows. They meet every bank once.
    static constexpr int lane_words = 128 / word;
    static constexpr int lane_rows = word / 4;
    static constexpr int out_words = height / each;
    static_assert(words % lane_words == 0 && out_words % lane_words == 0 && width % lane_rows == 0 && threads % 32 == 0);
    static_assert((words & (words - 1)) == 0);
    using Element = Piece<bytes>;
    using Access = Piece<word>;

    // The word that begins `bytes_in` bytes into the first of two.
    static __device__ Word<word> shift(const Word<word>& low, const Word<word>& high, int bytes_in) {
        constexpr int parts = word / 4;
        unsigned all[2 * parts];
        for (int i = 0; i < parts; ++i) {
            all[i] = low.part[i];
            all[parts + i] = high.part[i];
        }
        if constexpr (parts == 4) {
            const bool by_two = (bytes_in & 8) != 0;
            for (int i = 0; i < 6; ++i) all[i] = by_two ? all[i + 2] : all[i];
        }
        if constexpr (parts >= 2) {
            const bool by_one = (bytes_in & 4) != 0;
            for (int i = 0; i < parts + 1; ++i) all[i] = by_one ? all[i + 1] : all[i];
        }
        Word<word> out;
        for (int i = 0; i < parts; ++i) out.part[i] = bytes < 4 ? __funnelshift_r(all[i], all[i + 1], 8 * (bytes_in & 3)) : all[i];
        return out;
    }

    // How many bytes before `row` the word begins that holds its first element.
    static __device__ int bytes_before(const Element* row) {
        return static_cast<int>(reinterpret_cast<unsigned long long>(row) & (word - 1));
    }

    static __device__ const Access* word_before(const Element* row) {
        return reinterpret_cast<const Access*>(reinterpret_cast<unsigned long long>(row) & ~static_cast<unsigned long long>(word - 1));
    }

    static __device__ void keep_word(Access* tile, int row, int column, const Word<word>& value) {
        tile[row * words + (column ^ (row / each % words))] = to_piece(value);
    }

    // Word `index` of the tile's row that begins at `row`, `left` columns from the matrix's first and `right` from its last.
    static __device__ Word<word> fetch(const Element* row, int index, long long left, long long right) {
        const int over = bytes_before(row);
        const int first = index * each - over / bytes; // of the aligned word, as an element of the tile's row
        const Access* at = word_before(row) + index;
        if (left + first >= 0 && first + (over != 0 ? 2 : 1) * each <= right) {
            const Word<word> low = to_word(load<hint>(at));
            return over != 0 ? shift(low, to_word(load<hint>(at + 1)), over) : low;
        }
        return load_elements<bytes, word>(row + index * each, right - index * each);
    }

    static __device__ void take_part(Access* tile, const Element* in, long long pitch, const Tile& at, long long rows, long long columns) {
        for (int index = static_cast<int>(threadIdx.x); index < tile_rows * words; index += threads) {
            const int row = index / words;
            const long long y = at.y - (each - 1) + row;
            const bool there = y >= 0 && y < rows; // words of the output that cross an edge take nothing from the other rows, but read them
            keep_word(tile, row, index % words, there ? fetch(in + y * pitch + at.x, index % words, at.x, columns - at.x) : Word<word>{});
        }
    }

    // The same where neither the tile nor the words that it lies across reach an edge of the matrix. All loads are on their way at once.
    static __device__ void take_whole(Access* tile, const Element* in, long long pitch, const Tile& at) {
        static_assert(threads % words == 0);
        constexpr int rounds = (tile_rows * words + threads - 1) / threads;
        const int column = static_cast<int>(threadIdx.x) % words;
        const int first = static_cast<int>(threadIdx.x) / words;
        const Element* row = in + (at.y - (each - 1) + first) * pitch + at.x;
        Word<word> low[rounds];
        Word<word> high[rounds];
        int over[rounds];
#pragma unroll
        for (int k = 0; k < rounds; ++k) {
            over[k] = bytes_before(row);
            if (first + k * (threads / words) < tile_rows) {
                const Access* const from = word_before(row) + column;
                low[k] = to_word(load<hint>(from));
                high[k] = over[k] != 0 ? to_word(load<hint>(from + 1)) : low[k];
            }
            row += (threads / words) * pitch;
        }
#pragma unroll
        for (int k = 0; k < rounds; ++k) {
            const int place = first + k * (threads / words);
            if (place < tile_rows) keep_word(tile, place, column, shift(low[k], high[k], over[k]));
        }
    }

    // A word of a row of the output, for the tile's row x, and from which row of the input on.
    struct Given {
        Word<word> value;
        Element* to;
        int y; // less the tile's first
    };
    static __device__ Given collect(const Access* tile, Element* row, int x, int index) {
        const int over = bytes_before(row) / bytes;
        const int first = each - 1 - over; // the tile's row that the output's row begins with
        const char* const column = reinterpret_cast<const char*>(tile) + x % each * bytes;
        const int low = (x / each) ^ (index % words);
        const int high = (x / each) ^ ((index + 1) % words);
        Given given{{}, row - over + index * each, index * each - over};
#pragma unroll
        for (int i = 0; i < each; ++i) {
            const char* from = column + ((first + index * each + i) * words + (first + i >= each ? high : low)) * word;
            set_element<bytes>(given.value, i, *reinterpret_cast<const Element*>(from));
        }
        return given;
    }

    // As far as there are rows of the input for it.
    static __device__ void put(const Given& given, long long y, long long rows) {
        if (y >= 0 && y + each <= rows) {
            store<hint>(reinterpret_cast<Access*>(given.to), to_piece(given.value));
            return;
        }
        store_elements<bytes, word>(given.to, given.value, -y, rows - y);
    }

    template<bool whole>
    static __device__ void give(const Access* tile, Element* out, long long pitch, const Tile& at, long long rows, long long columns) {
        constexpr int across = out_words / lane_words; // groups of lanes along a row of the output
        constexpr int groups = width / lane_rows * across;
        const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll 4
        for (int group = static_cast<int>(threadIdx.x) / 32; group < groups; group += threads / 32) {
            const int index = group % across * lane_words + lane % lane_words;
            const int x = group / across * lane_rows + lane / lane_words;
            if (!whole && (x >= columns - at.x || index * each >= rows - at.y + each - 1)) continue;
            const Given given = collect(tile, out + (at.x + x) * pitch + at.y, x, index);
            if (whole) {
                store<hint>(reinterpret_cast<Access*>(given.to), to_piece(given.value));
            } else {
                put(given, at.y + given.y, rows);
            }
        }
    }

    static __device__ void move(void* out, const void* in, long long rows, long long columns, long long in_pitch, long long out_pitch,
                                long long in_stride, long long out_stride, int shift_of_band) {
        Access* const tile = shared_words<Access, tile_rows * words>();
        const Tile at = tile_of_block<width, height>(shift_of_band);
        if (at.y >= rows + each - 1) return;
        const Element* const from = static_cast<const Element*>(in) + blockIdx.z * in_stride;
        Element* const to = static_cast<Element*>(out) + blockIdx.z * out_stride;
        // Without gaps between rows, what lies beside a row is another one, but for the first row and the last.
        const bool beside = in_pitch == columns && at.y + height < rows;
        const bool whole = at.y >= each && at.y + height <= rows && at.x + width <= columns &&
                           (beside || (at.x >= each && at.x + width + each <= columns));
        if (whole) {
            take_whole(tile, from, in_pitch, at);
        } else {
            take_part(tile, from, in_pitch, at, rows, columns);
        }
        __syncthreads();
        if (whole) {
            give<true>(tile, to, out_pitch, at, rows, columns);
        } else {
            give<false>(tile, to, out_pitch, at, rows, columns);
        }
    }
};

template<int bytes, int word, int words, int height, int threads, int hint>
__global__ void __launch_bounds__(threads) shifted(void* out, const void* in, long long rows, long long columns, long long in_pitch,
                                                   long long out_pitch, long long in_stride, long long out_stride, int shift) {
    Shifted<bytes, word, words, height, threads, hint>::move(out, in, rows, columns, in_pitch, out_pitch, in_stride, out_stride, shift);
}

} // namespace apod::transposing
