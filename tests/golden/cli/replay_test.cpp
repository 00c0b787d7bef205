// Runs that were recorded on an H200, replayed with no GPU: the whole way from the device to the text.
#include "command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace apod::golden {

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string recordings = std::string(APOD_SOURCE_DIR) + "/tests/replay/h200/";

nlohmann::json recorded(const std::string& file) {
    const Result<std::string> text = read_file(recordings + file);
    return text ? nlohmann::json::parse(*text) : nlohmann::json();
}

// How many values are smaller, and half of those that are the same.
std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<double> ranks;
    for (const double value : values) {
        double rank = -0.5;
        for (const double other : values) rank += other < value ? 1 : other == value ? 0.5 : 0;
        ranks.push_back(rank);
    }
    return ranks;
}

// Spearman's rank correlation of the predicted with the measured times of a climb's rungs.
double order_of(const nlohmann::json& climb) {
    std::vector<double> measured, predicted;
    for (const nlohmann::json& rung : climb.at("rungs")) {
        if (!rung.contains("predicted_ns")) continue;
        measured.push_back(rung.at("time_ns").at("value"));
        predicted.push_back(rung.at("predicted_ns").at("value"));
    }
    const std::vector<double> a = ranks(measured);
    const std::vector<double> b = ranks(predicted);
    const double mean = (static_cast<double>(a.size()) - 1) / 2;
    double both = 0, of_a = 0, of_b = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        both += (a[i] - mean) * (b[i] - mean);
        of_a += (a[i] - mean) * (a[i] - mean);
        of_b += (b[i] - mean) * (b[i] - mean);
    }
    return both / std::sqrt(of_a * of_b);
}

} // namespace

// What was recorded of a ladder, climbed anew: times are those of the recording, results and counters the emulator's.
// `order`: the least rank correlation of predicted with measured times.
void expect_replayed(const std::string& ladder, const std::string& file, double order) {
    SCOPED_TRACE(ladder);
    const Command command;
    const Outcome outcome = command.apod("climb " + ladder + " --device replay:" + recordings + file + " --json climb.json");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "replay:cuda:0: NVIDIA H200")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "time: measured on the GPU")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "What explain said of the rung before")) << outcome.out;
    const nlohmann::json replayed = nlohmann::json::parse(command.read("climb.json"));
    const nlohmann::json then = recorded(file);
    ASSERT_EQ(replayed.at("rungs").size(), then.at("rungs").size());
    std::size_t with_time = 0;
    for (std::size_t i = 0; i < then.at("rungs").size(); ++i) {
        const nlohmann::json& rung = replayed.at("rungs")[i];
        const nlohmann::json& before = then.at("rungs")[i];
        EXPECT_EQ(rung.at("status"), before.at("status")) << rung.at("name");
        EXPECT_EQ(rung.at("time_ns"), before.at("time_ns")) << rung.at("name");
        if (before.at("status") != "ok") continue;
        ++with_time;
        EXPECT_EQ(rung.at("predicted_ns").at("source"), "predicted") << rung.at("name");
        EXPECT_FALSE(rung.at("limiter").get<std::string>().empty()) << rung.at("name");
        if (before.contains("pipeline")) EXPECT_EQ(rung.at("pipeline"), before.at("pipeline")) << rung.at("name");
    }
    EXPECT_EQ(replayed.at("best"), then.at("best"));
    EXPECT_EQ(replayed.at("estimates").size(), with_time - 1);
    EXPECT_GT(order_of(replayed), order); // docs/results/model_accuracy.md
}

TEST(ReplayedH200, a_climb_shows_the_measured_times_of_every_rung_verified_anew) {
    expect_replayed("transpose -p n=1024", "climb_transpose_1024.json", 0.97);
}

TEST(ReplayedH200, so_do_those_of_sparse_matrices) {
    expect_replayed("spmv -p shrink=2 -p matrix=power_law", "climb_spmv_power_law.json", 0.39);
    expect_replayed("spmv -p shrink=2 -p matrix=stencil", "climb_spmv_stencil.json", 0.79);
}

// One rung: the recording is of 256 MiB each way.
TEST(ReplayedH200, a_rung_from_and_to_the_host_has_the_recorded_time_of_the_whole) {
    const Command command;
    const Outcome outcome =
        command.apod("climb transfer -r stages --no-prediction --device replay:" + recordings + "climb_transfer.json --json climb.json");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const nlohmann::json rung = nlohmann::json::parse(command.read("climb.json")).at("rungs").at(0);
    const nlohmann::json rungs = recorded("climb_transfer.json").at("rungs");
    const auto found = std::find_if(rungs.begin(), rungs.end(), [](const nlohmann::json& each) { return each.at("name") == "stages"; });
    ASSERT_NE(found, rungs.end());
    const nlohmann::json& then = *found;
    EXPECT_EQ(rung.at("name"), then.at("name"));
    EXPECT_EQ(rung.at("verified"), true);
    EXPECT_EQ(rung.at("time_ns"), then.at("time_ns"));
    EXPECT_EQ(rung.at("pipeline").at("copy_in_ns"), then.at("pipeline").at("copy_in_ns"));
    EXPECT_EQ(rung.at("pipeline").at("both_ways_ns"), then.at("pipeline").at("both_ways_ns"));
    EXPECT_EQ(rung.at("limiter"), then.at("limiter"));
}

TEST(ReplayedH200, without_a_prediction_only_what_was_measured_is_shown) {
    const Command command;
    const Outcome outcome = command.apod("climb transpose -p n=1024 -r padded --no-prediction --device replay:" + recordings +
                                         "climb_transpose_1024.json --json climb.json");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const nlohmann::json rung = nlohmann::json::parse(command.read("climb.json")).at("rungs").at(0);
    EXPECT_FALSE(rung.contains("predicted_ns"));
    for (const auto& [name, metric] : rung.at("metrics").items()) EXPECT_EQ(metric.at("source"), "measured") << name;
}

TEST(ReplayedH200, a_size_that_was_not_recorded_is_a_fault_of_every_rung_and_says_so) {
    const Outcome outcome = Command().apod("climb transpose -p n=512 --device replay:" + recordings + "climb_transpose_1024.json");
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_TRUE(contains(outcome.out + outcome.err, "was recorded")) << outcome.out << outcome.err;
}

TEST(ReplayedH200, devices_are_shown_with_their_measured_figures) {
    const Command command;
    const std::string device = "devices --device replay:" + recordings + "devices.json";
    const Outcome outcome = command.apod(device + " --json devices.json");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    for (const char* part : {"cuda:0: NVIDIA H200 (described as h200)", "2 x 3201 MHz x 6016 bit / 8 = 4814 GB/s", "PCIe 5.0 x16", "ECC on",
                             "580.159", "DRAM copy", "FP64 multiply-add", "host to device, pinned"})
        EXPECT_TRUE(contains(outcome.out, part)) << part << "\n" << outcome.out;
    const nlohmann::json shown = nlohmann::json::parse(command.read("devices.json")).at("devices").at(0);
    const nlohmann::json then = recorded("devices.json").at("devices").at(0);
    for (const char* key : {"id", "name", "compute_capability", "sm_count", "boost_mhz", "driver", "hardware", "measured"})
        EXPECT_EQ(shown.at(key), then.at(key)) << key;
    EXPECT_EQ(command.apod(device + " --measure").exit_code, 2);
    EXPECT_EQ(command.apod("devices --device replay:missing.json").exit_code, 3);
}

TEST(ReplayedH200, transfers_are_shown_as_they_were_measured) {
    const Command command;
    const std::string device = "transfer --device replay:" + recordings + "transfer.json";
    const Outcome outcome = command.apod(device + " --json t.json --svg t.svg");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    for (const char* part : {"replay:cuda:0", "PCIe 5.0 x16 (63.0 GB/s each way)", "Copies, GB/s", "Why:"})
        EXPECT_TRUE(contains(outcome.out, part)) << part << "\n" << outcome.out;
    EXPECT_EQ(nlohmann::json::parse(command.read("t.json")).at("transfer").at("versus").size(),
              recorded("transfer.json").at("transfer").at("versus").size());
    EXPECT_EQ(command.read("t.svg").rfind("<svg ", 0), 0U);
    const Outcome stages = command.apod(device + " --only stages");
    EXPECT_TRUE(contains(stages.out, "The simplest program")) << stages.out;
    EXPECT_FALSE(contains(stages.out, "Copies, GB/s")) << stages.out;
    EXPECT_EQ(command.apod("transfer --device replay:missing.json").exit_code, 3);
    EXPECT_EQ(command.apod("transfer --device replay:" + recordings + "devices.json").exit_code, 3);
}

// What the measurement must hold: an independent program (bench/device/peaks_reference.cu) found 4267.5 GB/s for a copy in the run
// beside it, and nothing may be above what clocks and units allow.
TEST(ReplayedH200, the_measured_figures_are_those_of_the_independent_program_and_none_is_above_its_bound) {
    const nlohmann::json gpu = recorded("devices.json").at("devices").at(0);
    std::map<std::string, double> value;
    for (const nlohmann::json& figure : gpu.at("measured").at("figures")) {
        value[figure.at("id").get<std::string>()] = figure.at("value").get<double>();
        EXPECT_EQ(figure.at("source"), "measured") << figure.at("id");
        if (figure.contains("theoretical"))
            EXPECT_LE(figure.at("value").get<double>(), figure.at("theoretical").get<double>()) << figure.at("id");
    }
    EXPECT_NEAR(value.at("dram.copy"), 4267.5, 0.02 * 4267.5);
    EXPECT_GE(value.at("rate.fp32"), 0.98 * 65980);
    EXPECT_GE(value.at("rate.fp64"), 0.98 * 33270);
}

} // namespace apod::golden
