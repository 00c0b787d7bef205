// The warp instructions that read textures, as an H200 counts them (driver 580.159, ncu 2025.3.1, smsp__sass_inst_executed_op_texture.sum
// of the same kernels, 2026-12-01).
#include "base/file.hpp"
#include "base/process.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace apod {
namespace {

TEST(TextureCounts, TextureInstructionsAreThoseOfTheHardware) {
    const auto folder = TempDirectory::make("apod-texture-counts");
    ASSERT_TRUE(folder);
    const std::string json = (folder->path() / "run.json").string();
    const auto result = run_process({APOD_COMMAND, "run", "-q", "--json", json, "--", APOD_PROGRAM});
    ASSERT_TRUE(result);
    ASSERT_EQ(result->exit_status, 0) << result->output;
    const auto run = nlohmann::json::parse(*read_file(json));
    constexpr const char* metric = "smsp__sass_inst_executed_op_texture.sum";
    const int measured[] = {768, 128, 256, 512};
    ASSERT_EQ(run.at("launches").size(), 5u);
    for (std::size_t i = 0; i < std::size(measured); ++i)
        EXPECT_EQ(run.at("launches")[i].at("metrics").at(metric).at("value").get<int>(), measured[i]) << run.at("launches")[i].at("kernel");
    EXPECT_FALSE(run.at("launches")[4].at("metrics").contains(metric));
}

} // namespace
} // namespace apod
