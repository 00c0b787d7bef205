// Streams, events, graphs, gates and host memory of src/device/cuda, over our own libcuda.
#include "emulated_driver.hpp"

#include <algorithm>

namespace apod::device::testing {

class CudaAsync : public ::testing::Test {
protected:
    void SetUp() override {
        device_ = open_emulated();
        ASSERT_NE(device_, nullptr);
        async_ = device_->async();
        ASSERT_NE(async_, nullptr);
        kernel_ = load_scale(*device_);
        Result<std::unique_ptr<Stream>> stream = async_->make_stream();
        ASSERT_TRUE(stream.ok()) << to_text(stream.error());
        stream_ = *std::move(stream);
        const Result<Address> out = device_->allocate(n * 4, "out");
        ASSERT_TRUE(out.ok());
        out_ = *out;
        ASSERT_TRUE(device_->fill(out_, std::byte{0}, n * 4).ok());
    }

    std::unique_ptr<Event> event() {
        Result<std::unique_ptr<Event>> made = async_->make_event();
        EXPECT_TRUE(made.ok());
        return made ? *std::move(made) : nullptr;
    }
    std::vector<float> result() {
        std::vector<float> host(n);
        EXPECT_TRUE(device_->read(std::as_writable_bytes(std::span(host)), out_).ok());
        return host;
    }

    static constexpr std::uint32_t n = 4096;
    std::unique_ptr<Device> device_;
    Async* async_ = nullptr;
    std::shared_ptr<Kernel> kernel_;
    std::unique_ptr<Stream> stream_;
    Address out_ = 0;
};

TEST_F(CudaAsync, TheTimeBetweenEventsIsThatOfTheWorkBetweenThem) {
    const auto begin = event();
    const auto middle = event();
    const auto end = event();
    ASSERT_TRUE(stream_->record(*begin).ok());
    ASSERT_TRUE(stream_->launch(*kernel_, scale_launch(out_, n)).ok());
    ASSERT_TRUE(stream_->record(*middle).ok());
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(stream_->launch(*kernel_, scale_launch(out_, n)).ok());
    ASSERT_TRUE(stream_->record(*end).ok());
    ASSERT_TRUE(end->synchronize().ok());
    EXPECT_TRUE(*end->reached());
    const Result<double> one = async_->elapsed_ns(*begin, *middle);
    const Result<double> twenty = async_->elapsed_ns(*middle, *end);
    ASSERT_TRUE(one.ok() && twenty.ok());
    EXPECT_GT(*one, 0);
    EXPECT_GT(*twenty, 5 * *one);
    EXPECT_EQ(async_->clock_source(), Source::predicted);
    EXPECT_EQ(async_->clock_step_ns(), 32);
}

TEST_F(CudaAsync, AChainOfKernelsRunsAsAGraphAsOftenAsItIsLaunched) {
    const GraphKernel node{kernel_.get(), scale_launch(out_, n, 1)}; // adds i
    const std::vector<GraphKernel> chain(3, node);
    Result<std::unique_ptr<Graph>> graph = async_->make_graph(chain);
    ASSERT_TRUE(graph.ok()) << to_text(graph.error());
    EXPECT_EQ(result()[5], 0) << "making a graph runs nothing";
    ASSERT_TRUE(stream_->launch(**graph).ok());
    ASSERT_TRUE(stream_->launch(**graph).ok());
    ASSERT_TRUE(stream_->synchronize().ok());
    EXPECT_EQ(result()[5], 30);
}

TEST_F(CudaAsync, CapturedWorkBecomesAGraph) {
    ASSERT_TRUE(stream_->begin_capture().ok());
    ASSERT_TRUE(stream_->fill(out_, std::byte{0}, n * 4).ok());
    ASSERT_TRUE(stream_->launch(*kernel_, scale_launch(out_, n)).ok());
    Result<std::unique_ptr<Graph>> graph = stream_->end_capture();
    ASSERT_TRUE(graph.ok()) << to_text(graph.error());
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(stream_->launch(**graph).ok());
    ASSERT_TRUE(stream_->synchronize().ok());
    EXPECT_EQ(result()[7], 7);
}

// Work runs when it is issued; the clock is held, so that neither the host's pace nor the way to the GPU is between two events.
TEST_F(CudaAsync, AnEmulatedDriverHoldsItsClock) {
    Result<std::unique_ptr<Gate>> gate = async_->make_gate(1e9);
    ASSERT_TRUE(gate.ok()) << to_text(gate.error());
    const auto between_events = [&](bool hold) {
        if (hold) {
            const Result<bool> held = (*gate)->close(*stream_);
            EXPECT_TRUE(held.ok() && *held);
        }
        const auto from = async_->make_event();
        const auto to = async_->make_event();
        EXPECT_TRUE(stream_->record(**from).ok() && stream_->record(**to).ok());
        (*gate)->open();
        EXPECT_TRUE(stream_->synchronize().ok());
        return async_->elapsed_ns(**from, **to);
    };
    const Result<double> free = between_events(false);
    const Result<double> held = between_events(true);
    ASSERT_TRUE(free.ok() && held.ok());
    EXPECT_GT(*free, 1000); // what the host takes for the call
    EXPECT_EQ(*held, 0);
    EXPECT_FALSE((*gate)->timed_out());
}

TEST_F(CudaAsync, EveryKindOfHostMemoryIsCopiedFromAndTo) {
    for (const HostMemoryKind kind :
         {HostMemoryKind::pinned, HostMemoryKind::write_combined, HostMemoryKind::mapped, HostMemoryKind::managed}) {
        Result<std::unique_ptr<HostMemory>> memory = async_->allocate_host(kind, n * 4);
        ASSERT_TRUE(memory.ok()) << to_text(memory.error());
        const std::span<std::byte> bytes = (*memory)->bytes();
        ASSERT_EQ(bytes.size(), n * 4);
        std::fill(bytes.begin(), bytes.end(), std::byte{0x11});
        ASSERT_TRUE(stream_->write(out_, bytes).ok());
        std::fill(bytes.begin(), bytes.end(), std::byte{0});
        ASSERT_TRUE(stream_->synchronize().ok());
        ASSERT_TRUE(stream_->read(bytes, out_).ok());
        ASSERT_TRUE(stream_->synchronize().ok());
        EXPECT_EQ(bytes[n * 4 - 1], std::byte{0x11});
        EXPECT_NE((*memory)->device_address(), 0u);
    }
}

TEST_F(CudaAsync, KernelsReachMappedMemory) {
    Result<std::unique_ptr<HostMemory>> memory = async_->allocate_host(HostMemoryKind::mapped, n * 4);
    ASSERT_TRUE(memory.ok());
    std::memset((*memory)->bytes().data(), 0, n * 4);
    ASSERT_TRUE(stream_->launch(*kernel_, scale_launch((*memory)->device_address(), n)).ok());
    ASSERT_TRUE(stream_->synchronize().ok());
    float value = 0;
    std::memcpy(&value, (*memory)->bytes().data() + 40, 4);
    EXPECT_EQ(value, 10);
}

TEST_F(CudaAsync, MemoryOfTheCallersIsPinnedUntilItIsLetGo) {
    std::vector<std::byte> pages(64 * 1024, std::byte{0x22});
    {
        const Result<std::unique_ptr<HostMemory>> pinned = async_->pin(pages);
        ASSERT_TRUE(pinned.ok()) << to_text(pinned.error());
        ASSERT_TRUE(stream_->write(out_, std::span(pages).first(n * 4)).ok());
        ASSERT_TRUE(stream_->synchronize().ok());
        EXPECT_FALSE(async_->pin(pages).ok()) << "twice";
    }
    EXPECT_TRUE(async_->pin(pages).ok()) << "again, once it was let go";
}

TEST_F(CudaAsync, CopiesOnTheDeviceStayInTheStreamsOrder) {
    const Result<Address> other = device_->allocate(n * 4, "other");
    ASSERT_TRUE(other.ok());
    ASSERT_TRUE(stream_->launch(*kernel_, scale_launch(out_, n)).ok());
    ASSERT_TRUE(stream_->copy(*other, out_, n * 4).ok());
    ASSERT_TRUE(stream_->fill(out_, std::byte{0}, n * 4).ok());
    ASSERT_TRUE(stream_->synchronize().ok());
    EXPECT_TRUE(*stream_->idle());
    std::vector<float> host(n);
    ASSERT_TRUE(device_->read(std::as_writable_bytes(std::span(host)), *other).ok());
    EXPECT_EQ(host[9], 9);
    EXPECT_EQ(result()[9], 0);
}

TEST_F(CudaAsync, OneStreamWaitsForAnEventOfAnother) {
    Result<std::unique_ptr<Stream>> second = async_->make_stream();
    ASSERT_TRUE(second.ok());
    const auto done = event();
    ASSERT_TRUE(stream_->launch(*kernel_, scale_launch(out_, n)).ok());
    ASSERT_TRUE(stream_->record(*done).ok());
    ASSERT_TRUE((*second)->wait(*done).ok());
    ASSERT_TRUE((*second)->launch(*kernel_, scale_launch(out_, n)).ok());
    ASSERT_TRUE((*second)->synchronize().ok());
    EXPECT_EQ(result()[4], 12);
}

TEST_F(CudaAsync, AFaultIsTheAnswerOfTheNextCallAndNamesTheLastKernel) {
    Result<void> answer = stream_->launch(*kernel_, scale_launch(0x10, n));
    if (answer) answer = stream_->synchronize();
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().kind, ErrorKind::check_failed);
    EXPECT_NE(to_text(answer.error()).find("scale("), std::string::npos) << to_text(answer.error());
}

TEST_F(CudaAsync, WithoutNvmlTheClocksAreNotKnown) {
    const Result<ClockState> state = async_->clocks();
    ASSERT_TRUE(state.ok());
    EXPECT_FALSE(state->sm_mhz);
    EXPECT_FALSE(state->throttle_reasons);
    EXPECT_TRUE(async_->reset_persisting_l2().ok());
    EXPECT_TRUE(async_->synchronize().ok());
}

} // namespace apod::device::testing
