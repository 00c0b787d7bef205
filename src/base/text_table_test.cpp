#include "base/text_table.hpp"
#include "base/utf8.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace apod {
namespace {

TextTable sample() {
    TextTable table({{"rung"}, {"time", Align::right}, {"what changed"}});
    table.add_row({"naive", "36.40 ms", "one thread does everything"});
    table.add_row({"tiled", {"11.1 us", Tint::good}, "a tile in shared memory, read and written by rows"});
    return table;
}

TEST(TextTable, aligns_columns_and_rules_the_header) {
    EXPECT_EQ(sample().render({}), "rung       time  what changed\n"
                                   "-----  --------  -------------------------------------------------\n"
                                   "naive  36.40 ms  one thread does everything\n"
                                   "tiled   11.1 us  a tile in shared memory, read and written by rows\n");
}

TEST(TextTable, wraps_only_the_last_column_to_the_width_of_the_terminal) {
    EXPECT_EQ(sample().render({45, false}), "rung       time  what changed\n"
                                            "-----  --------  ----------------------------\n"
                                            "naive  36.40 ms  one thread does everything\n"
                                            "tiled   11.1 us  a tile in shared memory,\n"
                                            "                 read and written by rows\n");
}

TEST(TextTable, shows_subtitles_on_a_second_header_line) {
    TextTable table({{"rung"}, {"time", Align::right, "predicted"}});
    table.add_row({"naive", "1 us"});
    EXPECT_EQ(table.render({}), "rung        time\n       predicted\n-----  ---------\nnaive       1 us\n");
}

TEST(TextTable, colours_cells_only_when_asked_to) {
    const std::string text = sample().render({0, true});
    EXPECT_NE(text.find(" \x1b[32m11.1 us\x1b[0m"), std::string::npos) << text;
    EXPECT_EQ(sample().render({}).find('\x1b'), std::string::npos);
}

TEST(TextTable, measures_wide_and_combining_characters_in_columns) {
    TextTable table({{"a"}, {"b"}});
    table.add_row({"日本", "x"});
    table.add_row({"e\xCC\x81", "y"});
    EXPECT_EQ(table.render({}), "a     b\n----  -\n日本  x\ne\xCC\x81     y\n");
}

TEST(TextTable, makes_control_characters_and_malformed_bytes_harmless) {
    TextTable table({{"a"}});
    table.add_row({"x\x1b[31m\ny\xFF"});
    EXPECT_EQ(table.render({}), "a\n---------\nx\xEF\xBF\xBD[31m y\xEF\xBF\xBD\n");
}

TEST(TextTable, fills_missing_cells_and_refuses_extra_ones) {
    TextTable table({{"a"}, {"b"}});
    table.add_row({"1"});
    EXPECT_EQ(table.render({}), "a  b\n-  -\n1\n");
    EXPECT_THROW(table.add_row({"1", "2", "3"}), std::logic_error);
}

TEST(Wrap, cuts_words_that_are_longer_than_a_line) {
    EXPECT_EQ(wrap("abcdefgh ij", 4), (std::vector<std::string>{"abcd", "efgh", "ij"}));
    EXPECT_EQ(wrap("日本語", 1), (std::vector<std::string>{"日", "本", "語"}));
    EXPECT_EQ(wrap("", 5), std::vector<std::string>{""});
    EXPECT_EQ(wrap("one two", 0), std::vector<std::string>{"one two"});
    EXPECT_EQ(wrap("one two", 3), (std::vector<std::string>{"one", "two"}));
    EXPECT_EQ(wrap("    indented", 8), (std::vector<std::string>{"    inde", "nted"}));
}

TEST(Wrap, keeps_long_words_whole_on_request) {
    EXPECT_EQ(wrap("a /long/path/to b", 4, LongWords::keep), (std::vector<std::string>{"a", "/long/path/to", "b"}));
    EXPECT_EQ(wrap("  /long/path", 4, LongWords::keep), std::vector<std::string>{"  /long/path"});
}

TEST(Utf8, refuses_overlong_forms_surrogates_and_cut_sequences) {
    for (const char* bytes : {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80"})
        EXPECT_FALSE(decode_utf8(bytes).valid) << bytes;
    EXPECT_EQ(decode_utf8("\xF0\x9F\x98\x80").value, U'\U0001F600');
}

TEST(Utf8, neutralises_what_reorders_or_breaks_lines) {
    EXPECT_EQ(printable("a\u202Eb\u2028c"), "a\xEF\xBF\xBD"
                                            "b\xEF\xBF\xBD"
                                            "c");
    EXPECT_EQ(printable("×1.5 µs"), "×1.5 µs");
}

} // namespace
} // namespace apod
