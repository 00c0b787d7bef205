// The special-function unit: ex2, lg2, sin, cos, tanh, rsqrt, and the .approx forms of sqrt, rcp and div.
#include "emu/lanes/approximations.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/names.hpp"

namespace apod::emu::APOD_LANES {

namespace {

// Angles past trig_limit are rare and go to the C library, one by one.
template<unsigned Shift, bool Flush> void sine(WarpContext& warp, const Op& op, std::uint32_t mask) {
    auto* d = slot<std::uint32_t>(warp, op.dst);
    const auto* a = slot<std::uint32_t>(warp, op.a);
    std::uint32_t result[lanes];
    std::uint32_t far = 0;
    APOD_LANE_LOOP
    for (unsigned l = 0; l < lanes; ++l) {
        const float x = Flush ? flush(from_bits<float>(a[l])) : from_bits<float>(a[l]);
        const float y = canonical(sine_shifted<Shift>(x));
        result[l] = bits_of(Flush ? flush(y) : y);
    }
    for (unsigned l = 0; l < lanes; ++l) far |= static_cast<std::uint32_t>((a[l] & 0x7fffffffu) > bits_of(trig_limit)) << l;
    for (far &= mask; far != 0; far &= far - 1) {
        const unsigned l = static_cast<unsigned>(__builtin_ctz(far));
        const float x = from_bits<float>(a[l]);
        result[l] = bits_of(canonical(Shift == 0 ? __builtin_sinf(x) : __builtin_cosf(x)));
    }
    APOD_LANE_LOOP
    for (unsigned l = 0; l < lanes; ++l) d[l] = blend(mask, l, result[l], d[l]);
}

// div.approx: past 2^126 the divisor's reciprocal is subnormal and taken for zero (PTX ISA, div).
struct ApproximateQuotient {
    template<class R> static R apply(R a, R b) {
        const float reciprocal = from_bits<float>(bits_of(b) & 0x80000000u);
        return canonical(FAbs::apply<float>(b) > 0x1p126f ? a * reciprocal : a / b);
    }
};

// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 see the upper word of the operand and give that of the result, rounded to nearest.
inline double upper_word(double v) { return from_bits<double>(bits_of(v) & 0xffffffff00000000ull); }
inline double flush_wide(double v) {
    const std::uint64_t bits = bits_of(v);
    return (bits & 0x7ff0000000000000ull) == 0 ? from_bits<double>(bits & 0x8000000000000000ull) : v;
}
template<class F> struct UpperWord {
    template<class R> static R apply(R a) {
        const double exact = flush_wide(F::template apply<double>(flush_wide(upper_word(a))));
        if (exact != exact) return from_bits<double>(0x7fffffff00000000ull);
        return upper_word(from_bits<double>(bits_of(exact) + 0x80000000ull));
    }
};

template<class F> void add_approximation(FormTable& table, const char* stem) {
    add_unary<F, float, float>(table, Name(stem, ".approx.f32"), OpClass::special);
    add_unary<Ftz<F>, float, float>(table, Name(stem, ".approx.ftz.f32"), OpClass::special);
}

void add_angle(FormTable& table, const char* name, Handler handler) {
    table.add({name, handler, handler, ptx::Type::f32, ptx::Type::f32, ptx::Type::none, ptx::Type::none, OpClass::special});
}

} // namespace

void add_special_forms(FormTable& table) {
    add_approximation<Exp2>(table, "ex2");
    add_approximation<Log2>(table, "lg2");
    add_approximation<Rsqrt>(table, "rsqrt");
    add_approximation<FSqrt>(table, "sqrt");
    add_approximation<FRcp>(table, "rcp");
    add_angle(table, "sin.approx.f32", sine<0, false>);
    add_angle(table, "sin.approx.ftz.f32", sine<0, true>);
    add_angle(table, "cos.approx.f32", sine<1, false>);
    add_angle(table, "cos.approx.ftz.f32", sine<1, true>);
    add_unary<Tanh, float, float>(table, "tanh.approx.f32", OpClass::special);
    add_unary<Rsqrt, double, double>(table, "rsqrt.approx.f64", OpClass::special);
    add_unary<UpperWord<Rsqrt>, double, double>(table, "rsqrt.approx.ftz.f64", OpClass::special);
    add_unary<UpperWord<FRcp>, double, double>(table, "rcp.approx.ftz.f64", OpClass::special);
    add_binary<ApproximateQuotient, float, float>(table, "div.approx.f32", OpClass::special);
    add_binary<Ftz<ApproximateQuotient>, float, float>(table, "div.approx.ftz.f32", OpClass::special);
}

} // namespace apod::emu::APOD_LANES
