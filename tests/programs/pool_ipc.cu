// A memory pool and its allocations that two processes share: the second is this program again, with the pool's file descriptor and the
// allocations' names as its arguments.
#include "check.hpp"

#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void add(int* v, int n, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] += value + i;
}

constexpr int count = 5000;
constexpr cudaMemAllocationHandleType by_file = cudaMemHandleTypePosixFileDescriptor;

std::string text_of(const cudaMemPoolPtrExportData& data) {
    std::string text;
    for (const unsigned char byte : data.reserved) {
        text += static_cast<char>('a' + byte / 16);
        text += static_cast<char>('a' + byte % 16);
    }
    return text;
}

cudaMemPoolPtrExportData data_of(const char* text) {
    cudaMemPoolPtrExportData data;
    for (std::size_t i = 0; i < sizeof data.reserved; ++i)
        data.reserved[i] = static_cast<unsigned char>((text[2 * i] - 'a') * 16 + (text[2 * i + 1] - 'a'));
    return data;
}

int second(char** arguments) {
    cudaMemPool_t pool;
    CHECK(cudaMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void*>(std::stol(arguments[1])), by_file, 0));
    void* none;
    EXPECT(cudaMallocAsync(&none, 64, pool, nullptr) == cudaErrorInvalidValue); // it gives nothing itself
    cudaMemPoolPtrExportData data = data_of(arguments[2]);
    void* memory;
    CHECK(cudaMemPoolImportPointer(&memory, pool, &data));
    static int host[count];
    CHECK(cudaMemcpyAsync(host, memory, sizeof host, cudaMemcpyDeviceToHost, nullptr));
    CHECK(cudaStreamSynchronize(nullptr));
    for (int i = 0; i < count; ++i) EXPECT(host[i] == 7 + i);
    add<<<(count + 255) / 256, 256>>>(static_cast<int*>(memory), count, 100);
    CHECK(cudaFreeAsync(memory, nullptr)); // here alone
    CHECK(cudaStreamSynchronize(nullptr));
    CHECK(cudaMemPoolDestroy(pool));
    return 0;
}

int main(int argc, char** argv) {
    if (argc == 3) return second(argv);
    int types = 0;
    CHECK(cudaDeviceGetAttribute(&types, cudaDevAttrMemoryPoolSupportedHandleTypes, 0));
    EXPECT((types & by_file) != 0);
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t own;
    CHECK(cudaMemPoolCreate(&own, &properties));
    properties.handleTypes = by_file;
    cudaMemPool_t pool;
    CHECK(cudaMemPoolCreate(&pool, &properties));

    int* v;
    CHECK(cudaMallocAsync(&v, count * sizeof(int), pool, nullptr));
    CHECK(cudaMemsetAsync(v, 0, count * sizeof(int), nullptr));
    add<<<(count + 255) / 256, 256>>>(v, count, 7);
    CHECK(cudaStreamSynchronize(nullptr));
    int file = -1;
    CHECK(cudaMemPoolExportToShareableHandle(&file, pool, by_file, 0));
    CHECK(::fcntl(file, F_SETFD, 0) == 0 ? cudaSuccess : cudaErrorUnknown); // to stay open in the second process
    cudaMemPoolPtrExportData data;
    CHECK(cudaMemPoolExportPointer(&data, v));

    int other = -1;
    EXPECT(cudaMemPoolExportToShareableHandle(&other, own, by_file, 0) == cudaErrorInvalidValue); // it was not made for that
    int* w;
    CHECK(cudaMallocAsync(&w, 64, own, nullptr));
    cudaMemPoolPtrExportData nothing;
    EXPECT(cudaMemPoolExportPointer(&nothing, w) == cudaErrorInvalidValue);
    cudaMemPool_t imported;
    EXPECT(cudaMemPoolImportFromShareableHandle(&imported, reinterpret_cast<void*>(0l), by_file, 0) != cudaSuccess); // standard input

    const pid_t child = ::fork();
    if (child == 0) {
        ::execl("/proc/self/exe", argv[0], std::to_string(file).c_str(), text_of(data).c_str(), nullptr);
        ::_exit(127);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    static int host[count];
    CHECK(cudaMemcpy(host, v, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; ++i) EXPECT(host[i] == 107 + 2 * i);
    CHECK(cudaFreeAsync(v, nullptr));
    CHECK(cudaFreeAsync(w, nullptr));
    CHECK(cudaMemPoolDestroy(pool));
    CHECK(cudaMemPoolDestroy(own));
    ::close(file);
    std::printf("PASS\n");
    return 0;
}
