// A whole cut into chunks that follow each other.
#pragma once

#include <cstdint>
#include <vector>

namespace apod {

struct Chunk {
    std::uint64_t first = 0;
    std::uint64_t count = 0;

    friend bool operator==(const Chunk&, const Chunk&) = default;
};

// At most `chunks` of about `total` / `chunks` each, which begin at multiples of `multiple`; none is empty.
[[nodiscard]] std::vector<Chunk> split_in_chunks(std::uint64_t total, std::uint32_t chunks, std::uint64_t multiple);

} // namespace apod
