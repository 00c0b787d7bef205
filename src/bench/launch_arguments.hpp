// Kernel parameters that are all 64 bits wide, as our own helper kernels have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <vector>

namespace apod::bench {

[[nodiscard]] inline std::vector<std::byte> pack_arguments(std::initializer_list<std::uint64_t> values) {
    std::vector<std::byte> bytes(values.size() * sizeof(std::uint64_t));
    std::size_t offset = 0;
    for (const std::uint64_t value : values) {
        std::memcpy(bytes.data() + offset, &value, sizeof value);
        offset += sizeof value;
    }
    return bytes;
}

} // namespace apod::bench
