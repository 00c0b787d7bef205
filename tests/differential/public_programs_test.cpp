// Public programs as an H200 ran them under ncu (launches of at least 5 us), predicted again from the inputs that are kept of them
// (tests/replay/h200/public_programs.inputs, tools/public_programs/keep.py). The bounds keep the error from growing; docs/results says what
// it is.
#include "arch/gpu.hpp"
#include "model/inputs.hpp"
#include "model/machine/machine_work.hpp"
#include "model/predict/predict.hpp"
#include "recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

namespace apod::differential {
namespace {

struct Predicted {
    double cold_ns = 0;
    double instructions = 0;
    std::string limiter;
};

std::vector<Predicted> predict_all(const arch::Gpu& gpu) {
    std::ifstream in(std::string(APOD_SOURCE_DIR) + "/tests/replay/h200/public_programs.inputs");
    model::InputReader reader(in, gpu);
    std::vector<Predicted> all;
    for (;;) {
        const Result<model::KeptLaunch> launch = reader.next();
        EXPECT_TRUE(launch.ok()) << to_text(launch.error());
        if (!launch.ok() || !launch->facts) return all;
        const model::Prediction prediction = model::predict(*launch->facts);
        const double warps = static_cast<double>(launch->facts->execution.warps_run) * launch->facts->scale;
        all.push_back({prediction.cold_ns, model::machine_instructions(*launch->facts) * warps, prediction.limiter});
    }
}

double ninth_decile(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() * 9 / 10];
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

TEST(PublicPrograms, ThePredictedTimesAreAsCloseAsTheyWere) {
    const Result<arch::Gpu> gpu = arch::find_gpu("h200");
    ASSERT_TRUE(gpu.ok());
    const std::vector<Predicted> predicted = predict_all(*gpu);
    std::vector<double> errors;
    std::vector<double> instruction_errors;
    for (const Row& row : read_recording("h200/public_programs.csv")) {
        const auto index = static_cast<std::size_t>(number(row, "input"));
        ASSERT_LT(index, predicted.size());
        const double measured = number(row, "gpu__time_duration.sum");
        const double instructions = number(row, "smsp__inst_executed.sum");
        errors.push_back(std::fabs(predicted[index].cold_ns - measured) / measured);
        instruction_errors.push_back(std::fabs(predicted[index].instructions - instructions) / instructions);
        std::printf("%6.1f %%  %10.2f us predicted, %10.2f measured  %s %s\n", 100 * errors.back(), predicted[index].cold_ns / 1000,
                    measured / 1000, row.at("program").c_str(), row.at("launch").c_str());
    }
    ASSERT_GE(errors.size(), 100u);
    std::printf(
        "%zu launches: time: mean %.1f %%, median %.1f %%, P90 %.1f %%; warp instructions: mean %.1f %%\n", errors.size(),
        100 * mean(errors),
        100 *
            [&] {
                std::vector<double> sorted = errors;
                std::sort(sorted.begin(), sorted.end());
                return sorted[sorted.size() / 2];
            }(),
        100 * ninth_decile(errors), 100 * mean(instruction_errors));
    EXPECT_LE(mean(errors), 0.15);
    EXPECT_LE(ninth_decile(errors), 0.32);
    EXPECT_LE(mean(instruction_errors), 0.06);
}

} // namespace
} // namespace apod::differential
