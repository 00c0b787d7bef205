// Rows that begin anywhere, of elements of 1, 2 and 4 bytes, turned into columns by whole, aligned words of 16 bytes: what strips.cuh and
// swaps.cuh share.
//
// Input: rows that are 16 apart lie in the same way to multiples of 16 bytes, whatever the pitch. A thread loads a piece, 16 bytes, from
// each of as many such rows as a word has elements, and turns them: each column's elements of these rows become a word of shared memory.
// Nothing has been shifted for that: the pieces of a row begin up to 15 bytes before the columns that are wanted, and the window of columns
// that are loaded is that much wider than those that are moved.
// Output: a thread has a column. It turns its 16 words again, which makes words of neighbouring rows out of them, shifts them to where the
// output's words begin, and puts them back as groups of four, which are stored as they are.
#pragma once

#include "pieces.cuh"

namespace apod::transposing {

__device__ inline int bytes_before(const void* at, int to) { return static_cast<int>(reinterpret_cast<unsigned long long>(at) & (to - 1)); }

// Keeps what is computed from a value where it stands: registers are worth more than the few instructions.
template<class T> __device__ inline void compute_again(T& value) {
    if constexpr (sizeof(T) == 8) {
        asm volatile("" : "+l"(value));
    } else {
        asm volatile("" : "+r"(value));
    }
}

__device__ inline void store_shared_at(unsigned address, unsigned value) {
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
}

template<int bytes, int columns> struct Columns {
    static constexpr int unit = 4 / bytes;    // elements of a word
    static constexpr int each = 16 / bytes;   // elements of a piece
    static constexpr int apart = 16;          // rows of a word
    static constexpr int step = apart * unit; // rows of 16 words
    static constexpr int window = columns;
    static constexpr int width = window - each; // those among them that all rows have
    static constexpr int pieces = window / each;
    // A warp loads so many neighbouring pieces of a row, and of so many rows.
    static constexpr int lead = pieces < 8 || window < 128 ? 4 : 8;
    static constexpr int rows_of_warp = 32 / lead;
    // Of the pieces in each of its rows a thread (there are as many as columns) has so many, one every `stride`.
    static constexpr int loads = bytes;
    static constexpr int stride = window / apart;
    static_assert(stride * loads == pieces && stride % lead == 0);
    // Shared memory: of each column 8 groups of 4 words, and a group left out, so that neighbouring columns begin in other banks; and one
    // more after the columns of a piece, so that those of neighbouring pieces do.
    static constexpr int column_groups = 9;
    static constexpr int groups = window * column_groups + pieces;
    using Element = Piece<bytes>;

    // Which rows of 16, and which first piece of them, a thread has.
    static __device__ int row_of(int thread) {
        constexpr int teams = apart / rows_of_warp; // warps that have all 16 rows between them
        return thread / 32 % teams * rows_of_warp + thread / lead % rows_of_warp;
    }
    static __device__ int piece_of(int thread) { return thread / (lead * apart) * lead + thread % lead; }
    static __device__ int first_group(int column) { return column * column_groups + column / each; }

    // The piece at `at`, in a matrix that has so many columns before it and from it on, of a row that is perhaps the matrix's first or
    // last.
    template<int hint>
    static __device__ uint4 load_near_edge(const Element* at, long long left, long long right, bool first, bool last, long long pitch) {
        if (right <= 0 || left + each <= 0) return {};
        // What lies beside a row is another one, which has a piece's elements.
        const bool other = pitch == left + right && pitch >= each;
        if ((left >= 0 || (other && !first)) && (right >= each || (other && !last))) return load<hint>(reinterpret_cast<const uint4*>(at));
        return to_piece(load_elements<bytes, 16>(at, -left, right));
    }

    // Where a thread's pieces go that begin `before` elements before a multiple of a piece's in the window: the first word of the first
    // one, in group 0 of its column; for the columns of the piece before, and for the others. Addresses of shared memory.
    struct Target {
        unsigned near;
        unsigned here;
        int before;
    };
    static __device__ Target target(uint4* shared, int thread, int before) {
        const int row = row_of(thread);
        const int piece = piece_of(thread);
        const int group = (piece * each - before) * column_groups + piece + row / 4;
        const unsigned here = static_cast<unsigned>(__cvta_generic_to_shared(shared)) + 16 * group + 4 * (row % 4);
        // The groups of the columns before lie one nearer; what is before the window goes behind it, where nobody looks.
        return {here + 16 * (piece == 0 ? groups - 1 : -1), here, before};
    }

    static __device__ bool is_within(int first, int end) { return first >= 0 && first + each <= end; }

    // Piece k of a thread, from as many rows as a word has elements, into group `half` (0 or 4) of its columns and the three behind it.
    static __device__ void stage(const Target& to, int k, int half, const uint4 (&in)[unit]) {
        const unsigned here = to.here + half * 16;
        const unsigned near = k == 0 ? to.near + half * 16 : here - 16;
        const int first = k * stride * (each * column_groups + 1) * 16;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            unsigned part[unit];
            unsigned turned[unit];
#pragma unroll
            for (int i = 0; i < unit; ++i) part[i] = to_word(in[i]).part[j];
            turn_parts(part, turned);
#pragma unroll
            for (int i = 0; i < unit; ++i) {
                const int column = j * unit + i;
                store_shared_at((column < to.before ? near : here) + (first + column * column_groups * 16), turned[i]);
            }
        }
    }
    // Four groups of a column: 16 words of rows that are 16 apart become 16 words of neighbouring rows.
    static __device__ void turn_groups(const uint4* from, unsigned* word) {
#pragma unroll
        for (int g = 0; g < 4; ++g) {
            const Word<16> group = to_word(from[g]);
#pragma unroll
            for (int p = 0; p < 4 / unit; ++p) {
                unsigned part[unit];
                unsigned turned[unit];
#pragma unroll
                for (int i = 0; i < unit; ++i) part[i] = group.part[p * unit + i];
                turn_parts(part, turned);
#pragma unroll
                for (int i = 0; i < unit; ++i) word[apart / unit * i + g * (4 / unit) + p] = turned[i];
            }
        }
    }

    // Moves words up by 0 to 15 bytes; the first four are those that come in.
    template<int words> static __device__ void shift_up(unsigned (&word)[words], int by) {
        if ((by & 8) != 0) {
#pragma unroll
            for (int i = words - 1; i >= 2; --i) word[i] = word[i - 2];
        }
        if ((by & 4) != 0) {
#pragma unroll
            for (int i = words - 1; i >= 1; --i) word[i] = word[i - 1];
        }
        if constexpr (bytes < 4) {
#pragma unroll
            for (int i = words - 1; i >= 4; --i) word[i] = __funnelshift_l(word[i - 1], word[i], by % 4 * 8);
        }
    }
    static __device__ uint4 group_at(const unsigned* word) { return make_uint4(word[0], word[1], word[2], word[3]); }
};

} // namespace apod::transposing
