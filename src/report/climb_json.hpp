// A climb as one JSON document: docs/schema/apod-1.schema.json, "climb".
#pragma once

#include "ladder/climb.hpp"
#include "report/json.hpp"

#include <string>

namespace apod::report {

[[nodiscard]] Json climb_document(const ladder::ClimbResult& climb);
[[nodiscard]] std::string climb_json(const ladder::ClimbResult& climb);

} // namespace apod::report
