#include "device/replay/replay.hpp"

#include "base/file.hpp"
#include "device/emulated/emulated.hpp"
#include "device/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace apod::device {

namespace {

using Extent = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
using Key = std::tuple<std::string, Extent, Extent, std::uint64_t>;

Extent extent(const Dim3& dimensions) { return {dimensions.x, dimensions.y, dimensions.z}; }

Key key_of(const RecordedLaunch& launch) {
    return {launch.mangled, extent(launch.grid), extent(launch.block), launch.dynamic_shared_bytes};
}

// Recorded launches that look alike.
struct Series {
    std::vector<RecordedLaunch> launches;
    std::size_t next = 0;
};

class ReplayDevice final : public Device, public PipelineTimes {
public:
    ReplayDevice(Recording recording, arch::Gpu gpu, unsigned threads) :
        id_("replay:" + recording.device_id), gpu_(gpu), emulated_(make_emulated(std::move(gpu), {threads, false})) {
        pipelines_ = std::move(recording.pipelines);
        for (RecordedLaunch& launch : recording.launches) {
            kernels_.insert(launch.mangled);
            Key key = key_of(launch);
            recorded_[std::move(key)].launches.push_back(std::move(launch));
        }
    }

    [[nodiscard]] std::string id() const override { return id_; }
    [[nodiscard]] const arch::Gpu& gpu() const override { return gpu_; }
    // Its times are a GPU's.
    [[nodiscard]] bool is_emulated() const override { return false; }

    Result<Address> allocate(std::uint64_t bytes, std::string name) override { return emulated_->allocate(bytes, std::move(name)); }
    Result<void> free(Address address) override { return emulated_->free(address); }
    Result<void> write(Address to, std::span<const std::byte> from) override { return emulated_->write(to, from); }
    Result<void> read(std::span<std::byte> to, Address from) override { return emulated_->read(to, from); }
    Result<void> fill(Address to, std::byte value, std::uint64_t bytes) override { return emulated_->fill(to, value, bytes); }
    Result<std::shared_ptr<Code>> load(std::string ptx, std::string file) override {
        return emulated_->load(std::move(ptx), std::move(file));
    }

    Result<LaunchRecord> launch(Kernel& kernel, const Launch& launch) override {
        const auto found = recorded_.find({kernel.info().name, extent(launch.grid), extent(launch.block), launch.dynamic_shared_bytes});
        if (found == recorded_.end() && kernels_.contains(kernel.info().name)) return not_recorded(kernel.info(), launch);
        if (found == recorded_.end()) {
            // A kernel that is nowhere in the recording was not timed: the analysis before a rung. It is run for its results, and has no
            // time.
            Result<LaunchRecord> untimed = emulated_->launch(kernel, launch);
            return untimed ? as_recorded(*std::move(untimed), RecordedLaunch()) : untimed;
        }
        Result<LaunchRecord> run = emulated_->launch(kernel, launch);
        if (!run) return run.error();
        Series& series = found->second;
        const RecordedLaunch& recorded = series.launches[series.next];
        if (series.next + 1 < series.launches.size()) ++series.next;
        return as_recorded(*std::move(run), recorded);
    }

    Result<PipelineRecord> pipeline(const PipelineShape& shape, const std::vector<double>&) override {
        const auto found =
            std::find_if(pipelines_.begin(), pipelines_.end(), [&](const PipelineRecord& each) { return each.shape == shape; });
        if (found != pipelines_.end()) return *found;
        return unavailable(fmt::format("no pipeline of {} bytes in {} chunks was recorded", shape.bytes_in + shape.bytes_out, shape.chunks),
                           "replay it with the parameters of the recording, or record again on a GPU");
    }

private:
    // What describes the launch stays; what the emulator counted and predicted goes.
    static LaunchRecord as_recorded(LaunchRecord record, const RecordedLaunch& recorded) {
        record.time_ns = recorded.time_ns;
        if (recorded.registers_per_thread.value > 0) record.registers_per_thread = recorded.registers_per_thread;
        record.metrics = recorded.metrics;
        record.limiter.clear();
        record.shares.clear();
        record.lines.clear();
        return record;
    }

    [[nodiscard]] Diagnostic not_recorded(const KernelInfo& kernel, const Launch& launch) const {
        return unavailable(fmt::format("no launch of {} with grid {} x {} x {} and block {} x {} x {} was recorded", kernel.display,
                                       launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x, launch.block.y, launch.block.z),
                           "replay it with the parameters of the recording, or record again on a GPU");
    }

    std::string id_;
    arch::Gpu gpu_;
    std::unique_ptr<Device> emulated_;
    std::map<Key, Series> recorded_;
    std::set<std::string> kernels_;
    std::vector<PipelineRecord> pipelines_;
};

} // namespace

std::unique_ptr<Device> make_replay(Recording recording, arch::Gpu gpu, unsigned threads) {
    return std::make_unique<ReplayDevice>(std::move(recording), std::move(gpu), threads);
}

Result<std::unique_ptr<Device>> open_replay(const std::string& file, unsigned threads) {
    const Result<std::string> text = read_file(file, largest_recording_bytes);
    if (!text) return text.error();
    Result<Recording> recording = read_recording(*text, file);
    if (!recording) return recording.error();
    for (const std::string& id : arch::known_gpu_ids()) {
        Result<arch::Gpu> gpu = arch::find_gpu(id);
        if (!gpu) return gpu.error();
        if (gpu->name == recording->device_name) return make_replay(*std::move(recording), *std::move(gpu), threads);
    }
    return bad_input({file, 0, 0}, fmt::format("it was recorded on a {}, which has no description", recording->device_name),
                     "docs/devices.md says how a GPU is described");
}

} // namespace apod::device
