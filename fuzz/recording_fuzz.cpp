// Any bytes as a recorded run, for --device replay:FILE.
#include "device/replay/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto recording = apod::device::read_recording({reinterpret_cast<const char*>(data), size}, "fuzz.json");
    if (!recording && recording.error().message.empty()) std::abort();
    return 0;
}
