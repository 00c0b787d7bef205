#include "transfer/pinning.hpp"

#include "base/units.hpp"
#include "transfer/host_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include <sys/mman.h>

namespace apod::transfer {
namespace {

constexpr std::size_t times = 3;
constexpr std::size_t page = 4096;

// Anonymous pages straight from the system, as a large malloc gives them.
class Pages {
public:
    explicit Pages(std::uint64_t bytes) :
        bytes_(bytes), at_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
    ~Pages() {
        if (there()) munmap(at_, bytes_);
    }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    [[nodiscard]] bool there() const { return at_ != MAP_FAILED; }
    [[nodiscard]] std::span<std::byte> bytes() const { return {static_cast<std::byte*>(at_), bytes_}; }
    void touch() const {
        for (std::size_t i = 0; i < bytes_; i += page) bytes()[i] = std::byte{1};
    }

private:
    std::size_t bytes_;
    void* at_;
};

struct Samples {
    std::vector<double> plain, allocate, free, pin, unpin;
};

Result<void> once(const Session& session, std::uint64_t bytes, Samples& samples) {
    HostClock clock;
    const Pages pages(bytes);
    if (!pages.there()) return unavailable("the host has no memory left", "take a smaller --max-size");
    pages.touch();
    samples.plain.push_back(clock.lap_ns());
    {
        Result<std::unique_ptr<device::HostMemory>> memory = session.async().allocate_host(device::HostMemoryKind::pinned, bytes);
        if (!memory) return memory.error();
        samples.allocate.push_back(clock.lap_ns());
        memory->reset();
        samples.free.push_back(clock.lap_ns());
    }
    Result<std::unique_ptr<device::HostMemory>> pinned = session.async().pin(pages.bytes());
    if (!pinned) return pinned.error();
    samples.pin.push_back(clock.lap_ns());
    pinned->reset();
    samples.unpin.push_back(clock.lap_ns());
    return {};
}

} // namespace

Result<PinningPoint> measure_pinning(const Session& session, std::uint64_t bytes) {
    session.progress(fmt::format("pinning {}", format_bytes_binary(static_cast<double>(bytes))));
    Samples samples;
    for (std::size_t i = 0; i < times; ++i)
        if (const Result<void> done = once(session, bytes, samples); !done) return done.error();
    PinningPoint point;
    point.bytes = bytes;
    point.plain_ns = bench::median(samples.plain);
    point.allocate_ns = bench::median(samples.allocate);
    point.free_ns = bench::median(samples.free);
    point.pin_ns = bench::median(samples.pin);
    point.unpin_ns = bench::median(samples.unpin);
    return point;
}

std::optional<double> copies_to_pay(const PinningPoint& point, std::optional<double> pageable_copy_ns,
                                    std::optional<double> pinned_copy_ns) {
    if (!pageable_copy_ns || !pinned_copy_ns || *pinned_copy_ns >= *pageable_copy_ns) return std::nullopt;
    const double price = std::max(0.0, point.allocate_ns + point.free_ns - point.plain_ns);
    return price / (*pageable_copy_ns - *pinned_copy_ns);
}

} // namespace apod::transfer
