// JSON of the records that every command shares. The shapes are those of docs/schema/apod-1.schema.json; keys keep the order in which they
// are put, numbers are exact (the shortest text that reads back as the same double), text is always valid UTF-8.
#pragma once

#include "apod/record.hpp"
#include "arch/gpu.hpp"
#include "base/diagnostic.hpp"
#include "base/json_document.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace apod::report {

using Json = nlohmann::ordered_json;

inline constexpr int schema_version = json_schema;

// An integer where the value is one; null where it is not finite.
[[nodiscard]] Json number(double value);
[[nodiscard]] Json to_json(const Quantity& quantity);
[[nodiscard]] Json to_json(const MetricMap& metrics);
[[nodiscard]] Json to_json(const Finding& finding);
[[nodiscard]] Json to_json(const std::vector<Finding>& findings);
[[nodiscard]] Json to_json(const LaunchRecord& launch);
[[nodiscard]] Json to_json(const Diagnostic& diagnostic);

// The device of a run: what its numbers refer to.
[[nodiscard]] Json device_json(const std::string& id, const arch::Gpu& gpu, bool emulated);

// The document as text, indented by two, with a final line end. Malformed UTF-8 in strings becomes U+FFFD.
[[nodiscard]] std::string dump(const Json& document);

} // namespace apod::report
