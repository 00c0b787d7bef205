// Any bytes as machine code that ptxas wrote.
#include "sass/cubin.hpp"
#include "sass/flow.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto kernel = apod::sass::read_cubin({reinterpret_cast<const char*>(data), size}, "fuzz", 90, "fuzz.cubin");
    if (kernel) (void)apod::sass::code_flow(kernel->instructions);
    return 0;
}
