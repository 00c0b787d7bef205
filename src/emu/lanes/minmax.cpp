// min and max of f32 with .NaN, .xorsign.abs and three operands. The plain forms are in float.cpp.
#include "emu/lanes/half_functions.hpp"
#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

namespace {

template<class F> void add_pair(FormTable& table, const char* opcode, const char* modifiers) {
    add_binary<F, float, float>(table, Name(opcode, modifiers, ".f32"), OpClass::compare);
    add_binary<Ftz<F>, float, float>(table, Name(opcode, ".ftz", modifiers, ".f32"), OpClass::compare);
}

// The smallest or largest of three; .abs takes the magnitudes.
template<class F, bool NanWins, bool Magnitudes> struct OfThree {
    template<class R> static R apply(R a, R b, R c) {
        using Step = Extreme<F, NanWins, false>;
        if constexpr (Magnitudes)
            return Step::template apply<R>(Step::template apply<R>(FAbs::apply<R>(a), FAbs::apply<R>(b)), FAbs::apply<R>(c));
        return Step::template apply<R>(Step::template apply<R>(a, b), c);
    }
};

template<class F, bool NanWins, bool Magnitudes> void add_three(FormTable& table, const char* opcode, const char* modifiers) {
    using G = OfThree<F, NanWins, Magnitudes>;
    add_ternary<G, float, float>(table, Name(opcode, modifiers, ".f32"), OpClass::compare);
    add_ternary<Ftz<G>, float, float>(table, Name(opcode, ".ftz", modifiers, ".f32"), OpClass::compare);
}

// "min3" is how canonical_form() spells a min of three operands.
template<class F> void add_all(FormTable& table, const char* two, const char* three) {
    add_pair<Extreme<F, true, false>>(table, two, ".NaN");
    add_pair<Extreme<F, false, true>>(table, two, ".xorsign.abs");
    add_pair<Extreme<F, true, true>>(table, two, ".NaN.xorsign.abs");
    add_three<F, false, false>(table, three, "");
    add_three<F, true, false>(table, three, ".NaN");
    add_three<F, false, true>(table, three, ".abs");
    add_three<F, true, true>(table, three, ".NaN.abs");
}

} // namespace

void add_minmax_forms(FormTable& table) {
    add_all<FMin>(table, "min", "min3");
    add_all<FMax>(table, "max", "max3");
}

} // namespace apod::emu::APOD_LANES
