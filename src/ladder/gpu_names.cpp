#include "ladder/gpu_names.hpp"

#include <algorithm>
#include <cstdint>

namespace apod::ladder {

const std::vector<std::string>& gpu_names() {
    static const std::vector<std::string> names = {"gpu_sms", "gpu_shared", "gpu_cc"};
    return names;
}

void add_gpu_names(Environment& names, const arch::Gpu& gpu) {
    names["gpu_sms"] = std::int64_t{gpu.sm_count};
    names["gpu_shared"] = std::int64_t{std::max(gpu.limits.shared_per_block_bytes, gpu.limits.shared_per_block_optin_bytes)};
    names["gpu_cc"] = std::int64_t{gpu.cc.number()};
}

} // namespace apod::ladder
