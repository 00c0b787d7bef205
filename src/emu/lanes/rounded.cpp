// Arithmetic with directed rounding: .rz, .rm and .rp of f32 and f64. The host's own IEEE units do it, in the mode that Op::imm names.
#include "emu/lanes/rounded.hpp"
#include "emu/lanes/float_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/names.hpp"

namespace apod::emu::APOD_LANES {

namespace {

// The three modes of one function of one to three operands.
template<class H> void add_modes(FormTable& table, const char* opcode, const char* rest, ptx::Type t, int operands, OpClass op_class) {
    const struct {
        const char* name;
        int mode;
    } modes[] = {{".rz", FE_TOWARDZERO}, {".rm", FE_DOWNWARD}, {".rp", FE_UPWARD}};
    for (const auto& mode : modes)
        table.add({Name(opcode, mode.name, rest), Rounded<H>::full, Rounded<H>::masked, t, t, operands > 1 ? t : ptx::Type::none,
                   operands > 2 ? t : ptx::Type::none, op_class, mode.mode});
}

template<class F> void add_f32_sums(FormTable& table, const char* opcode) {
    add_modes<Binary<F, float, float, float>>(table, opcode, ".f32", ptx::Type::f32, 2, OpClass::fp32);
    add_modes<Binary<Ftz<F>, float, float, float>>(table, opcode, ".ftz.f32", ptx::Type::f32, 2, OpClass::fp32);
    add_modes<Binary<Sat<F>, float, float, float>>(table, opcode, ".sat.f32", ptx::Type::f32, 2, OpClass::fp32);
    add_modes<Binary<Sat<Ftz<F>>, float, float, float>>(table, opcode, ".ftz.sat.f32", ptx::Type::f32, 2, OpClass::fp32);
}
template<class F> void add_f32_unary(FormTable& table, const char* opcode, OpClass op_class) {
    add_modes<Unary<F, float, float>>(table, opcode, ".f32", ptx::Type::f32, 1, op_class);
    add_modes<Unary<Ftz<F>, float, float>>(table, opcode, ".ftz.f32", ptx::Type::f32, 1, op_class);
}

// A reciprocal below the normal numbers is flushed before it is rounded up to the smallest of them.
struct FlushedRcp {
    template<class R> static R apply(R a) {
        const R magnitude = FAbs::magnitude(a);
        return magnitude > R(0x1p126) && magnitude <= R(0x1.fffffep127) ? FCopySign::apply(a, R{0}) : Ftz<FRcp>::apply(a);
    }
};

void add_single(FormTable& table) {
    using T = float;
    add_f32_sums<FAdd>(table, "add");
    add_f32_sums<FSub>(table, "sub");
    add_f32_sums<FMul>(table, "mul");
    add_modes<Ternary<FFma, T, T, T, T>>(table, "fma", ".f32", ptx::Type::f32, 3, OpClass::fp32);
    add_modes<Ternary<Ftz<FFma>, T, T, T, T>>(table, "fma", ".ftz.f32", ptx::Type::f32, 3, OpClass::fp32);
    add_modes<Ternary<Sat<FFma>, T, T, T, T>>(table, "fma", ".sat.f32", ptx::Type::f32, 3, OpClass::fp32);
    add_modes<Ternary<Sat<Ftz<FFma>>, T, T, T, T>>(table, "fma", ".ftz.sat.f32", ptx::Type::f32, 3, OpClass::fp32);
    add_modes<Binary<FDiv, T, T, T>>(table, "div", ".f32", ptx::Type::f32, 2, OpClass::fp32_div);
    add_modes<Binary<Ftz<FDiv>, T, T, T>>(table, "div", ".ftz.f32", ptx::Type::f32, 2, OpClass::fp32_div);
    add_f32_unary<FSqrt>(table, "sqrt", OpClass::fp32_sqrt);
    add_modes<Unary<FRcp, T, T>>(table, "rcp", ".f32", ptx::Type::f32, 1, OpClass::fp32_div);
    add_modes<Unary<FlushedRcp, T, T>>(table, "rcp", ".ftz.f32", ptx::Type::f32, 1, OpClass::fp32_div);
}

void add_double(FormTable& table) {
    using T = double;
    constexpr ptx::Type f64 = ptx::Type::f64;
    add_modes<Binary<FAdd, T, T, T>>(table, "add", ".f64", f64, 2, OpClass::fp64);
    add_modes<Binary<FSub, T, T, T>>(table, "sub", ".f64", f64, 2, OpClass::fp64);
    add_modes<Binary<FMul, T, T, T>>(table, "mul", ".f64", f64, 2, OpClass::fp64);
    add_modes<Ternary<FFma, T, T, T, T>>(table, "fma", ".f64", f64, 3, OpClass::fp64);
    add_modes<Binary<FDiv, T, T, T>>(table, "div", ".f64", f64, 2, OpClass::fp64_div);
    add_modes<Unary<FSqrt, T, T>>(table, "sqrt", ".f64", f64, 1, OpClass::fp64_sqrt);
    add_modes<Unary<FRcp, T, T>>(table, "rcp", ".f64", f64, 1, OpClass::fp64_div);
}

} // namespace

void add_rounded_forms(FormTable& table) {
    add_single(table);
    add_double(table);
}

} // namespace apod::emu::APOD_LANES
