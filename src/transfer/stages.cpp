#include "transfer/stages.hpp"

#include "base/units.hpp"
#include "bench/launch_arguments.hpp"
#include "transfer/host_clock.hpp"
#include "transfer/host_version.hpp"
#include "transfer/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace apod::transfer {
namespace {

constexpr std::size_t runs = 5;
constexpr float poison = -1;

// The program, with or without events and laps around its stages.
class Program {
public:
    explicit Program(const Session& session) : session_(session) {}

    Result<void> prepare() {
        Result<std::unique_ptr<device::Stream>> stream = session_.async().make_stream();
        if (!stream) return stream.error();
        stream_ = *std::move(stream);
        for (std::unique_ptr<device::Event>& event : events_) {
            Result<std::unique_ptr<device::Event>> made = session_.async().make_event();
            if (!made) return made.error();
            event = *std::move(made);
        }
        return {};
    }

    void release() {
        kept_in_.reset();
        kept_out_.reset();
    }

    // The elapsed time alone: what it takes when nobody looks.
    Result<double> elapsed(std::span<const float> in, std::span<float> out) {
        HostClock whole;
        const Result<void> done = work(in, out, [](const char*, bool, const auto& stage) { return stage(); });
        if (!done) return done.error();
        return whole.lap_ns();
    }

    // The events' times are asked for when all is done, so that no stage has that in it.
    Result<Breakdown> stages(std::span<const float> in, std::span<float> out) {
        Breakdown breakdown;
        breakdown.bytes = in.size_bytes();
        std::size_t event = 0;
        HostClock whole;
        HostClock clock;
        const auto lap = [&](const char* name, bool on_stream, const auto& stage) -> Result<void> {
            if (on_stream)
                if (const Result<void> done = stream_->record(*events_[event++]); !done) return done;
            if (const Result<void> done = stage(); !done) return done;
            breakdown.stages.push_back({name, {}, clock.lap_ns()});
            return {};
        };
        event_of_stage_ = [&] { return events_[event++].get(); };
        const Result<void> done = work(in, out, lap);
        event_of_stage_ = nullptr;
        if (!done) return done.error();
        breakdown.elapsed_ns = whole.lap_ns();
        event = 0;
        for (Stage& stage : breakdown.stages) {
            if (stage.name.starts_with("allocation")) continue;
            const Result<double> event_ns = session_.async().elapsed_ns(*events_[event], *events_[event + 1]);
            if (!event_ns) return event_ns.error();
            stage.event_ns = *event_ns;
            event += 2;
        }
        return breakdown;
    }

private:
    // `stage`(name, whether it is work on the stream, what to do) runs each.
    template<class OneStage> Result<void> work(std::span<const float> in, std::span<float> out, const OneStage& stage) {
        std::optional<DeviceMemory> x, y;
        const auto allocate = [&](std::optional<DeviceMemory>& memory, std::uint64_t bytes) -> Result<void> {
            Result<DeviceMemory> made = DeviceMemory::allocate(session_.device(), bytes, "stages");
            if (!made) return made.error();
            memory.emplace(*std::move(made));
            return {};
        };
        const auto allocate_in = [&] { return allocate(x, in.size_bytes()); };
        const auto copy_in = [&] { return finish(stream_->write(x->address(), std::as_bytes(in))); };
        const auto allocate_out = [&] { return allocate(y, out.size_bytes()); };
        const auto kernel = [&] { return finish(session_.scale(*stream_, y->address(), x->address(), in.size(), 1)); };
        const auto copy_out = [&] { return finish(stream_->read(std::as_writable_bytes(out), y->address())); };
        if (const Result<void> done = stage("allocation in", false, allocate_in); !done) return done;
        if (const Result<void> done = stage("copy in", true, copy_in); !done) return done;
        if (const Result<void> done = stage("allocation out", false, allocate_out); !done) return done;
        if (const Result<void> done = stage("kernel", true, kernel); !done) return done;
        if (const Result<void> done = stage("copy out", true, copy_out); !done) return done;
        kept_in_.emplace(*std::move(x)); // freed by release(), outside of the elapsed time
        kept_out_.emplace(*std::move(y));
        return {};
    }

    Result<void> finish(const Result<void>& queued) {
        if (!queued) return queued;
        if (event_of_stage_)
            if (const Result<void> done = stream_->record(*event_of_stage_()); !done) return done;
        return stream_->synchronize();
    }

    const Session& session_;
    std::unique_ptr<device::Stream> stream_;
    std::array<std::unique_ptr<device::Event>, 6> events_; // before and after each stage on the stream
    std::optional<DeviceMemory> kept_in_;
    std::optional<DeviceMemory> kept_out_;
    std::function<device::Event*()> event_of_stage_; // the next event, while events are recorded
};

// Never the poison, and never the run before's.
void make_fresh(std::vector<float>& in, std::vector<float>& out, std::size_t run) {
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>((i + run) % 1000 + 1);
    std::fill(out.begin(), out.end(), poison);
}

Result<void> check(const std::vector<float>& in, const std::vector<float>& out) {
    std::vector<float> expected(in.size());
    scale_on_one_core(expected, in, scale_factor, 1);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < in.size(); ++i)
        wrong += std::bit_cast<std::uint32_t>(expected[i]) != std::bit_cast<std::uint32_t>(out[i]) ? 1 : 0;
    if (wrong == 0) return {};
    return check_failed(fmt::format("the device's result differs from the host's in {} of {} elements", wrong, in.size()),
                        "no time of a wrong result is shown");
}

} // namespace

Result<Breakdown> measure_stages(const Session& session, std::uint64_t bytes) {
    session.progress(fmt::format("stages, {}", format_bytes_binary(static_cast<double>(bytes))));
    Program program(session);
    if (const Result<void> prepared = program.prepare(); !prepared) return prepared.error();
    const std::size_t count = bytes / sizeof(float);
    std::vector<float> in(count);
    std::vector<float> out(count, poison);
    std::vector<Breakdown> all;
    std::vector<double> plain;
    for (std::size_t run = 0; run < runs; ++run) {
        make_fresh(in, out, run);
        Result<Breakdown> breakdown = program.stages(in, out);
        program.release();
        if (!breakdown) return breakdown.error();
        if (const Result<void> right = check(in, out); !right) return right.error();
        all.push_back(*std::move(breakdown));
        make_fresh(in, out, run + runs);
        const Result<double> elapsed = program.elapsed(in, out);
        program.release();
        if (!elapsed) return elapsed.error();
        plain.push_back(*elapsed);
    }
    std::sort(all.begin(), all.end(), [](const Breakdown& a, const Breakdown& b) { return a.elapsed_ns < b.elapsed_ns; });
    Breakdown result = all[all.size() / 2];
    result.unobserved_ns = bench::median(std::move(plain));
    return result;
}

Result<void> measure_start_up(device::Device& device, StartUp& start_up) {
    HostClock clock;
    Result<std::shared_ptr<device::Code>> code = device.load(std::string(kernels()), "apod's transfer kernels");
    if (!code) return code.error();
    Result<std::shared_ptr<device::Kernel>> kernel = (*code)->kernel("apod_copy");
    if (!kernel) return kernel.error();
    start_up.load_ns = clock.lap_ns();
    device::Async* async = device.async();
    if (async == nullptr) return unavailable("the device has no streams");
    Result<std::unique_ptr<device::Stream>> stream = async->make_stream();
    if (!stream) return stream.error();
    (void)clock.lap_ns();
    for (double* call_ns : {&start_up.first_call_ns, &start_up.next_call_ns}) {
        device::Launch launch;
        launch.block = {32, 1, 1};
        launch.parameters = bench::pack_arguments({0, 0, 0}); // copies nothing
        if (const Result<void> queued = (*stream)->launch(**kernel, launch); !queued) return queued;
        if (const Result<void> done = (*stream)->synchronize(); !done) return done;
        *call_ns = clock.lap_ns();
    }
    return {};
}

} // namespace apod::transfer
