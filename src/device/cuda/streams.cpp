#include "device/cuda/streams.hpp"

#include <fmt/format.h>

#include <utility>

namespace apod::device::cuda {

namespace {

constexpr unsigned non_blocking = 1;    // CU_STREAM_NON_BLOCKING: does not wait for the default stream
constexpr unsigned without_time = 2;    // CU_EVENT_DISABLE_TIMING
constexpr Status not_ready = 600;       // CUDA_ERROR_NOT_READY
constexpr int capture_thread_local = 1; // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
constexpr double ns_per_millisecond = 1e6;

class CudaEvent final : public Event {
public:
    CudaEvent(std::shared_ptr<Gpu> gpu, EventHandle handle) : gpu_(std::move(gpu)), handle_(handle) {}
    CudaEvent(const CudaEvent&) = delete;
    CudaEvent& operator=(const CudaEvent&) = delete;
    ~CudaEvent() override { gpu_->call().event_destroy(handle_); }

    Result<void> synchronize() override { return gpu_->check("cuEventSynchronize", gpu_->call().event_synchronize(handle_)); }
    Result<bool> reached() override {
        const Status status = gpu_->call().event_query(handle_);
        if (status == not_ready) return false;
        if (const Result<void> done = gpu_->check("cuEventQuery", status); !done) return done.error();
        return true;
    }
    [[nodiscard]] EventHandle handle() const { return handle_; }

private:
    std::shared_ptr<Gpu> gpu_;
    EventHandle handle_;
};

class CudaGraph final : public Graph {
public:
    CudaGraph(std::shared_ptr<Gpu> gpu, GraphExec exec) : gpu_(std::move(gpu)), exec_(exec) {}
    CudaGraph(const CudaGraph&) = delete;
    CudaGraph& operator=(const CudaGraph&) = delete;
    ~CudaGraph() override { gpu_->call().graph_exec_destroy(exec_); }
    [[nodiscard]] GraphExec exec() const { return exec_; }

private:
    std::shared_ptr<Gpu> gpu_;
    GraphExec exec_;
};

Diagnostic foreign(const char* what) { return internal_error(fmt::format("{} of another device was used on a GPU's stream", what)); }

class CudaStream final : public Stream {
public:
    CudaStream(std::shared_ptr<Gpu> gpu, const arch::Gpu& description, StreamHandle handle) :
        gpu_(std::move(gpu)), description_(description), handle_(handle) {}
    CudaStream(const CudaStream&) = delete;
    CudaStream& operator=(const CudaStream&) = delete;
    ~CudaStream() override { gpu_->call().stream_destroy(handle_); }

    [[nodiscard]] std::uintptr_t handle() const override { return reinterpret_cast<std::uintptr_t>(handle_); }

    Result<void> launch(Kernel& kernel, const Launch& launch) override {
        auto* own = dynamic_cast<CudaKernel*>(&kernel);
        return own == nullptr ? foreign("a kernel") : own->launch(launch, handle_, description_);
    }
    Result<void> launch(Graph& graph) override {
        const auto* own = dynamic_cast<const CudaGraph*>(&graph);
        if (own == nullptr) return foreign("a graph");
        return gpu_->check("cuGraphLaunch", gpu_->call().graph_launch(own->exec(), handle_));
    }
    Result<void> fill(Address to, std::byte value, std::uint64_t bytes) override {
        return gpu_->check("cuMemsetD8Async", gpu_->call().fill_async(to, static_cast<unsigned char>(value), bytes, handle_));
    }
    Result<void> copy(Address to, Address from, std::uint64_t bytes) override {
        return gpu_->check("cuMemcpyAsync", gpu_->call().copy_async(to, from, bytes, handle_));
    }
    Result<void> write(Address to, std::span<const std::byte> from) override {
        return gpu_->check("cuMemcpyHtoDAsync", gpu_->call().copy_to_device_async(to, from.data(), from.size(), handle_));
    }
    Result<void> read(std::span<std::byte> to, Address from) override {
        return gpu_->check("cuMemcpyDtoHAsync", gpu_->call().copy_to_host_async(to.data(), from, to.size(), handle_));
    }

    Result<void> record(Event& event) override {
        const auto* own = dynamic_cast<const CudaEvent*>(&event);
        if (own == nullptr) return foreign("an event");
        return gpu_->check("cuEventRecord", gpu_->call().event_record(own->handle(), handle_));
    }
    Result<void> wait(Event& event) override {
        const auto* own = dynamic_cast<const CudaEvent*>(&event);
        if (own == nullptr) return foreign("an event");
        return gpu_->check("cuStreamWaitEvent", gpu_->call().stream_wait(handle_, own->handle(), 0));
    }
    Result<void> synchronize() override { return gpu_->check("cuStreamSynchronize", gpu_->call().stream_synchronize(handle_)); }
    Result<bool> idle() override {
        const Status status = gpu_->call().stream_query(handle_);
        if (status == not_ready) return false;
        if (const Result<void> done = gpu_->check("cuStreamQuery", status); !done) return done.error();
        return true;
    }

    Result<void> begin_capture() override {
        return gpu_->check("cuStreamBeginCapture", gpu_->call().stream_begin_capture(handle_, capture_thread_local));
    }
    Result<std::unique_ptr<Graph>> end_capture() override {
        GraphHandle graph = nullptr;
        const DriverFunctions& call = gpu_->call();
        if (const Result<void> done = gpu_->check("cuStreamEndCapture", call.stream_end_capture(handle_, &graph)); !done)
            return done.error();
        GraphExec exec = nullptr;
        const Status status = call.graph_instantiate(&exec, graph, 0);
        call.graph_destroy(graph);
        if (const Result<void> done = gpu_->check("cuGraphInstantiateWithFlags", status); !done) return done.error();
        return std::unique_ptr<Graph>(std::make_unique<CudaGraph>(gpu_, exec));
    }

private:
    std::shared_ptr<Gpu> gpu_;
    const arch::Gpu& description_;
    StreamHandle handle_;
};

} // namespace

Result<std::unique_ptr<Stream>> make_stream(std::shared_ptr<Gpu> gpu, const arch::Gpu& description) {
    StreamHandle handle = nullptr;
    if (const Result<void> made = gpu->check("cuStreamCreate", gpu->call().stream_create(&handle, non_blocking)); !made)
        return made.error();
    return std::unique_ptr<Stream>(std::make_unique<CudaStream>(std::move(gpu), description, handle));
}

Result<std::unique_ptr<Event>> make_event(std::shared_ptr<Gpu> gpu, bool timed) {
    EventHandle handle = nullptr;
    if (const Result<void> made = gpu->check("cuEventCreate", gpu->call().event_create(&handle, timed ? 0 : without_time)); !made)
        return made.error();
    return std::unique_ptr<Event>(std::make_unique<CudaEvent>(std::move(gpu), handle));
}

Result<double> elapsed_ns(const Gpu& gpu, const Event& from, const Event& to) {
    const auto* begin = dynamic_cast<const CudaEvent*>(&from);
    const auto* end = dynamic_cast<const CudaEvent*>(&to);
    if (begin == nullptr || end == nullptr) return foreign("an event");
    float milliseconds = 0;
    const Status status = gpu.call().event_elapsed(&milliseconds, begin->handle(), end->handle());
    if (const Result<void> done = gpu.check("cuEventElapsedTime", status); !done) return done.error();
    return static_cast<double>(milliseconds) * ns_per_millisecond;
}

} // namespace apod::device::cuda
