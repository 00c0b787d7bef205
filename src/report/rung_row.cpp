#include "report/rung_row.hpp"

namespace apod::report {
namespace {

bool is_right(RungStatus status) { return status == RungStatus::ok || status == RungStatus::sampled; }

std::optional<Quantity> if_positive(const Quantity& quantity) {
    if (quantity.value > 0) return quantity;
    return std::nullopt;
}

void set_ratios(RungRow& row, const ladder::ClimbResult& climb) {
    if (!row.time_ns) return;
    const double time = row.time_ns->value;
    if (climb.useful_bytes != 0) row.effective_gbs = static_cast<double>(climb.useful_bytes) / time;
    if (row.floor_ns) row.percent_of_floor = 100 * row.floor_ns->value / time;
}

} // namespace

RungStatus rung_status(const ladder::RungResult& rung) {
    if (rung.error) return RungStatus::fault;
    switch (rung.verification) {
    case ladder::Verification::correct: return RungStatus::ok;
    case ladder::Verification::wrong: return RungStatus::wrong;
    case ladder::Verification::sampled: return RungStatus::sampled;
    case ladder::Verification::not_run: return RungStatus::skipped;
    }
    return RungStatus::fault;
}

std::string_view status_word(RungStatus status) {
    switch (status) {
    case RungStatus::ok: return "ok";
    case RungStatus::wrong: return "wrong";
    case RungStatus::sampled: return "sampled";
    case RungStatus::skipped: return "skipped";
    case RungStatus::fault: return "fault";
    }
    return "fault";
}

std::string_view status_text(RungStatus status) {
    switch (status) {
    case RungStatus::ok: return "OK";
    case RungStatus::wrong: return "WRONG";
    case RungStatus::sampled: return "SAMPLED";
    case RungStatus::skipped: return "SKIPPED";
    case RungStatus::fault: return "FAULT";
    }
    return "FAULT";
}

std::vector<RungRow> rung_rows(const ladder::ClimbResult& climb) {
    std::vector<RungRow> rows;
    std::optional<double> first;
    std::optional<double> previous;
    for (const ladder::RungResult& rung : climb.rungs) {
        RungRow row;
        row.rung = &rung;
        row.status = rung_status(rung);
        row.floor_ns = if_positive(rung.floor_ns);
        if (is_right(row.status)) row.time_ns = if_positive(rung.time_ns);
        if (row.time_ns) row.predicted_ns = rung.predicted_ns;
        if (row.time_ns) {
            const double time = row.time_ns->value;
            if (!first) first = time;
            row.speedup_over_first = *first / time;
            if (previous) row.speedup_over_previous = *previous / time;
            previous = time;
        }
        set_ratios(row, climb);
        rows.push_back(row);
    }
    return rows;
}

std::optional<RungRow> yardstick_row(const ladder::ClimbResult& climb) {
    if (!climb.yardstick || climb.yardstick->error) return std::nullopt;
    RungRow row;
    row.rung = &*climb.yardstick;
    row.time_ns = if_positive(climb.yardstick->time_ns);
    row.floor_ns = if_positive(climb.yardstick->floor_ns);
    if (!row.time_ns) return std::nullopt;
    set_ratios(row, climb);
    return row;
}

const RungRow* best_row(const std::vector<RungRow>& rows) {
    const RungRow* best = nullptr;
    for (const RungRow& row : rows)
        if (row.time_ns && (best == nullptr || row.time_ns->value < best->time_ns->value)) best = &row;
    return best;
}

} // namespace apod::report
