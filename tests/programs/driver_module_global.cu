// Variables of a loaded module: found by name with their sizes, written and read by host and kernels, counted functions, unloading.
#include "driver.hpp"

#include <cstring>
#include <vector>

static const char* const ptx = R"(
.version 7.8
.target sm_50
.address_size 64
.visible .global .align 4 .u32 counter = 5;
.visible .const .align 4 .b32 factors[4] = {10, 20, 30, 40};
.visible .global .align 8 .u64 where = counter;
.visible .entry bump(.param .u32 by)
{
    .reg .b32 %r<5>;
    .reg .b64 %rd<4>;
    ld.param.u32 %r1, [by];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd1, %r2, 4;
    mov.u64 %rd2, factors;
    add.s64 %rd3, %rd2, %rd1;
    ld.const.u32 %r3, [%rd3];
    mul.lo.u32 %r4, %r3, %r1;
    red.global.add.u32 [counter], %r4;
    ret;
}
.visible .entry nothing()
{
    ret;
}
)";

int main() {
    CHECK(cuInit(0));
    CUcontext context;
    CHECK(cuCtxCreate(&context, nullptr, 0, 0));
    CUmodule module;
    CHECK(cuModuleLoadData(&module, ptx));

    unsigned count = 0;
    CHECK(cuModuleGetFunctionCount(&count, module));
    EXPECT(count == 2);
    std::vector<CUfunction> functions(count);
    CHECK(cuModuleEnumerateFunctions(functions.data(), count, module));
    const char* name = nullptr;
    CHECK(cuFuncGetName(&name, functions[0]));
    EXPECT(std::strcmp(name, "bump") == 0);
    CUfunction bump;
    CHECK(cuModuleGetFunction(&bump, module, "bump"));
    EXPECT(bump == functions[0]);

    CUdeviceptr counter, factors, where;
    size_t bytes = 0;
    CHECK(cuModuleGetGlobal(&counter, &bytes, module, "counter"));
    EXPECT(bytes == 4);
    CHECK(cuModuleGetGlobal(&factors, &bytes, module, "factors"));
    EXPECT(bytes == 16);
    CHECK(cuModuleGetGlobal(&where, nullptr, module, "where"));
    CUdeviceptr held = 0;
    CHECK(cuMemcpyDtoH(&held, where, sizeof held));
    EXPECT(held == counter);

    unsigned by = 2, value = 0;
    void* arguments[] = {&by};
    CHECK(cuLaunchKernel(bump, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyDtoH(&value, counter, sizeof value));
    EXPECT(value == 5 + 2 * 100);
    const unsigned ones[4] = {1, 1, 1, 1};
    CHECK(cuMemcpyHtoD(factors, ones, sizeof ones));
    CHECK(cuLaunchKernel(bump, 1, 1, 1, 4, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(cuMemcpyDtoH(&value, counter, sizeof value));
    EXPECT(value == 213);

    // A second copy of the module has variables of its own.
    CUmodule other;
    CUdeviceptr other_counter;
    CHECK(cuModuleLoadData(&other, ptx));
    CHECK(cuModuleGetGlobal(&other_counter, nullptr, other, "counter"));
    EXPECT(other_counter != counter);
    CHECK(cuMemcpyDtoH(&value, other_counter, sizeof value));
    EXPECT(value == 5);
    CHECK(cuModuleUnload(other));
    CHECK(cuModuleUnload(module));
    EXPECT(cuModuleGetFunction(&bump, module, "bump") == CUDA_ERROR_INVALID_HANDLE);
    CHECK(cuCtxDestroy(context));
    std::printf("driver_module_global: variables and kernels are found\n");
}
