// Semaphores and memory of graphics and of NvSci come from libraries that need a GPU's driver: where there is none, nobody can have made
// one to import, and the calls say that they are not supported, which leaves nothing behind.
#include "check.hpp"

int main() {
    float* v;
    CHECK(cudaMalloc(&v, 64));
    cudaExternalSemaphoreHandleDesc description = {};
    description.type = cudaExternalSemaphoreHandleTypeOpaqueFd;
    description.handle.fd = 0;
    cudaExternalSemaphore_t semaphore = nullptr;
    EXPECT(cudaImportExternalSemaphore(&semaphore, &description) == cudaErrorNotSupported);
    EXPECT(semaphore == nullptr);
    cudaExternalMemoryHandleDesc memory = {};
    memory.type = cudaExternalMemoryHandleTypeOpaqueFd;
    memory.size = 4096;
    cudaExternalMemory_t imported = nullptr;
    EXPECT(cudaImportExternalMemory(&imported, &memory) == cudaErrorNotSupported);
    EXPECT(imported == nullptr);
    EXPECT(cudaGetLastError() == cudaErrorNotSupported);
    EXPECT(cudaGetLastError() == cudaSuccess);
    CHECK(cudaMemset(v, 0, 64));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(v));
    std::printf("PASS\n");
    return 0;
}
