// The sections of an ELF file of 64 bits, little endian; what is cut off or contradicts itself is an error, never an access beyond the end.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace apod::sass {

struct Section {
    std::string_view name;
    std::string_view bytes; // empty for sections that take no place in the file
    std::uint32_t link = 0;
    std::uint32_t info = 0;
};

Result<std::vector<Section>> read_sections(std::string_view bytes, const std::string& file);

[[nodiscard]] const Section* find_section(const std::vector<Section>& sections, std::string_view name);

// The value at the offset; zero beyond the end.
template<typename T> [[nodiscard]] T value_at(std::string_view bytes, std::size_t offset) {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    if (offset <= bytes.size() && bytes.size() - offset >= sizeof(T)) std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

} // namespace apod::sass
