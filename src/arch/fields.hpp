// Every key of a description, with the member it fills and the values that make sense: the one list that reading, checking and the tests
// use.
#pragma once

#include "arch/gpu.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace apod::arch {

using Target = std::variant<double* (*)(Gpu&), std::uint32_t* (*)(Gpu&), std::uint64_t* (*)(Gpu&), bool* (*)(Gpu&),
                            std::vector<std::uint32_t>* (*)(Gpu&)>;

struct NumberField {
    std::string_view section; // empty: top level, only in the GPU's own file
    std::string_view key;
    Target target;
    double low = 0; // smallest and largest value that makes sense; of a list, of its elements
    double high = 0;
    bool required = true;

    [[nodiscard]] std::string path() const { return section.empty() ? std::string(key) : std::string(section).append(".").append(key); }
};

struct TextField {
    std::string_view section;
    std::string_view key;
    std::string* (*target)(Gpu&);
    bool required = true;
};

[[nodiscard]] std::span<const NumberField> number_fields();
// The field's value; of a list, its last and largest.
[[nodiscard]] double number_of(const Gpu& gpu, const NumberField& field);
[[nodiscard]] std::span<const TextField> text_fields();
[[nodiscard]] std::span<const std::string_view> section_names();

} // namespace apod::arch
