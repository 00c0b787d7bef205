#include "ptx/literal.hpp"

#include <bit>
#include <charconv>

namespace apod::ptx {

namespace {

std::optional<std::uint64_t> whole(std::string_view digits, int base) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

std::optional<Constant> pattern(std::string_view digits, bool f32) {
    if (digits.size() != (f32 ? 8u : 16u)) return std::nullopt;
    const auto bits = whole(digits, 16);
    if (!bits) return std::nullopt;
    return Constant{.is_real = true, .is_f32 = f32, .bits = *bits};
}

std::optional<Constant> integer(std::string_view text, int base) {
    const bool suffix = !text.empty() && (text.back() == 'U' || text.back() == 'u');
    if (suffix) text.remove_suffix(1);
    const auto value = whole(text, base);
    if (!value) return std::nullopt;
    return Constant{.is_unsigned = suffix || (*value >> 63) != 0, .bits = *value};
}

std::optional<Constant> decimal_real(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return Constant{.is_real = true, .bits = std::bit_cast<std::uint64_t>(value)};
}

} // namespace

double Constant::real() const {
    if (!is_real) return is_unsigned ? static_cast<double>(bits) : static_cast<double>(integer());
    if (is_f32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    return std::bit_cast<double>(bits);
}

std::optional<Constant> constant_from_text(std::string_view text) {
    if (text.size() > 1 && text[0] == '0') {
        const std::string_view rest = text.substr(2);
        switch (text[1]) {
        case 'x':
        case 'X': return integer(rest, 16);
        case 'b':
        case 'B': return integer(rest, 2);
        case 'f':
        case 'F': return pattern(rest, true);
        case 'd':
        case 'D': return pattern(rest, false);
        default: break;
        }
    }
    if (text.find_first_of(".eE") != std::string_view::npos) return decimal_real(text);
    return integer(text, text.size() > 1 && text[0] == '0' && text[1] != 'U' && text[1] != 'u' ? 8 : 10);
}

} // namespace apod::ptx
