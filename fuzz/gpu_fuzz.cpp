// Any bytes as the description of a GPU; what is accepted has numbers that occupancy and peaks can be taken of.
#include "arch/gpu.hpp"
#include "arch/occupancy.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apod::arch;
    const auto gpu = parse_gpu({reinterpret_cast<const char*>(data), size}, "fuzz.toml");
    if (!gpu) {
        if (gpu.error().message.empty()) std::abort();
        return 0;
    }
    (void)occupancy(gpu->limits, gpu->cc, {128, 32, 1024, 4096});
    return 0;
}
