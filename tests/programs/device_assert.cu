// An assertion that fails on the device: the error shows at the next wait and stays.
#include "check.hpp"

#include <cassert>

__global__ void checked(int limit) { assert(static_cast<int>(threadIdx.x) < limit); }

int main() {
    checked<<<1, 32>>>(32);
    CHECK(cudaDeviceSynchronize());
    checked<<<1, 32>>>(20);
    EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
    EXPECT(cudaGetLastError() == cudaErrorAssert);
    void* memory = nullptr;
    EXPECT(cudaMalloc(&memory, 16) == cudaErrorAssert); // sticky
    std::printf("device_assert: PASS\n");
    return 0;
}
