#include "ladder/signature.hpp"

#include <array>

namespace apod::ladder {

namespace {

struct CxxName {
    std::string_view name;
    ElementType type;
};

// As the demangler spells them, and the short vectors of CUDA.
constexpr std::array names = {
    CxxName{"float", ElementType::f32},
    CxxName{"double", ElementType::f64},
    CxxName{"char", ElementType::s8},
    CxxName{"signed char", ElementType::s8},
    CxxName{"unsigned char", ElementType::u8},
    CxxName{"bool", ElementType::u8},
    CxxName{"short", ElementType::s16},
    CxxName{"unsigned short", ElementType::u16},
    CxxName{"int", ElementType::s32},
    CxxName{"unsigned int", ElementType::u32},
    CxxName{"long", ElementType::s64},
    CxxName{"unsigned long", ElementType::u64},
    CxxName{"long long", ElementType::s64},
    CxxName{"unsigned long long", ElementType::u64},
    CxxName{"__half", ElementType::f16},
    CxxName{"__half2", ElementType::f16},
    CxxName{"__nv_bfloat16", ElementType::bf16},
    CxxName{"__nv_bfloat162", ElementType::bf16},
};

// float2 .. float4 and their like; uchar, ushort, uint, ulong, ulonglong are the unsigned ones.
constexpr std::array vectors = {
    CxxName{"float", ElementType::f32}, CxxName{"double", ElementType::f64},   CxxName{"char", ElementType::s8},
    CxxName{"uchar", ElementType::u8},  CxxName{"short", ElementType::s16},    CxxName{"ushort", ElementType::u16},
    CxxName{"int", ElementType::s32},   CxxName{"uint", ElementType::u32},     CxxName{"long", ElementType::s64},
    CxxName{"ulong", ElementType::u64}, CxxName{"longlong", ElementType::s64}, CxxName{"ulonglong", ElementType::u64},
};

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

// Without const, volatile and __restrict__ at either end.
std::string_view unqualified(std::string_view type) {
    for (bool changed = true; changed;) {
        changed = false;
        type = trimmed(type);
        for (const std::string_view word : {"const", "volatile", "__restrict__", "restrict"}) {
            if (type.ends_with(word)) type.remove_suffix(word.size()), changed = true;
            if (type.starts_with(word) && type.substr(word.size()).starts_with(" ")) type.remove_prefix(word.size()), changed = true;
        }
    }
    return type;
}

std::optional<ElementType> vector_element(std::string_view type) {
    if (type.empty() || type.back() < '1' || type.back() > '4') return std::nullopt;
    type.remove_suffix(1);
    for (const CxxName& name : vectors) {
        if (name.name == type) return name.type;
    }
    return std::nullopt;
}

std::optional<ElementType> element_of(std::string_view type) {
    for (const CxxName& name : names) {
        if (name.name == type) return name.type;
    }
    return vector_element(type);
}

} // namespace

std::optional<std::vector<std::string>> signature_types(std::string_view display_name) {
    const std::string_view name = trimmed(display_name);
    if (name.empty() || name.back() != ')') return std::nullopt;
    // From the closing parenthesis back to its partner: template arguments before it may hold parentheses too.
    std::vector<std::string> types;
    int depth = 0;
    std::size_t end = name.size() - 1;
    for (std::size_t at = name.size(); at-- > 0;) {
        const char c = name[at];
        if (c == ')' || c == '>' || c == ']') ++depth;
        if (c == '(' || c == '<' || c == '[') --depth;
        if (depth < 0) return std::nullopt;
        if (depth != 0 && !(depth == 1 && c == ',')) continue;
        types.insert(types.begin(), std::string(trimmed(name.substr(at + 1, end - at - 1))));
        end = at;
        if (depth == 0) break;
    }
    if (depth != 0) return std::nullopt;
    if (types.size() == 1 && (types[0].empty() || types[0] == "void")) types.clear();
    return types;
}

CxxType read_cxx_type(std::string_view type) {
    std::string_view rest = unqualified(type);
    const bool pointer = !rest.empty() && rest.back() == '*';
    if (pointer) rest.remove_suffix(1);
    const std::string_view target = unqualified(rest);
    return {pointer, vector_element(target).has_value(), element_of(target)};
}

} // namespace apod::ladder
