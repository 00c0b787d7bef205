// A stream held back: nvbench calls it a blocking kernel.
#include "device/cuda/streams.hpp"

#include <atomic>
#include <cstring>
#include <utility>

namespace apod::device::cuda {

namespace {

// One thread waits for the word at `flags` to become its own turn's number. %globaltimer counts ns; after `timeout` it gives up and says so
// in the word behind. Loads are volatile and at system scope: the host writes. The kernel's own text, so that no compiler is needed.
constexpr const char* gate_ptx = R"(.version 7.0
.target sm_60
.address_size 64

.visible .entry apod_gate(
    .param .u64 flags,
    .param .u32 turn,
    .param .u64 timeout
)
{
    .reg .pred %p<3>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<7>;
    ld.param.u64 %rd1, [flags];
    ld.param.u32 %r1, [turn];
    ld.param.u64 %rd2, [timeout];
    mov.u64 %rd3, %globaltimer;
again:
    ld.volatile.u32 %r2, [%rd1];
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra done;
    mov.u64 %rd4, %globaltimer;
    sub.u64 %rd5, %rd4, %rd3;
    setp.lt.u64 %p2, %rd5, %rd2;
    @%p2 bra again;
    st.volatile.u32 [%rd1+4], %r1;
done:
    ret;
}
)";

// On an emulated clock: longer than a host needs to queue a sample.
constexpr double held_ns = 100e6;

class CudaGate final : public Gate {
public:
    CudaGate(std::shared_ptr<Gpu> gpu, std::shared_ptr<Code> code, std::shared_ptr<Kernel> kernel, std::unique_ptr<HostMemory> flags,
             double timeout_ns) :
        gpu_(std::move(gpu)),
        code_(std::move(code)),
        kernel_(std::move(kernel)),
        flags_(std::move(flags)),
        timeout_ns_(static_cast<std::uint64_t>(timeout_ns)) {}
    ~CudaGate() override { open(); } // a stream that still waits goes on

    Result<bool> close(Stream& stream) override {
        if (gpu_->driver().emulated()) return gpu_->driver().hold(reinterpret_cast<StreamHandle>(stream.handle()), held_ns);
        ++turn_;
        Launch launch;
        launch.parameters.resize(kernel_->info().parameter_bytes);
        const Address flags = flags_->device_address();
        std::memcpy(launch.parameters.data(), &flags, sizeof flags);
        std::memcpy(launch.parameters.data() + 8, &turn_, sizeof turn_);
        std::memcpy(launch.parameters.data() + 16, &timeout_ns_, sizeof timeout_ns_);
        if (const Result<void> launched = stream.launch(*kernel_, launch); !launched) return launched.error();
        return true;
    }
    void open() override { word(0).store(turn_, std::memory_order_release); }
    [[nodiscard]] bool timed_out() const override { return turn_ != 0 && word(1).load(std::memory_order_acquire) == turn_; }

private:
    [[nodiscard]] std::atomic_ref<std::uint32_t> word(std::size_t index) const {
        return std::atomic_ref<std::uint32_t>(*reinterpret_cast<std::uint32_t*>(flags_->bytes().data() + 4 * index));
    }

    std::shared_ptr<Gpu> gpu_;
    std::shared_ptr<Code> code_;
    std::shared_ptr<Kernel> kernel_;
    std::unique_ptr<HostMemory> flags_; // the last turn that may go on; the last that gave up
    std::uint64_t timeout_ns_;
    std::uint32_t turn_ = 0;
};

} // namespace

Result<std::unique_ptr<Gate>> make_gate(std::shared_ptr<Gpu> gpu, const arch::Gpu& description, double timeout_ns) {
    if (description.cc.major < 6) return unavailable("holding a stream back needs compute capability 6.0 or newer");
    constexpr std::uint64_t page = 4096;
    Result<std::unique_ptr<HostMemory>> flags = allocate_host(gpu, HostMemoryKind::mapped, page);
    if (!flags) return flags.error();
    std::memset((*flags)->bytes().data(), 0, page);
    Result<std::shared_ptr<Code>> code = load_code(gpu, gate_ptx, "gate.ptx");
    if (!code) return code.error();
    Result<std::shared_ptr<Kernel>> kernel = (*code)->kernel("apod_gate");
    if (!kernel) return kernel.error();
    return std::unique_ptr<Gate>(
        std::make_unique<CudaGate>(std::move(gpu), *std::move(code), *std::move(kernel), *std::move(flags), timeout_ns));
}

} // namespace apod::device::cuda
