// The JSON of a launch (to_json in json.hpp) back as the record it came from.
#pragma once

#include "apod/record.hpp"
#include "base/diagnostic.hpp"
#include "base/result.hpp"
#include "report/json.hpp"

#include <optional>

namespace apod::report {

// Missing keys leave their defaults; a value of another type is bad_input. Line records and findings are read too.
[[nodiscard]] Result<LaunchRecord> launch_from_json(const Json& json);
// A check_failed diagnostic; nothing where the JSON is none.
[[nodiscard]] std::optional<Diagnostic> diagnostic_from_json(const Json& json);

} // namespace apod::report
