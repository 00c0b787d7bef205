#include "base/chunks.hpp"

#include <algorithm>

namespace apod {

std::vector<Chunk> split_in_chunks(std::uint64_t total, std::uint32_t chunks, std::uint64_t multiple) {
    const std::uint64_t number = std::max(chunks, 1u);
    const std::uint64_t even = total / number + (total % number == 0 ? 0 : 1);
    const std::uint64_t share = std::max<std::uint64_t>((even + multiple - 1) / multiple, 1) * multiple;
    std::vector<Chunk> result;
    for (std::uint64_t first = 0; first < total; first += share) result.push_back({first, std::min(share, total - first)});
    return result;
}

} // namespace apod
