// A buffer's contents on the host: what goes to the device before a rung and what is expected from it after.
#pragma once

#include "ladder/ladder.hpp"
#include "ladder/matrices.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace apod::ladder {

struct HostBuffer {
    std::string name;
    ElementType type = ElementType::f32;
    Role role = Role::in;
    std::vector<std::uint64_t> shape;
    std::vector<std::byte> bytes; // row-major; empty for out and work until there is a golden result
    std::vector<double> bound;    // of a golden result whose reference says how far each element may be off; otherwise empty

    [[nodiscard]] std::uint64_t elements() const;
    [[nodiscard]] std::uint64_t size_bytes() const { return elements() * element_bytes(type); }
};

// The shape's extents, each at least 1, whose size in bytes fits 63 bits. Errors have the place of the extent.
Result<std::vector<std::uint64_t>> evaluate_shape(const Buffer& buffer, const Environment& parameters);

// Fills `to.bytes` as the buffer's init says.
Result<void> initialise(const Buffer& buffer, const Environment& parameters, const Matrices& matrices, const Origin& origin,
                        HostBuffer& to);

} // namespace apod::ladder
