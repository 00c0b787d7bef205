// Errors: no initialisation, broken PTX with its log, machine code, names that are not there, faults that stay.
#include "driver.hpp"

#include <cstring>

static void before_init() {
    int count = 0;
    CUcontext context = nullptr;
    EXPECT(cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuCtxGetCurrent(&context) == CUDA_ERROR_NOT_INITIALIZED);
    CHECK(cuInit(0));
    EXPECT(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
    CUdeviceptr data;
    EXPECT(cuMemAlloc(&data, 16) == CUDA_ERROR_INVALID_CONTEXT);
}

static void broken_images() {
    CUmodule module;
    char log[512] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
    const char* const wrong =
        ".version 7.8\n.target sm_50\n.address_size 64\n.visible .entry k()\n{\n    add.s32 %r1, %r2, %r3;\n    ret;\n}\n";
    EXPECT(cuModuleLoadDataEx(&module, wrong, 2, options, values) == CUDA_ERROR_INVALID_PTX);
    EXPECT(std::strstr(log, "%r1") != nullptr);
    if (emulated()) EXPECT(std::strstr(log, ":6:") != nullptr);
    if (emulated()) EXPECT(reinterpret_cast<size_t>(values[1]) == std::strlen(log));

    unsigned char elf[64] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
    values[1] = reinterpret_cast<void*>(sizeof log);
    const CUresult machine_code = cuModuleLoadDataEx(&module, elf, 2, options, values);
    EXPECT(machine_code != CUDA_SUCCESS);
    if (emulated()) EXPECT(machine_code == CUDA_ERROR_NO_BINARY_FOR_GPU && std::strstr(log, "compute_") != nullptr);
    values[1] = reinterpret_cast<void*>(sizeof log);
    const CUresult nonsense = cuModuleLoadDataEx(&module, "nonsense", 2, options, values);
    EXPECT(nonsense == CUDA_ERROR_INVALID_IMAGE || (!emulated() && nonsense == CUDA_ERROR_INVALID_PTX));
    char little[8];
    values[0] = little;
    values[1] = reinterpret_cast<void*>(sizeof little);
    EXPECT(cuModuleLoadDataEx(&module, wrong, 2, options, values) == CUDA_ERROR_INVALID_PTX);
    if (emulated()) EXPECT(little[7] == '\0');
    EXPECT(cuModuleLoad(&module, "no/such/file.ptx") == CUDA_ERROR_FILE_NOT_FOUND);
}

static void names_and_handles(CUmodule module) {
    CUfunction function;
    CUdeviceptr variable;
    EXPECT(cuModuleGetFunction(&function, module, "no_such_kernel") == CUDA_ERROR_NOT_FOUND);
    EXPECT(cuModuleGetGlobal(&variable, nullptr, module, "no_such_variable") == CUDA_ERROR_NOT_FOUND);
    if (emulated()) { // a driver need not survive these
        EXPECT(cuEventQuery(reinterpret_cast<CUevent>(module)) == CUDA_ERROR_INVALID_HANDLE);
        EXPECT(cuStreamQuery(reinterpret_cast<CUstream>(module)) == CUDA_ERROR_INVALID_HANDLE);
    }
    const char* text = nullptr;
    CHECK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    EXPECT(std::strcmp(text, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0);
    CHECK(cuGetErrorString(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    EXPECT(std::strstr(text, "illegal memory access") != nullptr);
    EXPECT(cuGetErrorString(static_cast<CUresult>(54321), &text) == CUDA_ERROR_INVALID_VALUE);
    const void* table = module;
    const CUuuid id = {};
    const CUresult no_table = cuGetExportTable(&table, &id); // no table has this name
    EXPECT(no_table != CUDA_SUCCESS);
    if (emulated()) EXPECT(no_table == CUDA_ERROR_NOT_SUPPORTED && table == nullptr);
}

static void faults(CUfunction saxpy, CUcontext context) {
    float a = 1;
    int n = 64;
    CUdeviceptr nowhere = 16, data;
    CHECK(cuMemAlloc(&data, n * 4));
    void* arguments[] = {&a, &nowhere, &data, &n};
    EXPECT(cuLaunchKernel(saxpy, 0, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuLaunchKernel(saxpy, 1, 1, 1, 2048, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuLaunchKernel(saxpy, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    EXPECT(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT(cuMemAlloc(&data, 4) == CUDA_ERROR_ILLEGAL_ADDRESS);
    const CUresult destroyed = cuCtxDestroy(context);
    EXPECT(destroyed == CUDA_SUCCESS || (!emulated() && destroyed == CUDA_ERROR_ILLEGAL_ADDRESS));
    const CUresult without = cuCtxSynchronize();
    EXPECT(without == CUDA_ERROR_INVALID_CONTEXT || (!emulated() && without == CUDA_ERROR_CONTEXT_IS_DESTROYED));
}

int main() {
    before_init();
    CUcontext context;
    CHECK(cuCtxCreate(&context, nullptr, 0, 0));
    broken_images();
    CUmodule module;
    CUfunction saxpy;
    CHECK(cuModuleLoadData(&module, saxpy_ptx));
    CHECK(cuModuleGetFunction(&saxpy, module, "saxpy"));
    names_and_handles(module);
    faults(saxpy, context);
    std::printf("driver_errors: every error is the one that was expected\n");
}
