// An independent measurement to hold apod's timing against: the kernels of timing_cases.hpp in CUDA graphs, and by other methods beside;
// and apod::measure of the same kernels on the same buffers, in turns with it.
//
//   nvcc -O3 -std=c++20 -arch=native -Iinclude bench/device/timing_reference.cu -Lbuild/dev -lapod_measure -o timing_reference
//   LD_LIBRARY_PATH=build/dev ./timing_reference [times [others]] > timing_reference.csv
//
// graph_ns: two graphs of k and 2k kernels in a row, each replayed between two events; the difference of the medians over k. What an event
// or a graph's launch costs is in neither. How fast a kernel of a few microseconds is depends on how its data came to lie in L2, and stays
// so until something else runs: so a large buffer is overwritten before each of 32 visits, and the median visit is taken; graph_low_ns and
// graph_high_ns are the quickest and the slowest. All caches as the kernel's previous run left them. apod_ns: the median that apod::measure
// gives, with its interval, samples, deviation and stopping rule.
// With `others`: stream_ns, the same as launches into a stream that a spinning kernel holds back; single_ns, one launch between two events,
// held back; pair_ns, nothing between two events, held back.
#include "timing_cases.hpp"
#include "timing_kernels.cu"

#include <apod/measure.hpp>

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
    float *out, *in, *other;

    void launch(const TimingCase& c) const { launch(c, stream); }
    void launch(const TimingCase& c, cudaStream_t stream) const {
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

    // What one more run takes, in each of several states of the cache.
    std::vector<double> graph_visits(const TimingCase& c, int runs) const {
        const cudaGraphExec_t graphs[2] = {graph_of(c, runs), graph_of(c, 2 * runs)};
        const int visits = runs == 1 ? 2 : 32;
        std::vector<double> differences;
        for (int visit = 0; visit < visits; ++visit) {
            CHECK(cudaMemsetAsync(other, visit, 256 * mib, stream));
            double took[2];
            for (int which = 0; which < 2; ++which) {
                CHECK(cudaGraphLaunch(graphs[which], stream));
                took[which] = timed(7, false, [&] { CHECK(cudaGraphLaunch(graphs[which], stream)); });
            }
            differences.push_back((took[1] - took[0]) / runs);
        }
        for (const cudaGraphExec_t graph : graphs) CHECK(cudaGraphExecDestroy(graph));
        return differences;
    }
};

int runs_of(const Bench& bench, const TimingCase& c) {
    for (int i = 0; i < 3; ++i) bench.launch(c);
    CHECK(cudaDeviceSynchronize());
    return static_cast<int>(std::clamp(1e6 / bench.timed(21, false, [&] { bench.launch(c); }), 1.0, 300.0));
}

void in_turns(const Bench& bench, const TimingCase& c, int repetition) {
    const int runs = runs_of(bench, c);
    std::vector<double> visits = bench.graph_visits(c, runs);
    apod::MeasureOptions options;
    options.name = c.name;
    const apod::Timing apod = apod::measure([&](void* into) { bench.launch(c, static_cast<cudaStream_t>(into)); }, options);
    std::sort(visits.begin(), visits.end());
    std::printf("%s,%d,%d,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%zu,%.5f,%s\n", c.name, repetition, runs, median(visits), visits.front(),
                visits.back(), apod.median_ns, apod.low_ns, apod.high_ns, apod.samples.size(), apod.deviation, apod.stopped_by.c_str());
    std::fflush(stdout);
}

void by_other_methods(const Bench& bench, const TimingCase& c, int repetition) {
    const int runs = runs_of(bench, c);
    const double pair = bench.timed(51, true, [] {});
    const double single = bench.timed(21, true, [&] { bench.launch(c); });
    double took[2];
    for (const int factor : {1, 2})
        took[factor - 1] = bench.timed(single > 1e6 ? 11 : 31, true, [&] {
            for (int i = 0; i < factor * runs; ++i) bench.launch(c);
        });
    std::printf("%s,%d,%d,%.1f,%.1f,%.1f\n", c.name, repetition, runs, (took[1] - took[0]) / runs, single, pair);
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
    CHECK(cudaMalloc(&bench.other, 256 * mib));
    CHECK(cudaMemset(bench.in, 0, 1024 * mib));
    CHECK(cudaMemset(bench.out, 0, 1024 * mib));
    CHECK(cudaDeviceSynchronize()); // the memsets are on the default stream, which ours does not wait for
    const bool others = argc > 2 && std::strcmp(argv[2], "others") == 0;
    std::printf(
        others ? "kernel,repetition,runs,stream_ns,single_ns,pair_ns\n"
               : "kernel,repetition,runs,graph_ns,graph_low_ns,graph_high_ns,apod_ns,apod_low_ns,apod_high_ns,samples,deviation,stop\n");
    // Each kernel of a graph takes 0.18 us more once work of two streams was there. Both measurements are to meet the same GPU from the
    // start.
    if (!others) apod::measure([&](void* into) { bench.launch(timing_cases[0], static_cast<cudaStream_t>(into)); });
    for (int repetition = 0; repetition < repetitions; ++repetition)
        for (const TimingCase& c : timing_cases) (others ? by_other_methods : in_turns)(bench, c, repetition);
    return 0;
}
