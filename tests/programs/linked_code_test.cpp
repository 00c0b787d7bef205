// Kernels of a program built with -rdc=true have machine code too: ptxas assembles the unit that each is defined in.
#include "base/file.hpp"
#include "base/process.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace apod {
namespace {

TEST(LinkedCode, KernelsOfLinkedUnitsHaveMachineCode) {
    const std::filesystem::path beside_nvcc = find_executable(APOD_PTXAS_PATH);
    if (beside_nvcc.empty()) GTEST_SKIP() << "there is no " << APOD_PTXAS_PATH;
    ASSERT_EQ(::setenv("APOD_PTXAS", beside_nvcc.c_str(), 1), 0); // the tests hide it
    const auto folder = TempDirectory::make("apod-linked-code");
    ASSERT_TRUE(folder);
    const std::string json = (folder->path() / "run.json").string();
    const auto result = run_process({APOD_COMMAND, "run", "-q", "--json", json, "--", APOD_PROGRAM});
    ASSERT_TRUE(result);
    ASSERT_EQ(result->exit_status, 0) << result->output;
    const auto run = nlohmann::json::parse(*read_file(json));
    ASSERT_EQ(run.at("launches").size(), 2u); // of two units
    for (const auto& launch : run.at("launches")) {
        const auto& metrics = launch.at("metrics");
        ASSERT_TRUE(metrics.contains("apod__inst_executed_machine.sum")) << launch.at("kernel");
        EXPECT_GT(metrics.at("apod__inst_executed_machine.sum").at("value").get<double>(), 5) << launch.at("kernel");
    }
}

} // namespace
} // namespace apod
