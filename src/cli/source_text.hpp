// The text of source lines, for the tables that show counters beside it.
#pragma once

#include "ladder/ladder.hpp"
#include "report/line_table.hpp"

namespace apod::cli {

// Looks for a file at its own path, among the ladder's files, and among the files built into apod. Each is read once.
[[nodiscard]] report::SourceText source_text(const ladder::Ladder& ladder);

} // namespace apod::cli
