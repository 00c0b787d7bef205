#include "device/emulated/pipeline_model.hpp"

#include "arch/link.hpp"
#include "base/chunks.hpp"

#include <algorithm>
#include <numeric>

namespace apod::device {

namespace {

// H200, driver 580, 2026-12-01 (docs/transfer.md): 55.5 GB/s of 63.0 in one direction, 102 in both together; 51.4 by a kernel from mapped
// memory; pageable memory 10.2 GB/s in and 9.5 out, as fast as one core copies; 1.6 us for a small pinned copy, some 10 for a pageable one.
constexpr double one_way = 0.88;
constexpr double each_of_two_ways = 0.81;
constexpr double mapped_share = 0.815;
constexpr double pageable_in_gbs = 10.2;
constexpr double pageable_out_gbs = 9.5;
constexpr double copy_latency_ns = 1600;
constexpr double pageable_latency_ns = 10000;

// One thing at a time: a copy engine, or the kernels.
struct Engine {
    std::vector<double> work_ns; // of each chunk, alone
    std::size_t next = 0;
    double left_ns = 0;
    bool busy = false;

    void start() {
        left_ns = work_ns[next];
        busy = true;
    }
    [[nodiscard]] std::size_t done() const { return next; } // chunks that are through
};

// When the last chunk is out. `slowed`: the speed of each copy while both ways are busy.
double overlapped_ns(Engine in, Engine kernel, Engine out, std::size_t streams, double slowed) {
    const std::size_t chunks = in.work_ns.size();
    double now = 0;
    while (out.done() < chunks) {
        // A stream takes up its next chunk when the one before is out.
        if (!in.busy && in.next < chunks && in.next < out.done() + streams) in.start();
        if (!kernel.busy && kernel.next < in.done()) kernel.start();
        if (!out.busy && out.next < kernel.done()) out.start();
        const double speed = in.busy && out.busy ? slowed : 1;
        double step = -1;
        for (const auto& [engine, rate] : {std::pair{&in, speed}, {&kernel, 1.0}, {&out, speed}}) {
            if (engine->busy && (step < 0 || engine->left_ns / rate < step)) step = engine->left_ns / rate;
        }
        now += step;
        for (const auto& [engine, rate] : {std::pair{&in, speed}, {&kernel, 1.0}, {&out, speed}}) {
            if (!engine->busy) continue;
            engine->left_ns -= step * rate;
            if (engine->left_ns > 1e-6) continue;
            engine->busy = false;
            ++engine->next;
        }
    }
    return now;
}

Quantity predicted(double ns) { return {ns, Source::predicted, {}}; }

} // namespace

Result<PipelineRecord> predict_pipeline(const PipelineShape& shape, const std::vector<double>& kernel_ns, const arch::Gpu& gpu) {
    const double link = arch::pcie_gbs(gpu); // GB/s: bytes a ns
    if (link <= 0)
        return unavailable("how long copies take is not known: the " + gpu.name + " is not on PCIe alone (" + gpu.pcie + ")",
                           "choose another GPU, e.g. --device emu:h200");
    PipelineRecord record;
    record.shape = shape;
    const double kernels = std::accumulate(kernel_ns.begin(), kernel_ns.end(), 0.0);
    if (shape.host == HostKind::mapped) {
        const double over_link = static_cast<double>(std::max(shape.bytes_in, shape.bytes_out)) / (link * mapped_share);
        record.time_ns = predicted(std::max(kernels, over_link));
        return record;
    }
    const bool pageable = shape.host == HostKind::pageable;
    const double in_gbs = pageable ? std::min(pageable_in_gbs, link * one_way) : link * one_way;
    const double out_gbs = pageable ? std::min(pageable_out_gbs, link * one_way) : link * one_way;
    const double latency = pageable ? pageable_latency_ns : copy_latency_ns;
    Engine in;
    Engine kernel;
    Engine out;
    for (const Chunk& chunk : split_in_chunks(shape.bytes_in, shape.chunks, 1))
        in.work_ns.push_back(latency + static_cast<double>(chunk.count) / in_gbs);
    for (const Chunk& chunk : split_in_chunks(shape.bytes_out, shape.chunks, 1))
        out.work_ns.push_back(latency + static_cast<double>(chunk.count) / out_gbs);
    // Where a way has nothing to carry, or data are too few for so many chunks.
    const std::size_t chunks = std::max<std::size_t>(kernel_ns.size(), 1);
    in.work_ns.resize(chunks, 0);
    out.work_ns.resize(chunks, 0);
    kernel.work_ns = kernel_ns;
    kernel.work_ns.resize(chunks, 0);
    record.time_ns =
        predicted(overlapped_ns(in, kernel, out, shape.by_stage ? chunks : std::max(shape.streams, 1u), each_of_two_ways / one_way));
    record.copy_in_ns = predicted(latency + static_cast<double>(shape.bytes_in) / in_gbs);
    record.kernel_ns = predicted(kernels);
    record.copy_out_ns = predicted(latency + static_cast<double>(shape.bytes_out) / out_gbs);
    return record;
}

} // namespace apod::device
