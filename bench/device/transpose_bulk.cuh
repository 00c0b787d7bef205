// A transpose by bulk copies (compute capability 9.0), for transpose_variants.cu: what copies by hardware are worth here.
//
// Blocks stay and take one tile after the other. A row of a tile comes into shared memory by one bulk copy, `stages` tiles ahead; cells are
// turned as in cells.cuh, into a second place; from there rows go out by bulk copies or by the threads' stores.
#pragma once

#include "workloads/transpose/library/cells.cuh"

namespace transpose_bench {

using apod::transposing::keep;
using apod::transposing::Piece;
using apod::transposing::Word;

__device__ inline unsigned shared_address(const void* at) { return static_cast<unsigned>(__cvta_generic_to_shared(at)); }

// Counts what bulk copies have brought.
struct Arrival {
    unsigned long long barrier;

    __device__ void init() { asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(this)) : "memory"); }
    __device__ void expect(unsigned bytes) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(this)), "r"(bytes) : "memory");
    }
    __device__ void wait(unsigned phase) {
        unsigned arrived = 0;
        while (arrived == 0) {
            asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}\n"
                         : "=r"(arrived)
                         : "r"(shared_address(this)), "r"(phase)
                         : "memory");
        }
    }
};

__device__ inline void bulk_in(void* to, const void* from, unsigned bytes, Arrival* arrival) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(arrival))
                 : "memory");
}
__device__ inline void bulk_out(void* to, const void* from, unsigned bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
                 "r"(shared_address(from)), "r"(bytes)
                 : "memory");
}

enum class Out { threads, bulk };

// A tile of columns x rows cells of 16-byte words. All rows begin at multiples of 16 bytes and are as long.
template<int bytes, int columns, int rows, int threads, int stages, Out out_by> struct Bulk {
    static constexpr int side = 16 / bytes;
    static constexpr int width = columns * side;
    static constexpr int height = rows * side;
    static constexpr int in_row = columns + 1; // words; odd, so that cells down a column and along a diagonal meet different banks
    static constexpr int out_row = rows + 1;
    static constexpr int in_words = height * in_row;
    static constexpr int out_words = width * out_row;
    static constexpr int outs = out_by == Out::bulk ? 2 : 1;
    static constexpr int shared = (stages * in_words + outs * out_words) * 16 + stages * 8;
    using Element = Piece<bytes>;

    struct Tile {
        long long x;
        long long y;
        int width;
        int height;
    };
    static __device__ Tile tile(int index, int down, long long matrix_rows, long long matrix_columns) {
        const long long x = static_cast<long long>(index / down) * width;
        const long long y = static_cast<long long>(index % down) * height;
        return {x, y, static_cast<int>(min(static_cast<long long>(width), matrix_columns - x)),
                static_cast<int>(min(static_cast<long long>(height), matrix_rows - y))};
    }

    static __device__ void turn(const uint4* from, uint4* to) {
#pragma unroll
        for (int k = 0; k < columns * rows / threads; ++k) {
            const int cell = static_cast<int>(threadIdx.x) + k * threads;
            const int y = cell % rows;
            const int x = (cell / rows + y) % columns; // eight neighbours lie on a diagonal
            Word<16> in[side];
            Word<16> out[side];
#pragma unroll
            for (int i = 0; i < side; ++i) in[i] = apod::transposing::to_word(from[(y * side + i) * in_row + x]);
            apod::transposing::turn<bytes, 16>(in, out);
#pragma unroll
            for (int i = 0; i < side; ++i) to[(x * side + i) * out_row + y] = apod::transposing::to_piece(out[i]);
        }
    }

    static __device__ void move(Element* out, const Element* in, long long matrix_rows, long long matrix_columns) {
        extern __shared__ uint4 storage[];
        uint4* const out_tiles = storage + stages * in_words;
        auto* const arrivals = reinterpret_cast<Arrival*>(out_tiles + outs * out_words);
        const int thread = static_cast<int>(threadIdx.x);
        const int down = static_cast<int>((matrix_rows + height - 1) / height);
        const int tiles = static_cast<int>((matrix_columns + width - 1) / width) * down;
        if (thread < stages) arrivals[thread].init();
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        __syncthreads();
        const auto request = [&](int index, int stage) { // by the first warp
            const Tile at = tile(index, down, matrix_rows, matrix_columns);
            if (thread == 0) arrivals[stage].expect(at.width * at.height * bytes);
            __syncwarp();
            for (int row = thread; row < at.height; row += 32) {
                bulk_in(storage + stage * in_words + row * in_row, in + (at.y + row) * matrix_columns + at.x, at.width * bytes,
                        arrivals + stage);
            }
        };
        const int step = static_cast<int>(gridDim.x);
        for (int stage = 0; stage < stages && thread < 32; ++stage) {
            const int index = static_cast<int>(blockIdx.x) + stage * step;
            if (index < tiles) request(index, stage);
        }
        int round = 0;
        for (int index = static_cast<int>(blockIdx.x); index < tiles; index += step, ++round) {
            const int stage = round % stages;
            uint4* const out_tile = out_tiles + round % outs * out_words;
            arrivals[stage].wait(round / stages & 1);
            if (out_by == Out::bulk) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory"); // the tile before the last is out
            __syncthreads();
            turn(storage + stage * in_words, out_tile);
            if (out_by == Out::bulk) asm volatile("fence.proxy.async;" ::: "memory");
            __syncthreads();
            if (thread < 32 && index + stages * step < tiles) request(index + stages * step, stage);
            const Tile at = tile(index, down, matrix_rows, matrix_columns);
            Element* const to = out + at.x * matrix_rows + at.y;
            if (out_by == Out::bulk) {
                for (int row = thread; row < at.width; row += threads)
                    bulk_out(to + row * matrix_rows, out_tile + row * out_row, at.height * bytes);
                asm volatile("cp.async.bulk.commit_group;" ::: "memory");
            } else {
                for (int row = thread / rows; row < at.width; row += threads / rows) {
                    if (thread % rows * side < at.height)
                        apod::transposing::store<keep>(reinterpret_cast<uint4*>(to + row * matrix_rows) + thread % rows,
                                                       out_tile[row * out_row + thread % rows]);
                }
                __syncthreads();
            }
        }
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
};

template<int bytes, int columns, int rows, int threads, int stages, Out out_by>
__global__ void __launch_bounds__(threads)
    bulk(void* out, const void* in, long long matrix_rows, long long matrix_columns, long long, long long, long long, long long, int) {
    using Move = Bulk<bytes, columns, rows, threads, stages, out_by>;
    Move::move(static_cast<typename Move::Element*>(out), static_cast<const typename Move::Element*>(in), matrix_rows, matrix_columns);
}

} // namespace transpose_bench
