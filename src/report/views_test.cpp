// Every view of the hand-made climb against its file in testdata. APOD_UPDATE_GOLDEN=1 rewrites the files instead.
#include "base/file.hpp"
#include "report/climb_csv.hpp"
#include "report/climb_json.hpp"
#include "report/climb_markdown.hpp"
#include "report/climb_text.hpp"
#include "report/devices_view.hpp"
#include "report/explain_view.hpp"
#include "report/sample_climb.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

namespace apod::report {
namespace {

void expect_golden(const std::string& name, const std::string& actual) {
    const std::string path = std::string(APOD_SOURCE_DIR) + "/src/report/testdata/" + name;
    if (std::getenv("APOD_UPDATE_GOLDEN") != nullptr) {
        ASSERT_TRUE(write_file(path, actual).ok());
        return;
    }
    const Result<std::string> expected = read_file(path);
    ASSERT_TRUE(expected.ok()) << to_text(expected.error());
    EXPECT_EQ(actual, *expected) << "if the change is meant, set APOD_UPDATE_GOLDEN=1, run this again and read the difference";
}

std::optional<std::string> source_line(const std::string&, std::uint32_t line) {
    if (line == 12) return "    out[x * n + y] = in[y * n + x];";
    return std::nullopt;
}

TEST(Views, climb_text_is_the_ladder_its_troubles_and_the_next_step) {
    expect_golden("climb.txt", climb_text(sample::climb(), {}));
    expect_golden("climb_verbose_100.txt", climb_text(sample::climb(), {{100, false}, true, source_line}));
}

TEST(Views, climb_text_keeps_to_a_terminal_of_80_columns) {
    const std::string text = climb_text(sample::climb(), {{80, false}, false, {}});
    expect_golden("climb_80.txt", text);
}

TEST(Views, climb_text_carries_colour_only_on_request) {
    EXPECT_EQ(climb_text(sample::climb(), {}).find('\x1b'), std::string::npos);
    EXPECT_NE(climb_text(sample::climb(), {{0, true}, false, {}}).find("\x1b[31mWRONG\x1b[0m"), std::string::npos);
}

TEST(Views, climb_json_csv_and_markdown) {
    expect_golden("climb.json", climb_json(sample::climb()));
    expect_golden("climb.csv", climb_csv(sample::climb()));
    expect_golden("climb.md", climb_markdown(sample::climb()));
}

TEST(Views, explain_text_json_csv_and_markdown) {
    expect_golden("explain.txt", explain_text(sample::climb(), source_line, {{120, false}, true}));
    expect_golden("explain.json", explain_json(sample::climb()));
    expect_golden("explain.csv", explain_csv(sample::climb()));
    expect_golden("explain.md", explain_markdown(sample::climb(), source_line));
}

TEST(Views, devices_text_json_csv_and_markdown) {
    const std::vector<DeviceEntry> devices = {{"emu:h200", true, sample::gpu()}};
    expect_golden("devices.txt", devices_text(devices, {}));
    expect_golden("devices.json", devices_json(devices, {}));
    expect_golden("devices.csv", devices_csv(devices, {}));
    expect_golden("devices.md", devices_markdown(devices));
}

TEST(Views, wrong_rungs_have_no_time_and_are_no_ones_baseline) {
    const ladder::ClimbResult climb = sample::climb();
    const Json json = climb_document(climb);
    EXPECT_TRUE(json["rungs"][2]["time_ns"].is_null());
    EXPECT_FALSE(json["rungs"][2]["verified"].get<bool>());
    EXPECT_DOUBLE_EQ(json["rungs"][3]["speedup_over_previous"].get<double>(), 21200 / 7100.25);
    EXPECT_EQ(json["best"], "padded");
}

TEST(Views, a_climb_without_any_right_rung_says_so) {
    ladder::ClimbResult climb = sample::climb();
    climb.rungs.erase(climb.rungs.begin(), climb.rungs.begin() + 2);
    climb.rungs.erase(climb.rungs.begin() + 1);
    EXPECT_NE(climb_text(climb, {}).find("No rung gave a right result"), std::string::npos);
    EXPECT_TRUE(climb_document(climb)["best"].is_null());
    EXPECT_FALSE(climb_markdown(climb).empty());
}

TEST(Views, an_empty_climb_prints_in_every_form) {
    const ladder::ClimbResult climb;
    EXPECT_FALSE(climb_text(climb, {{10, true}, true, {}}).empty());
    EXPECT_FALSE(climb_csv(climb).empty());
    EXPECT_FALSE(climb_markdown(climb).empty());
    EXPECT_EQ(climb_document(climb)["rungs"].size(), 0U);
}

TEST(Json, stays_valid_whatever_names_and_numbers_it_is_given) {
    ladder::ClimbResult climb = sample::climb();
    climb.rungs[0].name = "bad \xFF\xC0 bytes \x1b[31m";
    climb.rungs[0].time_ns.value = std::numeric_limits<double>::quiet_NaN();
    climb.rungs[1].metrics["x"] = {std::numeric_limits<double>::infinity(), Source::counted, std::nullopt};
    const Json parsed = Json::parse(climb_json(climb));
    EXPECT_TRUE(parsed["rungs"][0]["time_ns"].is_null());
    EXPECT_TRUE(parsed["rungs"][1]["metrics"]["x"]["value"].is_null());
}

TEST(Json, writes_integers_without_a_fraction_and_doubles_exactly) {
    EXPECT_EQ(number(9472).dump(), "9472");
    EXPECT_EQ(number(0.1).dump(), "0.1");
    EXPECT_EQ(number(-0.0).dump(), "0");
    EXPECT_EQ(Json::parse(number(1.0 / 3).dump()).get<double>(), 1.0 / 3);
}

} // namespace
} // namespace apod::report
