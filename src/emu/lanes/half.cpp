// f16 and f16x2 arithmetic.
#include "emu/lanes/approximations.hpp"
#include "emu/lanes/half_functions.hpp"
#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

namespace {

template<class F> void add_sums(FormTable& table, const char* opcode) {
    add_element_binary<F, Half>(table, opcode, ".f16", OpClass::fp16);
    add_element_binary<ElementFtz<F>, Half>(table, Name(opcode, ".ftz"), ".f16", OpClass::fp16);
    add_element_binary<ElementSat<F>, Half>(table, Name(opcode, ".sat"), ".f16", OpClass::fp16);
    add_element_binary<ElementSat<ElementFtz<F>>, Half>(table, Name(opcode, ".ftz.sat"), ".f16", OpClass::fp16);
}

} // namespace

void add_half_forms(FormTable& table) {
    add_sums<HAdd>(table, "add");
    add_sums<HSub>(table, "sub");
    add_sums<HMul>(table, "mul");
    add_element_ternary<HFma, Half>(table, "fma", ".f16", OpClass::fp16);
    add_element_ternary<ElementFtz<HFma>, Half>(table, "fma.ftz", ".f16", OpClass::fp16);
    add_element_ternary<ElementSat<HFma>, Half>(table, "fma.sat", ".f16", OpClass::fp16);
    add_element_ternary<ElementSat<ElementFtz<HFma>>, Half>(table, "fma.ftz.sat", ".f16", OpClass::fp16);
    add_element_ternary<ElementRelu<HFma>, Half>(table, "fma.relu", ".f16", OpClass::fp16);
    add_element_ternary<ElementRelu<ElementFtz<HFma>>, Half>(table, "fma.ftz.relu", ".f16", OpClass::fp16);
    add_element_unary<HNeg, Half>(table, "neg", ".f16", OpClass::fp16);
    add_element_unary<ElementFtz<HNeg>, Half>(table, "neg.ftz", ".f16", OpClass::fp16);
    add_element_unary<HAbs, Half>(table, "abs", ".f16", OpClass::fp16);
    add_element_unary<ElementFtz<HAbs>, Half>(table, "abs.ftz", ".f16", OpClass::fp16);
    add_element_extremes<FMin, Half>(table, "min", ".f16");
    add_element_extremes<FMax, Half>(table, "max", ".f16");
    add_element_unary<ByFloat<Exp2>, Half>(table, "ex2.approx", ".f16", OpClass::special);
    add_element_unary<ByFloat<Tanh>, Half>(table, "tanh.approx", ".f16", OpClass::special);
}

} // namespace apod::emu::APOD_LANES
