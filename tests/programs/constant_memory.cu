// Constant memory: arrays, structures, copies to a part, the address on the device.
#include "check.hpp"

struct Coefficients {
    float scale;
    int shift;
    double weights[4];
};

__constant__ Coefficients coefficients;
__constant__ int table[64] = {1, 2, 3};

__global__ void apply(float* out) {
    const int i = threadIdx.x;
    out[i] = coefficients.scale * i + coefficients.shift + static_cast<float>(coefficients.weights[i % 4]) + table[i];
}

int main() {
    const Coefficients host = {0.5f, 3, {1, 2, 4, 8}};
    CHECK(cudaMemcpyToSymbol(coefficients, &host, sizeof host));
    const int part[2] = {70, 80};
    CHECK(cudaMemcpyToSymbol(table, part, sizeof part, 10 * sizeof(int)));
    EXPECT(cudaMemcpyToSymbol(table, part, sizeof part, 63 * sizeof(int)) == cudaErrorInvalidValue);
    std::size_t bytes = 0;
    CHECK(cudaGetSymbolSize(&bytes, table));
    EXPECT(bytes == sizeof table);
    void* address = nullptr;
    CHECK(cudaGetSymbolAddress(&address, table));
    EXPECT(address != nullptr);
    float* out;
    CHECK(cudaMallocManaged(&out, 64 * sizeof(float)));
    apply<<<1, 64>>>(out);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; ++i) {
        const int entry = i == 10 ? 70 : i == 11 ? 80 : i < 3 ? i + 1 : 0;
        EXPECT(out[i] == 0.5f * i + 3 + static_cast<float>(host.weights[i % 4]) + entry);
    }
    std::printf("constant_memory: PASS\n");
    return 0;
}
