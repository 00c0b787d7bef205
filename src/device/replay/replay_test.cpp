#include "device/replay/replay.hpp"

#include "device/pipeline.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace apod::device {

namespace {

constexpr const char* recording_json =
    R"({"schema": 1, "device": {"id": "cuda:0", "name": "NVIDIA H200"}, "rungs": [{"name": "a", "launches": [
  {"kernel": "set", "mangled": "set", "grid": [2, 1, 1], "block": [32, 1, 1], "dynamic_shared_bytes": 0,
   "registers_per_thread": {"value": 9, "source": "measured"}, "time_ns": {"value": 1500, "source": "measured", "noise": 0.01},
   "metrics": {"gpu__time_duration.sum": {"value": 1500, "source": "measured"}, "smsp__inst_executed.sum": {"value": 7, "source": "counted"}}},
  {"kernel": "set", "mangled": "set", "grid": [2, 1, 1], "block": [32, 1, 1], "dynamic_shared_bytes": 0,
   "time_ns": {"value": 1400, "source": "measured"}},
  {"kernel": "set", "mangled": "set", "grid": [4, 1, 1], "block": [32, 1, 1], "time_ns": null}]}]})";

constexpr const char* set_ptx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry set(.param .u64 out)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r1, 32, %r2;
  mul.wide.u32 %rd2, %r3, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r3;
  ret;
}
)";

class Replay : public ::testing::Test {
protected:
    void SetUp() override { open(recording_json); }
    void open(const std::string& json) {
        Result<Recording> recording = read_recording(json, "recorded.json");
        ASSERT_TRUE(recording.ok()) << to_text(recording.error());
        Result<arch::Gpu> gpu = arch::find_gpu("h200");
        ASSERT_TRUE(gpu.ok());
        device_ = make_replay(*std::move(recording), *std::move(gpu), 1);
        Result<std::shared_ptr<Code>> code = device_->load(set_ptx, "set.ptx");
        ASSERT_TRUE(code.ok()) << to_text(code.error());
        Result<std::shared_ptr<Kernel>> kernel = (*code)->kernel("set");
        ASSERT_TRUE(kernel.ok());
        kernel_ = *kernel;
        const Result<Address> memory = device_->allocate(512, "out");
        ASSERT_TRUE(memory.ok());
        out_ = *memory;
    }

    Result<LaunchRecord> run(std::uint32_t blocks) {
        Launch launch;
        launch.grid = {blocks, 1, 1};
        launch.block = {32, 1, 1};
        launch.parameters.resize(8);
        std::memcpy(launch.parameters.data(), &out_, 8);
        return device_->launch(*kernel_, launch);
    }

    std::unique_ptr<Device> device_;
    std::shared_ptr<Kernel> kernel_;
    Address out_ = 0;
};

} // namespace

TEST_F(Replay, ResultsAreComputedAndTimesAreThoseThatWereRecorded) {
    EXPECT_EQ(device_->id(), "replay:cuda:0");
    EXPECT_EQ(device_->async(), nullptr);
    const Result<LaunchRecord> record = run(2);
    ASSERT_TRUE(record.ok()) << to_text(record.error());
    std::uint32_t words[64] = {};
    ASSERT_TRUE(device_->read(std::as_writable_bytes(std::span(words)), out_).ok());
    EXPECT_EQ(words[63], 63u);
    EXPECT_EQ(record->time_ns.value, 1500);
    EXPECT_EQ(record->time_ns.source, Source::measured);
    EXPECT_EQ(record->time_ns.noise, 0.01);
    EXPECT_EQ(record->registers_per_thread.value, 9);
    ASSERT_EQ(record->metrics.size(), 1u) << "what was counted belongs to the emulator of that day";
    EXPECT_EQ(record->metrics.at("gpu__time_duration.sum").value, 1500);
    EXPECT_TRUE(record->limiter.empty());
}

TEST_F(Replay, LaunchesThatLookAlikeComeInTheirOrderAndTheLastAgain) {
    EXPECT_EQ(run(2)->time_ns.value, 1500);
    EXPECT_EQ(run(2)->time_ns.value, 1400);
    EXPECT_EQ(run(2)->time_ns.value, 1400);
}

TEST_F(Replay, ALaunchThatWasNotRecordedIsUnavailableAndNamesIt) {
    for (const std::uint32_t blocks : {3u, 4u}) { // never launched; launched, but without a time
        const Result<LaunchRecord> record = run(blocks);
        ASSERT_FALSE(record.ok());
        EXPECT_EQ(record.error().kind, ErrorKind::unavailable);
        EXPECT_NE(record.error().message.find("set"), std::string::npos) << record.error().message;
    }
}

TEST_F(Replay, AKernelThatIsNowhereInTheRecordingWasNotTimedAndIsRunForItsResults) {
    std::string other = recording_json;
    for (std::size_t at = 0; (at = other.find("\"set\"", at)) != std::string::npos;) other.replace(at, 5, "\"get\"");
    open(other);
    const Result<LaunchRecord> record = run(2);
    ASSERT_TRUE(record.ok()) << to_text(record.error());
    std::uint32_t words[64] = {};
    ASSERT_TRUE(device_->read(std::as_writable_bytes(std::span(words)), out_).ok());
    EXPECT_EQ(words[63], 63u);
    EXPECT_EQ(record->time_ns.value, 0);
    EXPECT_TRUE(record->metrics.empty());
}

TEST_F(Replay, APipelineHasTheTimeThatWasRecordedOfItsShape) {
    std::string text = recording_json;
    text.replace(
        text.find("\"launches\""), 10,
        R"("time_ns": {"value": 5000, "source": "measured"}, "pipeline": {"host": "pinned", "chunks": 8, "streams": 3, "by_stage": true,
                    "bytes_in": 64, "bytes_out": 32, "copy_in_ns": {"value": 4000, "source": "measured"}}, "launches")");
    open(text);
    PipelineTimes* const times = pipeline_times(*device_);
    ASSERT_NE(times, nullptr);
    PipelineShape shape{HostKind::pinned, 8, 3, true, 64, 32};
    const Result<PipelineRecord> record = times->pipeline(shape, {});
    ASSERT_TRUE(record.ok()) << to_text(record.error());
    EXPECT_EQ(record->time_ns, (Quantity{5000, Source::measured, {}}));
    EXPECT_EQ(record->copy_in_ns->value, 4000);
    EXPECT_FALSE(record->copy_out_ns);
    shape.chunks = 9;
    EXPECT_FALSE(times->pipeline(shape, {}).ok());
}

TEST(Recordings, WhatIsNoneIsBadInputAndSaysHowToRecord) {
    for (const char* text :
         {"", "[]", "{}", R"({"schema": 1, "device": {"id": "cuda:0", "name": "x"}, "rungs": []})", R"({"schema": 1, "device": 1})",
          R"({"schema": 1, "device": {"id": "emu:h200", "name": "x"}, "launches": [{"kernel": "k", "grid": [1], "block": [1, 1, 1],
                                 "time_ns": {"value": 1, "source": "measured"}}]})"}) {
        const Result<Recording> recording = read_recording(text, "bad.json");
        ASSERT_FALSE(recording.ok()) << text;
        EXPECT_EQ(recording.error().kind, ErrorKind::bad_input);
        EXPECT_NE(recording.error().hint.find("--device cuda:0 --json"), std::string::npos);
    }
}

} // namespace apod::device
