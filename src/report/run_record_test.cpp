#include "report/run_record.hpp"

#include "report/check_view.hpp"
#include "report/run_view.hpp"

#include <gtest/gtest.h>

namespace apod::report {
namespace {

std::string check_line(const char* message, std::uint64_t count) {
    CheckReport report;
    report.kind = CheckKind::race;
    report.kernel = "k";
    report.message = message;
    report.count = count;
    return Json({{"check", to_json(report)}}).dump() + "\n";
}

TEST(RunRecord, AMistakeOfLaterLaunchesRaisesItsCountWithinItsProcess) {
    RunRecord record;
    ASSERT_TRUE(read_run_lines(check_line("first", 1), record));
    const std::string second = check_line("second", 4) + check_line("third", 1) + "{\"check_again\":0,\"count\":12}\n";
    const Result<void> read = read_run_lines(second, record);
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(record.checks.size(), 3u);
    EXPECT_EQ(record.checks[0].count, 1u);
    EXPECT_EQ(record.checks[1].count, 12u);
    EXPECT_EQ(record.checks[2].count, 1u);
}

TEST(RunRecord, ACountOfAMistakeThatIsNotThereIsAnError) {
    RunRecord record;
    ASSERT_TRUE(read_run_lines(check_line("first", 1), record));
    EXPECT_FALSE(read_run_lines("{\"check_again\":0,\"count\":12}\n", record)); // of another process
}

TEST(RunRecord, LaunchesThatOnlyRanCountWithTheOneWhoseFiguresTheyHave) {
    LaunchRecord launch;
    launch.kernel = launch.mangled = "k";
    launch.time_ns = {1000, Source::predicted, {}};
    const std::string first = "{\"index\":0,\"launch\":" + to_json(launch).dump() + "}\n";
    RunRecord record;
    const Result<void> read = read_run_lines(first + "{\"again\":0}\n{\"uncounted\":0}\n{\"uncounted\":0}\n", record);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(record.launch_count(), 4u);
    EXPECT_EQ(record.uncounted(), 2u);
    EXPECT_DOUBLE_EQ(record.kernel_ns(), 4000);
    EXPECT_FALSE(read_run_lines("{\"uncounted\":7}\n", record));
}

TEST(RunRecord, OfARunThatCountsNothingThereIsNoTime) {
    LaunchRecord launch;
    launch.kernel = launch.mangled = "k";
    launch.grid = {4, 1, 1};
    launch.block = {128, 1, 1};
    RunRecord record;
    const Result<void> read = read_run_lines("{\"index\":0,\"ran\":" + to_json(launch).dump() + "}\n{\"uncounted\":0}\n", record);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(record.only_ran());
    EXPECT_TRUE(kernel_totals(record).empty());
    const arch::Gpu gpu;
    const RunView view{record, "emu:h200", gpu};
    const Json json = Json::parse(run_json(view));
    EXPECT_TRUE(json.at("launches").at(0).at("time_ns").is_null());
    EXPECT_EQ(json.at("launches").at(0).at("uncounted"), 2);
    EXPECT_FALSE(json.at("launches").at(0).contains("occupancy"));
    const std::string text = run_text(view, {});
    EXPECT_NE(text.find("2     4    128  k\n"), std::string::npos) << text;
    EXPECT_NE(text.find("2 of 2 launches only ran (--counted): nothing was counted and no time predicted"), std::string::npos) << text;
    EXPECT_NE(run_csv(view).find("0,2,k,4x1x1,128x1x1,,,"), std::string::npos) << run_csv(view);
    EXPECT_NE(run_markdown(view).find("| k | 2 |"), std::string::npos) << run_markdown(view);
}

TEST(RunRecord, TheOrderTellsWhichLaunchWasTheHowManieth) {
    const auto line = [](int index, const char* kernel) {
        LaunchRecord launch;
        launch.kernel = launch.mangled = kernel;
        return "{\"index\":" + std::to_string(index) + ",\"launch\":" + to_json(launch).dump() + "}\n";
    };
    RunRecord record;
    ASSERT_TRUE(
        read_run_lines(line(0, "a") + "{\"again\":0}\n" + line(2, "b") + "{\"uncounted\":0}\n{\"again\":2}\n{\"again\":2}\n", record));
    ASSERT_TRUE(read_run_lines(line(0, "of another process"), record));
    std::string order;
    for (const LaunchRow& row : record.order) order += std::to_string(row.times) + record.launches[row.launch].record.kernel + " ";
    EXPECT_EQ(order, "2a 1b 1a 2b 1of another process ");
}

TEST(RunRecord, KernelsOfApodsOwnTimingAreKeptApart) {
    const auto line = [](int index, const char* kernel, double ns) {
        LaunchRecord launch;
        launch.kernel = launch.mangled = kernel;
        launch.time_ns = {ns, Source::predicted, {}};
        return "{\"index\":" + std::to_string(index) + ",\"launch\":" + to_json(launch).dump() + "}\n";
    };
    RunRecord record;
    ASSERT_TRUE(read_run_lines(line(0, "k", 1000) + line(1, "apod_stamp", 300) + "{\"again\":1}\n" + line(3, "apod_flush", 50), record));
    EXPECT_DOUBLE_EQ(record.kernel_ns(), 1000);
    EXPECT_EQ(record.apods_own().count, 3u);
    EXPECT_DOUBLE_EQ(record.apods_own().time_ns, 650);
    EXPECT_EQ(record.launch_count(), 4u);
    ASSERT_EQ(kernel_totals(record).size(), 1u);
    const arch::Gpu gpu;
    const RunView view{record, "emu:h200", gpu};
    const std::string text = run_text(view, {});
    EXPECT_EQ(text.find("apod_stamp"), std::string::npos) << text;
    EXPECT_NE(text.find("3 launches (650 ns) of apod's own kernels"), std::string::npos) << text;
}

TEST(RunText, LaunchesOfTheSameFiguresAreOneLineAndStagesAddUp) {
    const auto line = [](int index, double dram) {
        LaunchRecord launch;
        launch.kernel = launch.mangled = "step";
        launch.time_ns = {1000, Source::predicted, {}};
        launch.floor_ns = {0.4, Source::theoretical, {}};
        launch.metrics["dram__bytes_read.sum"] = {dram, Source::predicted, {}};
        return "{\"index\":" + std::to_string(index) + ",\"launch\":" + to_json(launch).dump() + "}\n";
    };
    RunRecord record;
    ASSERT_TRUE(read_run_lines(line(0, 1048576) + line(1, 1048577) + "{\"again\":0}\n" + line(3, 2097152) +
                                   R"({"copy":"host to device","bytes":2000,"time_ns":6000})"
                                   "\n",
                               record));
    const arch::Gpu gpu;
    const std::string text = run_text({record, "emu:h200", gpu}, {});
    EXPECT_NE(text.find("1.67x"), std::string::npos) << "10 us are 6 us without the kernel\n" << text;
    const auto has = [&](const std::string& part) { return text.find(part) != std::string::npos; };
    EXPECT_TRUE(has("4.000 us   40.0 %      4         -           -  kernels\n")) << text;
    EXPECT_TRUE(has("6.000 us   60.0 %      1  2.000 kB  333.3 MB/s  copy host to device\n")) << text;
    EXPECT_TRUE(has("10.00 us  100.0 %      5         -           -  all\n")) << text;
    EXPECT_TRUE(has("0.0400 %")) << text;   // of the floor: not "0 %"
    EXPECT_TRUE(has("\n0      3")) << text; // 0, 1 and 0 again show the same figures
    EXPECT_TRUE(has("\n3")) << text;
    EXPECT_FALSE(has("\n1 ")) << text;
}

TEST(RunText, ShortKernelsAreExplainedOnlyWhereAskedForAndItSaysSo) {
    RunRecord record;
    std::string lines;
    for (int i = 0; i < 5; ++i) {
        LaunchRecord launch;
        launch.kernel = launch.mangled = "k" + std::to_string(i);
        launch.time_ns = {i == 0 ? 1000.0 : 10.0, Source::predicted, {}};
        launch.limiter = "lsu";
        lines += "{\"index\":" + std::to_string(i) + ",\"launch\":" + to_json(launch).dump() + "}\n";
    }
    ASSERT_TRUE(read_run_lines(lines, record));
    for (CountedLaunch& launch : record.launches) launch.record.findings.push_back({"low-occupancy", "Few warps fit on an SM"});
    const arch::Gpu gpu;
    const std::string text = run_text({record, "emu:h200", gpu}, {});
    EXPECT_NE(text.find("\nk2 (launch 2)\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("\nk3 (launch 3)\n"), std::string::npos) << text;
    EXPECT_NE(text.find("2 findings of 2 shorter kernels: -v shows them"), std::string::npos) << text;
    RunTextOptions all;
    all.verbose = true;
    const std::string everything = run_text({record, "emu:h200", gpu}, all);
    EXPECT_NE(everything.find("\nk4 (launch 4)\n"), std::string::npos) << everything;
    EXPECT_EQ(everything.find("shorter kernels"), std::string::npos) << everything;
}

TEST(RunRecord, CopiesOfPageableMemoryAreToldApart) {
    RunRecord record;
    const std::string lines = R"({"copy":"host to device","bytes":100,"time_ns":50,"pinned":false})"
                              "\n"
                              R"({"copy":"host to device","bytes":10,"time_ns":5,"pinned":true})"
                              "\n"
                              R"({"copy":"fill","bytes":7,"time_ns":1})"
                              "\n";
    ASSERT_TRUE(read_run_lines(lines, record));
    const CopyTotal& copies = record.copies.at("host to device");
    EXPECT_EQ(copies.bytes, 110u);
    EXPECT_EQ(copies.pageable_bytes, 100u);
    EXPECT_DOUBLE_EQ(copies.pageable_ns, 50);
    EXPECT_EQ(record.copies.at("fill").pageable_bytes, 0u);
}

} // namespace
} // namespace apod::report
