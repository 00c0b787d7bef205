// What makes PTX hard to read: inlined functions with line information, calls (direct, recursive, through pointers, to externs), variables
// with addresses in their initialisers, inline assembly with scopes of its own, a switch made into a jump table.
#include <cassert>
#include <cstdio>

struct Pair {
    char tag;
    int value;
    const char* text;
    double weight;
};

__device__ int table[4] = {1, 2, 3, 4};
__device__ int* middle[2] = {&table[1], &table[2]};
__device__ Pair pairs[2] = {{'a', 1, "hello", 2.0}, {'b', 2, "bye", -1.5}};
__constant__ float coefficients[3] = {1.0f, 2.5f, -3.0f};
__managed__ int counter = 5;
__device__ float grid_values[2][3] = {{1, 2, 3}, {4}};
extern __shared__ float dynamic[];

struct Argument {
    float a[3];
    int b;
};

__device__ __noinline__ int square(int a, double b) { return a * a + static_cast<int>(b); }
__device__ __noinline__ int cube(int a, double b) { return a * a * a - static_cast<int>(b); }
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ Argument shifted(Argument x, int by) {
    for (float& a : x.a) a += by;
    x.b <<= by;
    return x;
}

typedef int (*Operation)(int, double);
__device__ Operation operations[2] = {square, cube};

__device__ float halved(float x) { return x * 0.5f; }
__device__ float quartered(float x) { return halved(halved(x)); }

__global__ void __launch_bounds__(256, 2) inlined(int* out, const float* __restrict__ in, Argument arg, int n) {
    __shared__ float tile[32][33];
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    tile[threadIdx.y][threadIdx.x] = in[i] + arg.a[n % 3];
    __syncthreads();
    dynamic[threadIdx.x] = tile[threadIdx.x][threadIdx.y] * coefficients[n % 3];
    __syncwarp();
    float v = quartered(dynamic[31 - threadIdx.x]);
    for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(~0u, v, d);
    atomicAdd(&counter, 1);
    out[i] = static_cast<int>(v) + *middle[n & 1] + pairs[n & 1].value + static_cast<int>(grid_values[n & 1][n % 3]);
}

__global__ void calls(int* out, int n) {
    Argument x = {{1, 2, 3}, n};
    x = shifted(x, n & 7);
    out[0] = operations[n & 1](n, 2.5) + fibonacci(n) + x.b + static_cast<int>(x.a[1]);
    printf("%d of %s\n", n, pairs[n & 1].text);
    assert(out[0] != 7);
    int* heap = static_cast<int*>(malloc(16));
    if (heap) heap[0] = n;
    free(heap);
}

__global__ void jump_table(int* out, int n) {
    switch (n) {
    case 0: out[0] = out[7] + 1; break;
    case 1: out[1] = out[6] * 3; break;
    case 2: out[2] = out[5] ^ 5; break;
    case 3: out[3] = square(n, 1.0); break;
    case 4: out[4] = out[3] / 7; break;
    case 5: out[5] = fibonacci(out[2]); break;
    case 6: out[6] = out[1] - n; break;
    case 7: out[7] = out[0] << 3; break;
    default: return;
    }
    out[8] = n;
}

__global__ void inline_assembly(int* out, int n) {
    asm volatile("{\n\t.reg .pred p;\n\t.reg .b32 t;\n\tsetp.ne.b32 p, %0, 0;\n\t@p mov.b32 t, 5;\n\t@!p mov.b32 t, 6;\n\tmov.b32 %0, t;\n}"
                 : "+r"(n));
    asm volatile("{ .reg .pred p; .reg .b32 t; { .reg .b32 t; mov.b32 t, %0; add.s32 %0, t, WARP_SZ; } again: sub.s32 %0, %0, 3; "
                 "setp.gt.s32 p, %0, 0; @p bra again; mov.b32 t, 0x7U; add.s32 %0, %0, t; }"
                 : "+r"(n));
    unsigned long long now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now));
    out[0] = n + static_cast<int>(now);
    if (n == 77) __trap();
}

__global__ void loops(float* out, const float* in, int n) {
    float sum = 0;
    for (int i = 0; i < n; ++i) {
        if (in[i] < 0) continue;
        for (int j = i; j < n; j += 3) {
            if (in[j] > 100.0f) return;
            sum += in[i] * in[j];
        }
    }
#pragma unroll 1
    while (sum > 1.0f) sum *= 0.5f;
    out[threadIdx.x] = sum;
}
