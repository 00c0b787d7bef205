// .file, .loc and .section: where instructions come from. Of the debug sections only .debug_str is read, for the names of inlined
// functions.
#include "ptx/parser.hpp"

namespace apod::ptx {

namespace {

std::string unescaped(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '\\' || text[i + 1] == '"')) ++i;
        result += text[i];
    }
    return result;
}

} // namespace

// .file index "name" [, time, size]
bool Parser::parse_file() {
    next();
    File file;
    if (!expect_u32(file.index, "the index of .file")) return false;
    if (token().kind != TokenKind::string) return unexpected("the file's name in quotes");
    file.name = unescaped(token().text);
    next();
    while (accept(',')) {
        if (token().kind != TokenKind::number) return unexpected("the file's time or size");
        next();
    }
    module_.files.push_back(std::move(file));
    return true;
}

// .loc file line column [, function_name label [+ offset], inlined_at file line column]
bool Parser::parse_location() {
    next();
    SourceLocation location;
    if (!expect_u32(location.file, "the file of .loc") || !expect_u32(location.line, "the line of .loc") ||
        !expect_u32(location.column, "the column of .loc")) {
        return false;
    }
    while (accept(',')) {
        if (!parse_inlining(location)) return false;
    }
    location_ = static_cast<std::uint32_t>(module_.locations.size());
    module_.locations.push_back(location);
    return true;
}

bool Parser::parse_inlining(SourceLocation& location) {
    if (token().is_identifier("inlined_at")) {
        next();
        return expect_u32(location.inlined_file, "the file of inlined_at") && expect_u32(location.inlined_line, "the line of inlined_at") &&
               expect_u32(location.inlined_column, "the column of inlined_at");
    }
    if (!token().is_identifier("function_name")) return unexpected("function_name or inlined_at");
    next();
    PendingLocation pending{.location = static_cast<std::uint32_t>(module_.locations.size())};
    if (token().kind == TokenKind::identifier) {
        pending.label = token().text;
    } else if (!token().is_directive("debug_str")) {
        return unexpected("a label of .debug_str");
    }
    next();
    if (accept('+') && !parse_count(pending.offset, "the offset of function_name")) return false;
    pending_locations_.push_back(pending);
    return true;
}

bool Parser::parse_section() {
    next();
    const bool strings = token().is_directive("debug_str");
    if (token().kind != TokenKind::directive && token().kind != TokenKind::string) return unexpected("the section's name");
    next();
    if (strings) return expect('{', "after the section's name") && parse_debug_strings();
    if (!token().is('{')) return unexpected("'{' after the section's name");
    lexer_.skip_braces();
    return expect('}', "at the end of the section");
}

// Labels and lines ".b8 95,90,0".
bool Parser::parse_debug_strings() {
    while (!accept('}')) {
        if (token().kind == TokenKind::identifier) {
            debug_labels_.emplace(token().text, debug_strings_.size());
            next();
            if (!expect(':', "after a label of .debug_str")) return false;
            continue;
        }
        if (!token().is_directive("b8")) return unexpected("a label, .b8 or '}' in .debug_str");
        next();
        do {
            std::uint64_t byte = 0;
            if (!parse_count(byte, "a byte of .debug_str")) return false;
            debug_strings_ += static_cast<char>(byte);
        } while (accept(','));
    }
    return true;
}

// A name that is not in the section stays empty: a location without it is still worth having.
void Parser::resolve_location_names() {
    if (debug_strings_.empty()) return;
    module_.names.push_back(std::make_unique<std::string>(std::move(debug_strings_)));
    const std::string_view strings = *module_.names.back();
    for (const PendingLocation& pending : pending_locations_) {
        const auto label = debug_labels_.find(pending.label);
        if (!pending.label.empty() && label == debug_labels_.end()) continue;
        const std::uint64_t base = pending.label.empty() ? 0 : label->second;
        if (pending.offset >= strings.size() || base + pending.offset >= strings.size()) continue;
        const std::string_view from = strings.substr(base + pending.offset);
        module_.locations[pending.location].function = from.substr(0, from.find('\0'));
    }
}

} // namespace apod::ptx
