// The approximations, against the C library in extended precision: within the bounds that docs/emulator.md states, which are inside those
// of the PTX manual, at every operand; and right at zeros, infinities, NaNs and subnormal numbers.
#include "tests/emu/approximation_cases.hpp"

#include "tests/emu/catalogues.hpp"
#include "tests/emu/float_reference.hpp"

#include <fmt/format.h>

#include <cmath>

namespace apod::emu::testing {

namespace {

using reference::Format;
using Real = long double;

Real to_real(std::uint64_t bits, const Format& format) {
    const reference::Exact x = decode(bits, format);
    if (x.is_nan()) return std::nanl("");
    const Real magnitude = x.is_infinite() ? HUGE_VALL : std::ldexp(static_cast<Real>(static_cast<std::uint64_t>(x.mantissa)), x.exponent);
    return x.negative ? -magnitude : magnitude;
}

// One unit in the last place of `format` at `x`.
Real ulp_at(Real x, const Format& format) {
    const int lowest = 1 - format.bias();
    const int top = x == 0 ? lowest : std::max(std::ilogb(x), lowest);
    return std::ldexp(Real{1}, top - format.fraction_bits);
}

const Format& format_of(Kind kind) {
    switch (kind) {
    case Kind::h16:
    case Kind::h16x2: return reference::f16;
    case Kind::b16:
    case Kind::b16x2: return reference::bf16;
    case Kind::f64: return reference::f64;
    default: return reference::f32;
    }
}

Real quotient(Real a, Real b) { return a / b; }

} // namespace

const std::vector<Approximation>& approximations() {
    static const std::vector<Approximation> list{
        {"ex2.approx", Kind::f32, 1, true, false, 1.25L, [](Real a, Real) { return std::exp2(a); }},
        {"lg2.approx", Kind::f32, 1, true, false, 2.25L, [](Real a, Real) { return std::log2(a); }},
        {"sin.approx", Kind::f32, 1, true, false, 0.6L, [](Real a, Real) { return std::sin(a); }},
        {"cos.approx", Kind::f32, 1, true, false, 0.6L, [](Real a, Real) { return std::cos(a); }},
        {"tanh.approx", Kind::f32, 1, false, false, 2.0L, [](Real a, Real) { return std::tanh(a); }},
        {"rsqrt.approx", Kind::f32, 1, true, false, 1.5L, [](Real a, Real) { return 1 / std::sqrt(a); }},
        {"sqrt.approx", Kind::f32, 1, true, false, 0.5L, [](Real a, Real) { return std::sqrt(a); }},
        {"rcp.approx", Kind::f32, 1, true, false, 0.5L, [](Real a, Real) { return 1 / a; }},
        {"div.full", Kind::f32, 2, true, false, 0.5L, quotient},
        {"rsqrt.approx", Kind::f64, 1, false, false, 1.5L, [](Real a, Real) { return 1 / std::sqrt(a); }},
        {"ex2.approx", Kind::h16, 1, false, false, 0.51L, [](Real a, Real) { return std::exp2(a); }},
        {"tanh.approx", Kind::h16, 1, false, false, 0.51L, [](Real a, Real) { return std::tanh(a); }},
        {"ex2.approx", Kind::b16, 1, true, true, 0.51L, [](Real a, Real) { return std::exp2(a); }},
        {"tanh.approx", Kind::b16, 1, false, false, 0.51L, [](Real a, Real) { return std::tanh(a); }},
    };
    return list;
}

Real error_in_ulp(const Approximation& f, bool ftz, Values inputs, std::uint64_t result) {
    const Format& format = format_of(f.kind);
    constexpr Real wrong = 1e30L;
    const auto in = [&](unsigned i) { return to_real(ftz ? flush(inputs[i], format) : inputs[i], format); };
    const Real exact = f.exact(in(0), f.operands > 1 ? in(1) : 0);
    const Real got = to_real(result, format);
    if (std::isnan(exact)) return result == nan_of(format) || (f.kind == Kind::f64 && std::isnan(got)) ? 0 : wrong;
    if (std::isinf(exact)) return got == exact ? 0 : wrong;
    const Real smallest_normal = std::ldexp(Real{1}, 1 - format.bias());
    if (ftz && std::fabs(exact) < smallest_normal * (1 - std::ldexp(Real{1}, -format.fraction_bits - 2)))
        return got == 0 && std::signbit(got) == std::signbit(exact) ? 0 : wrong;
    if (exact == 0) return got == 0 && std::signbit(got) == std::signbit(exact) ? 0 : wrong;
    if (std::isinf(got)) {
        const Real largest = to_real((((1ull << format.exponent_bits) - 1) << format.fraction_bits) - 1, format);
        return std::fabs(exact) > largest && (exact < 0) == (got < 0) ? 0 : wrong;
    }
    return std::fabs(got - exact) / ulp_at(exact, format);
}

namespace {

// Both halves of a pair are judged like one.
bool accepts_pair(const Approximation& f, bool ftz, Values v, std::uint64_t result) {
    const std::uint64_t low = v[0] & 0xffff;
    const std::uint64_t high = v[0] >> 16;
    return error_in_ulp(f, ftz, &low, result & 0xffff) <= f.bound && error_in_ulp(f, ftz, &high, result >> 16) <= f.bound;
}

void add_pair(Catalogue& list, const Approximation& f, const std::string& name, bool ftz) {
    if (f.kind != Kind::h16 && f.kind != Kind::b16) return;
    const Kind pair = f.kind == Kind::h16 ? Kind::h16x2 : Kind::b16x2;
    FormCase form{name + "x2", {pair}, pair, {}};
    form.accepts = [=](Values v, std::uint64_t result) { return accepts_pair(f, ftz, v, result); };
    list.push_back(form);
}

// div.approx: 2 ulp while the divisor is in [2^-126, 2^126]; beyond, the reciprocal counts as zero.
bool accepts_quotient(bool ftz, Values v, std::uint64_t result) {
    const std::uint64_t magnitude = v[1] & 0x7fffffffu;
    if (magnitude > 0x7e800000u && magnitude < 0x7f800000u && !reference::is_nan(v[0], reference::f32))
        return (v[0] & 0x7fffffffu) == 0x7f800000u ? result == 0x7fffffffu : (result & 0x7fffffffu) == 0;
    return error_in_ulp({"div", Kind::f32, 2, true, false, 2.0L, quotient}, ftz, v, result) <= 2.0L;
}

// The upper word of a double: 20 fraction bits.
bool accepts_upper_word(bool root, Values v, std::uint64_t result) {
    const std::uint64_t in = flush(v[0] & 0xffffffff00000000ull, reference::f64);
    if ((result & 0xffffffffu) != 0) return false;
    const Real x = to_real(in, reference::f64);
    const Real exact = root ? 1 / std::sqrt(x) : 1 / x;
    const Real got = to_real(result, reference::f64);
    if (std::isnan(exact)) return std::isnan(got);
    if (std::isinf(exact) || exact == 0) return got == exact && std::signbit(got) == std::signbit(exact);
    if (std::fabs(exact) < std::ldexp(Real{1}, -1022)) return got == 0;
    return std::fabs(got - exact) <= std::fabs(exact) * std::ldexp(Real{1}, -20);
}

} // namespace

Catalogue approximation_cases() {
    Catalogue list;
    for (const Approximation& f : approximations())
        for (const bool ftz : {false, true}) {
            if (ftz ? !f.has_ftz : f.always_ftz) continue;
            const char* type = f.kind == Kind::f64 ? "f64" : f.kind == Kind::h16 ? "f16" : f.kind == Kind::b16 ? "bf16" : "f32";
            const std::string name = fmt::format("{}{}.{}", f.name, ftz ? ".ftz" : "", type);
            FormCase form{name, std::vector<Kind>(f.operands, f.kind), f.kind, {}};
            form.accepts = [=](Values v, std::uint64_t result) { return error_in_ulp(f, ftz, v, result) <= f.bound; };
            list.push_back(form);
            add_pair(list, f, name, ftz);
        }
    for (const bool ftz : {false, true}) {
        FormCase form{ftz ? "div.approx.ftz.f32" : "div.approx.f32", {Kind::f32, Kind::f32}, Kind::f32, {}};
        form.accepts = [=](Values v, std::uint64_t result) { return accepts_quotient(ftz, v, result); };
        list.push_back(form);
    }
    for (const bool root : {false, true}) {
        FormCase form{root ? "rsqrt.approx.ftz.f64" : "rcp.approx.ftz.f64", {Kind::f64}, Kind::f64, {}};
        form.accepts = [=](Values v, std::uint64_t result) { return accepts_upper_word(root, v, result); };
        list.push_back(form);
    }
    return list;
}

} // namespace apod::emu::testing
