// Where results go: standard output, files, closed and full streams; and the JSON of every command against its schema.
#include "command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace apod::golden {
namespace {

const std::string small = "climb transpose -p n=70 -q ";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Every document against the schema; a skip where python3-jsonschema is missing.
void expect_valid(const std::string& files) {
    const std::string root = APOD_SOURCE_DIR;
    const std::string script = "'" + root + "/tests/golden/cli/validate.py' '" + root + "/docs/schema/apod-1.schema.json' ";
    const Command command;
    const Outcome outcome = command.apod("--version > /dev/null; /usr/bin/python3 " + script + files);
    if (outcome.exit_code == 77 || outcome.exit_code == 127) GTEST_SKIP() << "python3-jsonschema is not installed";
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
}

TEST(Output, json_of_every_command_is_valid_against_the_schema) {
    const Command command;
    EXPECT_EQ(command.apod(small + "--json climb.json").exit_code, 0);
    EXPECT_EQ(command.apod("explain transpose -p n=70 -q --json explain.json").exit_code, 0);
    EXPECT_EQ(command.apod("devices --json devices.json").exit_code, 0);
    const std::string bugs = std::string(APOD_SOURCE_DIR) + "/tests/checks/reduction.toml";
    EXPECT_EQ(command.apod("check '" + bugs + "' -q --json check.json", "APOD_NVCC=").exit_code, 1);
    expect_valid(command.path("check.json"));
    expect_valid(command.path("climb.json") + " " + command.path("explain.json") + " " + command.path("devices.json"));
}

TEST(Output, the_views_own_examples_are_valid_against_the_schema) {
    const std::string folder = std::string(APOD_SOURCE_DIR) + "/src/report/testdata/";
    expect_valid(folder + "climb.json " + folder + "explain.json " + folder + "devices.json");
}

TEST(Output, a_form_on_standard_output_takes_the_place_of_the_text) {
    const Command command;
    const Outcome json = command.apod(small + "--json -");
    EXPECT_EQ(json.out.substr(0, 1), "{");
    EXPECT_EQ(json.err, "");
    EXPECT_EQ(command.apod(small + "--csv -").out.substr(0, 7), "ladder,");
    EXPECT_EQ(command.apod(small + "--markdown -").out.substr(0, 4), "### ");
    const Outcome both = command.apod(small + "--json - --csv c.csv");
    EXPECT_EQ(both.out, json.out);
    EXPECT_EQ(command.read("c.csv").substr(0, 7), "ladder,");
}

TEST(Output, is_the_same_however_many_threads_emulate) {
    const Command command;
    EXPECT_EQ(command.apod(small + "--json - --threads 1").out, command.apod(small + "--json - --threads 3").out);
}

TEST(Output, a_file_that_cannot_be_written_is_exit_code_3_before_any_work_is_done) {
    const Command command;
    command.write("plain", "");
    for (const std::string target : {"/dev/null/x.json", "/", "plain/x.json"}) {
        const Outcome outcome = command.apod("climb transpose -p n=70 --json " + target);
        EXPECT_EQ(outcome.exit_code, 3) << target;
        EXPECT_TRUE(contains(outcome.err, "cannot write")) << outcome.err;
        EXPECT_FALSE(contains(outcome.err, "note:")) << "the device was opened: " << outcome.err;
        EXPECT_EQ(outcome.out, "") << target;
    }
}

TEST(Output, devices_and_pipes_are_written_to_and_stay_what_they_are) {
    const Command command;
    EXPECT_EQ(command.apod("devices --json /dev/null > text; test -c /dev/null").exit_code, 0);
    EXPECT_EQ(command.apod("devices --json /dev/stderr").err.substr(0, 1), "{");
    EXPECT_EQ(command.apod("devices --json real.json; ln -s real.json link.json").exit_code, 0);
    EXPECT_EQ(command.apod("devices --csv link.json; test -L link.json").exit_code, 0);
    EXPECT_EQ(command.read("real.json").substr(0, 7), "device,");
}

TEST(Output, a_reader_that_goes_away_or_a_closed_standard_output_is_no_error) {
    const Command command;
    const Outcome piped = command.apod("devices | true; exit ${PIPESTATUS[0]}");
    EXPECT_EQ(piped.exit_code, 0);
    EXPECT_EQ(piped.err, "");
    const Outcome closed = command.apod("devices --json kept.json >&-");
    EXPECT_EQ(closed.exit_code, 0);
    EXPECT_EQ(closed.err, "");
    EXPECT_EQ(command.read("kept.json").substr(0, 1), "{");
    EXPECT_EQ(command.apod("climb transpos >&- 2>&-").exit_code, 2);
}

TEST(Output, a_full_disk_is_an_error) {
    const Outcome outcome = Command().apod("devices > /dev/full");
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_TRUE(contains(outcome.err, "cannot write standard output")) << outcome.err;
}

TEST(Output, a_result_never_takes_the_place_of_what_the_command_needs) {
    const Command command;
    const std::string example = std::string(APOD_SOURCE_DIR) + "/examples/saxpy/saxpy.";
    for (const char* ending : {"toml", "cu", "ptx"}) command.write(std::string("mine.") + ending, read_file(example + ending).value());
    command.write("mine.toml", "source = \"mine.cu\"\n" + command.read("mine.toml").substr(command.read("mine.toml").find("[parameters]")));
    ASSERT_EQ(command.apod("climb mine.toml -q -p n=1000 --json recorded.json && ln -s mine.toml linked", "APOD_NVCC=").exit_code, 0);
    command.write("app.sh", "true\n");
    const char* cases[] = {"climb mine.toml --json mine.toml",
                           "explain mine.toml --csv ./mine.cu",
                           "check mine.toml --markdown mine.ptx",
                           "climb ./mine.toml --json linked",
                           "climb mine.toml --device replay:recorded.json --json recorded.json",
                           "transfer --device replay:recorded.json --svg recorded.json",
                           "devices --device replay:recorded.json --json recorded.json",
                           "explain transpose --device emu:h200,emu:mine.toml --json mine.toml",
                           "run --json app.sh -- ./app.sh",
                           "run --json mine.cu -- /bin/cat mine.cu",
                           "check --csv mine.cu -- /bin/cat mine.cu"};
    for (const char* arguments : cases) {
        const std::string before =
            command.read("mine.toml") + command.read("mine.cu") + command.read("mine.ptx") + command.read("recorded.json");
        const Outcome outcome = command.apod(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << arguments << "\n" << outcome.err;
        EXPECT_TRUE(contains(outcome.err, "which the command itself needs")) << arguments << "\n" << outcome.err;
        EXPECT_EQ(command.read("mine.toml") + command.read("mine.cu") + command.read("mine.ptx") + command.read("recorded.json"), before);
    }
}

TEST(Output, where_one_file_cannot_be_written_the_others_and_the_text_are_shown) {
    const Command command;
    const Outcome outcome = command.apod(small + "--json /dev/full --csv kept.csv --markdown kept.md");
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_EQ(outcome.err, "apod: error: /dev/full: cannot write the file: No space left on device\n"
                           "  help: check that the directory exists, is writable and has space left\n");
    EXPECT_TRUE(contains(outcome.out, "tiled_32")) << outcome.out;
    EXPECT_EQ(command.read("kept.csv").substr(0, 7), "ladder,");
    EXPECT_EQ(command.read("kept.md").substr(0, 4), "### ");
    EXPECT_EQ(command.apod(small + "--json kept.json > /dev/full").exit_code, 4);
    EXPECT_EQ(command.read("kept.json").substr(0, 1), "{");
}

// What a process does that has no space for its record (runtime/core/record_file_test.cpp), done by hand.
TEST(Output, a_program_whose_record_could_not_be_written_is_never_reported_as_if_all_were_there) {
    const Command command;
    const std::string program = " -q -- /bin/sh -c 'rm \"$APOD_RUN_RECORD/whole\"; exit $0' ";
    for (const std::string subcommand : {"run", "check", "run --check"}) {
        const Outcome outcome = command.apod(subcommand + program + "0");
        EXPECT_EQ(outcome.exit_code, 4) << subcommand << "\n" << outcome.err;
        EXPECT_TRUE(contains(outcome.err, "could not be recorded to its end below /")) << subcommand << "\n" << outcome.err;
        EXPECT_TRUE(contains(outcome.err, "set TMPDIR to a directory with space left")) << outcome.err;
        EXPECT_EQ(command.apod(subcommand + program + "7").exit_code, 7) << subcommand;
    }
}

TEST(Output, auto_says_once_on_standard_error_which_device_it_took) {
    const Command command;
    const Outcome outcome = command.apod("climb transpose -p n=70");
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "emu:h200")) << outcome.err;
    EXPECT_EQ(command.apod("climb transpose -p n=70 --device emu:h200").err, "");
}

TEST(Output, colour_follows_color_and_no_color) {
    const Command command;
    const auto coloured = [&](const std::string& arguments, const std::string& before = {}) {
        return contains(command.apod(arguments, before).out, "\x1b[");
    };
    EXPECT_FALSE(coloured("devices"));
    EXPECT_TRUE(coloured("devices --color always", "NO_COLOR=1"));
    EXPECT_FALSE(coloured("devices --color never"));
}

TEST(Output, tables_keep_to_the_width_of_the_terminal_where_they_can) {
    const Outcome outcome = Command().apod(small, "COLUMNS=100");
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = outcome.out.find('\n', begin)) != std::string::npos; begin = end + 1)
        EXPECT_LE(end - begin, 112U) << outcome.out.substr(begin, end - begin);
}

} // namespace
} // namespace apod::golden
