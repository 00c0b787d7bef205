// Every instruction that works on a lane's own operands, on edge values and random ones, in all lanes and in some, against references that
// share no code with the emulator.
#include "tests/emu/catalogues.hpp"

#include "tests/emu/kernel_run.hpp"

#include <gtest/gtest.h>

namespace apod::emu::testing {

namespace {

void expect_all(const Catalogue& catalogue) {
    ASSERT_FALSE(catalogue.empty());
    int failures = 0;
    for (const FormCase& form : catalogue) {
        const std::string error = run_case(form);
        EXPECT_EQ(error, "") << form.name;
        if (!error.empty() && ++failures == 20 && !on_hardware()) FAIL() << "and perhaps more";
    }
}

} // namespace

TEST(EmulatorForms, IntegerArithmeticGivesWhatWideIntegersGive) { expect_all(integer_cases()); }
TEST(EmulatorForms, CarryChainsCarryResultsAndFlags) { expect_all(carry_cases()); }
TEST(EmulatorForms, LogicShiftsAndBitFieldsAgreeWithTheManualBitByBit) { expect_all(bit_cases()); }
TEST(EmulatorForms, PackedIntegersAgreeElementByElement) { expect_all(packed_cases()); }
TEST(EmulatorForms, ComparisonsAgreeForEveryTypeWithEveryCombination) { expect_all(compare_cases()); }
TEST(EmulatorForms, FloatArithmeticIsCorrectlyRoundedInEveryMode) { expect_all(float_cases()); }
TEST(EmulatorForms, HalfPrecisionIsCorrectlyRounded) { expect_all(half_cases()); }
TEST(EmulatorForms, ConversionsAgreeForEveryPairOfTypes) { expect_all(convert_cases()); }
TEST(EmulatorForms, VectorsArePackedAndUnpacked) { expect_all(move_cases()); }
TEST(EmulatorForms, PairsOfFloatsAndHalvesBesideFloatsAreCorrectlyRounded) { expect_all(float_pair_cases()); }
TEST(EmulatorForms, ScalarVideoInstructionsAgreeWithTheManualStepByStep) { expect_all(scalar_video_cases()); }
TEST(EmulatorForms, ApproximationsStayWithinTheirBounds) { expect_all(approximation_cases()); }

} // namespace apod::emu::testing
