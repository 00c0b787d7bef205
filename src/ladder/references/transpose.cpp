#include "ladder/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace apod::ladder {

namespace {

// The only buffer of the role, or nullptr.
HostBuffer* only(std::vector<HostBuffer>& buffers, Role role) {
    HostBuffer* found = nullptr;
    for (HostBuffer& buffer : buffers) {
        if (buffer.role != role) continue;
        if (found != nullptr) return nullptr;
        found = &buffer;
    }
    return found;
}

// In squares, so that large matrices do not walk one cache line an element.
template<class Element> void transpose(const std::byte* in, std::byte* out, std::uint64_t rows, std::uint64_t columns) {
    constexpr std::uint64_t square = 32;
    for (std::uint64_t y0 = 0; y0 < rows; y0 += square) {
        for (std::uint64_t x0 = 0; x0 < columns; x0 += square) {
            for (std::uint64_t y = y0; y < std::min(rows, y0 + square); ++y) {
                for (std::uint64_t x = x0; x < std::min(columns, x0 + square); ++x) {
                    std::memcpy(out + (x * rows + y) * sizeof(Element), in + (y * columns + x) * sizeof(Element), sizeof(Element));
                }
            }
        }
    }
}

} // namespace

Result<void> transpose_reference(std::vector<HostBuffer>& buffers, const Environment&) {
    const HostBuffer* in = only(buffers, Role::in);
    HostBuffer* out = only(buffers, Role::out);
    if (in == nullptr || out == nullptr)
        return bad_input({}, "the reference 'transpose' needs one buffer with role in and one with role out");
    if (in->type != out->type || in->shape.size() != 2 || out->shape != std::vector{in->shape[1], in->shape[0]}) {
        return bad_input({},
                         fmt::format("the reference 'transpose' needs buffers of one type with shapes [a, b] and [b, a], and '{}' and '{}' "
                                     "are not such",
                                     in->name, out->name));
    }
    out->bytes.resize(out->size_bytes());
    switch (element_bytes(in->type)) {
    case 1: transpose<std::uint8_t>(in->bytes.data(), out->bytes.data(), in->shape[0], in->shape[1]); break;
    case 2: transpose<std::uint16_t>(in->bytes.data(), out->bytes.data(), in->shape[0], in->shape[1]); break;
    case 4: transpose<std::uint32_t>(in->bytes.data(), out->bytes.data(), in->shape[0], in->shape[1]); break;
    default: transpose<std::uint64_t>(in->bytes.data(), out->bytes.data(), in->shape[0], in->shape[1]); break;
    }
    return {};
}

} // namespace apod::ladder
