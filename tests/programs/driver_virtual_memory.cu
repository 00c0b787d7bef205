// Virtual memory management: addresses are reserved, memory is made and mapped, twice and side by side; rules; handles for other processes.
#include "driver.hpp"

#include <unistd.h>
#include <vector>

__global__ void number(int* data, int n, int step) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i * step;
}

static CUmemAllocationProp properties() {
    CUmemAllocationProp wanted = {};
    wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    return wanted;
}

static void allow(CUdeviceptr address, size_t bytes) {
    CUmemAccessDesc access = {};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CHECK(cuMemSetAccess(address, bytes, &access, 1));
}

int main() {
    CHECK(cudaFree(nullptr));
    const CUmemAllocationProp wanted = properties();
    size_t unit = 0;
    CHECK(cuMemGetAllocationGranularity(&unit, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    EXPECT(unit > 0 && (unit & (unit - 1)) == 0);
    CUdeviceptr range;
    CHECK(cuMemAddressReserve(&range, 4 * unit, 0, 0, 0));
    CUmemGenericAllocationHandle one, two;
    EXPECT(cuMemCreate(&one, unit + 1, &wanted, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemCreate(&one, unit, &wanted, 0));
    CHECK(cuMemCreate(&two, unit, &wanted, 0));
    // Two pieces side by side, and the first again behind a gap.
    CHECK(cuMemMap(range, unit, 0, one, 0));
    CHECK(cuMemMap(range + unit, unit, 0, two, 0));
    CHECK(cuMemMap(range + 3 * unit, unit, 0, one, 0));
    EXPECT(cuMemMap(range, unit, 0, two, 0) != CUDA_SUCCESS); // something is there
    allow(range, 2 * unit);
    allow(range + 3 * unit, unit);
    const int n = static_cast<int>(2 * unit / sizeof(int)), half = n / 2;
    number<<<(n + 255) / 256, 256>>>(reinterpret_cast<int*>(range), n, 3);
    CHECK(cuCtxSynchronize());
    std::vector<int> host(n);
    CHECK(cuMemcpyDtoH(host.data(), range, 2 * unit));
    for (int i = 0; i < n; ++i) EXPECT(host[i] == 3 * i);
    CHECK(cuMemcpyDtoH(host.data(), range + 3 * unit, unit));
    EXPECT(host[half - 1] == 3 * (half - 1)); // the same memory

    CUmemAllocationProp seen = {};
    CHECK(cuMemGetAllocationPropertiesFromHandle(&seen, one));
    EXPECT(seen.type == CU_MEM_ALLOCATION_TYPE_PINNED && seen.location.id == 0);
    unsigned long long flags = 0;
    CHECK(cuMemGetAccess(&flags, &wanted.location, range + unit));
    EXPECT(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CUmemGenericAllocationHandle again;
    CHECK(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(range)));
    EXPECT(again == one);
    CHECK(cuMemRelease(again));

    // What another process would get, mapped here.
    int file = -1;
    CHECK(cuMemExportToShareableHandle(&file, two, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CUmemGenericAllocationHandle imported;
    CHECK(cuMemImportFromShareableHandle(&imported, reinterpret_cast<void*>(static_cast<intptr_t>(file)),
                                         CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    close(file);
    CHECK(cuMemMap(range + 2 * unit, unit, 0, imported, 0));
    allow(range + 2 * unit, unit);
    CHECK(cuMemcpyDtoH(host.data(), range + 2 * unit, unit));
    EXPECT(host[0] == 3 * half);

    CHECK(cuMemRelease(one)); // lives on while it is mapped
    CHECK(cuMemRelease(two));
    CHECK(cuMemRelease(imported));
    EXPECT(cuMemAddressFree(range, 4 * unit) != CUDA_SUCCESS); // something is mapped
    CHECK(cuMemUnmap(range, 4 * unit));
    CHECK(cuMemAddressFree(range, 4 * unit));
    std::printf("driver_virtual_memory: right\n");
}
