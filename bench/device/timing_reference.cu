// An independent measurement to hold apod's timing against: the kernels of timing_cases.hpp in CUDA graphs, and by other methods beside.
//
//   nvcc -O3 -std=c++17 -arch=native bench/device/timing_reference.cu -o timing_reference && ./timing_reference [times] > reference.csv
//
// graph_ns: two graphs of k and 2k kernels in a row, each replayed between two events; the difference of the medians over k. What an event
// or a graph's launch costs is in neither.
// stream_ns: the same with launches into a stream that a spinning kernel holds back. single_ns: one launch between two events, held back;
// pair_ns: nothing between two events, held back. All caches as the kernel's previous run left them.
#include "timing_cases.hpp"
#include "timing_kernels.cu"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

namespace {

void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::exit(4);
}
#define CHECK(call) check(call, #call)

__global__ void hold(volatile int* open) {
    for (long long begin = clock64(); *open == 0 && clock64() - begin < 2000000000LL;) {
    }
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

struct Bench {
    cudaStream_t stream;
    cudaEvent_t begin, end;
    int* open;
    float *out, *in;

    void launch(const TimingCase& c) const {
        const dim3 grid(c.grid_x, c.grid_y), block(c.block_x, c.block_y);
        if (std::strcmp(c.kernel, "fma_chain") == 0) fma_chain<<<grid, block, 0, stream>>>(out, in, c.n);
        if (std::strcmp(c.kernel, "copy") == 0) copy<<<grid, block, 0, stream>>>(out, in, c.n);
        if (std::strcmp(c.kernel, "gather") == 0) gather<<<grid, block, 0, stream>>>(out, in, c.n);
        if (std::strcmp(c.kernel, "reduce") == 0) reduce<<<grid, block, 0, stream>>>(out, in, c.n);
        if (std::strcmp(c.kernel, "transpose") == 0) transpose<<<grid, block, 0, stream>>>(out, in, c.n);
    }

    // Nanoseconds between two events around `work`, the median of `times`.
    double timed(int times, bool held, const std::function<void()>& work) const {
        std::vector<double> all;
        for (int i = 0; i < times; ++i) {
            *static_cast<volatile int*>(open) = held ? 0 : 1;
            if (held) hold<<<1, 1, 0, stream>>>(open);
            CHECK(cudaEventRecord(begin, stream));
            work();
            CHECK(cudaEventRecord(end, stream));
            *static_cast<volatile int*>(open) = 1;
            CHECK(cudaStreamSynchronize(stream));
            float ms = 0;
            CHECK(cudaEventElapsedTime(&ms, begin, end));
            all.push_back(ms * 1e6);
        }
        return median(all);
    }

    cudaGraphExec_t graph_of(const TimingCase& c, int runs) const {
        cudaGraph_t graph;
        cudaGraphExec_t made;
        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        for (int i = 0; i < runs; ++i) launch(c);
        CHECK(cudaStreamEndCapture(stream, &graph));
        CHECK(cudaGraphInstantiate(&made, graph, 0));
        CHECK(cudaGraphDestroy(graph));
        CHECK(cudaGraphUpload(made, stream));
        return made;
    }
};

void measure(const Bench& bench, const TimingCase& c, int repetition) {
    for (int i = 0; i < 3; ++i) bench.launch(c);
    CHECK(cudaDeviceSynchronize());
    const double pair = bench.timed(51, true, [] {});
    const double single = bench.timed(21, true, [&] { bench.launch(c); });
    const int runs = static_cast<int>(std::clamp(1e6 / (single - pair), 1.0, 300.0));
    const int times = single > 1e6 ? 11 : 31;
    double by_method[2];
    for (const bool graph : {true, false}) {
        double took[2];
        for (const int factor : {1, 2}) {
            if (graph) {
                const cudaGraphExec_t made = bench.graph_of(c, factor * runs);
                CHECK(cudaGraphLaunch(made, bench.stream));
                took[factor - 1] = bench.timed(times, false, [&] { CHECK(cudaGraphLaunch(made, bench.stream)); });
                CHECK(cudaGraphExecDestroy(made));
            } else {
                took[factor - 1] = bench.timed(times, true, [&] {
                    for (int i = 0; i < factor * runs; ++i) bench.launch(c);
                });
            }
        }
        by_method[graph ? 0 : 1] = (took[1] - took[0]) / runs;
    }
    std::printf("%s,%d,%d,%.1f,%.1f,%.1f,%.1f\n", c.name, repetition, runs, by_method[0], by_method[1], single, pair);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    const int repetitions = argc > 1 ? std::atoi(argv[1]) : 1;
    Bench bench;
    CHECK(cudaStreamCreateWithFlags(&bench.stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&bench.begin));
    CHECK(cudaEventCreate(&bench.end));
    CHECK(cudaMallocHost(&bench.open, sizeof(int)));
    CHECK(cudaMalloc(&bench.out, 1024 * mib));
    CHECK(cudaMalloc(&bench.in, 1024 * mib));
    CHECK(cudaMemset(bench.in, 0, 1024 * mib));
    CHECK(cudaMemset(bench.out, 0, 1024 * mib));
    CHECK(cudaDeviceSynchronize()); // the memsets are on the default stream, which ours does not wait for
    std::printf("kernel,repetition,runs,graph_ns,stream_ns,single_ns,pair_ns\n");
    for (int repetition = 0; repetition < repetitions; ++repetition)
        for (const TimingCase& c : timing_cases) measure(bench, c, repetition);
    return 0;
}
