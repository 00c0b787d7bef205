// The analysis of a matrix for `repeated`: which rows of a tile have the same columns, and the lists of those. It reads offsets and
// columns, never values: it holds as long as those two stay the same.
#pragma once

#include "analysis.cuh"
#include "repeats.cuh"

namespace apod::spmv {

// What the tiles need together, in the plan's counts.
constexpr int repeat_quads = 4;     // columns of lists, in quads
constexpr int repeat_longest = 5;   // of the lists of a tile
constexpr int repeat_entries = 6;   // entries whose columns the lists give
constexpr int repeat_from_zero = 7; // of these, those in tiles that count columns from the first

constexpr int repeat_slots = 2 * tile_size;
constexpr unsigned no_row = ~0u;

// Rows of a tile by a hash of their columns, counted both ways: in each slot the first row that has it.
struct RepeatTable {
    unsigned hashes[2][tile_size]; // from the first column, from the row
    unsigned rows[repeat_slots];
    unsigned short slot[tile_size];   // of each row
    unsigned short leader[tile_size]; // the row whose list a row has
    unsigned scan[tile_threads];
    unsigned total;
    int uniform;
};

__device__ inline unsigned mixed_place(unsigned column, unsigned place) {
    unsigned value = (column ^ place * 0x9e3779b1u) * 0x85ebca6bu;
    value = (value ^ (value >> 15)) * 0xc2b2ae35u;
    return value ^ (value >> 13);
}

template<class Index> struct RowsOfTile {
    const Index* offsets; // of the first row
    const Index* columns;
    long long first_row;
    int rows;

    [[nodiscard]] __device__ int length(int row) const { return static_cast<int>(offsets[row + 1] - offsets[row]); }
    // Both hashes of every row, a few lanes for each: a hash is a sum, so that it does not matter who adds what.
    __device__ void hash(unsigned (&hashes)[2][tile_size], int entries) const {
        const int lanes = lanes_for(entries, rows);
        const int lane = static_cast<int>(threadIdx.x) & (lanes - 1);
        for (int base = 0; base < rows; base += tile_threads / lanes) {
            const int row = base + static_cast<int>(threadIdx.x) / lanes;
            const Index begin = row < rows ? offsets[row] : 0;
            const Index end = row < rows ? offsets[row + 1] : 0;
            unsigned from_zero = 0;
            unsigned from_row = 0;
            for (Index k = begin + lane; k < end; k += lanes) {
                const auto column = static_cast<unsigned>(columns[k]);
                const auto place = static_cast<unsigned>(k - begin);
                from_zero += mixed_place(column, place);
                from_row += mixed_place(column - static_cast<unsigned>(first_row + row), place);
            }
            from_zero = sum_of_lanes(from_zero, lanes);
            from_row = sum_of_lanes(from_row, lanes);
            if (row >= rows || lane != 0) continue;
            hashes[0][row] = from_zero + static_cast<unsigned>(end - begin);
            hashes[1][row] = from_row + static_cast<unsigned>(end - begin);
        }
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

// The leader of each row, and the columns in the lists of all leaders together (table.total). `exact`: rows of the same hash are compared;
// else it is believed, which does for counting. Every thread must come.
template<class Index> __device__ inline void find_leaders(const RowsOfTile<Index>& tile, bool relative, bool exact, RepeatTable& table) {
    const unsigned* const hashes = table.hashes[relative ? 1 : 0];
    __syncthreads();
    for (int slot = static_cast<int>(threadIdx.x); slot < repeat_slots; slot += tile_threads) table.rows[slot] = no_row;
    if (threadIdx.x == 0) {
        table.total = 0;
        table.uniform = 1;
    }
    __syncthreads();
    for (int row = static_cast<int>(threadIdx.x); row < tile.rows; row += tile_threads) {
        const unsigned key = hashes[row];
        unsigned slot = key % repeat_slots;
        while (true) {
            const unsigned there = atomicCAS(&table.rows[slot], no_row, static_cast<unsigned>(row));
            if (there == no_row || hashes[there] == key) break;
            slot = (slot + 1) % repeat_slots;
        }
        atomicMin(&table.rows[slot], static_cast<unsigned>(row));
        table.slot[row] = static_cast<unsigned short>(slot);
    }
    __syncthreads();
    unsigned own = 0;
    for (int row = static_cast<int>(threadIdx.x); row < tile.rows; row += tile_threads) {
        const auto first = static_cast<int>(table.rows[table.slot[row]]);
        const bool same = first == row || !exact || tile.equal(first, row, relative);
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

// A block for each tile, or for one in `every`: its leaders, counting columns both ways and keeping the one with the shorter lists; the
// rows' places in them. With places == nullptr it only counts.
template<class Index>
__global__ void __launch_bounds__(tile_threads)
    find_repeats(const Index* __restrict__ starts, const Index* __restrict__ offsets, const Index* __restrict__ columns, long long every,
                 unsigned short* places, RepeatTile* tiles, unsigned long long* counts) {
    __shared__ RepeatTable table;
    const long long number = blockIdx.x * every;
    const Index first_row = starts[2 * number];
    const Index end = starts[2 * number + 3];
    const Index begin = starts[2 * number + 1];
    const RowsOfTile<Index> tile = {offsets + first_row, columns, first_row, static_cast<int>(starts[2 * number + 2] - first_row)};
    RepeatTile result = {0, not_listed, 0, 0, 0, 0};
    // Not for entries that do not fit shared memory, wherever they begin.
    if (tile.rows > 0 && end - begin <= staged_capacity - staged_align) {
        tile.hash(table.hashes, static_cast<int>(end - begin));
        find_leaders(tile, false, false, table);
        const unsigned from_zero = table.total;
        find_leaders(tile, true, false, table);
        result.relative = table.total <= from_zero ? 1 : 0;
        if (places != nullptr) find_leaders(tile, result.relative != 0, true, table);
        const unsigned total = places == nullptr && result.relative == 0 ? from_zero : table.total;
        if (total <= list_capacity) {
            result.count = (total + 3) / 4 * 4;
            result.exact = total;
            result.uniform = static_cast<unsigned char>(table.uniform);
            if (result.uniform != 0) result.length = static_cast<unsigned short>(tile.length(0));
        }
        if (places != nullptr && total <= list_capacity) {
            place_lists(tile, table);
            for (int row = static_cast<int>(threadIdx.x); row < tile.rows; row += tile_threads) {
                const int leader = table.leader[row];
                places[first_row + row] = static_cast<unsigned short>(table.slot[leader] | (leader == row ? leads : 0));
            }
        }
    }
    if (threadIdx.x != 0) return;
    if (places != nullptr) tiles[number] = result;
    atomicAdd(&counts[count_seen], static_cast<unsigned long long>(end - begin));
    if (result.count == not_listed) return;
    atomicAdd(&counts[repeat_quads], static_cast<unsigned long long>(result.count / 4));
    atomicMax(&counts[repeat_longest], static_cast<unsigned long long>(result.count));
    atomicAdd(&counts[repeat_entries], static_cast<unsigned long long>(end - begin));
    if (result.relative == 0) atomicAdd(&counts[repeat_from_zero], static_cast<unsigned long long>(end - begin));
}

// One block: where each tile's lists begin.
template<int threads> __global__ void __launch_bounds__(threads) place_repeats(RepeatTile* tiles, long long tile_number) {
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
