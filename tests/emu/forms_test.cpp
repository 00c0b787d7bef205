// Every instruction that works on a lane's own operands, on edge values and random ones, in all lanes and in some, against references that
// share no code with the emulator.
#include "tests/emu/catalogues.hpp"

#include "tests/emu/kernel_run.hpp"
#include "tests/emu/recorded.hpp"

#include <gtest/gtest.h>

namespace apod::emu::testing {

namespace {

// `recorded`: how many of them an H200 was asked; a test or a record that changes alone would otherwise be compared with nothing.
void expect_all(const Catalogue& catalogue, std::size_t recorded) {
    ASSERT_FALSE(catalogue.empty());
    const std::size_t before = agreed_with_record();
    int failures = 0;
    for (const FormCase& form : catalogue) {
        const std::string error = run_case(form);
        EXPECT_EQ(error, "") << form.name;
        if (!error.empty() && ++failures == 20 && !on_hardware()) FAIL() << "and perhaps more";
    }
    if (!on_hardware()) {
        EXPECT_EQ(agreed_with_record() - before, recorded);
    }
}

} // namespace

TEST(EmulatorForms, IntegerArithmeticGivesWhatWideIntegersGive) { expect_all(integer_cases(), 94); }
TEST(EmulatorForms, CarryChainsCarryResultsAndFlags) { expect_all(carry_cases(), 80); }
TEST(EmulatorForms, LogicShiftsAndBitFieldsAgreeWithTheManualBitByBit) { expect_all(bit_cases(), 106); }
TEST(EmulatorForms, PackedIntegersAgreeElementByElement) { expect_all(packed_cases(), 119); }
TEST(EmulatorForms, ComparisonsAgreeForEveryTypeWithEveryCombination) { expect_all(compare_cases(), 950); }
TEST(EmulatorForms, FloatArithmeticIsCorrectlyRoundedInEveryMode) { expect_all(float_cases(), 177); }
TEST(EmulatorForms, HalfPrecisionIsCorrectlyRounded) { expect_all(half_cases(), 116); }
TEST(EmulatorForms, ConversionsAgreeForEveryPairOfTypes) { expect_all(convert_cases(), 678); }
TEST(EmulatorForms, VectorsArePackedAndUnpacked) { expect_all(move_cases(), 7); }
TEST(EmulatorForms, PairsOfFloatsAndHalvesBesideFloatsAreCorrectlyRounded) { expect_all(float_pair_cases(), 0); }
TEST(EmulatorForms, ScalarVideoInstructionsGiveWhatMachineCodeGivesInTheirPlace) { expect_all(scalar_video_cases(), 1232); }
TEST(EmulatorForms, ScalarVideoInstructionsSelectEveryPairOfParts) { expect_all(scalar_video_selector_cases(), 280); }
TEST(EmulatorForms, ApproximationsStayWithinTheirBounds) { expect_all(approximation_cases(), 0); }

} // namespace apod::emu::testing
