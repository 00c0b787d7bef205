// The ladder for people: one line a rung, what is wrong with the rungs that failed, what is still wrong with the best one.
#pragma once

#include "base/text_table.hpp"
#include "ladder/climb.hpp"
#include "report/line_table.hpp"

#include <string>

namespace apod::report {

struct ClimbTextOptions {
    TextStyle style;
    bool verbose = false; // adds where each rung's time goes, by resource and by source line
    SourceText source;    // for the lines; may be empty
};

// Ends with a line end. Where the table is wider than the terminal, the counters move to a table of their own below it.
[[nodiscard]] std::string climb_text(const ladder::ClimbResult& climb, const ClimbTextOptions& options);

} // namespace apod::report
