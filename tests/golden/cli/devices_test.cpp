// Devices with no GPU: nothing there, or a driver of our own below the command.
#include "command.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace apod::golden {

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Where the loader finds our own libcuda before any other.
const std::string own_driver = "LD_LIBRARY_PATH=" APOD_RUNTIME_DIR;

bool gpu_here() { return contains(Command().apod("devices").out, "cuda:0"); }

} // namespace

TEST(Devices, without_a_gpu_it_says_so_and_lists_what_can_be_emulated) {
    if (gpu_here()) GTEST_SKIP() << "there is a GPU here";
    const Outcome outcome = Command().apod("devices");
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_TRUE(contains(outcome.out, "No GPU here: ")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "emu:h200")) << outcome.out;
}

TEST(Devices, measuring_without_a_gpu_is_exit_code_4) {
    if (gpu_here()) GTEST_SKIP() << "there is a GPU here";
    const Outcome outcome = Command().apod("devices --measure");
    EXPECT_EQ(outcome.exit_code, 4);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(contains(outcome.err, "there is no GPU to measure")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "apod devices")) << outcome.err;
}

TEST(Devices, an_emulated_driver_is_shown_and_not_measured) {
    const Command command;
    const Outcome shown = command.apod("devices", own_driver);
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    for (const char* part : {"cuda:0: NVIDIA H200 (an emulated driver)", "2 x 3201 MHz x 6016 bit / 8 = 4814 GB/s", "66.91 TFLOP/s",
                             "1.071 PFLOP/s", "228 KiB an SM", "nothing here is measured"})
        EXPECT_TRUE(contains(shown.out, part)) << part << "\n" << shown.out;
    const Outcome measured = command.apod("devices --measure", own_driver);
    EXPECT_EQ(measured.exit_code, 4);
    EXPECT_TRUE(contains(measured.err, "there is nothing to measure")) << measured.err;
}

TEST(Devices, the_options_of_measuring_are_checked) {
    const Command command;
    EXPECT_EQ(command.apod("devices --again").exit_code, 2);
    EXPECT_EQ(command.apod("devices --measure --device emu:h200").exit_code, 2);
    EXPECT_EQ(command.apod("devices --measure --device cuda:5", own_driver).exit_code, 4);
}

TEST(Devices, a_ladder_climbs_on_the_cuda_device_over_an_emulated_driver_and_says_that_times_are_predicted) {
    const Outcome outcome = Command().apod("climb transpose -p n=256 --device cuda:0", own_driver);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "its times are predictions")) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "predicted")) << outcome.out;
    EXPECT_FALSE(contains(outcome.out, "measured on the GPU")) << outcome.out;
}

TEST(Devices, a_time_over_an_emulated_driver_is_the_predicted_time_of_the_kernel_alone) {
    const Command command;
    const std::string rung = "climb transpose -q -p n=256 -r padded --json ";
    ASSERT_EQ(command.apod(rung + "driver.json --device cuda:0", own_driver + " APOD_PTXAS= APOD_NVCC=").exit_code, 0);
    ASSERT_EQ(command.apod(rung + "emulated.json --device emu:h200", "APOD_PTXAS= APOD_NVCC=").exit_code, 0);
    const auto time_of = [&command](const char* file) {
        return nlohmann::json::parse(command.read(file)).at("rungs").at(0).at("time_ns").at("value").get<double>();
    };
    // No events, no host: the clock counts whole nanoseconds or less.
    EXPECT_NEAR(time_of("driver.json"), time_of("emulated.json"), 1);
}

TEST(Devices, auto_does_not_take_an_emulated_driver_for_a_gpu) {
    const Outcome outcome = Command().apod("climb transpose -p n=70", own_driver);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_TRUE(contains(outcome.err, "auto takes emu:h200")) << outcome.err;
}

TEST(Devices, a_gpu_checks_nothing_and_a_wrong_name_is_a_usage_error) {
    const Command command;
    EXPECT_EQ(command.apod("climb transpose --device cuda:0 --check", own_driver).exit_code, 2);
    EXPECT_EQ(command.apod("climb transpose --device cuda:x", own_driver).exit_code, 2);
    EXPECT_EQ(command.apod("climb transpose --device cuda:9", own_driver).exit_code, 4);
}

} // namespace apod::golden
