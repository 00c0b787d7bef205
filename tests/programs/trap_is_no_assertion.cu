// The number of a fault's error follows from the fault, whatever the kernel is called.
#include "check.hpp"

__global__ void misaligned_asserts_out_of_bounds(int n) {
    if (static_cast<int>(threadIdx.x) == n) __trap();
}

int main() {
    misaligned_asserts_out_of_bounds<<<1, 32>>>(32);
    CHECK(cudaDeviceSynchronize());
    misaligned_asserts_out_of_bounds<<<1, 32>>>(3);
    EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    std::printf("trap_is_no_assertion: PASS\n");
    return 0;
}
