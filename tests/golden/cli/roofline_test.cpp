// apod explain --roofline, and the rooflines in JSON: emulated, of several GPUs, and of a recording.
#include "command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>

namespace apod::golden {
namespace {

using Json = nlohmann::json;

const std::string some = "explain transpose -q -p n=256 -r tiled_32 ";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::set<std::string> works(const Json& points) {
    std::set<std::string> names;
    for (const Json& point : points) names.insert(point.at("work").get<std::string>());
    return names;
}

TEST(Rooflines, text_has_the_ceilings_and_the_points_below_them) {
    const Command command;
    const Outcome outcome = command.apod(some + "-d emu:h200,emu:a100 --roofline --csv points.csv --markdown points.md");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    for (const char* part :
         {"emu:h200  dram", "emu:a100  dram", "4814  GB/s", "rung tiled_32, kernel", "on emu:a100", "shared        ", "inst/txn"})
        EXPECT_TRUE(contains(outcome.out, part)) << part << "\n" << outcome.out;
    EXPECT_FALSE(contains(outcome.out, "\nfp32 ")) << "a transpose has no floating-point operations";
    const std::string csv = command.read("points.csv");
    EXPECT_TRUE(contains(csv, "ceiling,transpose,emu:a100,,,,dram,bandwidth,")) << csv;
    EXPECT_TRUE(contains(csv, "point,transpose,emu:a100,tiled_32,0,")) << csv;
    EXPECT_TRUE(contains(command.read("points.md"), "#### tiled"));
}

TEST(Rooflines, json_has_ceilings_of_every_gpu_and_points_of_every_launch) {
    const Command command;
    const Outcome outcome = command.apod("explain spmv -q -r warp_per_row -d emu:h200,emu:rtx4090 --json -");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const Json json = Json::parse(outcome.out);
    EXPECT_GE(json.at("device").at("ceilings").size(), 15u);
    const Json& launch = json.at("launches").at(0);
    EXPECT_TRUE(works(launch.at("roofline")).contains("fp32"));
    EXPECT_TRUE(works(launch.at("roofline")).contains("instructions"));
    const Json& there = launch.at("estimates").at(0);
    EXPECT_EQ(works(there.at("roofline")), works(launch.at("roofline")));
    EXPECT_GE(there.at("ceilings").size(), 15u);
    for (const Json& point : launch.at("roofline")) {
        const double share = point.at("performance").get<double>() / point.at("roof").get<double>();
        EXPECT_NEAR(point.at("fraction").get<double>(), share, 1e-9);
        EXPECT_LE(share, 1) << point.dump();
    }
}

TEST(Rooflines, a_recorded_time_has_its_points_without_the_dram_that_it_may_not_have_used) {
    const Command command;
    const std::string recording = std::string(APOD_SOURCE_DIR) + "/tests/replay/h200/climb_transpose_1024.json";
    const Outcome outcome = command.apod("climb transpose -q -p n=1024 -r padded --device replay:" + recording + " --json - 2>&1");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.out;
    const Json json = Json::parse(outcome.out);
    const Json& points = json.at("rungs").at(0).at("launches").at(0).at("roofline");
    EXPECT_TRUE(works(points).contains("shared"));
    for (const Json& point : points) EXPECT_NE(point.at("level"), "dram") << "8 MB stay in L2 from one launch to the next";
}

} // namespace
} // namespace apod::golden
