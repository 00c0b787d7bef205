#include "ptx/types.hpp"

#include <algorithm>
#include <array>

namespace apod::ptx {

namespace {

enum class Family : std::uint8_t { other, bits, unsigned_integer, signed_integer, floating };

struct TypeFacts {
    Type type;
    std::string_view name;
    std::uint32_t bits;
    Family family;
};

// In the order of the enumeration, so that a Type indexes it.
constexpr std::array facts{
    TypeFacts{Type::none, "", 0, Family::other},
    TypeFacts{Type::pred, "pred", 1, Family::other},
    TypeFacts{Type::b1, "b1", 1, Family::bits},
    TypeFacts{Type::b8, "b8", 8, Family::bits},
    TypeFacts{Type::b16, "b16", 16, Family::bits},
    TypeFacts{Type::b32, "b32", 32, Family::bits},
    TypeFacts{Type::b64, "b64", 64, Family::bits},
    TypeFacts{Type::b128, "b128", 128, Family::bits},
    TypeFacts{Type::u2, "u2", 2, Family::unsigned_integer},
    TypeFacts{Type::u4, "u4", 4, Family::unsigned_integer},
    TypeFacts{Type::u8, "u8", 8, Family::unsigned_integer},
    TypeFacts{Type::u16, "u16", 16, Family::unsigned_integer},
    TypeFacts{Type::u32, "u32", 32, Family::unsigned_integer},
    TypeFacts{Type::u64, "u64", 64, Family::unsigned_integer},
    TypeFacts{Type::s2, "s2", 2, Family::signed_integer},
    TypeFacts{Type::s4, "s4", 4, Family::signed_integer},
    TypeFacts{Type::s8, "s8", 8, Family::signed_integer},
    TypeFacts{Type::s16, "s16", 16, Family::signed_integer},
    TypeFacts{Type::s32, "s32", 32, Family::signed_integer},
    TypeFacts{Type::s64, "s64", 64, Family::signed_integer},
    TypeFacts{Type::f16, "f16", 16, Family::floating},
    TypeFacts{Type::f16x2, "f16x2", 32, Family::floating},
    TypeFacts{Type::bf16, "bf16", 16, Family::floating},
    TypeFacts{Type::bf16x2, "bf16x2", 32, Family::floating},
    TypeFacts{Type::tf32, "tf32", 32, Family::floating},
    TypeFacts{Type::f32, "f32", 32, Family::floating},
    TypeFacts{Type::f64, "f64", 64, Family::floating},
    TypeFacts{Type::e4m3, "e4m3", 8, Family::floating},
    TypeFacts{Type::e5m2, "e5m2", 8, Family::floating},
    TypeFacts{Type::e4m3x2, "e4m3x2", 16, Family::floating},
    TypeFacts{Type::e5m2x2, "e5m2x2", 16, Family::floating},
    TypeFacts{Type::texref, "texref", 64, Family::other},
    TypeFacts{Type::samplerref, "samplerref", 64, Family::other},
    TypeFacts{Type::surfref, "surfref", 64, Family::other},
};

constexpr bool in_enumeration_order() {
    for (std::size_t i = 0; i < facts.size(); ++i)
        if (static_cast<std::size_t>(facts[i].type) != i) return false;
    return true;
}
static_assert(in_enumeration_order());

const TypeFacts& facts_of(Type type) { return facts[static_cast<std::size_t>(type)]; }

} // namespace

std::optional<Type> type_from_name(std::string_view name) {
    const auto found = std::find_if(facts.begin() + 1, facts.end(), [&](const TypeFacts& f) { return f.name == name; });
    if (found == facts.end()) return std::nullopt;
    return found->type;
}

std::string_view type_name(Type type) { return facts_of(type).name; }
std::uint32_t type_bits(Type type) { return facts_of(type).bits; }
bool is_signed_integer(Type type) { return facts_of(type).family == Family::signed_integer; }
bool is_unsigned_integer(Type type) { return facts_of(type).family == Family::unsigned_integer; }
bool is_bits(Type type) { return facts_of(type).family == Family::bits; }
bool is_float(Type type) { return facts_of(type).family == Family::floating; }

std::string_view space_name(Space space) {
    constexpr std::array<std::string_view, 8> names{"generic", "reg", "sreg", "const", "global", "local", "param", "shared"};
    return names[static_cast<std::size_t>(space)];
}

} // namespace apod::ptx
