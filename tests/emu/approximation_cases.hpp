// The approximating instructions with the error that the emulator promises, for the form cases and for the measurement.
#pragma once

#include "tests/emu/form_runner.hpp"

namespace apod::emu::testing {

struct Approximation {
    const char* name; // without .ftz and type
    Kind kind = Kind::f32;
    unsigned operands = 1;
    bool has_ftz = false;
    bool always_ftz = false;
    long double bound = 1; // ulp
    long double (*exact)(long double, long double) = nullptr;
};

[[nodiscard]] const std::vector<Approximation>& approximations();

// The distance of `result` from the exact value in units of the last place; huge where a special value is wrong.
[[nodiscard]] long double error_in_ulp(const Approximation& f, bool ftz, Values inputs, std::uint64_t result);

} // namespace apod::emu::testing
