// Memory that nobody has written holds zeros, as a driver gives it to a new process. With an argument: the byte that it is asked to hold.
#include "check.hpp"

#include <vector>

int main(int argc, char** argv) {
    const int expected = argc > 1 ? std::atoi(argv[1]) : 0;
    std::vector<unsigned char> host(100000);
    unsigned char* memory = nullptr;
    CHECK(cudaMalloc(&memory, host.size()));
    CHECK(cudaMemcpy(host.data(), memory, host.size(), cudaMemcpyDeviceToHost));
    for (const unsigned char byte : host) EXPECT(byte == expected);
    std::printf("fresh_memory: right\n");
}
