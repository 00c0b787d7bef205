// The reports of `apod check`: as text with the lines of source they name, and as JSON (docs/schema/apod-1.schema.json, "check").
#pragma once

#include "apod/check.hpp"
#include "base/text_table.hpp"
#include "report/json.hpp"
#include "report/line_table.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apod::report {

struct CheckView {
    std::string subject; // the ladder or the program
    std::string device;
    const std::vector<CheckReport>& reports;
    std::vector<Diagnostic> errors; // what could not be run
    std::string stopped = {};       // how it ended before it was done: "after 3 s, while ..."; empty: it did not
};

// "out-of-bounds", "race", ...: identifiers that stay.
[[nodiscard]] std::string_view check_kind_name(CheckKind kind);

[[nodiscard]] std::string check_text(const CheckView& view, const SourceText& source, const TextStyle& style);
[[nodiscard]] std::string check_json(const CheckView& view);
[[nodiscard]] std::string check_csv(const CheckView& view);
[[nodiscard]] std::string check_markdown(const CheckView& view);

[[nodiscard]] Json to_json(const CheckReport& report);
// Nothing when a member is missing or of another type.
[[nodiscard]] std::optional<CheckReport> check_from_json(const Json& json);

} // namespace apod::report
