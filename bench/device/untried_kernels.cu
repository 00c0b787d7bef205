// A second set of kernels that nothing of the performance model was made with: written, and predicted, before any of them was measured,
// after the first set (unseen_kernels.cu) had informed it. What they do is taken from common suites: stencils, graphs, layers of networks,
// sorting, matrices on tensor cores, finance, pictures. Run under a profiler on hardware and under `apod run`, launch by launch the same.
//
//   nvcc -O3 -std=c++17 -lineinfo -cudart shared -gencode arch=compute_90,code=[compute_90,sm_90] bench/device/untried_kernels.cu -o
//   untried_kernels; ncu --clock-control none --csv --page raw --metrics ... ./untried_kernels
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdint>
#include <cstdio>

namespace {

__device__ std::uint32_t mix(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

__global__ void set_floats(float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = static_cast<float>(mix(i) >> 8) * (1.0f / 16777216.0f);
}

// Neighbours in a graph: half near, half anywhere; ragged degrees of 1 to 16.
__global__ void set_graph(int* first, int* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n) return;
    first[i] = i * 8 + (i < n ? static_cast<int>(mix(i) & 7) : 0);
    if (i == n) return;
    for (int k = 0; k < 16; ++k) {
        const int at = i * 8 + k;
        if (at < n * 8 + 8) to[at] = static_cast<int>((k & 1) != 0 ? mix(at) % n : (i + k + 1) % n);
    }
}

__global__ void hotspot(float* out, const float* in, const float* power, int n) {
    __shared__ float tile[18][18];
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int j = threadIdx.y; j < 18; j += 16)
        for (int i = threadIdx.x; i < 18; i += 16) {
            const int gx = min(max(static_cast<int>(blockIdx.x) * 16 + i - 1, 0), n - 1);
            const int gy = min(max(static_cast<int>(blockIdx.y) * 16 + j - 1, 0), n - 1);
            tile[j][i] = in[gy * n + gx];
        }
    __syncthreads();
    const float c = tile[threadIdx.y + 1][threadIdx.x + 1];
    const float s = tile[threadIdx.y][threadIdx.x + 1] + tile[threadIdx.y + 2][threadIdx.x + 1] - 2 * c;
    const float e = tile[threadIdx.y + 1][threadIdx.x] + tile[threadIdx.y + 1][threadIdx.x + 2] - 2 * c;
    out[y * n + x] = c + 0.1f * (power[y * n + x] + s * 0.3f + e * 0.2f + (80.0f - c) * 0.05f);
}

__global__ void nearest_center(int* label, const float* points, const float* centers, int n, int k) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float p[4];
    for (int d = 0; d < 4; ++d) p[d] = points[d * n + i];
    float best = 1e30f;
    int at = 0;
    for (int c = 0; c < k; ++c) {
        float sum = 0;
        for (int d = 0; d < 4; ++d) {
            const float x = p[d] - centers[c * 4 + d];
            sum += x * x;
        }
        if (sum < best) best = sum, at = c;
    }
    label[i] = at;
}

__global__ void frontier_step(int* level, const int* first, const int* to, int n, int now) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || level[i] > now) return;
    for (int e = first[i]; e < first[i + 1]; ++e)
        if (level[to[e]] > now + 1) level[to[e]] = now + 1;
}

__global__ void relax_edges(int* distance, const int* first, const int* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int mine = distance[i];
    for (int e = first[i]; e < first[i + 1]; ++e) atomicMin(distance + to[e], mine + static_cast<int>(mix(e) & 15) + 1);
}

__global__ void cheapest_path(int* out, const int* wall, int columns, int steps) {
    __shared__ int row[2][256];
    const int x = min(blockIdx.x * (256 - 2 * steps) + threadIdx.x, static_cast<unsigned>(columns - 1));
    row[0][threadIdx.x] = wall[x];
    __syncthreads();
    int from = 0;
    for (int s = 1; s <= steps; ++s, from ^= 1) {
        const int t = threadIdx.x;
        const int left = row[from][max(t - 1, 0)], right = row[from][min(t + 1, 255)];
        row[from ^ 1][t] = min(row[from][t], min(left, right)) + wall[s * columns + x];
        __syncthreads();
    }
    out[x] = row[from][threadIdx.x];
}

__global__ void diffuse(float* out, const float* in, int n, float q0) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    const float c = in[y * n + x] + 0.5f;
    const float dn = in[(y - 1) * n + x] + 0.5f - c, ds = in[(y + 1) * n + x] + 0.5f - c;
    const float dw = in[y * n + x - 1] + 0.5f - c, de = in[y * n + x + 1] + 0.5f - c;
    const float g = (dn * dn + ds * ds + dw * dw + de * de) / (c * c), l = (dn + ds + dw + de) / c;
    const float num = 0.5f * g - 0.0625f * l * l, den = 1 + 0.25f * l;
    const float q = num / (den * den);
    const float k = 1.0f / (1.0f + (q - q0) / (q0 * (1 + q0)));
    out[y * n + x] = c + 0.05f * k * (dn + ds + dw + de) * expf(-q);
}

// A row a block: mean, variance, normalised.
__global__ void normalise_rows(float* out, const float* in, const float* gain, int columns) {
    __shared__ float sums[2][32];
    const float* row = in + static_cast<std::size_t>(blockIdx.x) * columns;
    float a = 0, b = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) a += row[i], b += row[i] * row[i];
    for (int o = 16; o > 0; o /= 2) a += __shfl_xor_sync(~0u, a, o), b += __shfl_xor_sync(~0u, b, o);
    if (threadIdx.x % 32 == 0) sums[0][threadIdx.x / 32] = a, sums[1][threadIdx.x / 32] = b;
    __syncthreads();
    a = b = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) a += sums[0][w], b += sums[1][w];
    const float mean = a / columns, scale = rsqrtf(b / columns - mean * mean + 1e-5f);
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        out[static_cast<std::size_t>(blockIdx.x) * columns + i] = (row[i] - mean) * scale * gain[i];
}

__global__ void gelu(float4* out, const float4* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = in[i];
    const auto f = [](float x) { return 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x))); };
    v.x = f(v.x), v.y = f(v.y), v.z = f(v.z), v.w = f(v.w);
    out[i] = v;
}

__global__ void embed(float* out, const float* table, const int* tokens, int width) {
    const int token = tokens[blockIdx.x] & 0xffff;
    for (int i = threadIdx.x; i < width; i += blockDim.x) out[static_cast<std::size_t>(blockIdx.x) * width + i] = table[token * width + i];
}

__global__ void depthwise3(float* out, const float* in, const float* weights, int n, int channels) {
    const int c = threadIdx.x, x = blockIdx.x + 1, y = blockIdx.y + 1;
    float sum = 0;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i) sum += in[((y + j) * n + x + i) * channels + c] * weights[((j + 1) * 3 + i + 1) * channels + c];
    out[(y * n + x) * channels + c] = fmaxf(sum, 0);
}

__global__ void digit_counts(unsigned* counts, const std::uint32_t* keys, int n, int shift) {
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[keys[i] >> shift & 255], 1u);
    __syncthreads();
    counts[threadIdx.x * gridDim.x + blockIdx.x] = mine[threadIdx.x];
}

__global__ void keep_some(int* out, int* count, const int* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool keep = i < n && (mix(in[i]) & 3) == 0;
    const unsigned votes = __ballot_sync(~0u, keep);
    int base = 0;
    if (threadIdx.x % 32 == 0 && votes != 0) base = atomicAdd(count, __popc(votes));
    base = __shfl_sync(~0u, base, 0);
    if (keep) out[(base + __popc(votes & ((1u << threadIdx.x % 32) - 1))) & (n - 1)] = in[i];
}

__global__ void merge_step(std::uint32_t* keys, int stride, int size) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned a = i / stride * stride * 2 + i % stride, b = a + stride;
    const std::uint32_t x = keys[a], y = keys[b];
    if ((x > y) == ((a & size) == 0)) keys[a] = y, keys[b] = x;
}

__global__ void ell_rows(float* y, const float* values, const int* columns, const float* x, int rows, int each) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < each; ++k) sum += values[k * rows + r] * x[columns[k * rows + r] & (rows - 1)];
    y[r] = sum;
}

__global__ void stencil27(float* out, const float* in, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z + 1;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    float sum = 0;
    for (int k = -1; k <= 1; ++k)
        for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i) sum += in[((z + k) * n + y + j) * n + x + i];
    out[(z * n + y) * n + x] = sum * (1.0f / 27);
}

// A lattice of nine directions, each in an array of its own.
__global__ void lattice(float* out, const float* in, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    float f[9], rho = 0, ux = 0, uy = 0;
#pragma unroll
    for (int d = 0; d < 9; ++d) {
        f[d] = in[(d * n + (y - dy[d] + n) % n) * n + (x - dx[d] + n) % n];
        rho += f[d], ux += f[d] * dx[d], uy += f[d] * dy[d];
    }
    ux /= rho, uy /= rho;
#pragma unroll
    for (int d = 0; d < 9; ++d) {
        const float w = d == 0 ? 4.0f / 9 : d < 5 ? 1.0f / 9 : 1.0f / 36, u = dx[d] * ux + dy[d] * uy;
        out[(d * n + y) * n + x] = f[d] - 0.6f * (f[d] - w * rho * (1 + 3 * u + 4.5f * u * u - 1.5f * (ux * ux + uy * uy)));
    }
}

__global__ void double_bodies(double* force, const double* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0;
    for (int j = 0; j < n; ++j) {
        const double d = x[j] - x[i];
        sum += d * rsqrt(d * d + 0.01);
    }
    force[i] = sum;
}

__global__ void rounds64(std::uint32_t* out, const std::uint32_t* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    std::uint32_t a = in[i], b = a * 3, c = a ^ 0x5bd1e995u, d = ~a, w = a + 7;
    for (int r = 0; r < 64; ++r) {
        const std::uint32_t s = __funnelshift_r(d, d, 6) ^ __funnelshift_r(d, d, 11) ^ __funnelshift_r(d, d, 25);
        const std::uint32_t t = a + s + ((d & b) ^ (~d & c)) + w;
        w = w * 1664525u + 1013904223u;
        a = c, c = b, b = d, d = t + ((a & b) ^ (a & c) ^ (b & c));
    }
    out[i] = a + b + c + d;
}

__global__ void bilateral(float* out, const float* in, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float c = in[y * n + x];
    float sum = 0, weights = 0;
    for (int j = -3; j <= 3; ++j)
        for (int i = -3; i <= 3; ++i) {
            const float v = in[min(max(y + j, 0), n - 1) * n + min(max(x + i, 0), n - 1)];
            const float w = __expf(-(i * i + j * j) * 0.05f - (v - c) * (v - c) * 8);
            sum += w * v, weights += w;
        }
    out[y * n + x] = sum / weights;
}

__global__ void trace_spheres(float* out, const float4* spheres, int count, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float dx = (x - n / 2) * (2.0f / n), dy = (y - n / 2) * (2.0f / n), inv = rsqrtf(dx * dx + dy * dy + 1);
    float nearest = 1e30f;
    for (int s = 0; s < count; ++s) {
        const float4 ball = spheres[s];
        const float b = (ball.x * dx + ball.y * dy + (ball.z + 2)) * inv;
        const float d = b * b - (ball.x * ball.x + ball.y * ball.y + (ball.z + 2) * (ball.z + 2)) + ball.w * 0.1f;
        if (d > 0) {
            const float t = b - sqrtf(d);
            if (t > 0 && t < nearest) nearest = t;
        }
    }
    out[y * n + x] = nearest;
}

__global__ void find_bytes(int* found, const unsigned char* text, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 8 > n) return;
    int k = 0;
    while (k < 8 && (text[i + k] & 3) == ((k * 5) & 3)) ++k;
    if (k == 8) atomicAdd(found, 1);
}

__global__ void to_bytes(char4* out, const float4* in, const float* scale, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 v = in[i];
    const float s = scale[i >> 8] + 1;
    const auto f = [s](float x) { return static_cast<signed char>(min(max(__float2int_rn(x * 127 / s), -127), 127)); };
    out[i] = make_char4(f(v.x), f(v.y), f(v.z), f(v.w));
}

// 64 x 64 results a block of four warps, 16 x 16 x 16 a step.
__global__ void matmul_tensor(float* c, const half* a, const half* b, int n) {
    using namespace nvcuda;
    const int warp = threadIdx.x / 32, row = blockIdx.y * 64 + warp * 16, column = blockIdx.x * 64;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4];
    for (auto& part : sum) wmma::fill_fragment(part, 0.0f);
    for (int k = 0; k < n; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
        wmma::load_matrix_sync(fa, a + row * n + k, n);
        for (int j = 0; j < 4; ++j) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
            wmma::load_matrix_sync(fb, b + k * n + column + j * 16, n);
            wmma::mma_sync(sum[j], fa, fb, sum[j]);
        }
    }
    for (int j = 0; j < 4; ++j) wmma::store_matrix_sync(c + row * n + column + j * 16, sum[j], n, wmma::mem_row_major);
}

// One query a warp against all keys of 64 halves, softmax on the way.
__global__ void attend(float* out, const half2* q, const half2* keys, const float* values, int n) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const float2 mine = __half22float2(q[warp * 32 + lane]);
    float most = -1e30f, sum = 0, result = 0;
    for (int k = 0; k < n; ++k) {
        const float2 key = __half22float2(keys[k * 32 + lane]);
        float dot = mine.x * key.x + mine.y * key.y;
        for (int o = 16; o > 0; o /= 2) dot += __shfl_xor_sync(~0u, dot, o);
        const float top = fmaxf(most, dot), old = __expf(most - top), now = __expf(dot - top);
        sum = sum * old + now, result = result * old + now * values[k * 32 + lane], most = top;
    }
    out[warp * 32 + lane] = result / sum;
}

__global__ void triangle_solve(float* x, const float* l, int n) {
    __shared__ float b[128];
    const float* mine = l + static_cast<std::size_t>(blockIdx.x) * n * n;
    b[threadIdx.x] = x[blockIdx.x * n + threadIdx.x];
    for (int k = 0; k < n; ++k) {
        __syncthreads();
        if (threadIdx.x > k) b[threadIdx.x] -= mine[k * n + threadIdx.x] * b[k];
    }
    x[blockIdx.x * n + threadIdx.x] = b[threadIdx.x];
}

__global__ void chains(int* out, const int* heads, const int* keys, const int* next, int n, int mask) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int wanted = static_cast<int>(mix(i)) & mask;
    int at = heads[wanted], steps = 0;
    while (steps < 8 && (keys[at & mask] & 7) != (wanted & 7)) at = next[at & mask], ++steps;
    out[i] = at;
}

__global__ void add_doubles(double2* c, const double2* a, const double2* b, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        c[i] = make_double2(a[i].x + b[i].x, a[i].y * b[i].y);
}

struct Memory {
    float *a, *b, *c;
    int *index, *first, *to;
};

template<typename T> T* as(void* p) { return static_cast<T*>(p); }

int blocks_for(int n, int threads) { return (n + threads - 1) / threads; }

void grids(const Memory& m) {
    for (const int n : {512, 2048}) hotspot<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(m.c, m.a, m.b, n);
    for (const int n : {768, 2048}) diffuse<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(m.c, m.a, n, 0.05f);
    for (const int n : {96, 192}) stencil27<<<dim3(n / 32, n / 8, n - 2), dim3(32, 8)>>>(m.c, m.a, n);
    for (const int n : {512, 1024}) lattice<<<dim3(n / 128, n), 128>>>(m.c, m.a, n);
    for (const int columns : {1 << 18, 1 << 20}) cheapest_path<<<blocks_for(columns, 256 - 24), 256>>>(as<int>(m.c), m.to, columns, 12);
    for (const int n : {512, 1536}) bilateral<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(m.c, m.a, n);
}

void graphs(const Memory& m) {
    for (const int n : {1 << 17, 1 << 20}) {
        cudaMemset(m.c, 0x3f, n * 4);
        frontier_step<<<n / 256, 256>>>(as<int>(m.c), m.first, m.to, n, 0x3f3f3f3f);
        relax_edges<<<n / 256, 256>>>(as<int>(m.c), m.first, m.to, n);
        chains<<<n / 128, 128>>>(as<int>(m.c), m.to, m.index, m.to + (1 << 20), n, (1 << 20) - 1);
        ell_rows<<<n / 256, 256>>>(m.c, m.a, m.to, m.b, n, 8);
    }
}

void layers(const Memory& m) {
    for (const int columns : {1024, 8192}) normalise_rows<<<1024, 256>>>(m.c, m.a, m.b, columns);
    for (const int n : {1 << 18, 1 << 21}) gelu<<<n / 256, 256>>>(as<float4>(m.c), as<const float4>(m.a), n);
    for (const int tokens : {4096, 32768}) embed<<<tokens, 128>>>(m.c, m.a, m.index, 128);
    for (const int n : {58, 114}) depthwise3<<<dim3(n - 2, n - 2), 256>>>(m.c, m.a, m.b, n, 256);
    for (const int n : {512, 1024}) matmul_tensor<<<dim3(n / 64, n / 64), 128>>>(m.c, as<const half>(m.a), as<const half>(m.b), n);
    for (const int n : {256, 1024}) attend<<<512, 128>>>(m.c, as<const half2>(m.a), as<const half2>(m.b), m.b, n);
    for (const int n : {1 << 19, 1 << 21}) to_bytes<<<n / 256, 256>>>(as<char4>(m.c), as<const float4>(m.a), m.b, n);
}

void sorting(const Memory& m) {
    auto* keys = as<std::uint32_t>(m.c);
    for (const int blocks : {264, 1056}) digit_counts<<<blocks, 256>>>(as<unsigned>(m.b), as<const std::uint32_t>(m.a), 1 << 22, 8);
    for (const int n : {1 << 19, 1 << 22}) keep_some<<<n / 256, 256>>>(as<int>(m.c), m.first, m.to, n);
    for (const int stride : {4, 65536}) merge_step<<<(1 << 21) / 256, 256>>>(keys, stride, 1 << 20);
    for (const int n : {1 << 20, 1 << 23}) find_bytes<<<n / 256, 256>>>(m.first, as<const unsigned char>(m.a), n);
}

void numbers(const Memory& m) {
    for (const int k : {16, 128}) nearest_center<<<(1 << 19) / 256, 256>>>(as<int>(m.c), m.a, m.b, 1 << 19, k);
    for (const int n : {2048, 6144}) double_bodies<<<n / 64, 64>>>(as<double>(m.c), as<const double>(m.a), n);
    for (const int n : {1 << 18, 1 << 20}) rounds64<<<n / 256, 256>>>(as<std::uint32_t>(m.c), as<const std::uint32_t>(m.a), n);
    for (const int count : {16, 128}) trace_spheres<<<dim3(32, 64), dim3(16, 8)>>>(m.c, as<const float4>(m.a), count, 512);
    for (const int systems : {264, 1056}) triangle_solve<<<systems, 128>>>(m.c, m.a, 128);
    for (const int n : {1 << 19, 1 << 21}) add_doubles<<<528, 256>>>(as<double2>(m.c), as<const double2>(m.a), as<const double2>(m.b), n);
}

} // namespace

int main() {
    constexpr std::size_t words = 18u << 20; // 72 MiB each
    Memory m{};
    if (cudaMalloc(&m.a, words * 4) != cudaSuccess || cudaMalloc(&m.b, words * 4) != cudaSuccess ||
        cudaMalloc(&m.c, words * 4) != cudaSuccess || cudaMalloc(&m.index, 4 << 20) != cudaSuccess ||
        cudaMalloc(&m.first, (4 << 20) + 4096) != cudaSuccess || cudaMalloc(&m.to, 64 << 20) != cudaSuccess)
        return 1;
    cudaMemset(m.c, 0, words * 4);
    cudaMemset(m.to, 0, 64 << 20);
    set_floats<<<blocks_for(words, 256), 256>>>(m.a, words);
    set_floats<<<blocks_for(words, 256), 256>>>(m.b, words);
    set_graph<<<blocks_for((1 << 20) + 1, 256), 256>>>(m.first, m.to, 1 << 20);
    set_floats<<<(1 << 20) / 256, 256>>>(reinterpret_cast<float*>(m.index), 1 << 20);
    grids(m);
    graphs(m);
    layers(m);
    sorting(m);
    numbers(m);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", error == cudaSuccess ? "PASS" : cudaGetErrorString(error));
    return error == cudaSuccess ? 0 : 1;
}
