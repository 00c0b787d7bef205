// The transpose kernels at n = 1024: counters and predicted times of the emulated H200 against those that a real one recorded.
#include "model/metric_registry.hpp"
#include "recording.hpp"
#include "transpose_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace apod::differential {
namespace {

double metric(const LaunchRecord& record, std::string_view name) { return model::value_or_zero(record.metrics, name); }

class Transpose1024 : public ::testing::Test {
protected:
    void SetUp() override {
        auto run = TransposeRun::make(1024);
        ASSERT_TRUE(run.ok()) << to_text(run.error());
        run_ = *std::move(run);
    }
    LaunchRecord record(const std::string& name) {
        auto result = run_->launch(name);
        EXPECT_TRUE(result.ok()) << to_text(result.error());
        return result.ok() ? *result : LaunchRecord{};
    }
    std::unique_ptr<TransposeRun> run_;
};

std::vector<Row> rows_of(const std::string& file, int n) {
    std::vector<Row> rows = read_recording(file);
    std::erase_if(rows, [n](const Row& row) { return number(row, "n") != n; });
    return rows;
}

TEST_F(Transpose1024, RequestsAndSectorsAreThoseOfTheHardware) {
    using namespace model::metric;
    for (const Row& row : rows_of("h200/transpose_counters.csv", 1024)) {
        const LaunchRecord mine = record(row.at("kernel"));
        for (const std::string_view name : {global_load_requests, global_store_requests, global_load_sectors})
            EXPECT_EQ(metric(mine, name), number(row, std::string(name))) << row.at("kernel") << " " << name;
        // The counters of scattered stores are up to 1 % off from one run to the next.
        const double stores = number(row, std::string(global_store_sectors));
        EXPECT_NEAR(metric(mine, global_store_sectors), stores, 0.011 * stores) << row.at("kernel");
        EXPECT_NEAR(metric(mine, load_bytes_per_sector), number(row, std::string(load_bytes_per_sector)), 0.01) << row.at("kernel");
        EXPECT_NEAR(metric(mine, store_bytes_per_sector), number(row, std::string(store_bytes_per_sector)), 0.01) << row.at("kernel");
    }
}

TEST_F(Transpose1024, BankConflictsAreThoseOfTheHardwareButForItsNoise) {
    using namespace model::metric;
    for (const Row& row : rows_of("h200/transpose_counters.csv", 1024)) {
        const LaunchRecord mine = record(row.at("kernel"));
        for (const std::string_view name : {shared_load_conflicts, shared_store_conflicts}) {
            const double theirs = number(row, std::string(name));
            EXPECT_NEAR(metric(mine, name), theirs, std::max(1000.0, 0.04 * theirs)) << row.at("kernel") << " " << name;
        }
    }
    EXPECT_EQ(metric(record("tiled_32"), shared_load_conflicts), 1015808);
    EXPECT_EQ(metric(record("padded"), shared_load_conflicts), 0);
    EXPECT_EQ(metric(record("vectorised"), shared_load_conflicts), 0);
}

TEST_F(Transpose1024, CachesAreWithinAFewPercentOfTheHardware) {
    using namespace model::metric;
    for (const Row& row : rows_of("h200/transpose_counters.csv", 1024)) {
        const std::string kernel = row.at("kernel");
        const LaunchRecord mine = record(kernel);
        const double hits = number(row, std::string(global_load_hits));
        EXPECT_NEAR(metric(mine, global_load_hits), hits, 0.01 * hits) << kernel;
        const double read = number(row, std::string(dram_read_bytes)); // ours is a sample of the lines
        EXPECT_NEAR(metric(mine, dram_read_bytes), read, 0.015 * read) << kernel;
        if (kernel == "one_thread") continue; // runs so long that L2 writes dirty lines back before it ends, and that other traffic counts
        EXPECT_NEAR(metric(mine, dram_write_bytes), number(row, std::string(dram_write_bytes)), 20000) << kernel;
        EXPECT_NEAR(metric(mine, l2_read_sectors), number(row, std::string(l2_read_sectors)), 6000) << kernel;
        // An L2 that finds two stores to one sector close together makes one write of them.
        const double writes = number(row, std::string(l2_write_sectors));
        EXPECT_NEAR(metric(mine, l2_write_sectors), writes, 0.1 * writes) << kernel;
    }
}

TEST_F(Transpose1024, PredictedTimesAreWithinAQuarterOfTheMeasured) {
    for (const Row& row : rows_of("h200/transpose_times.csv", 1024)) {
        const double measured = number(row, "single_median_ms") * 1e6;
        const double predicted = record(row.at("kernel")).time_ns.value + run_->gpu().launch.event_ns; // events were around each launch
        EXPECT_NEAR(predicted / measured, 1, 0.25) << row.at("kernel") << ": " << predicted << " ns, measured " << measured;
    }
}

TEST_F(Transpose1024, RungsRankAsMeasuredWhereTheyDifferByMoreThanTheirNoise) {
    std::vector<std::pair<double, double>> times; // measured, predicted
    for (const Row& row : rows_of("h200/transpose_times.csv", 1024))
        times.emplace_back(number(row, "single_median_ms") * 1e6, record(row.at("kernel")).time_ns.value);
    std::sort(times.begin(), times.end());
    for (std::size_t i = 0; i < times.size(); ++i)
        for (std::size_t j = i + 1; j < times.size(); ++j)
            if (times[j].first > 1.05 * times[i].first) {
                EXPECT_GT(times[j].second, times[i].second) << times[j].first << " ns against " << times[i].first;
            }
}

TEST(Transpose, RecordsDoNotDependOnTheNumberOfThreads) {
    auto one = TransposeRun::make(200, 1);
    auto three = TransposeRun::make(200, 3);
    ASSERT_TRUE(one.ok() && three.ok());
    for (const char* kernel : {"per_element_16", "tiled_32", "vectorised", "per_row_256"}) {
        const auto a = (*one)->launch(kernel);
        const auto b = (*three)->launch(kernel);
        ASSERT_TRUE(a.ok() && b.ok());
        EXPECT_EQ(a->metrics, b->metrics) << kernel;
        EXPECT_EQ(a->time_ns, b->time_ns) << kernel;
        ASSERT_EQ(a->lines.size(), b->lines.size());
        for (std::size_t i = 0; i < a->lines.size(); ++i) EXPECT_EQ(a->lines[i].metrics, b->lines[i].metrics);
    }
}

TEST(Transpose, LinesAddUpToTheLaunch) {
    using namespace model::metric;
    auto run = TransposeRun::make(200);
    ASSERT_TRUE(run.ok());
    const auto record = (*run)->launch("tiled_32");
    ASSERT_TRUE(record.ok());
    ASSERT_FALSE(record->lines.empty());
    for (const std::string_view name :
         {global_load_sectors, global_store_sectors, shared_load_conflicts, warp_instructions, thread_instructions}) {
        double sum = 0;
        for (const LineRecord& line : record->lines) sum += model::value_or_zero(line.metrics, name);
        EXPECT_EQ(sum, metric(*record, name)) << name;
    }
}

TEST(Transpose, ASampleOfTheBlocksIsScaledToTheWholeGrid) {
    using namespace model::metric;
    auto run = TransposeRun::make(2048);
    ASSERT_TRUE(run.ok());
    const auto whole = (*run)->launch("per_element_32");
    const auto sample = (*run)->launch("per_element_32", 1000000);
    ASSERT_TRUE(whole.ok() && sample.ok());
    EXPECT_FALSE(whole->sample.has_value());
    ASSERT_TRUE(sample->sample.has_value());
    EXPECT_LT(sample->sample->blocks_run, sample->sample->blocks_total);
    EXPECT_EQ(sample->sample->blocks_run % 132, 0u);
    EXPECT_EQ(metric(*sample, global_store_sectors), metric(*whole, global_store_sectors));
    EXPECT_NEAR(sample->time_ns.value / whole->time_ns.value, 1, 0.05);
}

} // namespace
} // namespace apod::differential
