// The special-function unit's approximations. They are computed to within half an ulp or so, inside every bound that PTX allows; where the
// hardware is less exact, results differ from it in the last bits.
#include "emu/lanes/float_functions.hpp"
#include "emu/lanes/lanes.hpp"

namespace apod::emu::APOD_LANES {

namespace {

struct Exp2 {
    template<class R> static R apply(R a) { return canonical(__builtin_exp2f(a)); }
};
struct Log2 {
    template<class R> static R apply(R a) { return canonical(__builtin_log2f(a)); }
};
struct Sine {
    template<class R> static R apply(R a) { return canonical(__builtin_sinf(a)); }
};
struct Cosine {
    template<class R> static R apply(R a) { return canonical(__builtin_cosf(a)); }
};
struct Tanh {
    template<class R> static R apply(R a) { return canonical(__builtin_tanhf(a)); }
};
struct Rsqrt {
    template<class R> static R apply(R a) {
        if constexpr (sizeof(R) == 4)
            return canonical(static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a))));
        else
            return canonical(1.0 / __builtin_sqrt(a));
    }
};

template<class F> void add_approximation(FormTable& table, const char* stem) {
    add_unary<F, float, float>(table, FormName(stem, ".approx.f32"), OpClass::special);
    add_unary<Ftz<F>, float, float>(table, FormName(stem, ".approx.ftz.f32"), OpClass::special);
}

} // namespace

void add_special_forms(FormTable& table) {
    add_approximation<Exp2>(table, "ex2");
    add_approximation<Log2>(table, "lg2");
    add_approximation<Sine>(table, "sin");
    add_approximation<Cosine>(table, "cos");
    add_approximation<Rsqrt>(table, "rsqrt");
    add_approximation<FSqrt>(table, "sqrt");
    add_approximation<FRcp>(table, "rcp");
    add_unary<Tanh, float, float>(table, "tanh.approx.f32", OpClass::special);
    add_unary<Rsqrt, double, double>(table, "rsqrt.approx.f64", OpClass::special);
}

} // namespace apod::emu::APOD_LANES
