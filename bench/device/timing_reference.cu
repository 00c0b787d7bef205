// An independent measurement to hold apod's timing against: the kernels of timing_cases.hpp in CUDA graphs, and by other methods beside.
//
//   nvcc -O3 -std=c++17 -arch=native bench/device/timing_reference.cu -o timing_reference && ./timing_reference [times] > reference.csv
//
// graph_ns: two graphs of k and 2k kernels in a row, each replayed between two events; the difference of the medians over k. What an event
// or a graph's launch costs is in neither. Where its nodes lie decides up to 2 % of a short kernel's time for as long as a graph lives: so
// it is the median over 16 such pairs, all alive at once; graph_low_ns and graph_high_ns are the quickest and the slowest pair. stream_ns:
// the same with launches into a stream that a spinning kernel holds back. single_ns: one launch between two events, held back; pair_ns:
// nothing between two events, held back. All caches as the kernel's previous run left them.
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

    // What one more run takes in each of several pairs of graphs.
    std::vector<double> graph_pairs(const TimingCase& c, int runs, int times) const {
        const int pairs = runs == 1 ? 1 : 16;
        std::vector<cudaGraphExec_t> graphs;
        for (int i = 0; i < 2 * pairs; ++i) graphs.push_back(graph_of(c, (i % 2 + 1) * runs));
        std::vector<double> differences;
        for (int i = 0; i < pairs; ++i) {
            double took[2];
            for (int which = 0; which < 2; ++which) {
                const cudaGraphExec_t graph = graphs[2 * i + which];
                CHECK(cudaGraphLaunch(graph, stream));
                took[which] = timed(times, false, [&] { CHECK(cudaGraphLaunch(graph, stream)); });
            }
            differences.push_back((took[1] - took[0]) / runs);
        }
        for (const cudaGraphExec_t graph : graphs) CHECK(cudaGraphExecDestroy(graph));
        return differences;
    }
};

void measure(const Bench& bench, const TimingCase& c, int repetition) {
    for (int i = 0; i < 3; ++i) bench.launch(c);
    CHECK(cudaDeviceSynchronize());
    const double pair = bench.timed(51, true, [] {});
    const double single = bench.timed(21, true, [&] { bench.launch(c); });
    const int runs = static_cast<int>(std::clamp(1e6 / (single - pair), 1.0, 300.0));
    const int times = single > 1e6 ? 11 : 31;
    std::vector<double> pairs = bench.graph_pairs(c, runs, times);
    double stream[2];
    for (const int factor : {1, 2})
        stream[factor - 1] = bench.timed(times, true, [&] {
            for (int i = 0; i < factor * runs; ++i) bench.launch(c);
        });
    std::sort(pairs.begin(), pairs.end());
    std::printf("%s,%d,%d,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f\n", c.name, repetition, runs, median(pairs), (stream[1] - stream[0]) / runs, single,
                pair, pairs.front(), pairs.back());
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
    std::printf("kernel,repetition,runs,graph_ns,stream_ns,single_ns,pair_ns,graph_low_ns,graph_high_ns\n");
    for (int repetition = 0; repetition < repetitions; ++repetition)
        for (const TimingCase& c : timing_cases) measure(bench, c, repetition);
    return 0;
}
