// Any bytes as a ladder file; what is accepted has parameters that bind and shapes that evaluate or say why not.
#include "ladder/host_buffer.hpp"
#include "ladder/ladder.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apod::ladder;
    const auto ladder = parse_ladder({reinterpret_cast<const char*>(data), size}, {"fuzz.toml", ".", {}});
    if (!ladder) return 0;
    const auto parameters = bind_parameters(*ladder, {});
    if (!parameters) return 0;
    for (const Buffer& buffer : ladder->buffers) (void)evaluate_shape(buffer, *parameters).ok();
    return 0;
}
