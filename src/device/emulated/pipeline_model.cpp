#include "device/emulated/pipeline_model.hpp"

#include "arch/link.hpp"
#include "base/chunks.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

namespace apod::device {

namespace {

// H200, driver 580, 2026-12-01 (docs/transfer.md): 55.5 GB/s of 63.0 in one direction; 51.4 by a kernel from mapped memory, 41.5 each way
// by one that writes there too; pageable memory 10.2 GB/s in and 9.5 out, as fast as one core copies; some 10 us for a small pageable copy.
// Some 5 us from the end of a copy or kernel to the start of what waits for it in another engine, and 1.5 us more from one copy to the next
// where they are of different streams: these two make pipelines of 2, 3 and 4 streams and of stages, in 16 to 128 chunks, as long as they
// took, within 5 %.
constexpr double one_way = 0.88;
constexpr double mapped_one_way = 0.815;
constexpr double mapped_both_ways = 0.658;
constexpr double pageable_in_gbs = 10.2;
constexpr double pageable_out_gbs = 9.5;
constexpr double pageable_latency_ns = 10000;
constexpr double hand_over_ns = 5000;
constexpr double other_stream_ns = 1500;

// One thing at a time: a copy engine, or the kernels.
struct Engine {
    std::vector<double> work_ns;  // of each chunk, alone
    double gap_ns = 0;            // before each
    std::vector<double> ready_ns; // when each may start: those that are known so far
    std::size_t next = 0;
    double gap_left_ns = 0;
    double left_ns = 0;
    bool busy = false;

    [[nodiscard]] bool may_start(double now_ns) const { return !busy && next < ready_ns.size() && ready_ns[next] <= now_ns; }
    void start() {
        gap_left_ns = gap_ns;
        left_ns = work_ns[next];
        busy = true;
    }
    [[nodiscard]] bool in_gap() const { return busy && gap_left_ns > 0; }
    // How long until something changes, at that speed; nothing: it waits for another.
    [[nodiscard]] std::optional<double> until_change(double now_ns, double speed) const {
        if (!busy) return next < ready_ns.size() ? std::optional(ready_ns[next] - now_ns) : std::nullopt;
        if (in_gap()) return gap_left_ns;
        return speed > 0 ? std::optional(left_ns / speed) : std::nullopt;
    }
    // True: a chunk is through.
    bool advance(double step_ns, double speed) {
        constexpr double rounding_ns = 1e-6;
        if (!busy) return false;
        if (in_gap()) {
            gap_left_ns = gap_left_ns - step_ns > rounding_ns ? gap_left_ns - step_ns : 0;
        } else {
            left_ns -= step_ns * speed;
        }
        if (in_gap() || left_ns > rounding_ns) return false;
        busy = false;
        ++next;
        return true;
    }
};

// A copy while the other way is busy too: slower, and held up by the other's gap.
double speed_of(const Engine& engine, const Engine& other, double slowed) {
    if (!engine.busy || !other.busy) return 1;
    return other.in_gap() ? 0 : slowed;
}

// When the last chunk is out. `streams`: how many chunks may be under way. `slowed`: the speed of each copy while both ways are busy.
double overlapped_ns(Engine in, Engine kernel, Engine out, std::size_t streams, double slowed) {
    const std::size_t chunks = in.work_ns.size();
    in.ready_ns.assign(std::min(streams, chunks), 0);
    double now = 0;
    while (out.next < chunks) {
        for (Engine* engine : {&in, &kernel, &out})
            if (engine->may_start(now)) engine->start();
        const std::array<std::pair<Engine*, double>, 3> engines = {
            std::pair{&in, speed_of(in, out, slowed)}, {&kernel, 1.0}, {&out, speed_of(out, in, slowed)}};
        std::optional<double> step;
        for (const auto& [engine, speed] : engines) {
            const std::optional<double> until = engine->until_change(now, speed);
            if (until && (!step || *until < *step)) step = until;
        }
        now += *step; // what was begun last always goes on
        const double later = now + hand_over_ns;
        if (in.advance(*step, engines[0].second)) kernel.ready_ns.push_back(later);
        if (kernel.advance(*step, 1)) out.ready_ns.push_back(later);
        if (out.advance(*step, engines[2].second) && in.ready_ns.size() < chunks) in.ready_ns.push_back(later); // a stream's next chunk
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
        const auto more = static_cast<double>(std::max(shape.bytes_in, shape.bytes_out));
        const auto less = static_cast<double>(std::min(shape.bytes_in, shape.bytes_out));
        const double over_link = (more / mapped_one_way + less * (1 / mapped_both_ways - 1 / mapped_one_way)) / link;
        record.time_ns = predicted(std::max(kernels, over_link));
        return record;
    }
    const bool pageable = shape.host == HostKind::pageable;
    const double in_gbs = pageable ? std::min(pageable_in_gbs, link * one_way) : link * one_way;
    const double out_gbs = pageable ? std::min(pageable_out_gbs, link * one_way) : link * one_way;
    const bool in_turn = !shape.by_stage && shape.streams > 1;
    const auto engine = [&](std::uint64_t bytes, double gbs, double gap_ns) {
        Engine made;
        made.gap_ns = (pageable ? pageable_latency_ns : gap_ns) + (in_turn ? other_stream_ns : 0);
        for (const Chunk& chunk : split_in_chunks(bytes, shape.chunks, 1)) made.work_ns.push_back(static_cast<double>(chunk.count) / gbs);
        return made;
    };
    Engine in = engine(shape.bytes_in, in_gbs, arch::copy_in_gap_ns);
    Engine out = engine(shape.bytes_out, out_gbs, arch::copy_out_gap_ns);
    Engine kernel;
    record.copy_in_ns = predicted((pageable ? pageable_latency_ns : arch::copy_in_gap_ns) + static_cast<double>(shape.bytes_in) / in_gbs);
    record.kernel_ns = predicted(kernels);
    record.copy_out_ns =
        predicted((pageable ? pageable_latency_ns : arch::copy_out_gap_ns) + static_cast<double>(shape.bytes_out) / out_gbs);
    // Where a way has nothing to carry, or data are too few for so many chunks.
    const std::size_t chunks = std::max<std::size_t>(kernel_ns.size(), 1);
    for (Engine* each : {&in, &out})
        if (each->work_ns.empty()) each->gap_ns = 0;
    in.work_ns.resize(chunks, 0);
    out.work_ns.resize(chunks, 0);
    kernel.work_ns = kernel_ns;
    kernel.work_ns.resize(chunks, 0);
    const std::size_t under_way = shape.by_stage ? chunks : std::max(shape.streams, 1u);
    record.time_ns = predicted(overlapped_ns(in, kernel, out, under_way, arch::copies_both_ways / one_way));
    if (!record.overlaps()) return record;
    const auto longer = static_cast<double>(std::max(shape.bytes_in, shape.bytes_out));
    const auto shorter = static_cast<double>(std::min(shape.bytes_in, shape.bytes_out));
    record.both_ways_ns = predicted(arch::copy_in_gap_ns + ((longer - shorter) / one_way + shorter / arch::copies_both_ways) / link);
    return record;
}

} // namespace apod::device
