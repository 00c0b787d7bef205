// Comparing a result with the golden one, piece by piece, so that large buffers need no second copy on the host.
#pragma once

#include "ladder/climb.hpp"
#include "ladder/host_buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace apod::ladder {

// `bound`: what the reference says that the element may be off by; negative where it says nothing.
[[nodiscard]] bool is_right(ElementType type, const std::byte* expected, const std::byte* actual, const Tolerance& tolerance,
                            double bound = -1);

class Comparison {
public:
    Comparison(const HostBuffer& expected, const Tolerance& tolerance) : expected_(expected), tolerance_(tolerance) {}

    // The next elements, in order. Where `unwritten` is given (as long as `actual`), elements equal to it bit by bit were not written by
    // the sample that ran, and are passed over.
    void add(std::span<const std::byte> actual, std::span<const std::byte> unwritten = {});

    // The first difference with the number of all, if any.
    [[nodiscard]] std::optional<Mismatch> mismatch() const;
    [[nodiscard]] std::uint64_t compared() const { return compared_; }

private:
    void note(std::uint64_t index, const std::byte* actual);

    const HostBuffer& expected_;
    Tolerance tolerance_;
    std::uint64_t next_ = 0; // index of the next element
    std::uint64_t compared_ = 0;
    std::uint64_t differing_ = 0;
    std::optional<Mismatch> first_;
};

} // namespace apod::ladder
