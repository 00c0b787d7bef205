// The instructions that the emulator's lane-local forms are tested with, by family, each with its reference.
#pragma once

#include "tests/emu/form_runner.hpp"

namespace apod::emu::testing {

using Catalogue = std::vector<FormCase>;

[[nodiscard]] Catalogue integer_cases();
[[nodiscard]] Catalogue carry_cases();
[[nodiscard]] Catalogue bit_cases();
[[nodiscard]] Catalogue packed_cases();
[[nodiscard]] Catalogue compare_cases();
[[nodiscard]] Catalogue float_cases();
[[nodiscard]] Catalogue half_cases();
[[nodiscard]] Catalogue convert_cases();
[[nodiscard]] Catalogue move_cases();
[[nodiscard]] Catalogue float_pair_cases();
[[nodiscard]] Catalogue scalar_video_cases();
[[nodiscard]] Catalogue scalar_video_selector_cases(); // a kernel for each form, with all pairs of selectors
// Exact where it must be; the errors of the others are measured in approximation_test.cpp.
[[nodiscard]] Catalogue approximation_cases();

[[nodiscard]] std::vector<Catalogue> all_catalogues();

} // namespace apod::emu::testing
