// Reads back what `apod transfer --json` wrote, so that a recording is shown, plotted and judged where there is no GPU.
#pragma once

#include "base/result.hpp"
#include "transfer/result.hpp"

#include <string>
#include <string_view>

namespace apod::report {

// The findings of docs/schema/apod-1.schema.json, "transfer": all that it holds, as it was said then. Not such a document:
// bad_input.
Result<transfer::Findings> transfer_from_json(std::string_view text, const std::string& file);

} // namespace apod::report
