// cvt. Common conversions have forms of their own under the names that canonical_form() gives; the others go to the general handler with a
// ConvertSpec. Combinations that PTX does not have are refused.
#include "emu/convert_spec.hpp"
#include "emu/lower/lowering.hpp"

#include <fmt/format.h>

#include <optional>

namespace apod::emu {

namespace {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

// A type as cvt sees it: what number, and whether two of them.
struct Side {
    Number number = Number::u32;
    bool pair = false;
    Type type = Type::none;
};

std::optional<Side> side_of(Type type) {
    switch (type) {
    case Type::u8: return Side{Number::u8, false, type};
    case Type::s8: return Side{Number::s8, false, type};
    case Type::u16: return Side{Number::u16, false, type};
    case Type::s16: return Side{Number::s16, false, type};
    case Type::u32: return Side{Number::u32, false, type};
    case Type::s32: return Side{Number::s32, false, type};
    case Type::u64: return Side{Number::u64, false, type};
    case Type::s64: return Side{Number::s64, false, type};
    case Type::f16: return Side{Number::f16, false, type};
    case Type::bf16: return Side{Number::bf16, false, type};
    case Type::f32: return Side{Number::f32, false, type};
    case Type::f64: return Side{Number::f64, false, type};
    case Type::tf32: return Side{Number::tf32, false, type};
    case Type::f16x2: return Side{Number::f16, true, type};
    case Type::bf16x2: return Side{Number::bf16, true, type};
    case Type::e4m3x2: return Side{Number::e4m3, true, type};
    case Type::e5m2x2: return Side{Number::e5m2, true, type};
    default: return {};
    }
}

// Pairs that PTX has no register type for.
std::optional<Side> narrow_side(std::string_view name) {
    if (name == "e2m1x2") return Side{Number::e2m1, true, Type::b8};
    if (name == "e2m3x2") return Side{Number::e2m3, true, Type::b16};
    if (name == "e3m2x2") return Side{Number::e3m2, true, Type::b16};
    if (name == "ue8m0x2") return Side{Number::ue8m0, true, Type::b16};
    return {};
}

bool is_integer(const Side& side) { return side.number <= Number::s64; }
bool is_small_float(const Side& side) { return side.number >= Number::e4m3 && side.number <= Number::e3m2; }
bool is_scale(const Side& side) { return side.number == Number::ue8m0; }

struct RoundingName {
    std::string_view name;
    Rounding rounding;
    bool integral;
};
constexpr RoundingName rounding_names[] = {
    {"rn", Rounding::nearest, false}, {"rz", Rounding::zero, false},  {"rm", Rounding::down, false},
    {"rp", Rounding::up, false},      {"rna", Rounding::away, false}, {"rni", Rounding::nearest, true},
    {"rzi", Rounding::zero, true},    {"rmi", Rounding::down, true},  {"rpi", Rounding::up, true},
};

// The modifiers in any order, the destination's type before the source's.
struct Reading {
    ConvertSpec spec;
    std::vector<Side> sides;
    bool understood = true;

    void read(std::string_view modifier) {
        for (const RoundingName& known : rounding_names) {
            if (known.name != modifier) continue;
            understood = understood && spec.rounding == Rounding::exact;
            spec.rounding = known.rounding;
            spec.integral = known.integral;
            return;
        }
        if (modifier == "ftz")
            spec.flush = true;
        else if (modifier == "sat")
            spec.saturate = true;
        else if (modifier == "relu")
            spec.relu = true;
        else if (modifier == "satfinite")
            spec.finite = true;
        else if (const auto type = ptx::type_from_name(modifier); type && side_of(*type))
            sides.push_back(*side_of(*type));
        else if (const auto narrow = narrow_side(modifier))
            sides.push_back(*narrow);
        else
            understood = false;
    }
};

// Fraction bits and exponent bits decide whether a conversion between floats can lose something.
bool loses(Number to, Number from) {
    const auto rank = [](Number n) { return n == Number::f64 ? 4 : n == Number::f32 ? 3 : n >= Number::e4m3 ? 0 : 2; };
    return to != from && rank(to) <= rank(from);
}

// cvt.{rz|rp}{.satfinite}.ue8m0x2.{f32|bf16x2} and cvt.rn.bf16x2.ue8m0x2.
const char* objection_to_scale(const ConvertSpec& spec, const Side& to, const Side& from) {
    if (spec.saturate || spec.integral || spec.flush || spec.relu) return "ue8m0 takes a rounding and satfinite";
    if (is_scale(from))
        return to.type == Type::bf16x2 && spec.rounding == Rounding::nearest && !spec.finite ? nullptr : "ue8m0x2 becomes bf16x2, with rn";
    if (from.type != Type::f32 && from.type != Type::bf16x2) return "ue8m0x2 is made of f32 and bf16x2";
    return spec.rounding == Rounding::zero || spec.rounding == Rounding::up ? nullptr : "ue8m0x2 is rounded with rz or rp";
}

// What PTX has: empty when it has this.
const char* objection(const ConvertSpec& spec, const Side& to, const Side& from) {
    if (is_scale(to) || is_scale(from)) return objection_to_scale(spec, to, from);
    const bool rounded = spec.rounding != Rounding::exact;
    const bool small = to.number > Number::e5m2 || from.number > Number::e5m2;
    if (small && is_small_float(to) && from.type != Type::f32) return "floats of 4 and 6 bits are made of f32";
    const bool modern = to.number == Number::tf32 || is_small_float(to) || is_small_float(from) || to.pair;
    if (from.number == Number::tf32) return "tf32 is no source type";
    if ((spec.rounding == Rounding::away) && to.number != Number::tf32) return "rna is for tf32";
    if ((spec.relu || spec.finite) && !modern && to.number != Number::f16 && to.number != Number::bf16)
        return "relu and satfinite are for floats of 16 bits and fewer, and tf32";
    if (modern && (spec.saturate || spec.integral || spec.flush || !rounded)) return "these formats take rn, rz or rna, relu and satfinite";
    if (modern && from.number != Number::f32 && !(is_small_float(to) && from.type == Type::f16x2) &&
        !(to.type == Type::f16x2 && is_small_float(from)))
        return "these formats are not converted into each other";
    if (is_small_float(to) && (!spec.finite || spec.rounding != Rounding::nearest)) return "floats of 4 to 8 bits need rn and satfinite";
    if (modern) return nullptr;
    if (is_integer(to) && is_integer(from)) return rounded || spec.flush ? "integers are not rounded" : nullptr;
    if (is_integer(to)) return spec.integral ? nullptr : "a float becomes an integer with rni, rzi, rmi or rpi";
    if (is_integer(from)) return rounded && !spec.integral ? nullptr : "an integer becomes a float with rn, rz, rm or rp";
    if (spec.integral) return to.number == from.number ? nullptr : "rounding to a whole number keeps the type";
    if (loses(to.number, from.number) && !rounded) return "a rounding is needed";
    return nullptr;
}

bool is_wide_register(const Lowering& lowering, const Operand& operand) {
    return operand.kind == OperandKind::reg && slot_class(lowering.function.registers[operand.index].type) == SlotClass::wide;
}

Result<bool> lower_general(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered, ConvertSpec spec, const Side& to,
                           const Side& from) {
    const std::size_t wanted = spec.two_sources ? 3 : 2;
    if (instruction.operands.size() != wanted) return malformed(lowering, instruction, fmt::format("{} operands are needed", wanted));
    spec.wide_destination = is_wide_register(lowering, instruction.operands[0]) && ptx::type_bits(to.type) < 64;
    spec.wide_register = is_wide_register(lowering, instruction.operands[1]) && ptx::type_bits(from.type) < 64;
    if ((spec.wide_destination && !is_integer(to)) || (spec.wide_register && !is_integer(from)))
        return malformed(lowering, instruction, "only integers may live in wider registers");
    use_form(lowered, *form_table().find("cvt.any"));
    if (ptx::type_bits(to.type) == 64 || ptx::type_bits(from.type) == 64) lowered.info.op_class = OpClass::convert64;
    auto dst = destination(lowering, instruction, instruction.operands[0], spec.wide_destination ? Type::b64 : to.type);
    if (!dst) return dst.error();
    auto a = source(lowering, instruction, instruction.operands[1], spec.wide_register ? Type::b64 : from.type);
    if (!a) return a.error();
    lowered.op.dst = *dst;
    lowered.op.a = *a;
    if (spec.two_sources) {
        auto b = source(lowering, instruction, instruction.operands[2], from.type);
        if (!b) return b.error();
        lowered.op.b = *b;
    }
    lowered.op.imm = spec.packed();
    return true;
}

// cvt.pack.sat.TO.s32 d, a, b and cvt.pack.sat.TO.s32.b32 d, a, b, c.
Result<bool> lower_pack(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    const auto& m = instruction.modifiers;
    const bool chained = m.size() == 5 && m[4] == "b32";
    const auto to = m.size() > 2 ? ptx::type_from_name(m[2]) : std::nullopt;
    const std::uint32_t bits = to ? ptx::type_bits(*to) : 0;
    if (m.size() < 4 || (m.size() == 5 && !chained) || m[0] != "pack" || m[1] != "sat" || m[3] != "s32" || !to || (bits == 16) == chained ||
        bits > 16 || (!ptx::is_signed_integer(*to) && !ptx::is_unsigned_integer(*to)))
        return cannot_run(lowering, instruction);
    if (instruction.operands.size() != (chained ? 4u : 3u)) return malformed(lowering, instruction, "an operand too many or too few");
    use_form(lowered, *form_table().find("cvt.pack"));
    auto dst = destination(lowering, instruction, instruction.operands[0], Type::b32);
    if (!dst) return dst.error();
    lowered.op.dst = *dst;
    OperandRef* const into[] = {&lowered.op.a, &lowered.op.b, &lowered.op.c};
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
        auto ref = source(lowering, instruction, instruction.operands[i], i == 3 ? Type::b32 : Type::s32);
        if (!ref) return ref.error();
        *into[i - 1] = *ref;
    }
    lowered.op.count = static_cast<std::uint16_t>(bits);
    lowered.op.imm = ptx::is_signed_integer(*to) ? 1 : 0;
    return true;
}

} // namespace

Result<bool> lower_convert(Lowering& lowering, const ptx::Instruction& instruction, LoweredOp& lowered) {
    if (instruction.has("pack")) return lower_pack(lowering, instruction, lowered);
    Reading reading;
    for (const std::string_view modifier : instruction.modifiers) reading.read(modifier);
    if (!reading.understood || reading.sides.size() != 2) return cannot_run(lowering, instruction);
    const Side& to = reading.sides[0];
    const Side& from = reading.sides[1];
    if (const char* why = objection(reading.spec, to, from); why != nullptr) return cannot_run(lowering, instruction, why);
    reading.spec.to = to.number;
    reading.spec.from = from.number;
    reading.spec.two_sources = to.pair && !from.pair;
    reading.spec.pair_source = to.pair && from.pair;
    bool natural = true;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i)
        natural = natural && (!is_wide_register(lowering, instruction.operands[i]) || ptx::type_bits(i == 0 ? to.type : from.type) == 64);
    if (natural && form_table().find(canonical_form(instruction)) != nullptr) return false; // lower_simple knows it
    return lower_general(lowering, instruction, lowered, reading.spec, to, from);
}

} // namespace apod::emu
