// Times every kernel of workloads/transpose on a real GPU, without apod: the figures that the model and the ladder are held against.
//
//   nvcc -O3 -std=c++17 -arch=native bench/device/transpose_times.cu -o transpose_times && ./transpose_times [n ...] > times.csv
//
// For each kernel and size: the median time of one launch between two events, and the mean of a batch of launches between two events
// (which hides what a launch costs the host). Warm caches; sizes under the L2 therefore measure the L2. Every result is checked.
// The candidate_* kernels are other designs of the last rung, to choose it by measurement.
#include "../../workloads/transpose/transpose.cu"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::exit(4);
}

// Columns x rows of 4 x 4 blocks: a tile of 4 * columns by 4 * rows floats for columns * rows threads, swizzled as in `vectorised`.
template<int columns, int rows, bool streaming, bool square_order>
__global__ void candidate(float* __restrict__ out, const float* __restrict__ in, int n) {
    __shared__ float4 tile[4 * columns][rows];
    unsigned block_x = blockIdx.x;
    unsigned block_y = blockIdx.y;
    if (square_order && gridDim.x % 8 == 0 && gridDim.y % 8 == 0) { // walk the grid in squares of 8 x 8 blocks
        const unsigned linear = blockIdx.y * gridDim.x + blockIdx.x;
        const unsigned square = linear / 64;
        block_x = square % (gridDim.x / 8) * 8 + linear % 8;
        block_y = square / (gridDim.x / 8) * 8 + linear / 8 % 8;
    }
    const int tx = threadIdx.x % columns;
    const int ty = threadIdx.x / columns;
    const int x0 = block_x * 4 * columns;
    const int y0 = block_y * 4 * rows;
    if (x0 + 4 * tx < n && y0 + 4 * ty < n) {
        float4 row[4];
        for (int i = 0; i < 4; ++i) {
            const float4* from = reinterpret_cast<const float4*>(&in[at(y0 + 4 * ty + i, x0 + 4 * tx, n)]);
            row[i] = streaming ? __ldcs(from) : *from;
        }
        const int column = (ty ^ tx) % rows; // rows is a power of two
        tile[4 * tx + 0][column] = make_float4(row[0].x, row[1].x, row[2].x, row[3].x);
        tile[4 * tx + 1][column] = make_float4(row[0].y, row[1].y, row[2].y, row[3].y);
        tile[4 * tx + 2][column] = make_float4(row[0].z, row[1].z, row[2].z, row[3].z);
        tile[4 * tx + 3][column] = make_float4(row[0].w, row[1].w, row[2].w, row[3].w);
    }
    __syncthreads();
    const int q = threadIdx.x % rows;
    const int r = threadIdx.x / rows;
    for (int i = 0; i < 4; ++i) {
        const int row = r + columns * i;
        if (x0 + row >= n || y0 + 4 * q >= n) continue;
        float4* to = reinterpret_cast<float4*>(&out[at(x0 + row, y0 + 4 * q, n)]);
        const float4 value = tile[row][(q ^ (row / 4)) % rows];
        if (streaming) {
            __stcs(to, value);
        } else {
            *to = value;
        }
    }
}

struct Case {
    std::string name;
    bool transposes;
    int largest_n;     // 0: any
    int multiple_of_n; // n must be a multiple of this
    std::function<void(float*, const float*, int)> launch;
};

unsigned groups(std::size_t items, std::size_t size) { return static_cast<unsigned>((items + size - 1) / size); }

template<int columns, int rows, bool streaming, bool square_order> Case make_candidate(const char* name) {
    return {name, true, 0, 4, [](float* out, const float* in, int n) {
                const dim3 grid(groups(n, 4 * columns), groups(n, 4 * rows));
                candidate<columns, rows, streaming, square_order><<<grid, columns * rows>>>(out, in, n);
            }};
}

std::vector<Case> all_cases() {
    using Out = float*;
    using In = const float*;
    const auto square = [](int n, int size) { return dim3(groups(n, size), groups(n, size)); };
    return {
        {"copy", false, 0, 1, [](Out out, In in, int n) { copy<<<groups(groups(std::size_t(n) * n, 4), 256), 256>>>(out, in, n); }},
        {"one_thread", true, 4096, 1, [](Out out, In in, int n) { one_thread<<<1, 1>>>(out, in, n); }},
        {"per_row_256", true, 0, 1, [](Out out, In in, int n) { per_row<<<groups(n, 256), 256>>>(out, in, n); }},
        {"per_row_1024", true, 0, 1, [](Out out, In in, int n) { per_row<<<groups(n, 1024), 1024>>>(out, in, n); }},
        {"per_output_row_256", true, 0, 1, [](Out out, In in, int n) { per_output_row<<<groups(n, 256), 256>>>(out, in, n); }},
        {"per_output_row_1024", true, 0, 1, [](Out out, In in, int n) { per_output_row<<<groups(n, 1024), 1024>>>(out, in, n); }},
        {"per_element_16", true, 0, 1, [=](Out out, In in, int n) { per_element<<<square(n, 16), dim3(16, 16)>>>(out, in, n); }},
        {"per_element_32", true, 0, 1, [=](Out out, In in, int n) { per_element<<<square(n, 32), dim3(32, 32)>>>(out, in, n); }},
        {"tiled_32", true, 0, 1, [=](Out out, In in, int n) { tiled<32><<<square(n, 32), dim3(32, 32)>>>(out, in, n); }},
        {"tiled_16", true, 0, 1, [=](Out out, In in, int n) { tiled<16><<<square(n, 16), dim3(16, 16)>>>(out, in, n); }},
        {"padded", true, 0, 1, [=](Out out, In in, int n) { padded<<<square(n, 32), dim3(32, 32)>>>(out, in, n); }},
        {"coarse", true, 0, 1, [=](Out out, In in, int n) { coarse<<<square(n, 32), dim3(32, 8)>>>(out, in, n); }},
        {"vectorised", true, 0, 1, [=](Out out, In in, int n) { vectorised<<<square(n, 64), 256>>>(out, in, n); }},
        make_candidate<16, 16, false, false>("candidate_64x64"),
        make_candidate<16, 16, true, false>("candidate_64x64_streaming"),
        make_candidate<16, 16, false, true>("candidate_64x64_squares"),
        make_candidate<16, 16, true, true>("candidate_64x64_streaming_squares"),
        make_candidate<8, 32, false, false>("candidate_32x128"),
        make_candidate<32, 8, false, false>("candidate_128x32"),
        make_candidate<8, 16, false, false>("candidate_32x64"),
        make_candidate<16, 8, false, false>("candidate_64x32"),
        make_candidate<8, 8, false, false>("candidate_32x32"),
    };
}

float value_at(std::size_t index) { return static_cast<float>(index % 8388593); }

bool is_right(const Case& kernel, const std::vector<float>& result, int n) {
    for (std::size_t y = 0; y < std::size_t(n); ++y) {
        for (std::size_t x = 0; x < std::size_t(n); ++x) {
            const float expected = kernel.transposes ? value_at(x * n + y) : value_at(y * n + x);
            if (result[y * n + x] != expected) return false;
        }
    }
    return true;
}

struct Timer {
    cudaEvent_t begin{};
    cudaEvent_t end{};
    Timer() {
        check(cudaEventCreate(&begin), "event");
        check(cudaEventCreate(&end), "event");
    }
    // Milliseconds between the events around `launches` launches.
    float time(const Case& kernel, float* out, const float* in, int n, int launches) {
        check(cudaEventRecord(begin), "record");
        for (int i = 0; i < launches; ++i) kernel.launch(out, in, n);
        check(cudaEventRecord(end), "record");
        check(cudaEventSynchronize(end), kernel.name.c_str());
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin, end), "elapsed");
        return milliseconds;
    }
};

// Runs, checks and times one kernel; false when its result is wrong.
bool measure(const Case& kernel, float* out, const float* in, int n, Timer& timer) {
    const std::size_t elements = std::size_t(n) * n;
    check(cudaMemset(out, 0xff, elements * sizeof(float)), "memset");
    kernel.launch(out, in, n);
    check(cudaGetLastError(), kernel.name.c_str());
    std::vector<float> result(elements);
    check(cudaMemcpy(result.data(), out, elements * sizeof(float), cudaMemcpyDeviceToHost), kernel.name.c_str());
    const bool right = is_right(kernel, result, n);

    const float once = timer.time(kernel, out, in, n, 1);
    const int repeats = once > 100 ? 5 : 41;
    const int batch = once > 10 ? 3 : 50;
    timer.time(kernel, out, in, n, batch); // warm
    std::vector<float> singles;
    for (int i = 0; i < repeats; ++i) singles.push_back(timer.time(kernel, out, in, n, 1));
    std::sort(singles.begin(), singles.end());
    std::vector<float> batches;
    for (int i = 0; i < 5; ++i) batches.push_back(timer.time(kernel, out, in, n, batch) / batch);
    std::sort(batches.begin(), batches.end());
    const double gbs = 2.0 * elements * sizeof(float) / (batches[2] * 1e6);
    std::printf("%s,%d,%s,%.6f,%.6f,%.6f,%.1f,%d\n", kernel.name.c_str(), n, right ? "ok" : "WRONG", singles[singles.size() / 2],
                singles.front(), batches[2], gbs, repeats);
    std::fflush(stdout);
    return right;
}

} // namespace

int main(int argc, char** argv) {
    std::vector<int> sizes;
    for (int i = 1; i < argc; ++i) sizes.push_back(std::atoi(argv[i]));
    if (sizes.empty()) sizes = {1024, 4096, 16384, 1000, 1021};
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, 0), "no device");
    std::fprintf(stderr, "device: %s\n", properties.name);
    std::printf("kernel,n,result,single_median_ms,single_min_ms,batch_mean_ms,batch_gb_per_s,repeats\n");
    Timer timer;
    bool all_right = true;
    for (const int n : sizes) {
        if (n < 1) continue;
        const std::size_t elements = std::size_t(n) * n;
        std::vector<float> input(elements);
        for (std::size_t i = 0; i < elements; ++i) input[i] = value_at(i);
        float* in = nullptr;
        float* out = nullptr;
        check(cudaMalloc(&in, elements * sizeof(float)), "memory");
        check(cudaMalloc(&out, elements * sizeof(float)), "memory");
        check(cudaMemcpy(in, input.data(), elements * sizeof(float), cudaMemcpyHostToDevice), "copy");
        for (const Case& kernel : all_cases()) {
            if (kernel.largest_n != 0 && n > kernel.largest_n) continue;
            if (n % kernel.multiple_of_n == 0) all_right = measure(kernel, out, in, n, timer) && all_right;
        }
        check(cudaFree(in), "free");
        check(cudaFree(out), "free");
    }
    return all_right ? 0 : 1;
}
