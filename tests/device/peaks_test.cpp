// src/peaks over our own libcuda: the sums, the units and what is kept. What the figures are worth only a GPU can show.
#include "emulated_driver.hpp"

#include "base/file.hpp"
#include "peaks/cache.hpp"
#include "peaks/peaks.hpp"

#include <set>

namespace apod::peaks {

namespace {

using device::testing::emulated_libraries;
using device::testing::open_emulated;

PeakOptions small_options() {
    PeakOptions options;
    options.dram_bytes = 2 << 20;
    options.l2_bytes = 256 << 10;
    options.link_bytes = 1 << 20;
    options.sample_s = 0.001;
    options.timeout_s = 0.02;
    options.rate_passes = 8;
    options.launches = 10;
    options.blocks = 4;
    return options;
}

device::DeviceFacts emulated_facts() {
    const Result<std::vector<device::DeviceFacts>> all = device::cuda_devices(emulated_libraries());
    return all && !all->empty() ? all->front() : device::DeviceFacts{};
}

Peaks sample_peaks() {
    Peaks peaks;
    peaks.device = "cuda:0";
    peaks.name = "NVIDIA H200";
    peaks.uuid = emulated_facts().uuid;
    peaks.measured_at = "2026-12-01T06:00:00Z";
    peaks.clock_mhz = 1980;
    peaks.figures = {{"dram.copy", "bandwidth", "DRAM copy", "GB/s", {4262, Source::measured, 0.001}, 4814, "2 x 3201 MHz", {}},
                     {"launch.empty", "launch", "an empty kernel", "ns", {1500, Source::predicted, {}}, {}, {}, "a note"}};
    peaks.notes = {"something was left out"};
    return peaks;
}

void expect_every_figure(const Peaks& peaks) {
    std::set<std::string> ids;
    for (const Figure& figure : peaks.figures) {
        EXPECT_TRUE(ids.insert(figure.id).second) << figure.id << " twice";
        EXPECT_GT(figure.value.value, 0) << figure.id;
        EXPECT_EQ(figure.value.source, Source::predicted) << figure.id << ": an emulated driver measures nothing";
        EXPECT_FALSE(figure.what.empty() || figure.unit.empty() || figure.group.empty()) << figure.id;
    }
    for (const char* id : {"dram.copy",         "dram.read",      "dram.write",   "dram.triad", "l2.copy",      "l2.read",
                           "l2.write",          "l2.triad",       "shared.read",  "rate.fp32",  "rate.fp64",    "rate.int32",
                           "rate.special",      "latency.shared", "latency.l1",   "latency.l2", "latency.dram", "launch.stream",
                           "launch.round_trip", "launch.graph",   "launch.empty", "link.in",    "link.out",     "link.both"})
        EXPECT_TRUE(ids.contains(id)) << id;
}

void expect_bounds(const Peaks& peaks) {
    ASSERT_NE(peaks.find("dram.copy"), nullptr);
    EXPECT_NEAR(*peaks.find("dram.copy")->theoretical, 4814.3, 0.1);
    EXPECT_EQ(peaks.find("dram.copy")->formula, "2 x 3201 MHz x 6016 bit / 8");
    EXPECT_NEAR(*peaks.find("rate.fp32")->theoretical, 66908, 1);
    EXPECT_NEAR(*peaks.find("rate.fp64")->theoretical, 33454, 1);
    EXPECT_NEAR(*peaks.find("shared.read")->theoretical, 132 * 128 * 1.98, 1);
    EXPECT_FALSE(peaks.find("l2.read")->theoretical) << "nobody states L2's width";
    EXPECT_FALSE(peaks.find("link.in")->theoretical) << "no NVML, no link";
}

} // namespace

TEST(Peaks, EveryFigureThatIsPromisedIsThereWithItsBound) {
    const std::unique_ptr<device::Device> device = open_emulated();
    const Result<Peaks> peaks = measure_peaks(*device, emulated_facts(), small_options());
    ASSERT_TRUE(peaks.ok()) << to_text(peaks.error());
    expect_every_figure(*peaks);
    expect_bounds(*peaks);
    // An emulated clock may give all empty kernels the same time: then there is no step, and a note says so.
    EXPECT_TRUE(peaks->find("launch.event_step") != nullptr || !peaks->notes.empty());
    // The model's latencies come back from the chase in the order of the levels.
    EXPECT_LE(peaks->find("latency.shared")->value.value, peaks->find("latency.l2")->value.value);
    EXPECT_LE(peaks->find("latency.l1")->value.value, peaks->find("latency.dram")->value.value);
}

TEST(Peaks, ADeviceWithoutAClockIsUnavailable) {
    class NoClock final : public device::Device {
    public:
        [[nodiscard]] std::string id() const override { return "none"; }
        [[nodiscard]] const arch::Gpu& gpu() const override { return gpu_; }
        [[nodiscard]] bool is_emulated() const override { return true; }
        Result<device::Address> allocate(std::uint64_t, std::string) override { return unavailable("no"); }
        Result<void> free(device::Address) override { return {}; }
        Result<void> write(device::Address, std::span<const std::byte>) override { return {}; }
        Result<void> read(std::span<std::byte>, device::Address) override { return {}; }
        Result<void> fill(device::Address, std::byte, std::uint64_t) override { return {}; }
        Result<std::shared_ptr<device::Code>> load(std::string, std::string) override { return unavailable("no"); }
        Result<LaunchRecord> launch(device::Kernel&, const device::Launch&) override { return unavailable("no"); }

    private:
        arch::Gpu gpu_;
    } device;
    const Result<Peaks> peaks = measure_peaks(device, {}, {});
    ASSERT_FALSE(peaks.ok());
    EXPECT_EQ(peaks.error().kind, ErrorKind::unavailable);
}

TEST(PeaksCache, WhatWasKeptComesBackForTheSameGpuAndDriverAlone) {
    const Result<TempDirectory> directory = TempDirectory::make();
    ASSERT_TRUE(directory.ok());
    device::DeviceFacts facts = emulated_facts();
    EXPECT_FALSE(load_peaks(directory->path(), facts));
    ASSERT_TRUE(keep_peaks(directory->path(), facts, sample_peaks()).ok());
    const std::optional<Peaks> kept = load_peaks(directory->path(), facts);
    ASSERT_TRUE(kept);
    EXPECT_EQ(peaks_to_json(*kept), peaks_to_json(sample_peaks()));
    facts.driver_version = "1.2.3";
    EXPECT_FALSE(load_peaks(directory->path(), facts)) << "another driver";
    facts = emulated_facts();
    facts.uuid = "GPU-other";
    EXPECT_FALSE(load_peaks(directory->path(), facts)) << "another GPU";
}

TEST(PeaksCache, ADamagedOrForeignFileIsAsIfThereWereNone) {
    const Result<TempDirectory> directory = TempDirectory::make();
    ASSERT_TRUE(directory.ok());
    const device::DeviceFacts facts = emulated_facts();
    for (const char* text : {"", "{", "[]", "{\"format\": 99}", "{\"format\": 2, \"figures\": 3}"}) {
        ASSERT_TRUE(write_file(cache_path(directory->path(), facts), text).ok());
        EXPECT_FALSE(load_peaks(directory->path(), facts)) << text;
        const Result<Peaks> read = peaks_from_json(text, "kept.json");
        ASSERT_FALSE(read.ok());
        EXPECT_EQ(read.error().kind, ErrorKind::bad_input);
        EXPECT_NE(read.error().hint.find("--measure"), std::string::npos);
    }
}

TEST(PeaksCache, NamesOfGpusBecomeNamesOfFiles) {
    device::DeviceFacts facts;
    facts.uuid = "GPU-1/../2";
    facts.driver_version = "580 beta";
    EXPECT_EQ(cache_path("/c", facts).string(), "/c/peaks/GPU-1_.._2-580_beta.json");
}

} // namespace apod::peaks
