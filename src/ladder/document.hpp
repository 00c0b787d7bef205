// A TOML file as a tree that knows where everything stands; the only user of the TOML library in this folder.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apod::ladder {

struct DocumentEntry;

struct DocumentNode {
    enum class Kind : std::uint8_t { boolean, integer, real, text, array, table, time };

    Kind kind = Kind::table;
    bool boolean = false;
    std::int64_t integer = 0;
    double real = 0;
    std::string text;
    std::vector<DocumentNode> items;    // of an array
    std::vector<DocumentEntry> entries; // of a table, in the order of the file
    SourcePosition where;

    [[nodiscard]] const DocumentNode* find(std::string_view key) const;
    [[nodiscard]] bool is(Kind wanted) const { return kind == wanted; }
    [[nodiscard]] bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
    // "a string", "an integer", ...: what the node is, for messages.
    [[nodiscard]] std::string_view kind_name() const;
};

struct DocumentEntry {
    std::string key;
    SourcePosition where; // of the key
    DocumentNode value;
};

// Syntax errors are bad_input with their place.
Result<DocumentNode> parse_document(std::string_view toml_text, const std::string& file);

} // namespace apod::ladder
