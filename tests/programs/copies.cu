// Copies and fills in one, two and three dimensions, pitched, between every two sides, and by cudaMemcpyDefault.
#include "check.hpp"

#include <cstring>
#include <vector>

int main() {
    const size_t width = 100, height = 37;
    std::vector<unsigned char> in(width * height), out(width * height, 0);
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<unsigned char>(i * 13);
    unsigned char *pitched, *flat;
    size_t pitch = 0;
    CHECK(cudaMallocPitch(&pitched, &pitch, width, height));
    EXPECT(pitch >= width && pitch % 256 == 0);
    CHECK(cudaMemcpy2D(pitched, pitch, in.data(), width, width, height, cudaMemcpyHostToDevice));
    CHECK(cudaMalloc(&flat, width * height));
    CHECK(cudaMemcpy2DAsync(flat, width, pitched, pitch, width, height, cudaMemcpyDeviceToDevice, 0));
    CHECK(cudaMemcpy(out.data(), flat, out.size(), cudaMemcpyDefault));
    EXPECT(std::memcmp(in.data(), out.data(), in.size()) == 0);

    CHECK(cudaMemset2D(pitched, pitch, 0xab, 10, height));
    CHECK(cudaMemcpy2D(out.data(), width, pitched, pitch, width, height, cudaMemcpyDeviceToHost));
    for (size_t y = 0; y < height; ++y)
        for (size_t x = 0; x < width; ++x) EXPECT(out[y * width + x] == (x < 10 ? 0xab : in[y * width + x]));

    const cudaExtent extent = make_cudaExtent(20 * sizeof(int), 5, 4);
    cudaPitchedPtr box;
    CHECK(cudaMalloc3D(&box, extent));
    CHECK(cudaMemset3D(box, 0, extent));
    std::vector<int> cube(20 * 5 * 4), back(20 * 5 * 4);
    for (size_t i = 0; i < cube.size(); ++i) cube[i] = static_cast<int>(i);
    cudaMemcpy3DParms parameters = {};
    parameters.srcPtr = make_cudaPitchedPtr(cube.data(), 20 * sizeof(int), 20, 5);
    parameters.dstPtr = box;
    parameters.extent = extent;
    parameters.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&parameters));
    parameters.srcPtr = box;
    parameters.dstPtr = make_cudaPitchedPtr(back.data(), 20 * sizeof(int), 20, 5);
    parameters.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&parameters));
    EXPECT(cube == back);
    EXPECT(cudaMemcpy(flat, in.data(), width * height + 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(flat, in.data(), 1, static_cast<cudaMemcpyKind>(9)) == cudaErrorInvalidMemcpyDirection);
    std::printf("copies: right\n");
}
