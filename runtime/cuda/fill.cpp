// Filling memory with a value of one, two or four bytes.
#include "runtime/cuda/entries.hpp"

namespace apod::runtime::cuda {
namespace {

struct Pattern {
    std::uint32_t value;
    std::uint32_t bytes;
};

Error fill(Address to, std::size_t pitch, Pattern pattern, std::size_t width, std::size_t height, Stream* handle) {
    if (to % pattern.bytes != 0) return Error::invalid_value;
    FillWork work;
    work.to = reinterpret_cast<void*>(to);
    work.value = pattern.value;
    work.element_bytes = pattern.bytes;
    work.width = width * pattern.bytes;
    work.height = height;
    work.pitch = pitch;
    if (height > 1 && (pitch < work.width || pitch % pattern.bytes != 0)) return Error::invalid_value;
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) { return runtime.submit(stream, work); });
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuMemsetD8_v2(Address to, unsigned char value, std::size_t count) { return fill(to, 0, {value, 1}, count, 1, nullptr); }
Error cuMemsetD16_v2(Address to, unsigned short value, std::size_t count) { return fill(to, 0, {value, 2}, count, 1, nullptr); }
Error cuMemsetD32_v2(Address to, unsigned value, std::size_t count) { return fill(to, 0, {value, 4}, count, 1, nullptr); }
Error cuMemsetD2D8_v2(Address to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height) {
    return fill(to, pitch, {value, 1}, width, height, nullptr);
}
Error cuMemsetD2D16_v2(Address to, std::size_t pitch, unsigned short value, std::size_t width, std::size_t height) {
    return fill(to, pitch, {value, 2}, width, height, nullptr);
}
Error cuMemsetD2D32_v2(Address to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height) {
    return fill(to, pitch, {value, 4}, width, height, nullptr);
}

Error cuMemsetD8Async(Address to, unsigned char value, std::size_t count, Stream* stream) {
    return fill(to, 0, {value, 1}, count, 1, stream);
}
Error cuMemsetD16Async(Address to, unsigned short value, std::size_t count, Stream* stream) {
    return fill(to, 0, {value, 2}, count, 1, stream);
}
Error cuMemsetD32Async(Address to, unsigned value, std::size_t count, Stream* stream) { return fill(to, 0, {value, 4}, count, 1, stream); }
Error cuMemsetD2D8Async(Address to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height, Stream* stream) {
    return fill(to, pitch, {value, 1}, width, height, stream);
}
Error cuMemsetD2D16Async(Address to, std::size_t pitch, unsigned short value, std::size_t width, std::size_t height, Stream* stream) {
    return fill(to, pitch, {value, 2}, width, height, stream);
}
Error cuMemsetD2D32Async(Address to, std::size_t pitch, unsigned value, std::size_t width, std::size_t height, Stream* stream) {
    return fill(to, pitch, {value, 4}, width, height, stream);
}

} // extern "C"
#pragma GCC visibility pop

} // namespace apod::runtime::cuda
