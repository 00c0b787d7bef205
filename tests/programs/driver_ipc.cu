// Memory and events that two processes share, through the driver API: the second process is this program again, with the handles as its
// arguments.
#include "driver.hpp"

#include <cstring>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

constexpr int count = 3000;

template<class Handle> std::string text_of(const Handle& handle) {
    std::string text;
    for (std::size_t i = 0; i < sizeof handle; ++i) {
        const auto byte = reinterpret_cast<const unsigned char*>(&handle)[i];
        text += static_cast<char>('a' + byte / 16);
        text += static_cast<char>('a' + byte % 16);
    }
    return text;
}

template<class Handle> Handle handle_of(const char* text) {
    Handle handle;
    for (std::size_t i = 0; i < sizeof handle; ++i)
        reinterpret_cast<unsigned char*>(&handle)[i] = static_cast<unsigned char>((text[2 * i] - 'a') * 16 + (text[2 * i + 1] - 'a'));
    return handle;
}

void begin() {
    CHECK(cuInit(0));
    CUdevice device;
    CHECK(cuDeviceGet(&device, 0));
    CUcontext context;
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
}

int second(char** arguments) {
    begin();
    CUdeviceptr memory;
    CHECK(cuIpcOpenMemHandle(&memory, handle_of<CUipcMemHandle>(arguments[1]), CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    CUevent ready;
    CHECK(cuIpcOpenEventHandle(&ready, handle_of<CUipcEventHandle>(arguments[2])));
    CHECK(cuStreamWaitEvent(nullptr, ready, 0));
    std::vector<unsigned> host(count);
    CHECK(cuMemcpyDtoH(host.data(), memory, count * sizeof(unsigned)));
    for (const unsigned value : host) EXPECT(value == 0xabcd);
    CHECK(cuMemsetD32(memory + 400, 7, 100));
    CHECK(cuCtxSynchronize());
    CHECK(cuEventDestroy(ready));
    CHECK(cuIpcCloseMemHandle(memory));
    EXPECT(cuIpcCloseMemHandle(memory) == CUDA_ERROR_INVALID_VALUE);
    return 0;
}

int main(int argc, char** argv) {
    if (argc == 3) return second(argv);
    begin();
    CUdeviceptr v;
    CHECK(cuMemAlloc(&v, count * sizeof(unsigned)));
    CHECK(cuMemsetD32(v, 0xabcd, count));
    CUevent ready;
    CHECK(cuEventCreate(&ready, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS));
    CUevent own;
    CHECK(cuEventCreate(&own, CU_EVENT_DISABLE_TIMING));
    CHECK(cuEventRecord(ready, nullptr));
    CHECK(cuCtxSynchronize());
    CUipcMemHandle memory;
    CHECK(cuIpcGetMemHandle(&memory, v));
    CUipcEventHandle event;
    CHECK(cuIpcGetEventHandle(&event, ready));
    CUipcEventHandle none;
    EXPECT(cuIpcGetEventHandle(&none, own) != CUDA_SUCCESS);
    int on_host = 0;
    EXPECT(cuIpcGetMemHandle(&memory, reinterpret_cast<CUdeviceptr>(&on_host)) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuIpcGetMemHandle(&memory, v + 8)); // of the allocation that contains it
    const pid_t child = ::fork();
    if (child == 0) {
        ::execl("/proc/self/exe", argv[0], text_of(memory).c_str(), text_of(event).c_str(), nullptr);
        ::_exit(127);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    std::vector<unsigned> host(count);
    CHECK(cuMemcpyDtoH(host.data(), v, count * sizeof(unsigned)));
    for (int i = 0; i < count; ++i) EXPECT(host[i] == (i >= 100 && i < 200 ? 7u : 0xabcdu));
    CHECK(cuMemFree(v));
    std::printf("PASS\n");
    return 0;
}
