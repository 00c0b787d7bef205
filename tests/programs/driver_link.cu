// cuLink: two PTX units become one module; errors name both units; what is linked can be linked again.
#include "driver.hpp"

#include <cstring>
#include <string>

static std::string unit(const char* body) { return std::string(".version 7.8\n.target sm_60\n.address_size 64\n") + body; }

static const char* const kernel = R"(
.extern .func (.param .b32 r) twice (.param .b32 x);
.extern .global .align 4 .u32 added;
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<5>;
    .reg .b64 %rd<3>;
    .param .b32 x;
    .param .b32 r;
    ld.param.u64 %rd1, [out];
    cvta.to.global.u64 %rd2, %rd1;
    ld.global.u32 %r1, [%rd2];
    st.param.b32 [x], %r1;
    call.uni (r), twice, (x);
    ld.param.b32 %r2, [r];
    ld.global.u32 %r3, [added];
    add.s32 %r4, %r2, %r3;
    st.global.u32 [%rd2], %r4;
    ret;
}
)";
static const char* const helper = R"(
.visible .global .align 4 .u32 added = 7;
.visible .func (.param .b32 r) twice (.param .b32 x)
{
    .reg .b32 %r<3>;
    ld.param.b32 %r1, [x];
    add.s32 %r2, %r1, %r1;
    st.param.b32 [r], %r2;
    ret;
}
)";

struct Link {
    char errors[2048] = "";
    CUlinkState state;
    CUjit_option options[2] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[2] = {errors, reinterpret_cast<void*>(sizeof errors)};

    Link() { CHECK(cuLinkCreate(2, options, values, &state)); }
    ~Link() { CHECK(cuLinkDestroy(state)); }
    CUresult add(const std::string& text, const char* name) {
        return cuLinkAddData(state, CU_JIT_INPUT_PTX, const_cast<char*>(text.c_str()), text.size() + 1, name, 0, nullptr, nullptr);
    }
    CUresult complete(void** image, size_t* bytes) { return cuLinkComplete(state, image, bytes); }
    bool says(const char* words) const { return std::strstr(errors, words) != nullptr; }
};

static void expect_result(const void* image) {
    CUmodule module;
    CUfunction function;
    CUdeviceptr out, added;
    CHECK(cuModuleLoadData(&module, image));
    CHECK(cuModuleGetFunction(&function, module, "k"));
    CHECK(cuModuleGetGlobal(&added, nullptr, module, "added"));
    CHECK(cuMemAlloc(&out, 4));
    CHECK(cuMemsetD32(out, 20, 1));
    void* arguments[] = {&out};
    CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
    int value = 0;
    CHECK(cuMemcpyDtoH(&value, out, sizeof value));
    EXPECT(value == 47);
    CHECK(cuMemFree(out));
    CHECK(cuModuleUnload(module));
}

static void two_units() {
    void* image = nullptr;
    size_t bytes = 0;
    std::string copy;
    {
        Link link;
        CHECK(link.add(unit(kernel), "kernel.ptx"));
        CHECK(link.add(unit(helper), "helper.ptx"));
        CHECK(link.complete(&image, &bytes));
        EXPECT(bytes > 0);
        expect_result(image);
        copy.assign(static_cast<const char*>(image), bytes);
    }
    expect_result(copy.data()); // a copy outlives the linker
    if (!emulated()) return;    // what a driver links is machine code, which cannot be linked again
    Link again;
    CHECK(cuLinkAddData(again.state, CU_JIT_INPUT_CUBIN, copy.data(), copy.size(), "linked", 0, nullptr, nullptr));
    CHECK(again.complete(&image, &bytes));
    expect_result(image);
}

static void errors() {
    void* image = nullptr;
    size_t bytes = 0;
    {
        Link link;
        CHECK(link.add(unit(kernel), "kernel.ptx"));
        EXPECT(link.complete(&image, &bytes) != CUDA_SUCCESS);
        EXPECT(link.says("added"));
        if (emulated()) EXPECT(link.says("kernel.ptx:"));
    }
    {
        Link link;
        CHECK(link.add(unit(helper), "one.ptx"));
        CUresult twice = link.add(unit(helper), "two.ptx"); // a driver sees it here already
        if (twice == CUDA_SUCCESS) twice = link.complete(&image, &bytes);
        EXPECT(twice != CUDA_SUCCESS);
        if (emulated()) EXPECT(twice == CUDA_ERROR_INVALID_PTX);
        if (emulated()) EXPECT(link.says("one.ptx:") && link.says("two.ptx:") && link.says("defined twice"));
    }
    {
        Link link;
        EXPECT(link.add("this is no PTX", "bad.ptx") != CUDA_SUCCESS);
        EXPECT(link.add(unit(".visible .entry k() { oops }"), "worse.ptx") == CUDA_ERROR_INVALID_PTX);
        if (emulated()) EXPECT(link.says("worse.ptx:4:"));
        const CUresult library = cuLinkAddFile(link.state, CU_JIT_INPUT_LIBRARY, "lib.a", 0, nullptr, nullptr);
        EXPECT(library == (emulated() ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_FILE_NOT_FOUND));
    }
}

int main() {
    CHECK(cuInit(0));
    CUcontext context;
    CHECK(cuDevicePrimaryCtxRetain(&context, 0));
    CHECK(cuCtxSetCurrent(context));
    two_units();
    errors();
    std::printf("driver_link: units of PTX are linked\n");
}
