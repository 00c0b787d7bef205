// What `apod transfer` shows.
#pragma once

#include "base/text_table.hpp"
#include "report/plot.hpp"
#include "transfer/result.hpp"

#include <string>
#include <vector>

namespace apod::report {

// `verbose`: also every point of the GPU against the host.
[[nodiscard]] std::string transfer_text(const transfer::Findings& findings, const TextStyle& style, bool verbose);
[[nodiscard]] std::string transfer_json(const transfer::Findings& findings); // docs/schema/apod-1.schema.json, "transfer"
// One row a figure: part, kind, direction, bytes, multiplications, streams, chunks, name, event_ns, host_ns, gbs.
[[nodiscard]] std::string transfer_csv(const transfer::Findings& findings);
[[nodiscard]] std::string transfer_markdown(const transfer::Findings& findings);
[[nodiscard]] std::vector<Plot> transfer_plots(const transfer::Findings& findings);

} // namespace apod::report
