// Kernels that no constant and no rule of the performance model was made with: written, and predicted, before any of them was measured. Run
// under a profiler on hardware and under `apod run`, launch by launch the same; tests/differential holds the two against each other.
//
//   nvcc -O3 -std=c++17 -lineinfo -cudart shared -gencode arch=compute_90,code=[compute_90,sm_90] bench/device/unseen_kernels.cu -o
//   unseen_kernels; ncu --clock-control none --csv --page raw --metrics ... ./unseen_kernels
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

namespace {

__device__ std::uint32_t hash(std::uint32_t x) {
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    x ^= x >> 12;
    x *= 0x297a2d39u;
    return x ^ x >> 15;
}

__global__ void start_values(float* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = static_cast<float>(hash(i) & 0xffff) * (1.0f / 65536.0f);
}

__global__ void start_indices(int* out, int n, int below) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = static_cast<int>(hash(i) % static_cast<std::uint32_t>(below));
}

__global__ void matmul_plain(float* c, const float* a, const float* b, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

__global__ void matmul_tiles(float* c, const float* a, const float* b, int n) {
    __shared__ float ta[16][16];
    __shared__ float tb[16][16];
    const int x = blockIdx.x * 16 + threadIdx.x;
    const int y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
        ta[threadIdx.y][threadIdx.x] = a[y * n + t + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

// 64 x 64 results a block, 4 x 4 a thread.
__global__ void matmul_registers(float* c, const float* a, const float* b, int n) {
    __shared__ float ta[16][64];
    __shared__ float tb[16][64];
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    float sum[4][4] = {};
    for (int t = 0; t < n; t += 16) {
        for (int i = threadIdx.x; i < 1024; i += 256) {
            ta[i % 16][i / 16] = a[(blockIdx.y * 64 + i / 16) * n + t + i % 16];
            tb[i / 64][i % 64] = b[(t + i / 64) * n + blockIdx.x * 64 + i % 64];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            float fa[4], fb[4];
            for (int i = 0; i < 4; ++i) fa[i] = ta[k][ty * 4 + i], fb[i] = tb[k][tx * 4 + i];
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) sum[i][j] += fa[i] * fb[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) c[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4 + j] = sum[i][j];
}

__global__ void reduce_tree(float* out, const float* in) {
    __shared__ float part[256];
    const int i = blockIdx.x * 512 + threadIdx.x;
    part[threadIdx.x] = in[i] + in[i + 256];
    for (int step = 128; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void scan_blocks(float* out, const float* in) {
    __shared__ float part[2][512];
    int from = 0;
    const int t = threadIdx.x;
    part[0][t] = in[blockIdx.x * 512 + t];
    __syncthreads();
    for (int step = 1; step < 512; step *= 2) {
        part[1 - from][t] = t >= step ? part[from][t] + part[from][t - step] : part[from][t];
        from = 1 - from;
        __syncthreads();
    }
    out[blockIdx.x * 512 + t] = part[from][t];
}

__global__ void sort_blocks(std::uint32_t* keys) {
    __shared__ std::uint32_t part[512];
    const int t = threadIdx.x;
    part[t] = keys[blockIdx.x * 512 + t] ^ hash(blockIdx.x * 512 + t);
    for (int size = 2; size <= 512; size *= 2) {
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            const int other = t ^ step;
            if (other > t) {
                const std::uint32_t a = part[t], b = part[other];
                if ((a > b) == ((t & size) == 0)) part[t] = b, part[other] = a;
            }
        }
    }
    __syncthreads();
    keys[blockIdx.x * 512 + t] = part[t];
}

__global__ void bodies(float4* out, const float4* in, int n) {
    __shared__ float4 tile[128];
    const int i = blockIdx.x * 128 + threadIdx.x;
    const float4 me = in[i];
    float ax = 0, ay = 0, az = 0;
    for (int t = 0; t < n; t += 128) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 128; ++k) {
            const float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            const float pull = tile[k].w * inverse * inverse * inverse;
            ax += dx * pull, ay += dy * pull, az += dz * pull;
        }
        __syncthreads();
    }
    out[i] = make_float4(ax, ay, az, 0);
}

__constant__ float weights[49];

__global__ void convolve7(float* out, const float* in, int n) {
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 8 + threadIdx.y;
    float sum = 0;
    for (int dy = -3; dy <= 3; ++dy)
        for (int dx = -3; dx <= 3; ++dx)
            sum += in[min(max(y + dy, 0), n - 1) * n + min(max(x + dx, 0), n - 1)] * weights[(dy + 3) * 7 + dx + 3];
    out[y * n + x] = sum;
}

__global__ void mandelbrot(int* out, int n, int most) {
    const int x = blockIdx.x * 16 + threadIdx.x;
    const int y = blockIdx.y * 16 + threadIdx.y;
    const float cr = -2.2f + 3.0f * x / n, ci = -1.5f + 3.0f * y / n;
    float r = 0, i = 0;
    int k = 0;
    while (k < most && r * r + i * i < 4) {
        const float next = r * r - i * i + cr;
        i = 2 * r * i + ci;
        r = next;
        ++k;
    }
    out[y * n + x] = k;
}

__global__ void rows_by_thread(float* y, const float* values, const int* columns, const float* x, int rows, int each) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int k = row * each; k < (row + 1) * each; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
}

__global__ void rows_by_warp(float* y, const float* values, const int* columns, const float* x, int rows, int each) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= rows) return;
    float sum = 0;
    for (int k = row * each + threadIdx.x % 32; k < (row + 1) * each; k += 32) sum += values[k] * x[columns[k]];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
    if (threadIdx.x % 32 == 0) y[row] = sum;
}

__global__ void byte_histogram(unsigned* bins, const std::uint32_t* in, int n) {
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        const std::uint32_t word = hash(in[i] + i);
        for (int b = 0; b < 32; b += 8) atomicAdd(mine + (word >> b & 255), 1);
    }
    __syncthreads();
    atomicAdd(bins + threadIdx.x, mine[threadIdx.x]);
}

// An array that is indexed by data: local memory.
__global__ void local_array(int* out, const int* in, int rounds) {
    int mine[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 64; ++k) mine[k] = k;
    int at = in[i] & 63;
    for (int k = 0; k < rounds; ++k) {
        mine[at] += k;
        at = (at * 5 + mine[at & 31]) & 63;
    }
    int sum = 0;
    for (int k = 0; k < 64; ++k) sum += mine[k];
    out[i] = sum;
}

__global__ void monte_carlo(float* out, int rounds) {
    std::uint32_t state = hash(blockIdx.x * blockDim.x + threadIdx.x);
    int inside = 0;
    for (int k = 0; k < rounds; ++k) {
        state = state * 1664525u + 1013904223u;
        const float x = (state >> 8) * (1.0f / 16777216.0f);
        state = state * 1664525u + 1013904223u;
        const float y = (state >> 8) * (1.0f / 16777216.0f);
        inside += x * x + y * y < 1;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = 4.0f * inside / rounds;
}

__device__ float normal(float d) { return 0.5f * erfcf(-d * 0.70710678f); }

__global__ void option_prices(float* call, float* put, const float* spot, const float* strike, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float s = 10 + 90 * spot[i], k = 10 + 90 * strike[i], t = 0.25f + spot[i], sigma = 0.3f, rate = 0.02f;
    const float root = sigma * sqrtf(t);
    const float d1 = (logf(s / k) + (rate + 0.5f * sigma * sigma) * t) / root;
    const float d2 = d1 - root, discounted = k * expf(-rate * t);
    call[i] = s * normal(d1) - discounted * normal(d2);
    put[i] = discounted * normal(-d2) - s * normal(-d1);
}

struct Particle {
    float x, y, z, vx, vy, vz, mass;
};

__global__ void move_particles(Particle* all, int n, float dt) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    all[i].x += all[i].vx * dt;
    all[i].y += all[i].vy * dt;
    all[i].z += all[i].vz * dt;
}

__global__ void to_grey(unsigned char* out, const unsigned char* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = static_cast<unsigned char>((in[3 * i] * 77 + in[3 * i + 1] * 150 + in[3 * i + 2] * 29) >> 8);
}

__global__ void doubles(double* y, const double* x, double a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i] * y[i];
}

// Every thread follows indices of its own.
__global__ void many_chases(int* out, const int* next, int steps, int mask) {
    int at = (blockIdx.x * blockDim.x + threadIdx.x) * 17 & mask;
    for (int k = 0; k < steps; ++k) at = (next[at] + k) & mask;
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

__global__ void gather_quads(float4* out, const float4* in, int n, std::uint32_t mask) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[hash(i) & mask];
}

__global__ void add_floats(float* bins, const float* in, int n, std::uint32_t mask) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(bins + (hash(i) & mask), in[i]);
}

__global__ void largest(int* bins, const int* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMax(bins + (in[i] & 1023), i);
}

__global__ void stencil7(float* out, const float* in, int n) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z * 2 + threadIdx.z;
    if (x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1) return;
    const std::size_t i = (static_cast<std::size_t>(z) * n + y) * n + x;
    const std::size_t plane = static_cast<std::size_t>(n) * n;
    out[i] = 0.5f * in[i] + 0.083f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - plane] + in[i + plane]);
}

__global__ void butterflies(float2* data, int half) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int low = i % half, at = (i / half) * 2 * half + low;
    float s, c;
    __sincosf(-3.14159265f * low / half, &s, &c);
    const float2 a = data[at], b = data[at + half];
    const float2 t = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
    data[at] = make_float2(a.x + t.x, a.y + t.y);
    data[at + half] = make_float2(a.x - t.x, a.y - t.y);
}

__global__ void matrix_vector(float* y, const float* a, const float* x, int n) {
    __shared__ float part[8];
    float sum = 0;
    const float4* row = reinterpret_cast<const float4*>(a + static_cast<std::size_t>(blockIdx.x) * n);
    for (int c = threadIdx.x; c < n / 4; c += 256) {
        const float4 v = row[c], w = reinterpret_cast<const float4*>(x)[c];
        sum += v.x * w.x + v.y * w.y + v.z * w.z + v.w * w.w;
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; ++w) sum += part[w];
        y[blockIdx.x] = sum;
    }
}

__global__ void checksums(std::uint32_t* out, const uint4* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    std::uint32_t h = 0x9747b28cu;
    for (int k = 0; k < 4; ++k) {
        const uint4 v = in[4 * i + k];
        for (const std::uint32_t word : {v.x, v.y, v.z, v.w}) {
            h ^= word * 0xcc9e2d51u;
            h = (h << 13 | h >> 19) * 5 + 0xe6546b64u;
        }
    }
    out[i] = h ^ h >> 16;
}

__global__ void unfold(float* out, const float* in, int width, int channels, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int k = i % 9, at = i / 9, x = at % width, y = at / width % width, c = at / (width * width) % channels;
    const int sx = min(max(x + k % 3 - 1, 0), width - 1), sy = min(max(y + k / 3 - 1, 0), width - 1);
    out[i] = in[(c * width + sy) * width + sx];
}

__global__ void halves(__half2* y, const __half2* x, int n, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const __half2 a = x[i];
    __half2 b = y[i];
    for (int k = 0; k < rounds; ++k) b = __hfma2(a, b, a);
    y[i] = b;
}

__global__ void many_barriers(int* out, int rounds) {
    __shared__ int token[1024];
    token[threadIdx.x] = threadIdx.x;
    for (int k = 0; k < rounds; ++k) {
        __syncthreads();
        const int other = token[(threadIdx.x + 33) % blockDim.x];
        __syncthreads();
        token[threadIdx.x] = other + 1;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = token[threadIdx.x];
}

// Few blocks fit an SM: each takes most of its shared memory.
__global__ void roomy(float* out, const float* in, int each) {
    extern __shared__ float room[];
    for (int i = threadIdx.x; i < each; i += blockDim.x) room[i] = in[static_cast<std::size_t>(blockIdx.x) * each + i];
    __syncthreads();
    for (int i = threadIdx.x; i < each; i += blockDim.x) out[static_cast<std::size_t>(blockIdx.x) * each + i] = room[each - 1 - i] * 2;
}

__global__ void few_blocks_copy(float4* out, const float4* in, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}

__global__ void by_columns(float* out, const float* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i % n * n + i / n] = in[i];
}

__global__ void branches(float* out, const float* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float v = in[i];
    float r = v;
    switch (hash(i) & 3) {
    case 0:
        for (int k = 0; k < 20; ++k) r = r * 0.99f + 0.5f;
        break;
    case 1: r = sinf(v * 100); break;
    case 2: r = sqrtf(v) / (v + 2); break;
    default: r = powf(v + 1, 1.7f); break;
    }
    out[i] = r;
}

struct Memory {
    float *a, *b, *c;
    int* index;
};

template<typename T> T* as(float* p) { return reinterpret_cast<T*>(p); }

int blocks_for(int n, int threads) { return (n + threads - 1) / threads; }

void linear_algebra(const Memory& m) {
    for (const int n : {192, 384}) matmul_plain<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(m.c, m.a, m.b, n);
    for (const int n : {256, 512}) matmul_tiles<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(m.c, m.a, m.b, n);
    for (const int n : {512, 768}) matmul_registers<<<dim3(n / 64, n / 64), 256>>>(m.c, m.a, m.b, n);
    for (const int n : {1024, 4096}) matrix_vector<<<n, 256>>>(m.c, m.a, m.b, n);
    for (const int rows : {1 << 15, 1 << 17}) rows_by_thread<<<rows / 128, 128>>>(m.c, m.a, m.index, m.b, rows, 16);
    for (const int rows : {1 << 13, 1 << 15}) rows_by_warp<<<rows / 8, 256>>>(m.c, m.a, m.index, m.b, rows, 64);
}

void block_algorithms(const Memory& m) {
    for (const int n : {1 << 20, 1 << 23}) reduce_tree<<<n / 512, 256>>>(m.c, m.a);
    for (const int n : {1 << 19, 1 << 21}) scan_blocks<<<n / 512, 512>>>(m.c, m.a);
    for (const int n : {1 << 17, 1 << 20}) sort_blocks<<<n / 512, 512>>>(as<std::uint32_t>(m.c));
    for (const int n : {2048, 8192}) bodies<<<n / 128, 128>>>(as<float4>(m.c), as<const float4>(m.a), n);
    for (const int blocks : {132, 1056}) byte_histogram<<<blocks, 256>>>(as<unsigned>(m.c), as<const std::uint32_t>(m.a), 1 << 20);
    for (const int threads : {128, 1024}) many_barriers<<<264, threads>>>(as<int>(m.c), 200);
    for (const int each : {8192, 25600}) roomy<<<320, 256, each * 4>>>(m.c, m.a, each);
}

void images(const Memory& m) {
    for (const int n : {512, 1024}) convolve7<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(m.c, m.a, n);
    for (const int most : {100, 1000}) mandelbrot<<<dim3(32, 32), dim3(16, 16)>>>(as<int>(m.c), 512, most);
    for (const int n : {1 << 19, 1 << 22}) to_grey<<<blocks_for(n, 256), 256>>>(as<unsigned char>(m.c), as<const unsigned char>(m.a), n);
    for (const int n : {96, 192}) stencil7<<<dim3(n / 32, n / 4, n / 2), dim3(32, 4, 2)>>>(m.c, m.a, n);
    for (const int channels : {4, 32})
        unfold<<<blocks_for(128 * 128 * channels * 9, 256), 256>>>(m.c, m.a, 128, channels, 128 * 128 * channels * 9);
    for (const int half : {4, 4096}) butterflies<<<(1 << 20) / 256, 256>>>(as<float2>(m.c), half);
}

void memory_patterns(const Memory& m) {
    for (const int n : {1 << 18, 1 << 21}) move_particles<<<blocks_for(n, 192), 192>>>(as<Particle>(m.c), n, 0.1f);
    for (const int n : {1 << 20, 1 << 22}) doubles<<<n / 256, 256>>>(as<double>(m.c), as<const double>(m.a), 1.5, n);
    for (const int mask : {(1 << 12) - 1, (1 << 18) - 1, (1 << 22) - 1}) many_chases<<<132, 256>>>(as<int>(m.c), m.index, 64, mask);
    for (const std::uint32_t mask : {(1u << 14) - 1, (1u << 22) - 1})
        gather_quads<<<(1 << 20) / 256, 256>>>(as<float4>(m.c), as<const float4>(m.a), 1 << 20, mask);
    for (const std::uint32_t mask : {255u, (1u << 20) - 1}) add_floats<<<(1 << 20) / 256, 256>>>(m.c, m.a, 1 << 20, mask);
    for (const int n : {1 << 19, 1 << 21}) largest<<<n / 256, 256>>>(as<int>(m.c), m.index, n);
    for (const int blocks : {33, 264}) few_blocks_copy<<<blocks, 512>>>(as<float4>(m.c), as<const float4>(m.a), 1 << 21);
    for (const int n : {1024, 2048}) by_columns<<<n * n / 256, 256>>>(m.c, m.a, n);
}

void arithmetic(const Memory& m) {
    for (const int rounds : {16, 256}) local_array<<<256, 128>>>(as<int>(m.c), m.index, rounds);
    for (const int rounds : {64, 1024}) monte_carlo<<<528, 256>>>(m.c, rounds);
    for (const int n : {1 << 18, 1 << 21}) option_prices<<<n / 128, 128>>>(m.c, m.c + n, m.a, m.b, n);
    for (const int n : {1 << 17, 1 << 20}) checksums<<<n / 256, 256>>>(as<std::uint32_t>(m.c), as<const uint4>(m.a), n);
    for (const int rounds : {8, 256}) halves<<<(1 << 19) / 256, 256>>>(as<__half2>(m.c), as<const __half2>(m.a), 1 << 19, rounds);
    for (const int n : {1 << 18, 1 << 21}) branches<<<n / 256, 256>>>(m.c, m.a, n);
}

} // namespace

int main() {
    constexpr std::size_t words = 16u << 20; // 64 MiB each
    Memory m{};
    if (cudaMalloc(&m.a, words * 4) != cudaSuccess || cudaMalloc(&m.b, words * 4) != cudaSuccess ||
        cudaMalloc(&m.c, words * 4 + (words << 1)) != cudaSuccess || cudaMalloc(&m.index, words) != cudaSuccess)
        return 1;
    cudaMemset(m.c, 0, words * 6);
    start_values<<<1056, 256>>>(m.a, words);
    start_values<<<1056, 256>>>(m.b, 1 << 22);
    start_indices<<<blocks_for(1 << 22, 256), 256>>>(m.index, 1 << 22, 1 << 20);
    float filter[49];
    for (int i = 0; i < 49; ++i) filter[i] = 1.0f / 49;
    cudaMemcpyToSymbol(weights, filter, sizeof filter);
    cudaFuncSetAttribute(roomy, cudaFuncAttributeMaxDynamicSharedMemorySize, 25600 * 4);
    linear_algebra(m);
    block_algorithms(m);
    images(m);
    memory_patterns(m);
    arithmetic(m);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", error == cudaSuccess ? "PASS" : cudaGetErrorString(error));
    return error == cudaSuccess ? 0 : 1;
}
