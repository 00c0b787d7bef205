// Virtual functions across units: objects are made in one and called in the other, with a class of its own beside them.
#include "../check.hpp"

#include "shapes.hpp"

struct Point : Shape {
    __device__ float area() const override { return 0; }
    __device__ int corners() const override { return 1; }
};

__global__ void measure(float* areas, int* corners) {
    const int i = threadIdx.x;
    Shape* shape = i % 3 == 2 ? new Point : make_shape(i % 3, static_cast<float>(i));
    areas[i] = shape->area();
    corners[i] = shape->corners();
    delete shape;
}

int main() {
    float areas[32];
    int corners[32];
    float* device_areas;
    int* device_corners;
    CHECK(cudaMalloc(&device_areas, sizeof areas));
    CHECK(cudaMalloc(&device_corners, sizeof corners));
    measure<<<1, 32>>>(device_areas, device_corners);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(areas, device_areas, sizeof areas, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(corners, device_corners, sizeof corners, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; ++i) {
        const float size = static_cast<float>(i);
        EXPECT(areas[i] == (i % 3 == 0 ? size * size : i % 3 == 1 ? 3 * size * size : 0));
        EXPECT(corners[i] == (i % 3 == 0 ? 4 : i % 3 == 1 ? 0 : 1));
    }
    CHECK(cudaFree(device_areas));
    CHECK(cudaFree(device_corners));
    std::printf("rdc_virtual: every object calls its own functions\n");
}
