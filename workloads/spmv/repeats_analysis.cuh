// The analysis of a matrix for `repeated`: which rows of a tile have the same columns, and the lists of those. It reads offsets and
// columns, never values: it holds as long as those two stay the same.
#pragma once

#include "analysis.cuh"
#include "repeats.cuh"

namespace apod::spmv {

// What the tiles need together: columns of lists in quads, the longest lists of a tile, and entries whose columns the lists give.
constexpr int repeat_quads = 0;
constexpr int repeat_longest = 1;
constexpr int repeat_entries = 2;
constexpr int repeat_totals = 3;

constexpr int repeat_slots = 2 * tile_size;

// Rows of a tile by a hash of their columns: in each slot the first row that has it.
struct RepeatTable {
    unsigned keys[repeat_slots];
    unsigned rows[repeat_slots];
    unsigned short slot[tile_size];   // of each row
    unsigned short leader[tile_size]; // the row whose list a row has
    unsigned scan[tile_threads];
    unsigned total;
    int uniform;
};

template<class Index> struct RowsOfTile {
    const Index* offsets; // of the first row
    const Index* columns;
    long long first_row;
    int rows;

    [[nodiscard]] __device__ int length(int row) const { return static_cast<int>(offsets[row + 1] - offsets[row]); }
    [[nodiscard]] __device__ unsigned hash(int row, bool relative) const {
        const auto from = static_cast<unsigned>(relative ? first_row + row : 0);
        unsigned value = 0x9e3779b1u;
        for (Index k = offsets[row]; k < offsets[row + 1]; ++k) {
            value = (value ^ (static_cast<unsigned>(columns[k]) - from)) * 0x85ebca6bu;
            value ^= value >> 15;
        }
        return value | 1u; // 0 is an empty slot
    }
    [[nodiscard]] __device__ bool equal(int a, int b, bool relative) const {
        const int length_of_a = length(a);
        if (length_of_a != length(b)) return false;
        const Index* const of_a = columns + offsets[a];
        const Index* const of_b = columns + offsets[b];
        const Index apart = relative ? b - a : 0;
        for (int i = 0; i < length_of_a; ++i) {
            if (of_a[i] + apart != of_b[i]) return false;
        }
        return true;
    }
};

// The leader of each row, and the columns in the lists of all leaders together (table.total). Every thread must come.
template<class Index> __device__ inline void find_leaders(const RowsOfTile<Index>& tile, bool relative, RepeatTable& table) {
    for (int slot = static_cast<int>(threadIdx.x); slot < repeat_slots; slot += tile_threads) {
        table.keys[slot] = 0;
        table.rows[slot] = ~0u;
    }
    if (threadIdx.x == 0) {
        table.total = 0;
        table.uniform = 1;
    }
    __syncthreads();
    for (int row = static_cast<int>(threadIdx.x); row < tile.rows; row += tile_threads) {
        const unsigned key = tile.hash(row, relative);
        unsigned slot = (key >> 1) % repeat_slots;
        while (true) {
            const unsigned there = atomicCAS(&table.keys[slot], 0u, key);
            if (there == 0 || there == key) break;
            slot = (slot + 1) % repeat_slots;
        }
        atomicMin(&table.rows[slot], static_cast<unsigned>(row));
        table.slot[row] = static_cast<unsigned short>(slot);
    }
    __syncthreads();
    unsigned own = 0;
    for (int row = static_cast<int>(threadIdx.x); row < tile.rows; row += tile_threads) {
        const auto first = static_cast<int>(table.rows[table.slot[row]]);
        const bool same = first == row || tile.equal(first, row, relative);
        table.leader[row] = static_cast<unsigned short>(same ? first : row);
        if (!same || first == row) own += static_cast<unsigned>(tile.length(row));
        if (table.leader[row] != 0) table.uniform = 0;
    }
    if (own != 0) atomicAdd(&table.total, own);
    __syncthreads();
}

// Where each leader's list begins, in table.slot, which is no longer needed. A thread has neighbouring rows.
template<class Index> __device__ inline void place_lists(const RowsOfTile<Index>& tile, RepeatTable& table) {
    constexpr int each = tile_size / tile_threads;
    const int from = each * static_cast<int>(threadIdx.x);
    const int to = from + each < tile.rows ? from + each : tile.rows;
    unsigned own = 0;
    for (int row = from; row < to; ++row) {
        if (table.leader[row] == row) own += static_cast<unsigned>(tile.length(row));
    }
    table.scan[threadIdx.x] = own;
    __syncthreads();
    for (int step = 1; step < tile_threads; step *= 2) {
        const unsigned before = static_cast<int>(threadIdx.x) >= step ? table.scan[threadIdx.x - step] : 0;
        __syncthreads();
        table.scan[threadIdx.x] += before;
        __syncthreads();
    }
    unsigned place = table.scan[threadIdx.x] - own;
    for (int row = from; row < to; ++row) {
        table.slot[row] = static_cast<unsigned short>(place);
        if (table.leader[row] == row) place += static_cast<unsigned>(tile.length(row));
    }
    __syncthreads();
}

// A block for each tile: its leaders, counting columns both ways and keeping the one with the shorter lists; the rows' places in them.
template<class Index>
__global__ void __launch_bounds__(tile_threads)
    find_repeats(const Index* __restrict__ starts, const Index* __restrict__ offsets, const Index* __restrict__ columns,
                 unsigned short* places, RepeatTile* tiles, unsigned long long* totals) {
    __shared__ RepeatTable table;
    const long long number = blockIdx.x;
    const Index first_row = starts[2 * number];
    const Index end = starts[2 * number + 3];
    const Index begin = starts[2 * number + 1];
    const RowsOfTile<Index> tile = {offsets + first_row, columns, first_row, static_cast<int>(starts[2 * number + 2] - first_row)};
    RepeatTile result = {0, not_listed, 0, 0, 0, 0};
    // Not for entries that do not fit shared memory, wherever they begin.
    if (tile.rows > 0 && end - begin <= staged_capacity - staged_align) {
        find_leaders(tile, false, table);
        const unsigned from_zero = table.total;
        __syncthreads();
        find_leaders(tile, true, table);
        result.relative = table.total <= from_zero ? 1 : 0;
        if (result.relative == 0) {
            __syncthreads();
            find_leaders(tile, false, table);
        }
        if (table.total <= list_capacity) {
            result.count = (table.total + 3) / 4 * 4;
            result.uniform = static_cast<unsigned char>(table.uniform);
            if (result.uniform != 0) result.length = static_cast<unsigned short>(tile.length(0));
            place_lists(tile, table);
            for (int row = static_cast<int>(threadIdx.x); row < tile.rows; row += tile_threads) {
                const int leader = table.leader[row];
                places[first_row + row] = static_cast<unsigned short>(table.slot[leader] | (leader == row ? leads : 0));
            }
        }
    }
    if (threadIdx.x != 0) return;
    tiles[number] = result;
    if (result.count == not_listed) return;
    atomicMax(&totals[repeat_longest], static_cast<unsigned long long>(result.count));
    atomicAdd(&totals[repeat_entries], static_cast<unsigned long long>(end - begin));
}

// One block: where each tile's lists begin.
template<int threads>
__global__ void __launch_bounds__(threads) place_repeats(RepeatTile* tiles, long long tile_number, unsigned long long* totals) {
    __shared__ unsigned scan[threads];
    unsigned before = 0;
    for (long long base = 0; base < tile_number; base += threads) {
        const long long tile = base + threadIdx.x;
        const bool listed = tile < tile_number && tiles[tile].count != not_listed;
        const unsigned own = listed ? tiles[tile].count / 4 : 0;
        scan[threadIdx.x] = own;
        __syncthreads();
        for (int step = 1; step < threads; step *= 2) {
            const unsigned other = static_cast<int>(threadIdx.x) >= step ? scan[threadIdx.x - step] : 0;
            __syncthreads();
            scan[threadIdx.x] += other;
            __syncthreads();
        }
        if (listed) tiles[tile].first = before + scan[threadIdx.x] - own;
        before += scan[threads - 1];
        __syncthreads();
    }
    if (threadIdx.x == 0) totals[repeat_quads] = before;
}

// A block for each tile: the lists of its leaders.
template<class Index>
__global__ void __launch_bounds__(tile_threads)
    write_repeats(const Index* __restrict__ starts, const Index* __restrict__ offsets, const Index* __restrict__ columns,
                  const unsigned short* __restrict__ places, const RepeatTile* __restrict__ tiles, int* lists) {
    const RepeatTile tile = tiles[blockIdx.x];
    if (tile.count == not_listed) return;
    const long long first_row = starts[2 * static_cast<long long>(blockIdx.x)];
    const long long last_row = starts[2 * static_cast<long long>(blockIdx.x) + 2];
    for (long long row = first_row + threadIdx.x; row < last_row; row += tile_threads) {
        if ((places[row] & leads) == 0) continue;
        int* const list = lists + 4LL * tile.first + (places[row] & list_place);
        const Index from = offsets[row];
        const auto length = static_cast<int>(offsets[row + 1] - from);
        for (int i = 0; i < length; ++i) list[i] = static_cast<int>(columns[from + i] - (tile.relative != 0 ? row : 0));
    }
}

} // namespace apod::spmv
