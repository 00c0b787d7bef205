// Printers of timings: for people, and for programs. Each gathers what it is handed over; text() is all of it.
#pragma once

#include "base/text_table.hpp"
#include "bench/printer.hpp"

#include <memory>

namespace apod::report {

// A table of the measurements, then each comparison with its reason, then notes.
[[nodiscard]] std::unique_ptr<bench::Printer> timing_text_printer(const TextStyle& style);
// {"schema":1,"timings":[...],"comparisons":[...]} with the raw samples (docs/schema/apod-1.schema.json, "timings").
[[nodiscard]] std::unique_ptr<bench::Printer> timing_json_printer();
// One row a sample: name, round, runs, time_ns, clock_mhz, throttled, held_back.
[[nodiscard]] std::unique_ptr<bench::Printer> timing_csv_printer();

} // namespace apod::report
