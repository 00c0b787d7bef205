// Kernels of many kinds, beside those that the model was fitted to (bench/device/model_kernels.cu), as an H200 ran them under ncu and as
// `apod run` does: requests, sectors, bank conflicts, and the predicted time. The bounds keep the error from growing; docs/results says
// what it is.
#include "base/file.hpp"
#include "recording.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>

namespace apod::differential {
namespace {

using Json = nlohmann::json;

struct Pair {
    Row measured;
    Json launch;
    [[nodiscard]] double ours(const std::string& metric) const {
        const Json& metrics = launch.at("metrics");
        return metrics.contains(metric) ? metrics.at(metric).at("value").get<double>() : 0;
    }
    [[nodiscard]] double theirs(const std::string& metric) const { return number(measured, metric); }
    [[nodiscard]] std::string name() const { return measured.at("launch") + " " + measured.at("kernel"); }
};

class ModelKernels : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        const std::string program = APOD_MODEL_KERNELS;
        if (program.empty()) return;
        const auto json = std::filesystem::temp_directory_path() / ("apod-model-kernels-" + std::to_string(::getpid()) + ".json");
        // ptxas lies beside nvcc; the other tests are kept from it.
        const std::string command = "APOD_PTXAS='" + std::string(APOD_PTXAS_PATH) + "' " + std::string(APOD_COMMAND) +
                                    " run -q -d emu:h200 --json " + json.string() + " -- " + program + " > /dev/null";
        if (std::system(command.c_str()) != 0) return; // the tests say that nothing is there
        const Json run = Json::parse(*read_file(json));
        std::filesystem::remove(json);
        for (const Row& row : read_recording("h200/model_kernels.csv"))
            for (const Json& launch : run.at("launches"))
                if (launch.at("index").get<int>() == std::stoi(row.at("launch"))) pairs.push_back({row, launch});
    }
    void SetUp() override {
        if (std::string(APOD_MODEL_KERNELS).empty()) GTEST_SKIP() << "nvcc is not there to build the kernels";
        ASSERT_GE(pairs.size(), 60u) << "the program did not run to its end";
    }
    static std::vector<Pair> pairs;
};
std::vector<Pair> ModelKernels::pairs;

bool near(double ours, double theirs, double share, double noise) { return std::fabs(ours - theirs) <= std::max(share * theirs, noise); }

TEST_F(ModelKernels, RequestsAndSectorsAreThoseOfTheHardware) {
    for (const Pair& pair : pairs)
        for (const char* metric : {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                                   "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"})
            EXPECT_TRUE(near(pair.ours(metric), pair.theirs(metric), 0.01, 0))
                << pair.name() << ": " << metric << " " << pair.ours(metric) << " counted, " << pair.theirs(metric) << " measured";
}

TEST_F(ModelKernels, BankConflictsAreThoseOfTheHardware) {
    for (const Pair& pair : pairs)
        for (const char* metric :
             {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"}) {
            const double noise = std::max(300.0, 0.015 * pair.theirs("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"));
            EXPECT_TRUE(near(pair.ours(metric), pair.theirs(metric), 0.02, noise))
                << pair.name() << ": " << metric << " " << pair.ours(metric) << " counted, " << pair.theirs(metric) << " measured";
        }
}

TEST_F(ModelKernels, InstructionsAreThoseOfTheMachineCode) {
    double sum = 0;
    for (const Pair& pair : pairs) {
        const double measured = pair.theirs("smsp__inst_executed.sum");
        sum += std::fabs(pair.ours("apod__inst_executed_machine.sum") - measured) / measured / static_cast<double>(pairs.size());
    }
    std::printf("warp instructions: mean error %.1f %%\n", 100 * sum);
    EXPECT_LE(sum, 0.06);
}

TEST_F(ModelKernels, ThePredictedTimesAreAsCloseAsTheyWere) {
    std::vector<double> errors;
    for (const Pair& pair : pairs) {
        const double measured = pair.theirs("gpu__time_duration.sum");
        if (measured < 5000) continue;
        const double predicted = pair.ours("apod__time_duration_cold.sum");
        errors.push_back(std::fabs(predicted - measured) / measured);
        RecordProperty(pair.name(), std::to_string(predicted) + " predicted, " + std::to_string(measured) + " measured");
        std::printf("%6.1f %%  %10.2f us predicted, %10.2f measured  %s\n", 100 * errors.back(), predicted / 1000, measured / 1000,
                    pair.name().c_str());
    }
    ASSERT_GE(errors.size(), 30u);
    std::sort(errors.begin(), errors.end());
    double mean = 0;
    for (const double error : errors) mean += error / static_cast<double>(errors.size());
    std::printf("mean %.1f %%, P90 %.1f %%\n", 100 * mean, 100 * errors[errors.size() * 9 / 10]);
    EXPECT_LE(mean, 0.13);
    EXPECT_LE(errors[errors.size() * 9 / 10], 0.30);
}

} // namespace
} // namespace apod::differential
