// apod transfer against our own libcuda: every part runs with no GPU, the host's times being those of the emulation.
#include "command.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

namespace apod::golden {
namespace {

using nlohmann::json;

const std::string on_our_driver = "LD_LIBRARY_PATH='" APOD_BINARY_DIR "/runtime'";
const std::string small = "transfer -q --time 0 --max-size 16K ";

json read_json(const Command& command, const std::string& file) { return json::parse(command.read(file), nullptr, false); }

} // namespace

TEST(Transfer, measures_every_part_and_its_json_is_valid) {
    const Command command;
    const Outcome outcome = command.apod(small + "-v --json t.json --csv t.csv --svg t.svg", on_our_driver);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    for (const char* part : {"Once a process", "Copies, GB/s", "Page-locked memory", "The simplest program", "Where the GPU starts to win",
                             "copy out", "predicted", "Why:"})
        EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
    const std::string validate = "--version > /dev/null; /usr/bin/python3 '" APOD_SOURCE_DIR
                                 "/tests/golden/cli/validate.py' '" APOD_SOURCE_DIR "/docs/schema/apod-1.schema.json' '";
    const Outcome valid = command.apod(validate + command.path("t.json") + "'");
    EXPECT_TRUE(valid.exit_code == 0 || valid.exit_code == 77 || valid.exit_code == 127) << valid.out << valid.err; // 77: no validator
    EXPECT_EQ(command.read("t.svg").rfind("<svg ", 0), 0U);
    EXPECT_EQ(command.read("t.csv").rfind("part,kind,direction,", 0), 0U);
    const json transfer = read_json(command, "t.json")["transfer"];
    EXPECT_EQ(transfer["copies"].size(), 12U);
    for (const json& curve : transfer["copies"]) {
        EXPECT_FALSE(curve.contains("problem")) << curve;
        EXPECT_EQ(curve["points"].size(), 3U) << curve["kind"]; // 1, 4 and 16 KiB
    }
    EXPECT_EQ(transfer["versus"].size(), 4U);
}

TEST(Transfer, stages_and_the_rest_add_up_to_the_elapsed_time) {
    const Command command;
    ASSERT_EQ(command.apod(small + "--only stages --json t.json", on_our_driver).exit_code, 0);
    const json stages = read_json(command, "t.json")["transfer"]["stages"];
    ASSERT_EQ(stages.size(), 2U); // 4 and 16 KiB
    for (const json& breakdown : stages) {
        ASSERT_EQ(breakdown["stages"].size(), 5U);
        double sum = breakdown["other_ns"];
        for (const json& stage : breakdown["stages"]) sum += stage["host_ns"].get<double>();
        EXPECT_NEAR(sum, breakdown["elapsed_ns"].get<double>(), 1);
        EXPECT_GE(breakdown["other_ns"].get<double>(), 0);
        EXPECT_EQ(breakdown["stages"][3]["name"], "kernel");
        EXPECT_GT(breakdown["stages"][3]["event_ns"].get<double>(), 0);
        EXPECT_TRUE(breakdown["stages"][0]["event_ns"].is_null());
    }
}

TEST(Transfer, two_gpus_have_copies_between_them) {
    const Command command;
    const Outcome outcome = command.apod(small + "--only copies --csv -", on_our_driver + " APOD_DEVICES=2");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("copy,device,to another GPU,16384,"), std::string::npos) << outcome.out;
}

TEST(Transfer, without_a_driver_says_so_with_exit_code_4) {
    const Command command;
    command.write("libcuda.so.1", "not a library");
    const Outcome outcome = command.apod(small, "LD_LIBRARY_PATH=\"$PWD\"");
    EXPECT_EQ(outcome.exit_code, 4) << outcome.out;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("libcuda.so.1"), std::string::npos) << outcome.err;
}

TEST(Transfer, wrong_arguments_are_usage_errors_and_emulated_devices_have_no_copies) {
    const Command command;
    EXPECT_EQ(command.apod("transfer --max-size 1X").exit_code, 2);
    EXPECT_EQ(command.apod("transfer --max-size 7").exit_code, 2);
    EXPECT_EQ(command.apod("transfer --min-size 1M --max-size 1K").exit_code, 2);
    EXPECT_EQ(command.apod("transfer --only everything").exit_code, 2);
    EXPECT_EQ(command.apod("transfer --device gpu0").exit_code, 2);
    EXPECT_EQ(command.apod("transfer --device emu:h200").exit_code, 4);
    EXPECT_EQ(command.apod("transfer --device cuda:7", on_our_driver).exit_code, 4);
}

} // namespace apod::golden
