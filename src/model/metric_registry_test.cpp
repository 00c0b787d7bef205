#include "model/metric_registry.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace apod::model {
namespace {

Quantity counted(double value) { return {value, Source::counted, {}}; }

TEST(MetricRegistry, NamesAreUniqueAndRatiosAreMadeOfSums) {
    std::set<std::string_view> names;
    for (const MetricInfo& info : metrics()) {
        EXPECT_TRUE(names.insert(info.name).second) << info.name;
        EXPECT_FALSE(info.label.empty()) << info.name;
        if (info.kind != MetricKind::ratio) continue;
        for (const std::string_view part : {info.numerator, info.denominator}) {
            ASSERT_NE(find_metric(part), nullptr) << info.name << ": " << part;
            EXPECT_EQ(find_metric(part)->kind, MetricKind::sum) << info.name << ": " << part;
        }
    }
}

TEST(MetricRegistry, EveryMetricIsExplainedInTheDocuments) {
    std::ifstream file(std::string(APOD_SOURCE_DIR) + "/docs/metrics.md");
    std::stringstream text;
    text << file.rdbuf();
    for (const MetricInfo& info : metrics()) EXPECT_NE(text.str().find("`" + std::string(info.name) + "`"), std::string::npos) << info.name;
}

TEST(MetricRegistry, SumsAddAndRatiosAreRecomputed) {
    MetricMap total;
    MetricMap one;
    one[std::string(metric::global_load_requests)] = counted(10);
    one[std::string(metric::global_load_sectors)] = counted(40);
    one[std::string(metric::load_sectors_per_request)] = counted(4);
    one[std::string(metric::block_size)] = counted(256);
    MetricMap two = one;
    two[std::string(metric::global_load_sectors)] = {320, Source::predicted, {}};
    two[std::string(metric::block_size)] = counted(128);
    add_metrics(total, one);
    EXPECT_EQ(value_or_zero(total, metric::block_size), 256);
    add_metrics(total, two);
    recompute_ratios(total);
    EXPECT_EQ(value_or_zero(total, metric::global_load_sectors), 360);
    EXPECT_EQ(total[std::string(metric::global_load_sectors)].source, Source::predicted);
    EXPECT_EQ(value_or_zero(total, metric::load_sectors_per_request), 18);
    EXPECT_EQ(total.count(std::string(metric::block_size)), 0u) << "a property that differs belongs to none";
}

TEST(MetricRegistry, ARatioOfNothingIsAbsent) {
    MetricMap map;
    map[std::string(metric::global_load_requests)] = counted(0);
    map[std::string(metric::global_load_sectors)] = counted(0);
    recompute_ratios(map);
    EXPECT_EQ(map.count(std::string(metric::load_sectors_per_request)), 0u);
}

} // namespace
} // namespace apod::model
