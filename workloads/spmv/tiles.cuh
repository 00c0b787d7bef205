// The load-balanced multiplication. The matrix is cut between rows into tiles of about the same work (entries and rows count alike); a
// block reads a tile's entries as one stream, puts the products into shared memory and adds them up there, row by row. A tile ends with
// its last row, however long; rows beyond `huge_row` entries are left out of the tiles and cut into parts of their own, whose sums the
// last part to finish adds up, in the order of the parts. Where `part_number` is 0, tiles
// have rows of any length; where it is below, huge rows are left to others (panels.cuh).
//
// The cutting is the matrix's analysis (analysis.cuh), made once and used as long as offsets and columns stay the same. It also makes the
// columns shorter: 16 bits an entry, as a number below 65536 (plain) or as one of 16 windows of 4096 columns, which each tile chooses for
// itself, and the place within (windows). A stream of 8 bytes an entry becomes one of 6.
#pragma once

#include "kernels.cuh"

namespace apod::spmv {

enum class Codes : unsigned char { none, plain, windows, repeats }; // repeats: repeats.cuh

constexpr int window_bits = 12;
constexpr int windows_of_a_tile = 16;
constexpr unsigned not_coded = 0xffffffffu; // as a tile's first window: its columns are taken as they are

// The shape of a tile: `threads` work on it, `items` entries and rows each.
constexpr int tile_threads = 256;
constexpr int tile_items = 8;
constexpr int tile_size = tile_threads * tile_items;
constexpr int tile_capacity = tile_size + 128; // products kept in shared memory; what a last row has beyond is added up directly
constexpr int huge_row = tile_size;            // the least there may be: only the last row of a tile can be huge then
constexpr int part_size = 2 * tile_size;       // entries of a part of a huge row

// What a part of a huge row is: five numbers.
constexpr int part_row = 0;
constexpr int part_begin = 1;
constexpr int part_end = 2;
constexpr int part_first = 3; // the number of the row's first part
constexpr int part_count = 4; // how many parts the row has
constexpr int part_fields = 5;

template<class Value, class Vector, class Index> struct TileInput {
    const Index* __restrict__ offsets;
    const Index* __restrict__ columns;
    const unsigned short* __restrict__ codes;
    const Value* __restrict__ values;
    const Vector* __restrict__ x;
};

template<Codes codes, class Value, class Vector, class Index>
__device__ inline long long column_of_entry(const TileInput<Value, Vector, Index>& in, unsigned code, const unsigned* windows) {
    if (codes == Codes::windows) return windows[code >> window_bits] + (code & ((1u << window_bits) - 1));
    return code;
}

template<class Value, class Vector, class Index>
__device__ inline Sum<Vector> product(const TileInput<Value, Vector, Index>& in, Value value, long long column) {
    return converted<Sum<Vector>>(value) * converted<Sum<Vector>>(__ldg(&in.x[column]));
}

// The products of entries [begin, end) go to shared memory, entry `start` (aligned, not after begin) to its element 0.
template<Codes codes, int wide, class Value, class Vector, class Index>
__device__ inline void make_products(const TileInput<Value, Vector, Index>& in, Index start, Index begin, Index end, bool coded,
                                     const unsigned* windows, Sum<Vector>* products) {
    constexpr int rounds = (tile_capacity + wide * tile_threads - 1) / (wide * tile_threads);
    Pack<Value, wide> values[rounds];
    Pack<unsigned short, wide> shorts[rounds];
    Pack<Index, wide> columns[rounds];
#pragma unroll
    for (int round = 0; round < rounds; ++round) {
        const Index first = start + wide * (static_cast<int>(threadIdx.x) + round * tile_threads);
        if (first < begin || first + wide > end) continue;
        values[round] = load_once<wide>(&in.values[first]);
        if (codes != Codes::none && coded) {
            shorts[round] = load_once<wide>(&in.codes[first]);
        } else {
            columns[round] = load_once<wide>(&in.columns[first]);
        }
    }
#pragma unroll
    for (int round = 0; round < rounds; ++round) {
        const int place = wide * (static_cast<int>(threadIdx.x) + round * tile_threads);
        const Index first = start + place;
        if (first >= end) continue;
        if (first >= begin && first + wide <= end) {
            Pack<Sum<Vector>, wide> result;
#pragma unroll
            for (int i = 0; i < wide; ++i) {
                const bool use_code = codes != Codes::none && coded;
                const long long column = use_code ? column_of_entry<codes>(in, shorts[round].at[i], windows) : columns[round].at[i];
                result.at[i] = product(in, values[round].at[i], column);
            }
            *reinterpret_cast<Pack<Sum<Vector>, wide>*>(&products[place]) = result;
        } else { // an end of the tile
            for (int i = 0; i < wide; ++i) {
                if (first + i >= begin && first + i < end) {
                    products[place + i] = product(in, in.values[first + i], in.columns[first + i]);
                }
            }
        }
    }
}

// The sum of the products of entries [begin, end), a share for each thread.
template<int threads, class Value, class Vector, class Index>
__device__ inline Sum<Vector> sum_of_entries(const TileInput<Value, Vector, Index>& in, Index begin, Index end) {
    constexpr int deep = 8; // loads on their way at once
    Sum<Vector> sums[deep] = {};
    Index k = begin + static_cast<int>(threadIdx.x);
    for (; k + (deep - 1) * threads < end; k += deep * threads) {
        Value values[deep];
        Index columns[deep];
#pragma unroll
        for (int i = 0; i < deep; ++i) {
            values[i] = __ldcs(&in.values[k + i * threads]);
            columns[i] = __ldcs(&in.columns[k + i * threads]);
        }
#pragma unroll
        for (int i = 0; i < deep; ++i) sums[i] += product(in, values[i], columns[i]);
    }
    for (; k < end; k += threads) sums[0] += product(in, in.values[k], in.columns[k]);
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

// What a block works on: parts come first.
struct BlockWork {
    bool is_part;
    long long number;
};
__device__ inline BlockWork work_of_block(int part_number) {
    const auto block = static_cast<long long>(blockIdx.x);
    if (block < part_number) return {true, block};
    return {false, part_number > 0 ? block - part_number : block};
}

// A part of a huge row. The last one to finish adds up all parts of the row and sets the counter back for the next multiplication.
template<int threads, class Value, class Vector, class Index>
__device__ inline void huge_part(const TileInput<Value, Vector, Index>& in, const Index* parts, Sum<Vector>* sums, unsigned* counters,
                                 Vector* y, Sum<Vector> alpha, Sum<Vector> beta, Sum<Vector>* scratch, long long number) {
    __shared__ bool is_last;
    const Index* const part = &parts[part_fields * number];
    const Index first = part[part_first];
    const auto count = static_cast<unsigned>(part[part_count]);
    const Sum<Vector> sum = sum_of_block(sum_of_entries<threads>(in, part[part_begin], part[part_end]), scratch);
    if (threadIdx.x == 0) {
        sums[number] = sum;
        __threadfence();
        is_last = atomicAdd(&counters[first], 1u) == count - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    Sum<Vector> total = 0;
    for (unsigned i = threadIdx.x; i < count; i += threads) total += __ldcg(&sums[first + i]);
    total = sum_of_block(total, scratch);
    if (threadIdx.x != 0) return;
    finish(&y[part[part_row]], total, alpha, beta);
    counters[first] = 0;
}

// A tile's rows and entries, without a last row that is huge. Only the last row of a tile can be long: the others lie within tile_size
// together.
template<class Index> struct TileRange {
    Index first_row;
    Index begin;
    Index end;
    int rows;
    bool leave_last; // the last row is huge
};
template<class Index>
__device__ inline TileRange<Index> tile_range(const Index* __restrict__ starts, const Index* __restrict__ offsets, long long tile,
                                              int part_number) {
    TileRange<Index> range = {starts[2 * tile], starts[2 * tile + 1], starts[2 * tile + 3], 0, false};
    range.rows = static_cast<int>(starts[2 * tile + 2] - range.first_row);
    if (part_number == 0 || range.end - range.begin <= huge_row || range.rows == 0) return range;
    const Index last_begin = offsets[range.first_row + range.rows - 1];
    range.leave_last = range.end - last_begin > huge_row;
    if (range.leave_last) range.end = last_begin;
    return range;
}

// How many lanes add up a row of the tile: about one for each four products.
__device__ inline int lanes_for(int entries, int rows) {
    int lanes = 1;
    while (lanes < 32 && lanes * 4 * rows < entries) lanes *= 2;
    return lanes;
}

// Rows that wait for the others, and what a tile's last row has when it goes on beyond the entries in shared memory.
template<class Number> struct Leftover {
    int long_rows[tile_capacity / 32]; // each has more than 32 entries
    int long_row_number;
    Number rest;
};

// The sum of products from, from + step, ... before `to`.
template<class Number> __device__ inline Number sum_of_products(const Number* products, int from, int to, int step) {
    Number sum = 0;
    int k = from;
    for (; k + 3 * step < to; k += 4 * step) {
        sum += (products[k] + products[k + step]) + (products[k + 2 * step] + products[k + 3 * step]);
    }
    for (; k < to; k += step) sum += products[k];
    return sum;
}

// A tile's products in shared memory, and its rows. The last row may go on beyond `kept_end`, the end of the products: then its sum so far
// is left in Leftover::rest instead of written.
template<class Vector, class Index> struct RowsOfProducts {
    const Index* __restrict__ offsets;
    TileRange<Index> range;
    Index start; // the entry of product 0
    Index kept_end;
    bool goes_on;
    const Sum<Vector>* products;
    Vector* y;
    Sum<Vector> alpha;
    Sum<Vector> beta;

    [[nodiscard]] __device__ int first(int number) const { return static_cast<int>(offsets[range.first_row + number] - start); }
    [[nodiscard]] __device__ int final(int number) const {
        const Index end = offsets[range.first_row + number + 1];
        return static_cast<int>((end > kept_end ? kept_end : end) - start);
    }
    __device__ void finish_row(int number, Sum<Vector> sum, Leftover<Sum<Vector>>& left) const {
        const bool last = number == range.rows - 1;
        if (last && goes_on) {
            left.rest = sum;
        } else if (!(last && range.leave_last)) {
            finish(&y[range.first_row + number], sum, alpha, beta);
        }
    }
};

// Adds up the products of the tile's rows; rows much longer than the others wait until those are done, and get a warp.
template<class Vector, class Index>
__device__ inline void add_up_rows(const RowsOfProducts<Vector, Index>& rows, Leftover<Sum<Vector>>& left) {
    const auto entries = static_cast<int>(rows.kept_end - rows.range.begin);
    const int lanes = lanes_for(entries, rows.range.rows);
    const int lane = static_cast<int>(threadIdx.x) & (lanes - 1);
    const int at_once = tile_threads / lanes;
    const int long_row = 4 * (entries / rows.range.rows) + 32 * lanes;
    for (int base = 0; base < rows.range.rows; base += at_once) {
        const int number = base + static_cast<int>(threadIdx.x) / lanes;
        const bool mine = number < rows.range.rows;
        const int first = mine ? rows.first(number) : 0;
        const int final = mine ? rows.final(number) : 0;
        const bool later = final - first > long_row;
        Sum<Vector> sum = later ? Sum<Vector>(0) : sum_of_products(rows.products, first + lane, final, lanes);
        sum = sum_of_lanes(sum, lanes);
        if (!mine || lane != 0) continue;
        if (later) {
            left.long_rows[atomicAdd(&left.long_row_number, 1)] = number;
        } else {
            rows.finish_row(number, sum, left);
        }
    }
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x) / 32; i < left.long_row_number; i += tile_threads / 32) {
        const int number = left.long_rows[i];
        const int first = rows.first(number) + static_cast<int>(threadIdx.x % 32);
        const Sum<Vector> sum = sum_of_lanes(sum_of_products(rows.products, first, rows.final(number), 32), 32);
        if (threadIdx.x % 32 == 0) rows.finish_row(number, sum, left);
    }
}

// One block a part of a huge row (`part_number` of them) or a tile. `starts` holds two numbers a tile and two more for the end:
// its first row and that row's offset. `wide` is how many entries a thread reads at once; columns, codes and values must be aligned to as
// many elements (16 bytes at most).
template<Codes codes, int wide, class Value, class Vector, class Index>
__global__ void __launch_bounds__(tile_threads)
    tiled(const Index* __restrict__ starts, const Index* __restrict__ offsets, const Index* __restrict__ columns,
          const unsigned short* __restrict__ code, const unsigned* __restrict__ windows, const Value* __restrict__ values,
          const Vector* __restrict__ x, Vector* __restrict__ y, Sum<Vector> alpha, Sum<Vector> beta, const Index* __restrict__ parts,
          int part_number, Sum<Vector>* sums, unsigned* counters) {
    __shared__ __align__(16) Sum<Vector> products[tile_capacity];
    __shared__ Sum<Vector> scratch[tile_threads / 32];
    __shared__ Leftover<Sum<Vector>> left;
    __shared__ unsigned own_windows[windows_of_a_tile];
    const TileInput<Value, Vector, Index> in = {offsets, columns, code, values, x};
    const BlockWork work = work_of_block(part_number);
    if (work.is_part) {
        huge_part<tile_threads>(in, parts, sums, counters, y, alpha, beta, scratch, work.number);
        return;
    }
    const long long tile = work.number;
    const TileRange<Index> range = tile_range(starts, offsets, tile, part_number);
    if (range.rows == 0) return;
    bool coded = codes != Codes::none;
    if (codes == Codes::windows) {
        const unsigned window = threadIdx.x < windows_of_a_tile ? windows[windows_of_a_tile * tile + threadIdx.x] : 0;
        if (threadIdx.x < windows_of_a_tile) own_windows[threadIdx.x] = window;
        __syncthreads();
        coded = own_windows[0] != not_coded;
    }
    const Index start = range.begin / wide * wide;
    const bool goes_on = range.end - start > tile_capacity;
    const Index kept_end = goes_on ? start + tile_capacity : range.end;
    make_products<codes, wide>(in, start, range.begin, kept_end, coded, own_windows, products);
    if (threadIdx.x == 0) left.long_row_number = 0;
    __syncthreads();
    add_up_rows(RowsOfProducts<Vector, Index>{offsets, range, start, kept_end, goes_on, products, y, alpha, beta}, left);
    if (!goes_on) return;
    const Sum<Vector> tail =
        sum_of_block(sum_of_entries<tile_threads>(in, kept_end, range.end), scratch); // synchronises: `rest` is there after it
    if (threadIdx.x == 0) finish(&y[range.first_row + range.rows - 1], left.rest + tail, alpha, beta);
}

} // namespace apod::spmv
