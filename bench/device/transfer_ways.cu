// What the way to the device and back allows, piece by piece, and pipelines of many shapes: y = 1.5 x, 256 MiB in and 256 MiB out.
//   nvcc -std=c++20 -O3 -arch=sm_90 -I. bench/device/transfer_ways.cu -o transfer_ways -lcuda
//   transfer_ways [pinned|huge|combined|beside|disturbed]
// huge: pages of 2 MiB, registered; combined: input write-combined; beside: pinned, and kernels that read and write the host's memory
// beside the engines; disturbed: pinned, while threads of the host copy memory or count. Prints CSV: what, its chunks, milliseconds (the
// median of seven, disturbed: of 21, the least and the most), and elements that are wrong. Everything is queued while the first stream
// waits for the host, and timed by events there.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <sys/mman.h>
#include <thread>
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

// The same by bulk copies through shared memory: four tiles of 16 KiB a block are on their way. `fours` is a multiple of a tile's.
constexpr int tile_fours = 1024;
constexpr int tiles_ahead = 4;
__device__ unsigned shared_address(const void* pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }

__device__ void bulk_load(void* to, const void* from, unsigned long long* arrived) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(arrived)), "r"(tile_fours * 16) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(tile_fours * 16), "r"(shared_address(arrived))
                 : "memory");
}

__global__ void __launch_bounds__(256) multiply_by_bulk(float4* y, const float4* x, long long fours) {
    extern __shared__ __align__(128) float4 tiles[];
    __shared__ unsigned long long arrived[tiles_ahead];
    const long long all = fours / tile_fours;
    const long long own = all > blockIdx.x ? (all - blockIdx.x + gridDim.x - 1) / gridDim.x : 0;
    const auto first_of = [&](long long turn) { return (blockIdx.x + turn * gridDim.x) * tile_fours; };
    if (threadIdx.x == 0) {
        for (unsigned long long& barrier : arrived)
            asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&barrier)) : "memory");
        asm volatile("fence.proxy.async;" ::: "memory");
        for (long long turn = 0; turn < tiles_ahead && turn < own; ++turn)
            bulk_load(tiles + turn * tile_fours, x + first_of(turn), &arrived[turn]);
    }
    __syncthreads();
    for (long long turn = 0; turn < own; ++turn) {
        const int stage = static_cast<int>(turn % tiles_ahead);
        const unsigned parity = static_cast<unsigned>(turn / tiles_ahead % 2);
        unsigned done = 0;
        while (done == 0)
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(done)
                         : "r"(shared_address(&arrived[stage])), "r"(parity)
                         : "memory");
        float4* const tile = tiles + stage * tile_fours;
        for (int i = threadIdx.x; i < tile_fours; i += 256) tile[i] = scaled(tile[i]);
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();
        if (threadIdx.x != 0) continue;
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(y + first_of(turn)), "r"(shared_address(tile)),
                     "r"(tile_fours * 16)
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory"); // the tile before this has left its place
        const long long next = turn - 1 + tiles_ahead;
        if (turn > 0 && next < own) {
            const int place = static_cast<int>(next % tiles_ahead);
            bulk_load(tiles + place * tile_fours, x + first_of(next), &arrived[place]);
        }
    }
    if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
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

Ends equal_chunks(int chunks, long long total = count) { // each a multiple of 2048 elements, but for the last
    Ends ends;
    for (int i = 1; i < chunks; ++i) ends.push_back(total / chunks / 2048 * 2048 * i);
    ends.push_back(total);
    return ends;
}

Ends growing_chunks(double first_kib, double growth, double most_mib, long long total = count) {
    Ends ends;
    double size = first_kib * 256;
    for (double at = size; at < static_cast<double>(total); at += size) {
        ends.push_back(static_cast<long long>(at) / 2048 * 2048);
        size = std::min(size * growth, most_mib * 262144);
    }
    ends.push_back(total);
    return ends;
}

// What engines are left with where a kernel takes one part in `parts` of the data.
long long without_part(int parts) { return count - count / parts / 2048 * 2048; }

// Threads that copy memory of their own, or only count, until they go out of scope.
class Others {
public:
    Others(int threads, bool count) {
        for (int i = 0; i < threads; ++i)
            threads_.emplace_back([this, count] {
                std::vector<char> from(64 << 20, 1), to(64 << 20);
                while (!stop_) {
                    ++turns_;
                    if (!count) std::memcpy(to.data() + turns_ % 64, from.data(), from.size() - 64);
                }
                turns_ += to[turns_ % to.size()]; // nothing of it may be left out
            });
        std::this_thread::sleep_for(std::chrono::milliseconds(300)); // until their memory is there
    }
    ~Others() {
        stop_ = true;
        for (std::thread& thread : threads_) thread.join();
    }
    Others(const Others&) = delete;
    Others& operator=(const Others&) = delete;

private:
    std::atomic<bool> stop_{false};
    std::atomic<unsigned> turns_{0};
    std::vector<std::thread> threads_;
};

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

    // What the link carries by any means: more copies at once in one direction, kernels beside engines.
    void limits() {
        for (const int chunks : {1, 32}) {
            show("both ways at once", chunks, false, [&] { both_ways(chunks, 1); });
            show("both ways at once, two streams each", chunks == 1 ? 2 : chunks, false, [&] { both_ways(chunks == 1 ? 2 : chunks, 2); });
            show("in alone, two streams", chunks == 1 ? 2 : chunks, false, [&] { both_ways(chunks == 1 ? 2 : chunks, 2, true, false); });
            show("out alone, two streams", chunks == 1 ? 2 : chunks, false, [&] { both_ways(chunks == 1 ? 2 : chunks, 2, false, true); });
        }
        show("in alone, one call", 32, false, [&] { batch(streams_[0], true, 32); });
        show("out alone, one call", 32, false, [&] { batch(streams_[0], false, 32); });
        show("both ways at once, one call each", 32, false, [&] {
            fork();
            batch(streams_[1], true, 32);
            batch(streams_[2], false, 32);
            join();
        });
        for (const int blocks : {1, 2, 4, 8, 16, 32, 132, 264}) {
            const std::string with = ", " + std::to_string(blocks) + " blocks";
            show("in and out by one kernel" + with, 1, true, [&] { by_kernel(streams_[0], y_, x_, blocks); });
            show("in by a kernel and out by an engine" + with, 1, false, [&] {
                fork();
                by_kernel(streams_[1], device_y_, x_, blocks);
                copies(streams_[2], false, 1);
                join();
            });
            if (blocks <= 4)
                show("in by an engine and out by a kernel" + with, 1, false, [&] {
                    fork();
                    copies(streams_[1], true, 1);
                    by_kernel(streams_[2], y_, device_x_, blocks);
                    join();
                });
            show("in by bulk copies" + with, 1, false, [&] { by_bulk(streams_[0], device_y_, x_, blocks); });
            show("out by bulk copies" + with, 1, false, [&] { by_bulk(streams_[0], y_, device_x_, blocks); });
            show("in and out by bulk copies" + with, 1, true, [&] { by_bulk(streams_[0], y_, x_, blocks); });
            show("in by an engine and out by bulk copies" + with, 1, false, [&] {
                fork();
                copies(streams_[1], true, 1);
                by_bulk(streams_[2], y_, device_x_, blocks);
                join();
            });
            for (const int parts : {64, 32, 16, 8}) {
                const long long end = without_part(parts);
                show("both ways at once, one part in " + std::to_string(parts) + " by a kernel" + with, 1, false, [&] {
                    fork();
                    copy_in(streams_[1], 0, end);
                    copy_out(streams_[2], 0, end);
                    directly(streams_[5], end, blocks);
                    join();
                });
            }
        }
        show("both ways at once", 1, false, [&] { both_ways(1, 1); });
    }

    // A stream for each stage, and beside them a kernel that works on the last part in the host's memory.
    void pipelines_beside() {
        for (const int parts : {64, 32, 16}) {
            for (const int blocks : {2, 4, 16}) {
                const std::string with = ", one part in " + std::to_string(parts) + " by a kernel of " + std::to_string(blocks) + " blocks";
                for (const int chunks : {16, 24, 32})
                    show("stages" + with, chunks, true, [&] { beside(equal_chunks(chunks, without_part(parts)), parts, blocks); });
            }
        }
        show("a stream for each stage", 32, true, [&] { by_stage(equal_chunks(32), 1, 1, cudaEventDisableTiming); });
    }

    // The same four while the host does something else.
    void disturbed() {
        const auto all = [&](const std::string& with) {
            show("in alone" + with, 1, false, [&] { copies(streams_[0], true, 1); });
            show("out alone" + with, 1, false, [&] { copies(streams_[0], false, 1); });
            show("both ways at once" + with, 1, false, [&] { both_ways(1, 1); });
            show("a stream for each stage" + with, 32, true, [&] { by_stage(equal_chunks(32), 1, 1, cudaEventDisableTiming); });
        };
        runs_ = 21;
        for (int i = 0; i < 12; ++i) all("");
        for (const int threads : {14, 1, 2, 4, 8, 14}) {
            const bool counts = threads == 14 && !counted_;
            counted_ = true;
            const Others others(threads, counts);
            all(", " + std::to_string(threads) + (counts ? " threads count" : " threads copy memory"));
        }
        for (int i = 0; i < 4; ++i) all("");
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
        for (int i = 0; i < runs_; ++i) times.push_back(once_ms(queue));
        std::sort(times.begin(), times.end());
        std::printf("\"%s\",%d,%.4f,%.4f,%.4f,%u\n", name.c_str(), chunks, times[times.size() / 2], times.front(), times.back(), wrong);
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
    void both_ways(int chunks, int streams, bool in = true, bool out = true) { // each way in so many streams in turn
        fork();
        long long begin = 0;
        const Ends ends = equal_chunks(chunks);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (in) copy_in(streams_[1 + i % streams], begin, ends[i]);
            if (out) copy_out(streams_[4 + i % streams], begin, ends[i]);
            begin = ends[i];
        }
        join();
    }
    // All pieces by one call, in any order.
    void batch(cudaStream_t stream, bool in, int chunks) {
        std::vector<void*> to, from;
        std::vector<std::size_t> sizes;
        long long begin = 0;
        for (const long long end : equal_chunks(chunks)) {
            to.push_back(in ? device_x_ + begin : y_ + begin);
            from.push_back(in ? x_ + begin : device_y_ + begin);
            sizes.push_back((end - begin) * sizeof(float));
            begin = end;
        }
        cudaMemcpyAttributes attributes = {};
        attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
        std::size_t first = 0;
        check(cudaMemcpyBatchAsync(to.data(), from.data(), sizes.data(), sizes.size(), &attributes, &first, 1, stream));
    }
    // From `begin` on, in the host's memory.
    void directly(cudaStream_t stream, long long begin, int blocks) {
        multiply_by_few<<<blocks, 512, 0, stream>>>(reinterpret_cast<float4*>(y_ + begin), reinterpret_cast<const float4*>(x_ + begin),
                                                    (count - begin) / 4);
    }
    void beside(const Ends& ends, int parts, int blocks) {
        by_stage(ends, 1, 1, cudaEventDisableTiming, [&] { directly(streams_[7], without_part(parts), blocks); });
    }
    void by_kernel(cudaStream_t stream, float* y, const float* x, int blocks) {
        multiply_by_few<<<blocks, 512, 0, stream>>>(reinterpret_cast<float4*>(y), reinterpret_cast<const float4*>(x), count / 4);
    }

    void by_bulk(cudaStream_t stream, float* y, const float* x, int blocks) {
        constexpr int shared = tiles_ahead * tile_fours * static_cast<int>(sizeof(float4));
        check(cudaFuncSetAttribute(multiply_by_bulk, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
        multiply_by_bulk<<<blocks, 256, shared, stream>>>(reinterpret_cast<float4*>(y), reinterpret_cast<const float4*>(x), count / 4);
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
    void by_stage(const Ends& ends, int ins, int outs, unsigned event_flags, const Queue& also = {}) {
        fork();
        if (also) also();
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
    int runs_ = 7;
    bool counted_ = false;
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
    if (kind == "disturbed") {
        ways.disturbed();
        return 0;
    }
    if (kind == "beside") {
        ways.limits();
        ways.pipelines_beside();
        return 0;
    }
    ways.pieces();
    if (kind == "pinned") ways.pipelines();
    return 0;
}
