// What the views show of one rung beside the record itself: its status and the ratios between rungs.
#pragma once

#include "ladder/climb.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace apod::report {

enum class RungStatus : std::uint8_t { ok, wrong, sampled, skipped, fault };

struct RungRow {
    const ladder::RungResult* rung = nullptr; // of the ClimbResult that the rows were made from
    RungStatus status = RungStatus::ok;
    std::optional<Quantity> time_ns;             // nothing when the rung is not right: a wrong rung has no time
    std::optional<Quantity> floor_ns;            // nothing when it is not known
    std::optional<Quantity> predicted_ns;        // beside a measured time
    std::optional<double> speedup_over_first;    // over the first rung that has a time: 1 for that one
    std::optional<double> speedup_over_previous; // over the nearest rung before that has a time
    std::optional<double> effective_gbs;         // useful bytes of the problem / time, 1e9 bytes a second
    std::optional<double> percent_of_floor;      // 100 * floor / time: 100 is the best that physics allows
};

[[nodiscard]] RungStatus rung_status(const ladder::RungResult& rung);
[[nodiscard]] std::string_view status_word(RungStatus status); // ok, wrong, ...: for programs
[[nodiscard]] std::string_view status_text(RungStatus status); // OK, WRONG, ...: for people

// One row a rung, in the same order.
[[nodiscard]] std::vector<RungRow> rung_rows(const ladder::ClimbResult& climb);

// The yardstick, where the ladder has one that ran: its results are not compared, so its status says nothing.
[[nodiscard]] std::optional<RungRow> yardstick_row(const ladder::ClimbResult& climb);

// The fastest right rung; nullptr when none has a time.
[[nodiscard]] const RungRow* best_row(const std::vector<RungRow>& rows);

} // namespace apod::report
