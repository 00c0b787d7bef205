// The CUDA device on hardware: what an emulated driver cannot show.
#include "device/async.hpp"
#include "device/cuda/cuda.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace apod::device {

class GpuDevice : public ::testing::Test {
protected:
    void SetUp() override {
        Result<std::unique_ptr<Device>> device = open_cuda(0);
        if (!device || (*device)->async()->clock_source() != Source::measured) GTEST_SKIP() << "no GPU here";
        device_ = *std::move(device);
    }
    std::unique_ptr<Device> device_;
};

TEST_F(GpuDevice, AGateHoldsTheStreamUntilItIsOpened) {
    Async& async = *device_->async();
    auto stream = async.make_stream();
    auto gate = async.make_gate(1e9);
    ASSERT_TRUE(stream.ok() && gate.ok());
    ASSERT_TRUE(*(*gate)->close(**stream));
    EXPECT_FALSE(*(*stream)->idle());
    (*gate)->open();
    ASSERT_TRUE((*stream)->synchronize().ok());
    EXPECT_FALSE((*gate)->timed_out());
}

TEST_F(GpuDevice, AGateThatNobodyOpensGivesUp) {
    Async& async = *device_->async();
    auto stream = async.make_stream();
    auto gate = async.make_gate(5e6);
    ASSERT_TRUE(stream.ok() && gate.ok());
    ASSERT_TRUE(*(*gate)->close(**stream));
    ASSERT_TRUE((*stream)->synchronize().ok());
    EXPECT_TRUE((*gate)->timed_out());
}

TEST_F(GpuDevice, TheDriverAndNvmlAgreeThatTheClockRuns) {
    const Result<ClockState> state = device_->async()->clocks();
    ASSERT_TRUE(state.ok());
    if (!state->sm_mhz) GTEST_SKIP() << "no NVML here";
    EXPECT_GT(*state->sm_mhz, 100);
    EXPECT_LE(*state->sm_mhz, device_->gpu().boost_mhz * 1.1);
}

} // namespace apod::device
