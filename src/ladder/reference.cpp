#include "ladder/reference.hpp"

#include <array>

namespace apod::ladder {

namespace {

struct Entry {
    std::string_view name;
    Reference reference;
};

constexpr std::array references = {Entry{"scale", scale_reference}, Entry{"spmv", spmv_reference}, Entry{"transpose", transpose_reference}};

} // namespace

Reference find_reference(std::string_view name) {
    for (const Entry& entry : references) {
        if (entry.name == name) return entry.reference;
    }
    return nullptr;
}

const std::vector<std::string>& reference_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        all.reserve(references.size());
        for (const Entry& entry : references) all.emplace_back(entry.name);
        return all;
    }();
    return names;
}

} // namespace apod::ladder
