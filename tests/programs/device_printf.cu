// What kernels print comes between what the host prints before and after, once the host has waited.
#include "check.hpp"

#include <cstring>

#include <unistd.h>

__global__ void hello(const char* name, double x) {
    printf("thread %d of %s: %5.2f %x %c %s\n", threadIdx.x, "hello", x * threadIdx.x, 0xbeef + threadIdx.x, 'a' + threadIdx.x, name);
}

int main() {
    int ends[2];
    EXPECT(pipe(ends) == 0);
    std::fflush(stdout);
    const int before = dup(1);
    dup2(ends[1], 1);
    char* name;
    CHECK(cudaMallocManaged(&name, 8));
    std::strcpy(name, "world");
    std::printf("first\n"); // stays in the host's buffer: standard output is no terminal
    hello<<<1, 3>>>(name, 1.5);
    CHECK(cudaDeviceSynchronize());
    std::printf("last\n");
    std::fflush(stdout);
    dup2(before, 1);
    close(ends[1]);
    char text[1024] = {};
    std::size_t used = 0;
    for (ssize_t got = 0; (got = read(ends[0], text + used, sizeof text - 1 - used)) > 0;) used += static_cast<std::size_t>(got);
    const char* expected = "first\n"
                           "thread 0 of hello:  0.00 beef a world\n"
                           "thread 1 of hello:  1.50 bef0 b world\n"
                           "thread 2 of hello:  3.00 bef1 c world\n"
                           "last\n";
    if (std::strcmp(text, expected) != 0) std::printf("printed:\n%s", text);
    EXPECT(std::strcmp(text, expected) == 0);
    std::printf("device_printf: PASS\n");
    return 0;
}
