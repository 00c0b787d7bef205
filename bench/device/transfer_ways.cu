// What the way to the device and back allows, piece by piece, and pipelines of many shapes: y = 1.5 x, 256 MiB in and 256 MiB out.
//   nvcc -std=c++20 -O3 -arch=sm_90 -I. bench/device/transfer_ways.cu -o transfer_ways -lcuda
//   transfer_ways [pinned|huge|combined]    huge: pages of 2 MiB, registered; combined: input write-combined
// Prints CSV: what, its chunks, milliseconds (the median of seven, the least and the most), and elements that are wrong. Everything is
// queued while the first stream waits for the host, and timed by events there.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace {

void check_at(int error, int line) {
    if (error == 0) return;
    std::fprintf(stderr, "transfer_ways.cu:%d: error %d\n", line, error);
    std::exit(1);
}
#define check(call) check_at(static_cast<int>(call), __LINE__)

constexpr long long count = 1 << 26; // elements
constexpr std::size_t bytes = count * sizeof(float);
constexpr float factor = 1.5f;
constexpr int stream_number = 8;

__global__ void wait_for_host(volatile unsigned* gate, unsigned turn) {
    while (*gate != turn) {
    }
}

__device__ float4 scaled(float4 four) { return {four.x * factor, four.y * factor, four.z * factor, four.w * factor}; }

__global__ void multiply(float4* y, const float4* x, long long fours) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < fours) y[i] = scaled(x[i]);
}

// As many blocks as are given: between device and host, where one of the two is the host's memory.
__global__ void __launch_bounds__(512) multiply_by_few(float4* y, const float4* x, long long fours) {
    const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
    for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < fours; i += step) y[i] = scaled(x[i]);
}

// All chunks by one kernel, which waits for flags that the stream of copies in writes, and sets those that the stream of copies out waits
// for.
__global__ void __launch_bounds__(512)
    multiply_by_flags(float4* y, const float4* x, const long long* ends, int chunks, volatile unsigned* is_in, unsigned* through,
                      volatile unsigned* is_done, unsigned turn) {
    long long begin = 0;
    for (int chunk = 0; chunk < chunks; ++chunk) {
        const long long end = ends[chunk] / 4;
        if (threadIdx.x == 0) {
            while (is_in[chunk] != turn) __nanosleep(200);
        }
        __syncthreads();
        const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
        for (long long i = begin + static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < end; i += step) {
            y[i] = scaled(__ldcg(&x[i]));
        }
        begin = end;
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0 && atomicAdd(&through[chunk], 1u) == gridDim.x - 1) {
            through[chunk] = 0;
            __threadfence_system();
            is_done[chunk] = turn;
        }
    }
}

__global__ void poison(float4* y, long long fours) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < fours) y[i] = {-9, -9, -9, -9};
}
__global__ void count_wrong(const float4* y, const float4* x, long long fours, unsigned* wrong) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= fours) return;
    const float4 is = y[i];
    const float4 right = scaled(x[i]);
    if (is.x != right.x || is.y != right.y || is.z != right.z || is.w != right.w) atomicAdd(wrong, 1u);
}

using Ends = std::vector<long long>; // of each chunk, in elements

Ends equal_chunks(int chunks) { // each a multiple of 2048 elements, but for the last
    Ends ends;
    for (int i = 1; i < chunks; ++i) ends.push_back(count / chunks / 2048 * 2048 * i);
    ends.push_back(count);
    return ends;
}

Ends growing_chunks(double first_kib, double growth, double most_mib) {
    Ends ends;
    double size = first_kib * 256;
    for (double at = size; at < count; at += size) {
        ends.push_back(static_cast<long long>(at) / 2048 * 2048);
        size = std::min(size * growth, most_mib * 262144);
    }
    ends.push_back(count);
    return ends;
}

class Ways {
public:
    explicit Ways(const std::string& kind) {
        x_ = host_memory(kind == "combined" ? cudaHostAllocWriteCombined : cudaHostAllocDefault, kind == "huge");
        y_ = host_memory(cudaHostAllocDefault, kind == "huge");
        for (long long i = 0; i < count; ++i) x_[i] = static_cast<float>(i % 8191) - 4000;
        for (float** memory : {&device_x_, &device_y_}) check(cudaMalloc(memory, bytes));
        for (unsigned** memory : {&wrong_, &is_in_, &through_, &is_done_}) {
            check(cudaMalloc(memory, most_chunks * sizeof(unsigned)));
            check(cudaMemset(*memory, 0, most_chunks * sizeof(unsigned)));
        }
        check(cudaMalloc(&ends_, most_chunks * sizeof(long long)));
        check(cudaHostAlloc(&gate_, sizeof(unsigned), cudaHostAllocMapped));
        for (cudaStream_t& stream : streams_) check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        for (cudaEvent_t* event : {&begin_, &end_}) check(cudaEventCreate(event));
    }

    void pieces() {
        for (const int chunks : {1, 8, 16, 32, 64, 128, 256}) {
            show("in alone", chunks, false, [&] { copies(streams_[0], true, chunks); });
            show("out alone", chunks, false, [&] { copies(streams_[0], false, chunks); });
            show("both ways at once", chunks, false, [&] {
                fork();
                copies(streams_[1], true, chunks);
                copies(streams_[2], false, chunks);
                join();
            });
        }
        for (const int blocks : {8, 32, 132}) {
            const std::string with = ", " + std::to_string(blocks) + " blocks";
            show("in by a kernel" + with, 1, false, [&] { by_kernel(streams_[0], device_y_, x_, blocks); });
            show("out by a kernel" + with, 1, false, [&] { by_kernel(streams_[0], y_, device_x_, blocks); });
            show("in by an engine and out by a kernel" + with, 1, false, [&] {
                fork();
                copies(streams_[1], true, 1);
                by_kernel(streams_[2], y_, device_x_, blocks);
                join();
            });
        }
    }

    void pipelines() {
        for (const int chunks : {16, 24, 32, 48, 64, 128}) {
            const Ends ends = equal_chunks(chunks);
            show("a stream for each stage", chunks, true, [&] { by_stage(ends, 1, 1, cudaEventDisableTiming); });
            show("a stream for each stage, events with times", chunks, true, [&] { by_stage(ends, 1, 1, cudaEventDefault); });
            show("two streams for copies in", chunks, true, [&] { by_stage(ends, 2, 1, cudaEventDisableTiming); });
            show("two streams for copies out", chunks, true, [&] { by_stage(ends, 1, 2, cudaEventDisableTiming); });
            for (const int streams : {2, 3, 4}) {
                show(std::to_string(streams) + " streams in turn", chunks, true, [&] { in_turn(ends, streams); });
            }
            const cudaGraphExec_t graph = captured([&] { by_stage(ends, 1, 1, cudaEventDisableTiming); });
            show("a graph of the stages", chunks, true, [&] { check(cudaGraphLaunch(graph, streams_[0])); });
            check(cudaGraphExecDestroy(graph));
            check(cudaMemcpy(ends_, ends.data(), ends.size() * sizeof(long long), cudaMemcpyHostToDevice));
            show("one kernel and flags", chunks, true, [&] { by_flags(ends); });
        }
        for (const double first : {512.0, 2048.0}) {
            for (const double growth : {1.1, 1.4}) {
                for (const double most : {8.0, 32.0}) {
                    const Ends ends = growing_chunks(first, growth, most);
                    char name[96];
                    std::snprintf(name, sizeof name, "stages, from %.0f KiB by %.1f to %.0f MiB", first, growth, most);
                    show(name, static_cast<int>(ends.size()), true, [&] { by_stage(ends, 1, 1, cudaEventDisableTiming); });
                }
            }
        }
    }

private:
    static constexpr std::size_t most_chunks = 4096;
    using Queue = std::function<void()>; // begins and ends in the first stream

    static float* host_memory(unsigned flags, bool huge) {
        float* memory = nullptr;
        if (!huge) {
            check(cudaHostAlloc(&memory, bytes, flags | cudaHostAllocMapped));
            return memory;
        }
        constexpr std::size_t page = 2 << 20;
        void* const area = mmap(nullptr, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        check(area == MAP_FAILED ? 1 : 0);
        memory = reinterpret_cast<float*>((reinterpret_cast<std::size_t>(area) + page - 1) / page * page);
        check(madvise(memory, bytes, MADV_HUGEPAGE));
        std::fill(memory, memory + count, 0.0f);
        check(cudaHostRegister(memory, bytes, cudaHostRegisterMapped));
        return memory;
    }

    // What is queued in the other streams comes after what was queued in the first before, and the first waits for it.
    void fork() {
        check(cudaEventRecord(event(0, cudaEventDisableTiming), streams_[0]));
        for (int i = 1; i < stream_number; ++i) check(cudaStreamWaitEvent(streams_[i], event(0, cudaEventDisableTiming)));
    }
    void join() {
        for (int i = 1; i < stream_number; ++i) {
            check(cudaEventRecord(event(i, cudaEventDisableTiming), streams_[i]));
            check(cudaStreamWaitEvent(streams_[0], event(i, cudaEventDisableTiming)));
        }
    }
    cudaEvent_t event(std::size_t number, unsigned flags) {
        std::vector<cudaEvent_t>& events = flags == cudaEventDisableTiming ? events_ : timed_events_;
        while (events.size() <= number) {
            cudaEvent_t made = nullptr;
            check(cudaEventCreateWithFlags(&made, flags));
            events.push_back(made);
        }
        return events[number];
    }

    double once_ms(const Queue& queue) {
        ++turn_;
        wait_for_host<<<1, 1, 0, streams_[0]>>>(gate_, turn_);
        check(cudaEventRecord(begin_, streams_[0]));
        queue();
        check(cudaEventRecord(end_, streams_[0]));
        *static_cast<volatile unsigned*>(gate_) = turn_;
        check(cudaDeviceSynchronize());
        float ms = 0;
        check(cudaEventElapsedTime(&ms, begin_, end_));
        return ms;
    }

    void show(const std::string& name, int chunks, bool judged, const Queue& queue) {
        unsigned wrong = 0;
        const auto fours = reinterpret_cast<float4*>(y_);
        constexpr unsigned blocks = count / 4 / 256;
        if (judged) {
            poison<<<blocks, 256>>>(fours, count / 4);
            check(cudaMemset(wrong_, 0, sizeof wrong));
            for (float* memory : {device_x_, device_y_}) check(cudaMemset(memory, 0xff, bytes));
            check(cudaDeviceSynchronize());
            once_ms(queue);
            count_wrong<<<blocks, 256>>>(fours, reinterpret_cast<const float4*>(x_), count / 4, wrong_);
            check(cudaMemcpy(&wrong, wrong_, sizeof wrong, cudaMemcpyDeviceToHost));
        }
        std::vector<double> times;
        for (int i = 0; i < 7; ++i) times.push_back(once_ms(queue));
        std::sort(times.begin(), times.end());
        std::printf("\"%s\",%d,%.4f,%.4f,%.4f,%u\n", name.c_str(), chunks, times[3], times.front(), times.back(), wrong);
        std::fflush(stdout);
    }

    void copy_in(cudaStream_t stream, long long begin, long long end) {
        check(cudaMemcpyAsync(device_x_ + begin, x_ + begin, (end - begin) * sizeof(float), cudaMemcpyHostToDevice, stream));
    }
    void copy_out(cudaStream_t stream, long long begin, long long end) {
        check(cudaMemcpyAsync(y_ + begin, device_y_ + begin, (end - begin) * sizeof(float), cudaMemcpyDeviceToHost, stream));
    }
    void work(cudaStream_t stream, long long begin, long long end) {
        const long long fours = (end - begin) / 4;
        multiply<<<static_cast<unsigned>((fours + 255) / 256), 256, 0, stream>>>(reinterpret_cast<float4*>(device_y_ + begin),
                                                                                 reinterpret_cast<const float4*>(device_x_ + begin), fours);
    }
    void copies(cudaStream_t stream, bool in, int chunks) {
        long long begin = 0;
        for (const long long end : equal_chunks(chunks)) {
            in ? copy_in(stream, begin, end) : copy_out(stream, begin, end);
            begin = end;
        }
    }
    void by_kernel(cudaStream_t stream, float* y, const float* x, int blocks) {
        multiply_by_few<<<blocks, 512, 0, stream>>>(reinterpret_cast<float4*>(y), reinterpret_cast<const float4*>(x), count / 4);
    }

    void in_turn(const Ends& ends, int streams) {
        fork();
        long long begin = 0;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const cudaStream_t stream = streams_[i % streams];
            copy_in(stream, begin, ends[i]);
            work(stream, begin, ends[i]);
            copy_out(stream, begin, ends[i]);
            begin = ends[i];
        }
        join();
    }

    // Streams for copies in from the first on, for kernels the fourth, for copies out from the fifth on.
    void by_stage(const Ends& ends, int ins, int outs, unsigned event_flags) {
        fork();
        long long begin = 0;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const cudaStream_t in = streams_[i % ins];
            const cudaStream_t out = streams_[4 + i % outs];
            const cudaEvent_t is_in = event(stream_number + 2 * i, event_flags);
            const cudaEvent_t is_done = event(stream_number + 2 * i + 1, event_flags);
            copy_in(in, begin, ends[i]);
            check(cudaEventRecord(is_in, in));
            check(cudaStreamWaitEvent(streams_[3], is_in));
            work(streams_[3], begin, ends[i]);
            check(cudaEventRecord(is_done, streams_[3]));
            check(cudaStreamWaitEvent(out, is_done));
            copy_out(out, begin, ends[i]);
            begin = ends[i];
        }
        join();
    }

    void by_flags(const Ends& ends) {
        ++flag_;
        fork();
        multiply_by_flags<<<32, 512, 0, streams_[1]>>>(reinterpret_cast<float4*>(device_y_), reinterpret_cast<const float4*>(device_x_),
                                                       ends_, static_cast<int>(ends.size()), is_in_, through_, is_done_, flag_);
        long long begin = 0;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            copy_in(streams_[0], begin, ends[i]);
            check(cuStreamWriteValue32(streams_[0], reinterpret_cast<CUdeviceptr>(is_in_ + i), flag_, 0));
            check(cuStreamWaitValue32(streams_[2], reinterpret_cast<CUdeviceptr>(is_done_ + i), flag_, CU_STREAM_WAIT_VALUE_EQ));
            copy_out(streams_[2], begin, ends[i]);
            begin = ends[i];
        }
        join();
    }

    cudaGraphExec_t captured(const Queue& queue) {
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
        check(cudaStreamBeginCapture(streams_[0], cudaStreamCaptureModeGlobal));
        queue();
        check(cudaStreamEndCapture(streams_[0], &graph));
        check(cudaGraphInstantiate(&executable, graph, 0));
        check(cudaGraphDestroy(graph));
        check(cudaGraphUpload(executable, streams_[0]));
        return executable;
    }

    float* x_ = nullptr; // the host's, which the device reaches at the same addresses
    float* y_ = nullptr;
    float* device_x_ = nullptr;
    float* device_y_ = nullptr;
    unsigned* wrong_ = nullptr;
    unsigned* is_in_ = nullptr;
    unsigned* through_ = nullptr;
    unsigned* is_done_ = nullptr;
    long long* ends_ = nullptr;
    unsigned* gate_ = nullptr;
    unsigned turn_ = 0;
    unsigned flag_ = 0;
    cudaStream_t streams_[stream_number] = {};
    cudaEvent_t begin_ = nullptr;
    cudaEvent_t end_ = nullptr;
    std::vector<cudaEvent_t> events_;
    std::vector<cudaEvent_t> timed_events_;
};

} // namespace

int main(int argc, char** argv) {
    const std::string kind = argc > 1 ? argv[1] : "pinned";
    Ways ways(kind);
    std::printf("what,chunks,ms,least,most,wrong\n");
    ways.pieces();
    if (kind == "pinned") ways.pipelines();
    return 0;
}
