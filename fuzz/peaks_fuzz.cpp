// Any bytes as the peaks that were kept of a GPU; what is read is written back and read again alike.
#include "peaks/cache.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apod::peaks;
    const auto kept = peaks_from_json({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    if (!kept) return 0;
    const std::string json = peaks_to_json(*kept);
    const auto again = peaks_from_json(json, "again.json");
    if (!again || peaks_to_json(*again) != json) std::abort();
    return 0;
}
