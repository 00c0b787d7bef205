// Host memory that the GPU reaches by itself.
#include "device/cuda/streams.hpp"

#include "base/units.hpp"

#include <utility>

namespace apod::device::cuda {

namespace {

constexpr unsigned portable = 1;       // CU_MEMHOSTALLOC_PORTABLE: pinned for all contexts
constexpr unsigned device_mapped = 2;  // CU_MEMHOSTALLOC_DEVICEMAP
constexpr unsigned write_combined = 4; // CU_MEMHOSTALLOC_WRITECOMBINED
constexpr unsigned attach_global = 1;  // CU_MEM_ATTACH_GLOBAL

unsigned flags_of(HostMemoryKind kind) {
    switch (kind) {
    case HostMemoryKind::write_combined: return portable | write_combined;
    case HostMemoryKind::mapped: return portable | device_mapped;
    default: return portable;
    }
}

enum class Owned : std::uint8_t { allocation, managed, registration };

class CudaHostMemory final : public HostMemory {
public:
    CudaHostMemory(std::shared_ptr<Gpu> gpu, Owned owned, std::span<std::byte> bytes, Address address) :
        gpu_(std::move(gpu)), owned_(owned), bytes_(bytes), address_(address) {}
    CudaHostMemory(const CudaHostMemory&) = delete;
    CudaHostMemory& operator=(const CudaHostMemory&) = delete;
    ~CudaHostMemory() override {
        const DriverFunctions& call = gpu_->call();
        if (owned_ == Owned::allocation) call.free_host(bytes_.data());
        if (owned_ == Owned::managed) call.free(address_);
        if (owned_ == Owned::registration) call.unregister_host(bytes_.data());
    }
    [[nodiscard]] std::span<std::byte> bytes() const override { return bytes_; }
    [[nodiscard]] Address device_address() const override { return address_; }

private:
    std::shared_ptr<Gpu> gpu_;
    Owned owned_;
    std::span<std::byte> bytes_;
    Address address_;
};

std::string amount(std::uint64_t bytes, const char* kind) { return format_bytes(static_cast<double>(bytes)) + " of " + kind; }

// Where unified addressing is not there, the address stays 0 and only copies reach the memory.
Address address_of(const Gpu& gpu, void* host) {
    Pointer address = 0;
    return gpu.call().host_device_pointer(&address, host, 0) == 0 ? address : 0;
}

} // namespace

Result<std::unique_ptr<HostMemory>> allocate_host(std::shared_ptr<Gpu> gpu, HostMemoryKind kind, std::uint64_t bytes) {
    if (kind == HostMemoryKind::managed) {
        Pointer address = 0;
        const Status status = gpu->call().allocate_managed(&address, bytes, attach_global);
        if (const Result<void> made = gpu->check("cuMemAllocManaged", status, amount(bytes, "managed memory")); !made) return made.error();
        return std::unique_ptr<HostMemory>(std::make_unique<CudaHostMemory>(
            std::move(gpu), Owned::managed, std::span(reinterpret_cast<std::byte*>(address), bytes), address));
    }
    void* host = nullptr;
    const Status status = gpu->call().allocate_host(&host, bytes, flags_of(kind));
    if (const Result<void> made = gpu->check("cuMemHostAlloc", status, amount(bytes, "page-locked memory")); !made) return made.error();
    const Address address = address_of(*gpu, host);
    return std::unique_ptr<HostMemory>(
        std::make_unique<CudaHostMemory>(std::move(gpu), Owned::allocation, std::span(static_cast<std::byte*>(host), bytes), address));
}

Result<std::unique_ptr<HostMemory>> pin(std::shared_ptr<Gpu> gpu, std::span<std::byte> pages) {
    const Status status = gpu->call().register_host(pages.data(), pages.size(), portable | device_mapped);
    if (const Result<void> done = gpu->check("cuMemHostRegister", status, amount(pages.size(), "the caller's memory")); !done)
        return done.error();
    const Address address = address_of(*gpu, pages.data());
    return std::unique_ptr<HostMemory>(std::make_unique<CudaHostMemory>(std::move(gpu), Owned::registration, pages, address));
}

} // namespace apod::device::cuda
