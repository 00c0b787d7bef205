// Single and double precision arithmetic, round to nearest even; .ftz and .sat of single precision.
#include "emu/lanes/float_functions.hpp"
#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

namespace {

template<class F> void add_f32_binary(FormTable& table, const char* stem, OpClass op_class) {
    add_binary<F, float, float>(table, FormName(stem, ".f32"), op_class);
    add_binary<Ftz<F>, float, float>(table, FormName(stem, ".ftz.f32"), op_class);
}

template<class F> void add_f32_binary_sat(FormTable& table, const char* stem, OpClass op_class) {
    add_f32_binary<F>(table, stem, op_class);
    add_binary<Sat<F>, float, float>(table, FormName(stem, ".sat.f32"), op_class);
    add_binary<Sat<Ftz<F>>, float, float>(table, FormName(stem, ".ftz.sat.f32"), op_class);
}

template<class F> void add_f32_unary(FormTable& table, const char* stem, OpClass op_class) {
    add_unary<F, float, float>(table, FormName(stem, ".f32"), op_class);
    add_unary<Ftz<F>, float, float>(table, FormName(stem, ".ftz.f32"), op_class);
}

void add_single(FormTable& table) {
    add_f32_binary_sat<FAdd>(table, "add", OpClass::fp32);
    add_f32_binary_sat<FSub>(table, "sub", OpClass::fp32);
    add_f32_binary_sat<FMul>(table, "mul", OpClass::fp32);
    add_ternary<FFma, float, float>(table, "fma.f32", OpClass::fp32);
    add_ternary<Ftz<FFma>, float, float>(table, "fma.ftz.f32", OpClass::fp32);
    add_ternary<Sat<FFma>, float, float>(table, "fma.sat.f32", OpClass::fp32);
    add_ternary<Sat<Ftz<FFma>>, float, float>(table, "fma.ftz.sat.f32", OpClass::fp32);
    add_f32_binary<FDiv>(table, "div", OpClass::fp32_div);
    add_f32_binary<FDiv>(table, "div.approx", OpClass::special);
    add_f32_binary<FDiv>(table, "div.full", OpClass::special);
    add_f32_unary<FSqrt>(table, "sqrt", OpClass::fp32_sqrt);
    add_f32_unary<FRcp>(table, "rcp", OpClass::fp32_div);
    add_f32_binary<FMin>(table, "min", OpClass::compare);
    add_f32_binary<FMax>(table, "max", OpClass::compare);
    add_f32_unary<FNeg>(table, "neg", OpClass::fp32);
    add_f32_unary<FAbs>(table, "abs", OpClass::fp32);
    add_binary<FCopySign, float, float>(table, "copysign.f32", OpClass::logic);
}

void add_double(FormTable& table) {
    add_binary<FAdd, double, double>(table, "add.f64", OpClass::fp64);
    add_binary<FSub, double, double>(table, "sub.f64", OpClass::fp64);
    add_binary<FMul, double, double>(table, "mul.f64", OpClass::fp64);
    add_ternary<FFma, double, double>(table, "fma.f64", OpClass::fp64);
    add_binary<FDiv, double, double>(table, "div.f64", OpClass::fp64_div);
    add_unary<FSqrt, double, double>(table, "sqrt.f64", OpClass::fp64_sqrt);
    add_unary<FRcp, double, double>(table, "rcp.f64", OpClass::fp64_div);
    add_binary<FMin, double, double>(table, "min.f64", OpClass::fp64);
    add_binary<FMax, double, double>(table, "max.f64", OpClass::fp64);
    add_unary<FNeg, double, double>(table, "neg.f64", OpClass::fp64);
    add_unary<FAbs, double, double>(table, "abs.f64", OpClass::fp64);
    add_binary<FCopySign, double, double>(table, "copysign.f64", OpClass::logic);
}

} // namespace

void add_float_forms(FormTable& table) {
    add_single(table);
    add_double(table);
}

} // namespace apod::emu::APOD_LANES
