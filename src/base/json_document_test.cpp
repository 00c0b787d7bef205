#include "base/json_document.hpp"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace apod {
namespace {

using Json = nlohmann::ordered_json;

Result<Json> parsed(const std::string& text) { return parse_document<Json>(text, "old.json", "record it again"); }

TEST(JsonDocument, OfThisVersionIsTheDocument) {
    const Result<Json> document = parsed(R"({"schema": 1, "a": {"x": 1}, "b": [{"x": 2}, {"x": 3}]})");
    ASSERT_TRUE(document.ok());
    EXPECT_EQ(document->at("b").at(1).at("x"), 3);
}

TEST(JsonDocument, OfAnotherVersionIsBadInputThatNamesBothVersions) {
    for (const std::string schema : {"0", "2", "99", "-1", "1.0", "true", "null", "\"1\"", "18446744073709551615"}) {
        const Result<Json> document = parsed("{\"schema\": " + schema + "}");
        ASSERT_FALSE(document.ok()) << schema;
        EXPECT_EQ(document.error().kind, ErrorKind::bad_input);
        EXPECT_EQ(to_text(document.error()), "old.json: it was written by another version of apod: its schema is " + schema +
                                                 ", and this one reads 1\n  help: record it again");
    }
}

TEST(JsonDocument, WithAKeyTwiceInOneObjectIsBadInputThatNamesTheKey) {
    for (const std::string text : {R"({"schema": 1, "a": 1, "a": 2})", R"({"schema": 1, "b": [{"c": {}, "a": 1, "a": 1}]})"}) {
        const Result<Json> document = parsed(text);
        ASSERT_FALSE(document.ok()) << text;
        EXPECT_EQ(to_text(document.error()), "old.json: the key 'a' is there twice in one object\n  help: record it again");
    }
    EXPECT_TRUE(parsed(R"({"schema": 1, "a": {"a": [{"a": 1}, {"a": 2}]}})").ok());
}

TEST(JsonDocument, ThatIsNoneIsTheLibrarysException) {
    for (const char* text : {"", "[]", "{}", "1", "{\"schema\": 1", "\xff"}) EXPECT_THROW((void)parsed(text), Json::exception) << text;
}

} // namespace
} // namespace apod
