// Kernels of many kinds, beside those that the model was fitted to (bench/device/model_kernels.cu), as an H200 ran them under ncu and as
// `apod run` does: requests, sectors, bank conflicts, and the predicted time. The bounds keep the error from growing; docs/results says
// what it is.
#include "arch/gpu.hpp"
#include "base/file.hpp"
#include "model/metric_registry.hpp"
#include "model/roofline.hpp"
#include "recording.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

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

// A launch's counters as a profiler read them, with what follows from them by the same code as ours.
LaunchRecord measured_launch(const Row& row) {
    LaunchRecord launch;
    for (const auto& [name, text] : row)
        if (model::find_metric(name) != nullptr) launch.metrics[name] = {number(row, name), Source::measured, {}};
    launch.roofline = model::roofline(launch, *arch::find_gpu("h200"));
    return launch;
}

// The point of a launch in JSON, null without.
Json our_point(const Json& launch, const RooflinePoint& like) {
    for (const Json& point : launch.value("roofline", Json::array()))
        if (point.at("work") == like.work && point.at("level") == like.level) return point;
    return nullptr;
}

TEST_F(ModelKernels, RooflinesAreThoseOfTheHardwaresCounters) {
    std::map<std::string, std::vector<double>> errors; // of intensities, by work and level
    for (const Row& row : read_recording("h200/rooflines.csv")) {
        const LaunchRecord theirs = measured_launch(row);
        const auto pair =
            std::find_if(pairs.begin(), pairs.end(), [&](const Pair& one) { return one.measured.at("launch") == row.at("launch"); });
        if (pair == pairs.end() || row.at("program") != "bench/model_kernels") continue;
        for (const RooflinePoint& point : theirs.roofline) {
            if (point.level == "shared" || point.work == "global") continue; // its counter has the wavefronts of threadIdx, too
            if (point.traffic < 1e6) continue;                               // noise of the counters
            const Json ours = our_point(pair->launch, point);
            if (ours.is_null()) continue; // constants that ptxas loads with HFMA2; the few bytes that DRAM is sent
            errors[point.work + " " + point.level].push_back(std::fabs(ours.at("intensity").get<double>() / point.intensity - 1));
        }
    }
    ASSERT_GE(errors.size(), 6u);
    for (auto& [what, all] : errors) {
        std::sort(all.begin(), all.end());
        std::printf("%-20s %3zu points, intensity: median error %4.1f %%, largest %5.1f %%\n", what.c_str(), all.size(),
                    100 * all[all.size() / 2], 100 * all.back());
        EXPECT_LE(all[all.size() / 2], 0.1) << what;
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
