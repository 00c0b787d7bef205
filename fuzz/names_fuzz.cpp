// Any bytes as a kernel's name: what is made of it for people, and what its parameters are taken to be.
#include "ladder/signature.hpp"
#include "ptx/module.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view name(reinterpret_cast<const char*>(data), size);
    const std::string shown = apod::ptx::demangle(name);
    if (!name.starts_with("_Z") && shown != name) std::abort();
    for (const std::string& text : {shown, std::string(name)}) {
        const auto types = apod::ladder::signature_types(text);
        if (!types) continue;
        for (const std::string& type : *types) (void)apod::ladder::read_cxx_type(type);
    }
    return 0;
}
