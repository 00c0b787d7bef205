// add, sub, mul and fma on two floats in 64 bits (.f32x2), and with halves among their operands (add.f32.f16 and its like). Directed
// rounding as in rounded.cpp.
#include "emu/lanes/float_functions.hpp"
#include "emu/lanes/half_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/names.hpp"
#include "emu/lanes/rounded.hpp"

namespace apod::emu::APOD_LANES {

namespace {

// F on the low floats and on the high ones.
template<class F> struct OnPair {
    static float low(std::uint64_t v) { return from_bits<float>(static_cast<std::uint32_t>(v)); }
    static float high(std::uint64_t v) { return from_bits<float>(static_cast<std::uint32_t>(v >> 32)); }
    static std::uint64_t join(float l, float h) { return bits_of(l) | std::uint64_t{bits_of(h)} << 32; }

    template<class R> static R apply(R a, R b) {
        return join(F::template apply<float>(low(a), low(b)), F::template apply<float>(high(a), high(b)));
    }
    template<class R> static R apply(R a, R b, R c) {
        return join(F::template apply<float>(low(a), low(b), low(c)), F::template apply<float>(high(a), high(b), high(c)));
    }
};

// Halves become floats, which is exact, before the operation.
template<class F> struct OnHalves {
    template<class R, class E> static R apply(E a, float c) { return F::template apply<float>(to_float(a), c); }
    template<class R, class E> static R apply(E a, E b, float c) { return F::template apply<float>(to_float(a), to_float(b), c); }
};

struct Mode {
    const char* name;
    int mode;
};
constexpr Mode directed[] = {{".rz", FE_TOWARDZERO}, {".rm", FE_DOWNWARD}, {".rp", FE_UPWARD}};

// All four modes; nearest has no name and needs no change of the host's.
template<class H>
void add_modes(FormTable& table, const char* opcode, const char* rest, ptx::Type d, ptx::Type a, ptx::Type b, ptx::Type c) {
    table.add({Name(opcode, rest), H::full, H::masked, d, a, b, c, OpClass::fp32});
    for (const Mode& mode : directed)
        table.add({Name(opcode, mode.name, rest), Rounded<H>::full, Rounded<H>::masked, d, a, b, c, OpClass::fp32, mode.mode});
}

template<class F> void add_pair_sum(FormTable& table, const char* opcode) {
    using U = std::uint64_t;
    using ptx::Type;
    add_modes<Binary<OnPair<F>, U, U, U>>(table, opcode, ".f32x2", Type::b64, Type::b64, Type::b64, Type::none);
    add_modes<Binary<OnPair<Ftz<F>>, U, U, U>>(table, opcode, ".ftz.f32x2", Type::b64, Type::b64, Type::b64, Type::none);
}

template<class F, class E> void add_mixed_sum(FormTable& table, const char* opcode, const char* type) {
    constexpr ptx::Type f32 = ptx::Type::f32;
    add_modes<Binary<OnHalves<F>, float, E, float>>(table, opcode, Name(".f32", type), f32, ptx_type<E>, f32, ptx::Type::none);
    add_modes<Binary<OnHalves<Sat<F>>, float, E, float>>(table, opcode, Name(".sat.f32", type), f32, ptx_type<E>, f32, ptx::Type::none);
}

template<class E> void add_mixed(FormTable& table, const char* type) {
    constexpr ptx::Type f32 = ptx::Type::f32;
    add_mixed_sum<FAdd, E>(table, "add", type);
    add_mixed_sum<FSub, E>(table, "sub", type);
    add_modes<Ternary<OnHalves<FFma>, float, E, E, float>>(table, "fma", Name(".f32", type), f32, ptx_type<E>, ptx_type<E>, f32);
    add_modes<Ternary<OnHalves<Sat<FFma>>, float, E, E, float>>(table, "fma", Name(".sat.f32", type), f32, ptx_type<E>, ptx_type<E>, f32);
}

} // namespace

void add_float_pair_forms(FormTable& table) {
    using U = std::uint64_t;
    using ptx::Type;
    add_pair_sum<FAdd>(table, "add");
    add_pair_sum<FSub>(table, "sub");
    add_pair_sum<FMul>(table, "mul");
    add_modes<Ternary<OnPair<FFma>, U, U, U, U>>(table, "fma", ".f32x2", Type::b64, Type::b64, Type::b64, Type::b64);
    add_modes<Ternary<OnPair<Ftz<FFma>>, U, U, U, U>>(table, "fma", ".ftz.f32x2", Type::b64, Type::b64, Type::b64, Type::b64);
    add_mixed<Half>(table, ".f16");
    add_mixed<BFloat>(table, ".bf16");
}

} // namespace apod::emu::APOD_LANES
