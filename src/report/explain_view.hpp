// What `apod explain` shows of a climb: counters per kernel and per source line, beside the line's text, and the findings.
#pragma once

#include "base/text_table.hpp"
#include "ladder/climb.hpp"
#include "report/json.hpp"
#include "report/line_table.hpp"

#include <string>

namespace apod::report {

struct ExplainTextOptions {
    TextStyle style;
    bool verbose = false; // adds every counter of the launch under its identifier, with its source
};

[[nodiscard]] std::string explain_text(const ladder::ClimbResult& climb, const SourceText& source, const ExplainTextOptions& options);

// docs/schema/apod-1.schema.json, "run": the launches of all rungs, each with the rung it belongs to.
[[nodiscard]] Json explain_document(const ladder::ClimbResult& climb);
[[nodiscard]] std::string explain_json(const ladder::ClimbResult& climb);

// One line a metric: rung, launch, kernel, file, line (both empty for the whole launch), metric, value, source.
[[nodiscard]] std::string explain_csv(const ladder::ClimbResult& climb);

[[nodiscard]] std::string explain_markdown(const ladder::ClimbResult& climb, const SourceText& source);

} // namespace apod::report
