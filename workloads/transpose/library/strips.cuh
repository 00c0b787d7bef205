// The transpose of elements of 1, 2 and 4 bytes where rows begin anywhere.
//
// A block walks down a strip of columns (columns.cuh), 64 bytes of each row of the output at a time (a step), and writes them as whole
// sectors: what is beyond the last whole word stays in registers until the next step, what is beyond the last whole sector in shared
// memory. Two blocks never write to the same sector, and only where a block begins does it read rows that another has read.
#pragma once

#include "columns.cuh"

namespace apod::transposing {

template<int bytes, int threads, int hint = keep, bool ahead = false> struct Strips {
    using Here = Columns<bytes, threads>;
    using Element = Piece<bytes>;
    static constexpr int unit = Here::unit;
    static constexpr int each = Here::each;
    static constexpr int loads = Here::loads;
    static constexpr int step = Here::step;
    static constexpr int width = Here::width;
    static constexpr int sector = 32;

    // What a block has: rows from y on and below y + height of columns from x on, in the output from the first sector that begins there on.
    struct Work {
        const Element* in; // row y, column x
        Element* out;      // the same element
        long long in_pitch;
        long long out_pitch;
        long long rows_before; // of the matrix
        long long rows_left;   // from y on
        long long columns_before;
        long long columns_left;
        int steps;
        __device__ int height() const { return (steps - 1) * step + step / 2; }
    };

    // The first of a thread's pieces, in the next row.
    struct Source {
        const Element* at;
        int column; // of the strip
        int row;    // of the block
    };

    template<bool whole> static __device__ void fetch(const Work& work, Source& from, int columns, uint4 (&in)[loads][unit]) {
#pragma unroll
        for (int i = 0; i < unit; ++i) {
#pragma unroll
            for (int k = 0; k < loads; ++k) {
                const int further = k * Here::stride * each;
                const Element* const at = from.at + further;
                in[k][i] = {};
                if (whole) {
                    if (from.column + further < columns) in[k][i] = load<hint>(reinterpret_cast<const uint4*>(at));
                } else if (from.row < work.rows_left) {
                    in[k][i] = Here::template load_near_edge<hint>(
                        at, work.columns_before + from.column + further, work.columns_left - from.column - further,
                        work.rows_before + from.row == 0, from.row + 1 == work.rows_left, work.in_pitch);
                }
            }
            from.at += Here::apart * work.in_pitch;
            compute_again(from.at);
            from.row += Here::apart;
        }
    }

    // The ring of a column has two halves: one is written out, into the other one come the words of the next step.
    // `phase`: the bytes of the output's sector before the block's first row.
    static __device__ void turn_column(uint4* column, int phase, int half, unsigned (&kept)[4]) {
        unsigned word[20];
#pragma unroll
        for (int i = 0; i < 4; ++i) word[i] = kept[i];
        Here::turn_groups(column + (half ^ 4), word + 4);
#pragma unroll
        for (int i = 0; i < 4; ++i) kept[i] = word[16 + i];
        Here::shift_up(word, phase);
#pragma unroll
        for (int g = 0; g < 4; ++g) store_shared(&column[(half + phase / 16 + g) % 8], Here::group_at(word + 4 + 4 * g));
    }

    // Two sectors of each of a warp's columns: four threads have one column, and three more after it.
    struct Sink {
        char* at;                       // the thread's sector, of its first column
        int first;                      // that column
        int group;                      // the thread's, of four
        static constexpr int apart = 8; // columns of a thread
        static __device__ Sink of(const Work& work, int thread) {
            // Neighbours among lanes have columns four apart, whose groups meet other banks.
            const int first = thread / 32 * 32 + thread / 8 % 4 + thread / 4 % 2 * 4;
            const int group = thread % 4;
            return {reinterpret_cast<char*>(work.out + first * work.out_pitch) + group / 2 * sector, first, group};
        }
    };

    template<bool whole> static __device__ void send(const uint4* ring, const Work& work, const Sink& to, int columns, int turn, int half) {
        const uint4* const group = ring + Here::first_group(to.first) + half + to.group;
        // The first sector that begins in the block's rows is its first one, and as many sectors later another block's begin.
        const bool none_of_first = turn == 0 && to.group < 2;
        const bool none_of_last = turn + 1 == work.steps && to.group >= 2;
        char* row = to.at;
#pragma unroll
        for (int k = 0; k < 32 / Sink::apart; ++k) {
            const uint4* const from = &group[k * Sink::apart * Here::column_groups + k * Sink::apart / each];
            const int before = bytes_before(row, sector);
            char* const at = row - before + to.group % 2 * 16;
            const bool none = (before == 0 && none_of_last) || (before != 0 && none_of_first);
            const bool is_there = to.first + Sink::apart * k < columns;
            if (whole) {
                if (is_there && !none) store<hint>(reinterpret_cast<uint4*>(at), *from);
            } else if (is_there && (!none || (work.rows_before == 0 && turn == 0))) {
                const int y = step * turn + each * to.group - before / bytes; // of the block
                if (y >= 0 && y + each <= work.rows_left) {
                    store<hint>(reinterpret_cast<uint4*>(at), *from);
                } else if (y + each > 0 && y < work.rows_left) {
                    store_elements<bytes, 16>(reinterpret_cast<Element*>(at), to_word(*from), -y, work.rows_left - y);
                }
            }
            row += Sink::apart * work.out_pitch * bytes;
            compute_again(row);
        }
    }

    static __device__ void walk(uint4* ring, const Work& work) {
        const int thread = static_cast<int>(threadIdx.x);
        const int row = Here::row_of(thread);
        const Element* const begin = work.in + row * work.in_pitch;
        const int before = bytes_before(begin, 16) / bytes;
        const int first = Here::piece_of(thread) * each - before;
        typename Here::Target target = Here::target(ring, thread, before);
        Source from{begin + first, first, row};
        Sink to = Sink::of(work, thread);
        const int columns = static_cast<int>(min(static_cast<long long>(width), work.columns_left));
        int phase = bytes_before(work.out + thread * work.out_pitch, sector);
        unsigned kept[4] = {};
        // Where all pieces are within the matrix, but for its first row and its last; what lies beside a row may be another one.
        const bool beside = work.in_pitch == work.columns_before + work.columns_left && work.in_pitch >= each;
        const bool columns_inside = beside || (work.columns_before >= each && work.columns_left >= Here::window);
        const bool is_first = work.rows_before == 0;
        const int rows = static_cast<int>(min(work.rows_left, static_cast<long long>((work.steps + 1) * step)));
        const auto fetch_step = [&](int turn, uint4(&in)[loads][unit]) {
            if (columns_inside && !(is_first && turn == 0) && (turn + 1) * step < rows) {
                fetch<true>(work, from, columns, in);
            } else {
                fetch<false>(work, from, columns, in);
            }
        };
        uint4 in[loads][unit];
        if (ahead) fetch_step(0, in);
#pragma unroll 1
        for (int turn = 0; turn < work.steps; ++turn) {
            const int half = turn % 2 * 4;
            if (!ahead) fetch_step(turn, in);
            compute_again(target.before);
            compute_again(target.near);
            compute_again(target.here);
#pragma unroll
            for (int k = 0; k < loads; ++k) Here::stage(target, k, half ^ 4, in[k]);
            __syncthreads();
            if (ahead && turn + 1 < work.steps) fetch_step(turn + 1, in);
            compute_again(phase);
            if (thread < columns) turn_column(ring + Here::first_group(thread), phase, half, kept);
            __syncwarp();
            compute_again(to.at);
            compute_again(to.first);
            if (!(is_first && turn == 0) && (turn + 1) * step <= rows) {
                send<true>(ring, work, to, columns, turn, half);
            } else {
                send<false>(ring, work, to, columns, turn, half);
            }
            to.at += 2 * sector;
            __syncthreads();
        }
    }

    // `order`: the shift of bands (pieces.cuh), and above its 8 bits the steps of a block.
    static __device__ void move(void* out, const void* in, long long rows, long long columns, long long in_pitch, long long out_pitch,
                                long long in_stride, long long out_stride, int order) {
        uint4* const ring = shared_words<uint4, Here::groups>();
        const int shift = order & 255;
        Work work{};
        work.steps = order >> 8;
        work.columns_before = static_cast<long long>(blockIdx.x >> shift) * width;
        work.rows_before = ((static_cast<long long>(blockIdx.y) << shift) + (blockIdx.x & ((1U << shift) - 1))) * work.height();
        if (work.rows_before >= rows) return;
        work.rows_left = rows - work.rows_before;
        work.columns_left = columns - work.columns_before;
        work.in_pitch = in_pitch;
        work.out_pitch = out_pitch;
        work.in = static_cast<const Element*>(in) + blockIdx.z * in_stride + work.rows_before * in_pitch + work.columns_before;
        work.out = static_cast<Element*>(out) + blockIdx.z * out_stride + work.columns_before * out_pitch + work.rows_before;
        walk(ring, work);
    }
};

template<int bytes, int threads, int hint, int blocks, bool ahead>
__global__ void __launch_bounds__(threads, blocks)
    strips(void* out, const void* in, long long matrix_rows, long long matrix_columns, long long in_pitch, long long out_pitch,
           long long in_stride, long long out_stride, int order) {
    Strips<bytes, threads, hint, ahead>::move(out, in, matrix_rows, matrix_columns, in_pitch, out_pitch, in_stride, out_stride, order);
}

} // namespace apod::transposing
