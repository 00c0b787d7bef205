// add.cc, addc, sub.cc, subc, mad.cc, madc. The carry that comes in is made by an addition before; the carry that goes out is seen by an
// addc after. Results and carries have cases of their own.
#include "tests/emu/catalogues.hpp"

#include <fmt/format.h>

namespace apod::emu::testing {

namespace {

using Wide = unsigned __int128;

struct Type {
    const char* name;
    unsigned bits;
    bool is_signed;
};
constexpr Type types[] = {{"u32", 32, false}, {"s32", 32, true}, {"u64", 64, false}, {"s64", 64, true}};

Wide mask_of(unsigned bits) { return (Wide{1} << bits) - 1; }

Wide product(Values v, const Type& t, bool high) {
    Wide p = 0;
    if (t.is_signed) {
        const auto extend = [&](std::uint64_t x) { return t.bits == 32 ? static_cast<std::int32_t>(x) : static_cast<std::int64_t>(x); };
        p = static_cast<Wide>(static_cast<__int128>(extend(v[0])) * extend(v[1]));
    } else {
        p = static_cast<Wide>(v[0]) * v[1];
    }
    return (high ? p >> t.bits : p) & mask_of(t.bits);
}

struct Shape {
    const char* writer; // without a carry coming in
    const char* reader; // with one
    enum { sum, difference, low_product, high_product } what;
};
constexpr Shape shapes[] = {{"add", "addc", Shape::sum},
                            {"sub", "subc", Shape::difference},
                            {"mad.lo", "madc.lo", Shape::low_product},
                            {"mad.hi", "madc.hi", Shape::high_product}};

// Bit `bits` of the result is the carry. A subtraction adds the complement, as the hardware does (an H200 was asked): its carry is set
// where nothing was borrowed.
Wide full_result(const Shape& shape, const Type& t, Values v, Wide carry) {
    const bool three = shape.what == Shape::low_product || shape.what == Shape::high_product;
    const Wide c = three ? v[2] : 0;
    if (shape.what == Shape::sum) return Wide{v[0]} + v[1] + carry;
    if (shape.what == Shape::difference) return Wide{v[0]} + (~Wide{v[1]} & mask_of(t.bits)) + carry;
    return product(v, t, shape.what == Shape::high_product) + c + carry;
}

void add_shape(Catalogue& list, const Shape& shape, const Type& t) {
    const bool three = shape.what == Shape::low_product || shape.what == Shape::high_product;
    const Kind kind = t.bits == 32 ? Kind::i32 : Kind::i64;
    std::vector<Kind> inputs(three ? 3 : 2, kind);
    inputs.push_back(Kind::i32); // its low bit is the carry that comes in
    const std::size_t carry_at = inputs.size() - 1;
    const std::string last = three ? "{e}" : "{c}";
    const std::string operands = three ? "{a}, {b}, {c}" : "{a}, {b}";
    const std::string prepare = fmt::format("and.b32 %w20, {}, 1;\nadd.cc.u32 %w20, %w20, 0xffffffff;\n", last);
    const std::string see = fmt::format("addc.{0} {{d}}, 0, 0;\n", t.name);
    for (const bool in : {false, true})
        for (const bool out : {false, true}) {
            if (!in && !out) continue;
            const std::string name = fmt::format("{}{}.{}", in ? shape.reader : shape.writer, out ? ".cc" : "", t.name);
            const auto result = [=](Values v) {
                return full_result(shape, t, v, in ? v[carry_at] & 1 : shape.what == Shape::difference ? 1 : 0);
            };
            list.push_back({name, inputs, kind, [=](Values v) { return static_cast<std::uint64_t>(result(v)); },
                            fmt::format("{} {{d}}, {};", name, operands), prepare});
            if (!out) continue;
            // Lanes that do not execute keep the carry that came in: they show it. The result is thrown away.
            FormCase seen{name + " (carry)",
                          inputs,
                          kind,
                          [=](Values v) { return static_cast<std::uint64_t>((result(v) >> t.bits) & 1); },
                          fmt::format("{} %{}25, {};", name, t.bits == 64 ? "q" : "w", operands),
                          "add.cc.u32 %w20, 0, 0;\n" + (in ? prepare : ""),
                          see,
                          0};
            if (in) seen.inactive_reference = [=](Values v) { return v[carry_at] & 1; };
            list.push_back(seen);
        }
}

} // namespace

Catalogue carry_cases() {
    Catalogue list;
    for (const Type& t : types)
        for (const Shape& shape : shapes) add_shape(list, shape, t);
    return list;
}

} // namespace apod::emu::testing
