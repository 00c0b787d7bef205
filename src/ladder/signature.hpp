// What a kernel's demangled name tells about its parameters, which PTX's types do not: pointers, and to what.
#pragma once

#include "ladder/element.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apod::ladder {

// "tiled<32>(float*, float const*, int)" -> {"float*", "float const*", "int"}; nothing for a name without parameters (extern "C").
[[nodiscard]] std::optional<std::vector<std::string>> signature_types(std::string_view display_name);

struct CxxType {
    bool pointer = false;
    bool vector = false;                // of the pointer's target or of the value: a short vector (uint4), 16 bytes at most
    std::optional<ElementType> element; // of the pointer's target or of the value, where it is a scalar or a short vector of them
};

// "float const*" -> pointer to f32; "float4*" -> pointer to f32; "MyStruct*" -> pointer to something.
[[nodiscard]] CxxType read_cxx_type(std::string_view type);

} // namespace apod::ladder
