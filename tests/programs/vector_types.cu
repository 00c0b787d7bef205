// Loads and stores of two and four elements, packed structures, 64-bit indices.
#include "check.hpp"

struct alignas(8) Pair {
    float value;
    int key;
};

__global__ void scale(float4* v, std::size_t n, float factor) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 x = v[i];
    x.x *= factor;
    x.y *= factor;
    x.z *= factor;
    x.w += factor;
    v[i] = x;
}

__global__ void swap(Pair* v, uchar4* bytes, double2* doubles, int n) {
    const int i = threadIdx.x;
    if (i >= n) return;
    const Pair p = v[i];
    v[i] = {static_cast<float>(p.key), static_cast<int>(p.value)};
    const uchar4 b = bytes[i];
    bytes[i] = make_uchar4(b.w, b.z, b.y, b.x);
    doubles[i] = make_double2(doubles[i].y, doubles[i].x);
}

int main() {
    constexpr int n = 100;
    float4* v;
    CHECK(cudaMallocManaged(&v, n * sizeof(float4)));
    for (int i = 0; i < n; ++i) v[i] = make_float4(i, i + 1, i + 2, i + 3);
    scale<<<1, 128>>>(v, n, 2);
    Pair* pairs;
    uchar4* bytes;
    double2* doubles;
    CHECK(cudaMallocManaged(&pairs, n * sizeof(Pair)));
    CHECK(cudaMallocManaged(&bytes, n * sizeof(uchar4)));
    CHECK(cudaMallocManaged(&doubles, n * sizeof(double2)));
    for (int i = 0; i < n; ++i) {
        pairs[i] = {static_cast<float>(i), -i};
        bytes[i] = make_uchar4(i, 1, 2, 3);
        doubles[i] = make_double2(i, 0.5);
    }
    swap<<<1, 128>>>(pairs, bytes, doubles, n);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) {
        EXPECT(v[i].x == 2.0f * i && v[i].z == 2.0f * (i + 2) && v[i].w == i + 5.0f);
        EXPECT(pairs[i].value == -i && pairs[i].key == i);
        EXPECT(bytes[i].x == 3 && bytes[i].w == i);
        EXPECT(doubles[i].x == 0.5 && doubles[i].y == i);
    }
    std::printf("vector_types: PASS\n");
    return 0;
}
