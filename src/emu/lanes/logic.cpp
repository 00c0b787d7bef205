// Bitwise logic and shifts, lop3 included, for lanes and for predicates.
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

namespace {

struct And {
    template<class R> static R apply(R a, R b) { return a & b; }
};
struct Or {
    template<class R> static R apply(R a, R b) { return a | b; }
};
struct Xor {
    template<class R> static R apply(R a, R b) { return a ^ b; }
};
struct Not {
    template<class R> static R apply(R a) { return static_cast<R>(~a); }
};
// C's logical negation.
struct CNot {
    template<class R> static R apply(R a) { return a == 0 ? 1 : 0; }
};

// Shift amounts are unsigned 32-bit and clamped to the width.
struct ShiftLeft {
    template<class R> static R apply(R a, std::uint32_t n) {
        constexpr unsigned width = 8 * sizeof(R);
        const R shifted = static_cast<R>(static_cast<Arithmetic<R>>(a) << (n & (8 * sizeof(Arithmetic<R>) - 1)));
        return n < width ? shifted : R{0};
    }
};
struct ShiftRight {
    template<class R> static R apply(R a, std::uint32_t n) {
        constexpr unsigned width = 8 * sizeof(R);
        if constexpr (std::is_signed_v<R>)
            return static_cast<R>(a >> (n < width ? n : width - 1));
        else
            return n < width ? static_cast<R>(a >> (n & (width - 1))) : R{0};
    }
};

template<class T> void add_bitwise(FormTable& table, const char* type) {
    add_binary<And, T, T>(table, FormName("and.", type), OpClass::logic);
    add_binary<Or, T, T>(table, FormName("or.", type), OpClass::logic);
    add_binary<Xor, T, T>(table, FormName("xor.", type), OpClass::logic);
    add_unary<Not, T, T>(table, FormName("not.", type), OpClass::logic);
    add_unary<CNot, T, T>(table, FormName("cnot.", type), OpClass::logic);
    add_binary<ShiftLeft, T, T, std::uint32_t>(table, FormName("shl.", type), OpClass::logic);
}

template<class T> void add_shift_right(FormTable& table, const char* type) {
    add_binary<ShiftRight, T, T, std::uint32_t>(table, FormName("shr.", type), OpClass::logic);
}

enum class Logic { and_, or_, xor_, not_, move };

// Predicates are lane masks: one scalar operation serves the warp. Sources are predicate references.
template<Logic L> void predicate_logic(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const std::uint32_t a = predicate(warp, op.a);
    std::uint32_t bits = a;
    if constexpr (L == Logic::and_) bits = a & predicate(warp, op.b);
    if constexpr (L == Logic::or_) bits = a | predicate(warp, op.b);
    if constexpr (L == Logic::xor_) bits = a ^ predicate(warp, op.b);
    if constexpr (L == Logic::not_) bits = ~a;
    set_predicate(warp, op.dst, bits, mask);
}

template<Logic L> void add_predicate(FormTable& table, const char* name, bool two) {
    table.add({name, predicate_logic<L>, predicate_logic<L>, ptx::Type::pred, ptx::Type::pred, two ? ptx::Type::pred : ptx::Type::none,
               ptx::Type::none, OpClass::logic});
}

// lop3's table: bit (a<<2 | b<<1 | c) of the immediate. As a sum of products over whole words.
inline std::uint32_t lop3(std::uint32_t a, std::uint32_t b, std::uint32_t c, const std::uint32_t (&term)[8]) {
    return (term[0] & ~a & ~b & ~c) | (term[1] & ~a & ~b & c) | (term[2] & ~a & b & ~c) | (term[3] & ~a & b & c) | (term[4] & a & ~b & ~c) |
           (term[5] & a & ~b & c) | (term[6] & a & b & ~c) | (term[7] & a & b & c);
}

void lop3_masked(WarpContext& warp, const Op& op, std::uint32_t mask) {
    std::uint32_t term[8];
    for (unsigned i = 0; i < 8; ++i) term[i] = 0u - static_cast<std::uint32_t>((op.imm >> i) & 1);
    auto* d = slot<std::uint32_t>(warp, op.dst);
    const auto* a = slot<std::uint32_t>(warp, op.a);
    const auto* b = slot<std::uint32_t>(warp, op.b);
    const auto* c = slot<std::uint32_t>(warp, op.c);
    APOD_LANE_LOOP
    for (unsigned l = 0; l < lanes; ++l) {
        const std::uint32_t value = lop3(a[l], b[l], c[l], term);
        d[l] = blend(mask, l, value, d[l]);
    }
}

// lop3.BoolOp: p = (d != 0) and (or) q beside the result, see lower/lop3.cpp.
void lop3_with_predicate(WarpContext& warp, const Op& op, std::uint32_t mask) {
    std::uint32_t term[8];
    for (unsigned i = 0; i < 8; ++i) term[i] = 0u - static_cast<std::uint32_t>((op.imm >> i) & 1);
    const auto* a = slot<std::uint32_t>(warp, op.a);
    const auto* b = slot<std::uint32_t>(warp, op.b);
    const auto* c = slot<std::uint32_t>(warp, op.c);
    std::uint32_t value[lanes];
    alignas(32) std::uint8_t bytes[lanes];
    APOD_LANE_LOOP
    for (unsigned l = 0; l < lanes; ++l) {
        value[l] = lop3(a[l], b[l], c[l], term);
        bytes[l] = value[l] != 0 ? 0xff : 0;
    }
    const std::uint32_t q = predicate(warp, static_cast<PredicateRef>(static_cast<std::uint64_t>(op.imm) >> 32));
    const std::uint32_t nonzero = mask_of_bytes(bytes);
    set_predicate(warp, op.extra, (op.imm & 0x100) != 0 ? nonzero & q : nonzero | q, mask);
    if ((op.flags & flag_no_result) != 0) return;
    auto* d = slot<std::uint32_t>(warp, op.dst);
    APOD_LANE_LOOP
    for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, value[l], d[l]);
}

} // namespace

void add_logic_forms(FormTable& table) {
    add_bitwise<std::uint16_t>(table, "b16");
    add_bitwise<std::uint32_t>(table, "b32");
    add_bitwise<std::uint64_t>(table, "b64");
    add_shift_right<std::uint16_t>(table, "b16");
    add_shift_right<std::uint32_t>(table, "b32");
    add_shift_right<std::uint64_t>(table, "b64");
    add_shift_right<std::uint16_t>(table, "u16");
    add_shift_right<std::uint32_t>(table, "u32");
    add_shift_right<std::uint64_t>(table, "u64");
    add_shift_right<std::int16_t>(table, "s16");
    add_shift_right<std::int32_t>(table, "s32");
    add_shift_right<std::int64_t>(table, "s64");
    add_predicate<Logic::and_>(table, "and.pred", true);
    add_predicate<Logic::or_>(table, "or.pred", true);
    add_predicate<Logic::xor_>(table, "xor.pred", true);
    add_predicate<Logic::not_>(table, "not.pred", false);
    add_predicate<Logic::move>(table, "mov.pred", false);
    // The fourth operand, the table, is an immediate and travels in Op::imm.
    table.add({"lop3.b32", lop3_masked, lop3_masked, ptx::Type::b32, ptx::Type::b32, ptx::Type::b32, ptx::Type::b32, OpClass::logic});
    table.add({"lop3.bool.b32", lop3_with_predicate, lop3_with_predicate, ptx::Type::b32, ptx::Type::b32, ptx::Type::b32, ptx::Type::b32,
               OpClass::logic});
}

} // namespace apod::emu::APOD_LANES
