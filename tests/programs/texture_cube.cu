// Cube maps and layered cube maps, read by direction, written as surfaces.
#include "check.hpp"
#include "texture_reference.hpp"

#include <cstring>
#include <vector>

constexpr int n = 8, cubes = 3;

__global__ void write(cudaSurfaceObject_t surface, int faces) {
    for (int face = 0; face < faces; ++face)
        surfCubemapLayeredwrite(1000.0f * face + 10.0f * threadIdx.y + threadIdx.x, surface, static_cast<int>(threadIdx.x * sizeof(float)),
                                static_cast<int>(threadIdx.y), face);
}
__global__ void read(cudaTextureObject_t texture, const float4* direction, float* out, int count, bool layered) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float4 d = direction[i];
    out[i] = layered ? texCubemapLayered<float>(texture, d.x, d.y, d.z, static_cast<int>(d.w)) : texCubemap<float>(texture, d.x, d.y, d.z);
}

// The programming guide's table of faces.
int face_of(float4 d, double* st) {
    const double x = d.x, y = d.y, z = d.z, ax = std::abs(x), ay = std::abs(y), az = std::abs(z);
    int face = 0;
    double m = 0, s = 0, t = 0;
    if (ax > ay && ax > az)
        face = x >= 0 ? 0 : 1, m = ax, s = x >= 0 ? -z : z, t = -y;
    else if (ay > ax && ay > az)
        face = y >= 0 ? 2 : 3, m = ay, s = x, t = y >= 0 ? z : -z;
    else
        face = z >= 0 ? 4 : 5, m = az, s = z >= 0 ? x : -x, t = -y;
    st[0] = (s / m + 1) / 2;
    st[1] = (t / m + 1) / 2;
    return face;
}

void check_cube(bool layered) {
    const int faces = layered ? 6 * cubes : 6;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(n, n, faces),
                            cudaArrayCubemap | cudaArraySurfaceLoadStore | (layered ? cudaArrayLayered : 0)));
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    write<<<1, dim3(n, n)>>>(surface, faces);
    cudaTextureDesc how;
    std::memset(&how, 0, sizeof(how));
    for (auto& mode : how.addressMode) mode = cudaAddressModeClamp;
    how.normalizedCoords = 1;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    const int count = 2000;
    std::vector<float4> directions(count);
    for (int i = 0; i < count; ++i)
        directions[i] = {std::sin(i * 0.37f), std::cos(i * 0.73f + 1), std::sin(i * 1.13f + 2), static_cast<float>(i % cubes)};
    float4* in;
    float* out;
    CHECK(cudaMalloc(&in, count * sizeof(float4)));
    CHECK(cudaMalloc(&out, count * sizeof(float)));
    CHECK(cudaMemcpy(in, directions.data(), count * sizeof(float4), cudaMemcpyHostToDevice));
    read<<<(count + 127) / 128, 128>>>(texture, in, out, count, layered);
    std::vector<float> got(count);
    CHECK(cudaMemcpy(got.data(), out, count * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < count; ++i) {
        double st[2];
        const int face = face_of(directions[i], st) + (layered ? 6 * (i % cubes) : 0);
        double edge = 1; // how near the coordinates come to the border between two texels
        int at[2];
        for (int d = 0; d < 2; ++d) {
            at[d] = std::min(static_cast<int>(st[d] * n), n - 1);
            edge = std::min(edge, std::abs(st[d] * n - std::nearbyint(st[d] * n)));
        }
        if (edge > 1e-5) EXPECT(got[i] == 1000.0f * face + 10.0f * at[1] + at[0]);
    }
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(array));
}

int main() {
    check_cube(false);
    check_cube(true);
    std::printf("texture_cube: every direction meets its texel\n");
}
