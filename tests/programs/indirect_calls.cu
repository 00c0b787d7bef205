// Function pointers in memory and in tables, and virtual functions of objects that the device made.
#include "check.hpp"

using Function = float (*)(float);

__device__ float twice(float x) { return 2 * x; }
__device__ float negative(float x) { return -x; }
__device__ float half_of(float x) { return x / 2; }

__device__ Function functions[3] = {twice, negative, half_of};
__device__ Function chosen = half_of;

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};

struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};

struct Rectangle : Square {
    float other;
    __device__ Rectangle(float a, float b) : Square(a), other(b) {}
    __device__ float area() const override { return side * other; }
};

__global__ void make(Shape** shapes) {
    const int i = threadIdx.x;
    shapes[i] = i % 2 == 0 ? new Square(static_cast<float>(i)) : new Rectangle(static_cast<float>(i), 2);
}

__global__ void call(Shape** shapes, float* out, Function last) {
    const int i = threadIdx.x;
    out[i] = functions[i % 3](shapes[i]->area()) + last(8.0f);
    delete shapes[i];
}

int main() {
    Shape** shapes;
    float* out;
    CHECK(cudaMalloc(&shapes, 32 * sizeof(Shape*)));
    CHECK(cudaMallocManaged(&out, 32 * sizeof(float)));
    Function last;
    CHECK(cudaMemcpyFromSymbol(&last, chosen, sizeof last));
    make<<<1, 32>>>(shapes);
    call<<<1, 32>>>(shapes, out, last);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; ++i) {
        const float area = i % 2 == 0 ? static_cast<float>(i * i) : 2.0f * i;
        const float expected = (i % 3 == 0 ? 2 * area : i % 3 == 1 ? -area : area / 2) + 4;
        EXPECT(out[i] == expected);
    }
    std::printf("indirect_calls: PASS\n");
    return 0;
}
