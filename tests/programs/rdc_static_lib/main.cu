// A program whose device code calls a static library's, made by nvcc -lib.
#include "../check.hpp"

#include "random.hpp"

__global__ void draw(unsigned* out) {
    Generator generator;
    seed(generator, threadIdx.x);
    for (int i = 0; i < 10; ++i) next(generator);
    out[threadIdx.x] = next(generator);
}

int main() {
    unsigned host[64];
    unsigned* out;
    CHECK(cudaMalloc(&out, sizeof host));
    draw<<<1, 64>>>(out);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < 64; ++i) {
        unsigned state = (i ^ (i >> 16)) * 0x9e3779b9u;
        for (int k = 0; k < 11; ++k) state = state * 1664525u + 1013904223u;
        EXPECT(host[i] == state);
    }
    CHECK(cudaFree(out));
    std::printf("rdc_static_lib: the library's code is linked\n");
}
