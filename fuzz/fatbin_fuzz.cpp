// Any bytes as a container of device code.
#include "runtime/core/fatbin.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apod::runtime;
    const auto entries = read_fatbin(std::as_bytes(std::span(data, size)));
    if (!entries) return 0;
    for (const FatbinEntry& entry : *entries) {
        constexpr std::uint64_t most_plain_bytes = 1 << 20; // a claim of a gigabyte is legal, and slow
        if (entry.plain_bytes <= most_plain_bytes) (void)ptx_text(entry).ok();
    }
    if (best_ptx(*entries, 90) == nullptr) (void)no_ptx(*entries, 90, "fuzz");
    return 0;
}
