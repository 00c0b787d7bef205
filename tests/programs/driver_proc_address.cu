// Loading the driver by hand, as programs do that must start without it: dlopen, cuGetProcAddress, the runtime's cudaGetDriverEntryPoint.
#include "driver.hpp"

#include <cudaTypedefs.h>
#include <dlfcn.h>

int main() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW);
    EXPECT(library != nullptr);
    EXPECT(dlopen("libcuda.so", RTLD_NOW) == library);
    const auto get = reinterpret_cast<PFN_cuGetProcAddress_v12000>(dlsym(library, "cuGetProcAddress_v2"));
    EXPECT(get != nullptr);
    const auto find = [&](const char* name, int version) {
        void* function = nullptr;
        CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
        CHECK(get(name, &function, version, CU_GET_PROC_ADDRESS_DEFAULT, &status));
        EXPECT((function != nullptr) == (status == CU_GET_PROC_ADDRESS_SUCCESS));
        return function;
    };
    CHECK(reinterpret_cast<PFN_cuInit_v2000>(find("cuInit", 12000))(0));
    CUcontext context;
    CHECK(reinterpret_cast<PFN_cuDevicePrimaryCtxRetain_v7000>(find("cuDevicePrimaryCtxRetain", 12000))(&context, 0));
    CHECK(reinterpret_cast<PFN_cuCtxSetCurrent_v4000>(find("cuCtxSetCurrent", 12000))(context));
    CUdeviceptr data = 0;
    CHECK(reinterpret_cast<PFN_cuMemAlloc_v3020>(find("cuMemAlloc", 12000))(&data, 4096));
    EXPECT(data != 0);
    EXPECT(find("cuMemAlloc", 12000) == dlsym(library, "cuMemAlloc_v2"));
    EXPECT(find("cuMemAlloc", 2000) == dlsym(library, "cuMemAlloc"));
    EXPECT(find("cuNoSuchThing", 13000) == nullptr);
    EXPECT(find("cuLaunchKernelEx", 11000) == nullptr);

    void* entry = nullptr;
    cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
    CHECK(cudaGetDriverEntryPointByVersion("cuMemFree", &entry, 12000, cudaEnableDefault, &result));
    EXPECT(result == cudaDriverEntryPointSuccess && entry == find("cuMemFree", 12000));
    CHECK(reinterpret_cast<PFN_cuMemFree_v3020>(entry)(data));
    CHECK(cudaGetDriverEntryPointByVersion("cuNoSuchThing", &entry, 12000, cudaEnableDefault, &result));
    EXPECT(result == cudaDriverEntryPointSymbolNotFound && entry == nullptr);
    std::printf("driver_proc_address: the driver is found by hand\n");
}
