#include "ladder/document.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <tuple>

namespace apod::ladder {

namespace {

using Kind = DocumentNode::Kind;

SourcePosition place(const toml::source_region& region, const std::string& file) {
    return {file, static_cast<std::uint32_t>(region.begin.line), static_cast<std::uint32_t>(region.begin.column)};
}

DocumentNode convert(const toml::node& node, const std::string& file);

void convert_table(const toml::table& table, const std::string& file, DocumentNode& result) {
    for (const auto& [key, value] : table) {
        result.entries.push_back({std::string(key.str()), place(key.source(), file), convert(value, file)});
    }
    std::stable_sort(result.entries.begin(), result.entries.end(), [](const DocumentEntry& a, const DocumentEntry& b) {
        return std::tie(a.where.line, a.where.column) < std::tie(b.where.line, b.where.column);
    });
}

// The library limits nesting to 256 levels, so this recursion is shallow.
DocumentNode convert(const toml::node& node, const std::string& file) {
    DocumentNode result;
    result.where = place(node.source(), file);
    if (const auto* table = node.as_table()) {
        result.kind = Kind::table;
        convert_table(*table, file, result);
    } else if (const auto* array = node.as_array()) {
        result.kind = Kind::array;
        for (const toml::node& item : *array) result.items.push_back(convert(item, file));
    } else if (const auto* text = node.as_string()) {
        result.kind = Kind::text;
        result.text = text->get();
    } else if (const auto* integer = node.as_integer()) {
        result.kind = Kind::integer;
        result.integer = integer->get();
    } else if (const auto* real = node.as_floating_point()) {
        result.kind = Kind::real;
        result.real = real->get();
    } else if (const auto* boolean = node.as_boolean()) {
        result.kind = Kind::boolean;
        result.boolean = boolean->get();
    } else {
        result.kind = Kind::time;
    }
    return result;
}

} // namespace

const DocumentNode* DocumentNode::find(std::string_view key) const {
    for (const DocumentEntry& entry : entries) {
        if (entry.key == key) return &entry.value;
    }
    return nullptr;
}

std::string_view DocumentNode::kind_name() const {
    switch (kind) {
    case Kind::boolean: return "a boolean";
    case Kind::integer: return "an integer";
    case Kind::real: return "a real number";
    case Kind::text: return "a string";
    case Kind::array: return "an array";
    case Kind::table: return "a table";
    case Kind::time: return "a date or time";
    }
    return "something";
}

Result<DocumentNode> parse_document(std::string_view toml_text, const std::string& file) {
    try {
        return convert(toml::parse(toml_text), file);
    } catch (const toml::parse_error& error) {
        return bad_input(place(error.source(), file), std::string(error.description()), "the file is TOML: https://toml.io/en/v1.0.0");
    }
}

} // namespace apod::ladder
