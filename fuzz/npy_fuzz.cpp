// Any bytes as an .npy file; what is read must be written back and read again alike.
#include "ladder/npy.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apod::ladder;
    const auto array = parse_npy({reinterpret_cast<const char*>(data), size}, "fuzz.npy");
    if (!array) return 0;
    const auto contents = to_npy(*array);
    if (!contents) std::abort();
    const auto again = parse_npy(*contents, "again.npy");
    if (!again || again->bytes != array->bytes || again->shape != array->shape) std::abort();
    return 0;
}
