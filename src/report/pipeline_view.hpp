// The rungs of a climb that include the way from and to the host: their copies and kernels, each alone and together.
#pragma once

#include "base/text_table.hpp"
#include "ladder/climb.hpp"
#include "report/json.hpp"
#include "report/rung_row.hpp"

#include <string>
#include <vector>

namespace apod::report {

// The bound is the larger of copy in and copy out, each alone, in the rung where that is least: no pipeline that copies does without both.
// Empty where no rung has a pipeline. Ends with a line end.
[[nodiscard]] std::string pipelines_text(const std::vector<RungRow>& rows, const TextStyle& style);
[[nodiscard]] std::string pipelines_markdown(const std::vector<RungRow>& rows);

// The bound of all rows; nothing where none has copies.
[[nodiscard]] std::optional<double> copies_bound_ns(const std::vector<RungRow>& rows);
[[nodiscard]] Json pipeline_json(const PipelineRecord& pipeline, std::optional<double> bound_ns);

} // namespace apod::report
