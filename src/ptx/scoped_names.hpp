// Names that a function body declares, with its nested {} scopes: the innermost declaration of a name is found.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace apod::ptx {

struct Binding {
    enum class Kind : std::uint8_t { reg, reg_vector, reg_range, function_variable, parameter, return_parameter };
    Kind kind = Kind::reg;
    std::uint32_t index = 0; // in the table of its kind; of the first register of a vector or range
    std::uint32_t count = 1; // registers of a vector or range
};

class ScopedNames {
public:
    void open() { marks_.push_back(bindings_.size()); }
    void close();
    void clear();

    // False when this scope already declares the name.
    bool declare(std::string_view name, Binding binding);

    // A member of a range comes back as a register of its own.
    [[nodiscard]] bool find(std::string_view name, Binding& found) const;

private:
    struct Entry {
        std::string_view name;
        Binding binding;
        std::uint32_t previous = 0; // of the same name in an outer scope
    };
    using Table = std::unordered_map<std::string_view, std::uint32_t>; // newest entry, absent: as good as `nothing`

    [[nodiscard]] std::uint32_t newest(const Table& table, std::string_view name) const;
    [[nodiscard]] std::uint32_t find_range(std::string_view name, std::uint32_t& number) const;

    std::vector<Entry> bindings_;
    std::vector<std::size_t> marks_;
    Table names_;
    Table ranges_; // by prefix: "%r" of %r<9>
};

} // namespace apod::ptx
