// Accesses beyond an allocation: a GPU, whose memory is mapped in pieces of 2 MiB, lets the near ones pass and stops the far ones.
#include "check.hpp"

__global__ void shift(int* v, long long by) { v[threadIdx.x] = v[threadIdx.x + by] + 1; }

int main() {
    int* v;
    CHECK(cudaMalloc(&v, 1000)); // 250 numbers
    CHECK(cudaMemset(v, 0, 1000));
    shift<<<1, 256>>>(v, 1); // 7 reads and 6 writes beyond the end
    CHECK(cudaDeviceSynchronize());
    int host[250];
    CHECK(cudaMemcpy(host, v, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 1 && host[248] == 1);
    shift<<<1, 32>>>(v, 1ll << 40); // where no memory can be
    EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    std::printf("stray_access: PASS\n");
    return 0;
}
