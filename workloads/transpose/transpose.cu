// The transpose of an n x n matrix of floats, from the obvious to the fast: out[x][y] = in[y][x], both row-major, any n >= 1.
// The kernels of ladder.toml, and per_row and copy to measure by. Offsets are 64-bit, so that n * n may exceed 2^31.

#include <cstddef>

// The offset of the element in row y and column x.
__device__ inline std::size_t at(int y, int x, int n) { return static_cast<std::size_t>(y) * n + x; }

// One thread does everything.
__global__ void one_thread(float* out, const float* in, int n) {
    for (int y = 0; y < n; ++y) {
        for (int x = 0; x < n; ++x) out[at(x, y, n)] = in[at(y, x, n)];
    }
}

// A thread for each row of the input. Neighbouring threads read addresses a whole row apart.
__global__ void per_row(float* out, const float* in, int n) {
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= n) return;
    for (int x = 0; x < n; ++x) out[at(x, y, n)] = in[at(y, x, n)];
}

// A thread for each row of the output: now the reads of neighbouring threads are neighbours, and their writes a whole row apart. Slower:
// reads of one line that come in turn find it in the L1 cache, writes go out one by one.
__global__ void per_output_row(float* out, const float* in, int n) {
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= n) return;
    for (int x = 0; x < n; ++x) out[at(y, x, n)] = in[at(x, y, n)];
}

// A thread for each element, in square blocks. A warp reads neighbours and writes addresses a row apart.
__global__ void per_element(float* out, const float* in, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) out[at(x, y, n)] = in[at(y, x, n)];
}

// size x size threads move a tile through shared memory, so that reads and writes both run along rows. The column of the tile that a
// warp reads lies in one bank when size is 32.
template<int size> __global__ void tiled(float* out, const float* in, int n) {
    __shared__ float tile[size][size];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int x0 = blockIdx.x * size;
    const int y0 = blockIdx.y * size;
    if (x0 + tx < n && y0 + ty < n) tile[ty][tx] = in[at(y0 + ty, x0 + tx, n)];
    __syncthreads();
    if (y0 + tx < n && x0 + ty < n) out[at(x0 + ty, y0 + tx, n)] = tile[tx][ty];
}
template __global__ void tiled<16>(float* out, const float* in, int n);
template __global__ void tiled<32>(float* out, const float* in, int n);

// The same with one float of padding after each row of the tile: a column now meets every bank once.
__global__ void padded(float* out, const float* in, int n) {
    __shared__ float tile[32][32 + 1];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int x0 = blockIdx.x * 32;
    const int y0 = blockIdx.y * 32;
    if (x0 + tx < n && y0 + ty < n) tile[ty][tx] = in[at(y0 + ty, x0 + tx, n)];
    __syncthreads();
    if (y0 + tx < n && x0 + ty < n) out[at(x0 + ty, y0 + tx, n)] = tile[tx][ty];
}

// 32 x 8 threads, four elements each: fewer threads to start, and four loads on their way at once.
__global__ void coarse(float* out, const float* in, int n) {
    __shared__ float tile[32][32 + 1];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int x0 = blockIdx.x * 32;
    const int y0 = blockIdx.y * 32;
    for (int row = 0; row < 32; row += 8) {
        if (x0 + tx < n && y0 + ty + row < n) tile[ty + row][tx] = in[at(y0 + ty + row, x0 + tx, n)];
    }
    __syncthreads();
    for (int row = 0; row < 32; row += 8) {
        if (y0 + tx < n && x0 + ty + row < n) out[at(x0 + ty + row, y0 + tx, n)] = tile[tx][ty + row];
    }
}

// A tile of 4 * cells by 4 * cells floats for cells * cells threads, four floats at a time; n must be a multiple of 4. Each thread loads a
// 4 x 4 block, turns it in registers and puts it into shared memory as four float4. Row r of the tile, which is a row of the output, keeps
// its float4 number q at q ^ (r / 4). Shared memory serves eight 16-byte accesses at once: down a column as along a row, they then meet
// different banks.
template<int cells>
__device__ inline void transpose_by_four(float* __restrict__ out, const float* __restrict__ in, int n, float4 (*tile)[cells], int x0,
                                         int y0) {
    const int tx = threadIdx.x % cells;
    const int ty = threadIdx.x / cells;
    // n is a multiple of 4, and so are the tile's corners: a 4 x 4 block lies inside the matrix or outside, never across its edge.
    if (x0 + 4 * tx < n && y0 + 4 * ty < n) {
        float4 row[4];
        for (int i = 0; i < 4; ++i) row[i] = *reinterpret_cast<const float4*>(&in[at(y0 + 4 * ty + i, x0 + 4 * tx, n)]);
        tile[4 * tx + 0][ty ^ tx] = make_float4(row[0].x, row[1].x, row[2].x, row[3].x);
        tile[4 * tx + 1][ty ^ tx] = make_float4(row[0].y, row[1].y, row[2].y, row[3].y);
        tile[4 * tx + 2][ty ^ tx] = make_float4(row[0].z, row[1].z, row[2].z, row[3].z);
        tile[4 * tx + 3][ty ^ tx] = make_float4(row[0].w, row[1].w, row[2].w, row[3].w);
    }
    __syncthreads();
    for (int i = 0; i < 4; ++i) {
        const int row = ty + cells * i;
        if (x0 + row >= n || y0 + 4 * tx >= n) continue;
        *reinterpret_cast<float4*>(&out[at(x0 + row, y0 + 4 * tx, n)]) = tile[row][tx ^ (row / 4)];
    }
}

// The same tile one float at a time, for every other n; padded as above.
template<int cells>
__device__ inline void transpose_by_one(float* __restrict__ out, const float* __restrict__ in, int n, float (*tile)[4 * cells + 1], int x0,
                                        int y0) {
    constexpr int size = 4 * cells;
    constexpr int step = cells * cells / size;
    const int tx = threadIdx.x % size;
    const int ty = threadIdx.x / size;
    for (int i = 0; i < size; i += step) {
        const int row = ty + i;
        if (x0 + tx < n && y0 + row < n) tile[row][tx] = in[at(y0 + row, x0 + tx, n)];
    }
    __syncthreads();
    for (int i = 0; i < size; i += step) {
        const int row = ty + i;
        if (y0 + tx < n && x0 + row < n) out[at(x0 + row, y0 + tx, n)] = tile[tx][row];
    }
}

template<int cells>
__device__ inline void transpose_tile(float* __restrict__ out, const float* __restrict__ in, int n, float* storage, int x0, int y0) {
    if (n % 4 == 0) {
        transpose_by_four<cells>(out, in, n, reinterpret_cast<float4(*)[cells]>(storage), x0, y0);
    } else {
        transpose_by_one<cells>(out, in, n, reinterpret_cast<float(*)[4 * cells + 1]>(storage), x0, y0);
    }
}

// 256 threads move a 64 x 64 tile, with 16-byte accesses where n allows them.
__global__ void __launch_bounds__(256) vectorised(float* __restrict__ out, const float* __restrict__ in, int n) {
    __shared__ __align__(16) float storage[64 * 65];
    transpose_tile<16>(out, in, n, storage, blockIdx.x * 64, blockIdx.y * 64);
}

// The same, but blocks that start after each other go down a column of tiles: what they write is in one piece, a whole row of tiles of the
// output. Memory that is written in pieces suffers more than memory that is read so.
__global__ void __launch_bounds__(256) down_columns(float* __restrict__ out, const float* __restrict__ in, int n) {
    __shared__ __align__(16) float storage[64 * 65];
    transpose_tile<16>(out, in, n, storage, blockIdx.y * 64, blockIdx.x * 64);
}

// 64 threads move a 32 x 32 tile: more blocks, of which some write while others still read. For matrices that the caches hold.
__global__ void __launch_bounds__(64) small_tiles(float* __restrict__ out, const float* __restrict__ in, int n) {
    __shared__ __align__(16) float storage[32 * 33];
    transpose_tile<8>(out, in, n, storage, blockIdx.x * 32, blockIdx.y * 32);
}

// Not a transpose: moves the same bytes in the easiest way, to show what the memory can do. A thread for every four elements.
__global__ void copy(float* __restrict__ out, const float* __restrict__ in, int n) {
    const std::size_t elements = at(n, 0, n);
    const std::size_t first = 4 * (static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x);
    if (first + 4 <= elements) {
        *reinterpret_cast<float4*>(&out[first]) = *reinterpret_cast<const float4*>(&in[first]);
    } else {
        for (std::size_t i = first; i < elements; ++i) out[i] = in[i];
    }
}
