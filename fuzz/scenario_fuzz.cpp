// Any bytes as what --what-if is given.
#include "model/scenario.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const apod::arch::Gpu gpu = apod::arch::find_gpu("h200").value();
    const auto scenario = apod::model::parse_scenario({reinterpret_cast<const char*>(data), size}, gpu);
    if (!scenario && scenario.error().kind != apod::ErrorKind::usage) std::abort();
    return 0;
}
