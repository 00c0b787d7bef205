#include "ladder/reference.hpp"

#include <cstring>

namespace apod::ladder {

Result<void> scale_reference(std::vector<HostBuffer>& buffers, const Environment& parameters) {
    const auto factor = parameters.find("factor");
    const bool suits = buffers.size() == 2 && buffers[0].role == Role::in && buffers[1].role == Role::out &&
                       buffers[0].type == ElementType::f32 && buffers[1].type == ElementType::f32 &&
                       buffers[0].elements() == buffers[1].elements();
    if (!suits || factor == parameters.end())
        return bad_input({},
                         "the reference 'scale' needs an in and an out buffer of f32, as many elements in both, and a parameter factor");
    const auto by = static_cast<float>(as_real(factor->second));
    const std::vector<std::byte>& in = buffers[0].bytes;
    std::vector<std::byte>& out = buffers[1].bytes;
    out.resize(in.size());
    for (std::size_t at = 0; at < in.size(); at += sizeof(float)) {
        float value = 0;
        std::memcpy(&value, &in[at], sizeof value);
        value *= by;
        std::memcpy(&out[at], &value, sizeof value);
    }
    return {};
}

} // namespace apod::ladder
