// The analysis of a matrix for `tiled`: where the tiles begin, the huge rows' parts, and shorter columns. It reads offsets and columns,
// never values: it holds as long as those two stay the same.
#pragma once

#include "tiles.cuh"

namespace apod::spmv {

// What the analysis counts, in 64 bits each.
constexpr int count_parts = 0;        // of huge rows
constexpr int count_coded = 1;        // entries that can be coded by windows
constexpr int count_longest = 2;      // entries of the longest row
constexpr int count_seen = 3;         // entries of the tiles that were looked at for repeats; the next four are in repeats_analysis.cuh
constexpr int count_huge = 8;         // rows
constexpr int count_huge_entries = 9; // of those
constexpr int count_descending = 10;  // not 0 where the columns of a huge row do not ascend
constexpr int count_number = 11;

// A thread for each tile and one for the end: the first row at which rows and entries before it are at least the tile's share.
template<class Index> __global__ void find_tiles(const Index* __restrict__ offsets, long long rows, long long tiles, Index* starts) {
    const long long tile = thread_number();
    if (tile > tiles) return;
    long long low = 0;
    long long high = rows;
    while (low < high) {
        const long long middle = (low + high) / 2;
        if (offsets[middle] + middle >= tile * tile_size) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    starts[2 * tile] = static_cast<Index>(low);
    starts[2 * tile + 1] = offsets[low];
}

// A thread for each row: a huge one adds its parts and itself to the lists and to the counts. With parts == nullptr it only counts, and
// finds the length of the longest row.
template<class Index>
__global__ void find_huge_rows(const Index* __restrict__ offsets, long long rows, Index* parts, Index* huge_rows,
                               unsigned long long* counts) {
    const long long row = thread_number();
    const Index begin = row < rows ? offsets[row] : 0;
    const Index end = row < rows ? offsets[row + 1] : 0;
    if (parts == nullptr) {
        long long length = end - begin;
        for (int step = 16; step > 0; step /= 2) {
            const long long other = __shfl_xor_sync(0xffffffffu, length, step);
            length = other > length ? other : length;
        }
        const auto most = static_cast<unsigned long long>(length);
        unsigned long long* const longest = &counts[count_longest];
        if (threadIdx.x % 32 == 0 && most > *static_cast<volatile unsigned long long*>(longest)) atomicMax(longest, most);
    }
    if (end - begin <= huge_row) return;
    const auto count = static_cast<unsigned>((end - begin + part_size - 1) / part_size);
    const auto first = static_cast<unsigned>(atomicAdd(&counts[count_parts], static_cast<unsigned long long>(count)));
    const unsigned long long number = atomicAdd(&counts[count_huge], 1ULL);
    if (parts == nullptr) {
        atomicAdd(&counts[count_huge_entries], static_cast<unsigned long long>(end - begin));
        return;
    }
    huge_rows[number] = static_cast<Index>(row);
    for (unsigned i = 0; i < count; ++i) {
        Index* const part = &parts[part_fields * static_cast<long long>(first + i)];
        part[part_row] = static_cast<Index>(row);
        part[part_begin] = begin + static_cast<Index>(i) * part_size;
        part[part_end] = i + 1 == count ? end : part[part_begin] + part_size;
        part[part_first] = static_cast<Index>(first);
        part[part_count] = static_cast<Index>(count);
    }
}

// A thread for each entry of a matrix of up to 65536 columns.
template<class Index> __global__ void make_plain_codes(const Index* __restrict__ columns, long long entries, unsigned short* codes) {
    const long long k = thread_number();
    if (k < entries) codes[k] = static_cast<unsigned short>(columns[k]);
}

// The number of the window in the tile's table, which it joins if there is room; windows_of_a_tile where there is none.
__device__ inline int window_number(unsigned* table, unsigned window) {
    for (int i = 0; i < windows_of_a_tile; ++i) {
        unsigned there = *static_cast<volatile unsigned*>(&table[i]);
        if (there == not_coded) there = atomicCAS(&table[i], not_coded, window);
        if (there == not_coded || there == window) return i;
    }
    return windows_of_a_tile;
}

// Finds the windows of entries [begin, end); take(k, code) has the code of each. False, and not all taken, where there are too many. Every
// thread must come.
template<class Index, class Take>
__device__ inline bool find_windows(const Index* __restrict__ columns, Index begin, Index end, unsigned* table, int* too_many,
                                    const Take& take) {
    if (threadIdx.x < windows_of_a_tile) table[threadIdx.x] = not_coded;
    if (threadIdx.x == 0) *too_many = 0;
    __syncthreads();
    for (Index base = begin; base < end; base += tile_threads) {
        const Index k = base + static_cast<int>(threadIdx.x);
        if (k < end) {
            const auto column = static_cast<unsigned>(columns[k]);
            const int number = window_number(table, column >> window_bits);
            take(k, static_cast<unsigned short>(number << window_bits | (column & ((1u << window_bits) - 1))));
            if (number == windows_of_a_tile) *too_many = 1;
        }
        if (__syncthreads_or(*too_many)) return false;
    }
    return true;
}

// A block for each tile: finds its windows, and codes its columns unless there are too many. `coded` counts the entries that were.
template<class Index>
__global__ void __launch_bounds__(tile_threads) make_window_codes(const Index* __restrict__ starts, const Index* __restrict__ columns,
                                                                  unsigned short* codes, unsigned* windows, unsigned long long* coded) {
    __shared__ unsigned table[windows_of_a_tile];
    __shared__ int too_many;
    const Index begin = starts[2 * static_cast<long long>(blockIdx.x) + 1];
    const Index end = starts[2 * static_cast<long long>(blockIdx.x) + 3];
    const bool all = find_windows(columns, begin, end, table, &too_many, [&](Index k, unsigned short code) { codes[k] = code; });
    if (threadIdx.x < windows_of_a_tile) {
        const unsigned window = table[threadIdx.x];
        const bool used = all && end > begin && window != not_coded;
        windows[windows_of_a_tile * static_cast<long long>(blockIdx.x) + threadIdx.x] =
            used ? window << window_bits : (threadIdx.x == 0 ? not_coded : 0u);
    }
    if (threadIdx.x == 0 && all) atomicAdd(coded, static_cast<unsigned long long>(end - begin));
}

// A block for each of a sample of tiles, one in `every`: counts the entries that make_window_codes could code.
template<class Index>
__global__ void __launch_bounds__(tile_threads)
    count_window_codes(const Index* __restrict__ starts, const Index* __restrict__ columns, long long every, unsigned long long* coded) {
    __shared__ unsigned table[windows_of_a_tile];
    __shared__ int too_many;
    const long long tile = blockIdx.x * every;
    const Index begin = starts[2 * tile + 1];
    const Index end = starts[2 * tile + 3];
    const bool all = find_windows(columns, begin, end, table, &too_many, [](Index, unsigned short) {});
    if (threadIdx.x == 0 && all) atomicAdd(coded, static_cast<unsigned long long>(end - begin));
}

} // namespace apod::spmv
