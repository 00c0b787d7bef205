#include "report/timing_printers.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace apod::report {
namespace {

bench::Measurement measured(const std::string& name, double time_ns) {
    bench::Measurement measurement;
    measurement.name = name;
    measurement.first_run_ns = 1e6;
    for (std::uint32_t i = 0; i < 12; ++i)
        measurement.samples.push_back({.time_ns = time_ns + i, .runs = 4, .round = i, .clock_mhz = 1980});
    std::vector<double> times;
    for (const bench::Sample& sample : measurement.samples) times.push_back(sample.time_ns);
    measurement.time_ns = bench::summarise(times);
    measurement.clock_mhz = 1980;
    measurement.runs = 4;
    measurement.stop = {"low-noise", "quiet"};
    measurement.notes = {"a note"};
    return measurement;
}

bench::Comparison compared() {
    bench::Comparison comparison;
    comparison.base = measured("old", 1000);
    comparison.other = measured("new", 900);
    comparison.judgement.verdict = bench::Verdict::faster;
    comparison.judgement.ratio = 0.9;
    comparison.judgement.reason = "10 % faster";
    return comparison;
}

} // namespace

TEST(TimingPrinters, TextHasARowForEachVersionTheVerdictAndTheNotes) {
    const auto printer = timing_text_printer({});
    EXPECT_EQ(printer->text(), "");
    printer->comparison(compared());
    const std::string text = printer->text();
    for (const char* part : {"old", "new", "1.006 us", "1980", "low-noise: quiet", "new against old: FASTER: 10 % faster", "a note"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(TimingPrinters, JsonHasTheRawSamplesAndWhichTimingsWereCompared) {
    const auto printer = timing_json_printer();
    printer->measurement(measured("first", 500));
    printer->comparison(compared());
    const nlohmann::json json = nlohmann::json::parse(printer->text());
    ASSERT_EQ(json["timings"].size(), 3U);
    EXPECT_EQ(json["timings"][0]["samples"].size(), 12U);
    EXPECT_EQ(json["timings"][0]["samples"][3]["time_ns"], 503);
    ASSERT_EQ(json["comparisons"].size(), 1U);
    EXPECT_EQ(json["comparisons"][0]["base"], 1);
    EXPECT_EQ(json["comparisons"][0]["other"], 2);
    EXPECT_EQ(json["comparisons"][0]["verdict"], "FASTER");
}

TEST(TimingPrinters, CsvHasARowForEachSample) {
    const auto printer = timing_csv_printer();
    printer->comparison(compared());
    const std::string text = printer->text();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 2 * 12);
    EXPECT_NE(text.find("new,2,4,902,1980,0,1\n"), std::string::npos) << text;
}

} // namespace apod::report
