#include "ptx/scoped_names.hpp"

#include "ptx/module.hpp"

namespace apod::ptx {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

} // namespace

void ScopedNames::close() {
    while (bindings_.size() > marks_.back()) {
        const Entry& entry = bindings_.back();
        Table& table = entry.binding.kind == Binding::Kind::reg_range ? ranges_ : names_;
        table[entry.name] = entry.previous;
        bindings_.pop_back();
    }
    marks_.pop_back();
}

void ScopedNames::clear() {
    bindings_.clear();
    marks_.clear();
    names_.clear();
    ranges_.clear();
}

std::uint32_t ScopedNames::newest(const Table& table, std::string_view name) const {
    const auto found = table.find(name);
    return found == table.end() ? none : found->second;
}

bool ScopedNames::declare(std::string_view name, Binding binding) {
    const bool range = binding.kind == Binding::Kind::reg_range;
    Table& table = range ? ranges_ : names_;
    std::uint32_t number = 0;
    const std::uint32_t previous = newest(table, name);
    const std::uint32_t member_of = range ? none : find_range(name, number);
    const std::size_t mark = marks_.empty() ? 0 : marks_.back();
    if ((previous != none && previous >= mark) || (member_of != none && member_of >= mark)) return false;
    table[name] = static_cast<std::uint32_t>(bindings_.size());
    bindings_.push_back({name, binding, previous});
    return true;
}

// "%r12" is number 12 of %r<..>, or, when there is no such range, number 2 of %r1<..>.
std::uint32_t ScopedNames::find_range(std::string_view name, std::uint32_t& number) const {
    std::size_t split = name.size();
    while (split > 0 && is_digit(name[split - 1])) --split;
    for (; split > 0 && split < name.size(); ++split) {
        const std::string_view digits = name.substr(split);
        if (digits.size() > 9 || (digits.size() > 1 && digits[0] == '0')) continue;
        const std::uint32_t entry = newest(ranges_, name.substr(0, split));
        if (entry == none) continue;
        number = 0;
        for (const char c : digits) number = number * 10 + static_cast<std::uint32_t>(c - '0');
        if (number < bindings_[entry].binding.count) return entry;
    }
    return none;
}

bool ScopedNames::find(std::string_view name, Binding& found) const {
    std::uint32_t number = 0;
    const std::uint32_t range = is_digit(name.back()) ? find_range(name, number) : none;
    const std::uint32_t exact = newest(names_, name);
    if (range == none && exact == none) return false;
    if (range != none && (exact == none || exact < range)) { // later entries lie in inner scopes
        found = {Binding::Kind::reg, bindings_[range].binding.index + number, 1};
    } else {
        found = bindings_[exact].binding;
    }
    return true;
}

} // namespace apod::ptx
