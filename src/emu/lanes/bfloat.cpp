// bf16 and bf16x2 arithmetic. No .ftz and no .sat exist here, and the exponential always flushes.
#include "emu/lanes/approximations.hpp"
#include "emu/lanes/half_functions.hpp"
#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

void add_bfloat_forms(FormTable& table) {
    add_element_binary<HAdd, BFloat>(table, "add", ".bf16", OpClass::fp16);
    add_element_binary<HSub, BFloat>(table, "sub", ".bf16", OpClass::fp16);
    add_element_binary<HMul, BFloat>(table, "mul", ".bf16", OpClass::fp16);
    add_element_ternary<HFma, BFloat>(table, "fma", ".bf16", OpClass::fp16);
    add_element_ternary<ElementRelu<HFma>, BFloat>(table, "fma.relu", ".bf16", OpClass::fp16);
    add_element_unary<HNeg, BFloat>(table, "neg", ".bf16", OpClass::fp16);
    add_element_unary<HAbs, BFloat>(table, "abs", ".bf16", OpClass::fp16);
    add_element_extremes<FMin, BFloat>(table, "min", ".bf16");
    add_element_extremes<FMax, BFloat>(table, "max", ".bf16");
    add_element_unary<ElementFtz<ByFloat<Exp2>>, BFloat>(table, "ex2.approx.ftz", ".bf16", OpClass::special);
    add_element_unary<ByFloat<Tanh>, BFloat>(table, "tanh.approx", ".bf16", OpClass::special);
}

} // namespace apod::emu::APOD_LANES
