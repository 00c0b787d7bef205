#include "report/climb_text.hpp"

#include "base/units.hpp"
#include "explain/explain.hpp"
#include "report/estimate_view.hpp"
#include "report/names.hpp"
#include "report/pipeline_view.hpp"
#include "report/rung_row.hpp"
#include "report/text_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

namespace apod::report {
namespace {

// One column of the ladder: how its header and its cells follow from the rows.
struct Column {
    TextColumn header;
    std::function<Cell(const RungRow&)> cell;
    bool counter = false; // moves to the second table where the terminal is narrow
};

// The source of a column where all its cells have the same; "mixed" otherwise. Cells of a mixed column say theirs each.
template<class Get> std::string column_source(const std::vector<RungRow>& rows, const Get& get) {
    std::set<std::string_view> sources;
    for (const RungRow& row : rows)
        if (const std::optional<Quantity> quantity = get(row)) sources.insert(source_name(quantity->source));
    if (sources.empty()) return {};
    return sources.size() == 1 ? std::string(*sources.begin()) : "mixed";
}

template<class Get, class Format>
Column sourced_column(const std::vector<RungRow>& rows, std::string title, const Get& get, const Format& format, bool counter) {
    const std::string source = column_source(rows, get);
    auto cell = [get, format, mixed = source == "mixed"](const RungRow& row) -> Cell {
        const std::optional<Quantity> quantity = get(row);
        if (!quantity) return {nothing, Tint::dim};
        return mixed ? format(quantity->value) + " " + std::string(source_name(quantity->source)).substr(0, 1) : format(quantity->value);
    };
    return {{std::move(title), Align::right, source}, cell, counter};
}

Column ratio_column(std::string title, std::string unit, std::optional<double> RungRow::*member, std::string (*format)(double)) {
    auto cell = [member, format](const RungRow& row) -> Cell {
        const std::optional<double>& value = row.*member;
        return value ? Cell(format(*value)) : Cell(nothing, Tint::dim);
    };
    return {{std::move(title), Align::right, std::move(unit)}, cell, false};
}

std::string factor(double value) { return format_factor(value, 3); }
std::string two_decimals(double value) { return fmt::format("{:.2f}", value); }
std::string one_decimal(double value) { return fmt::format("{:.1f}", value); }

Cell noise_cell(const RungRow& row) {
    if (!row.time_ns || !row.time_ns->noise) return {nothing, Tint::dim};
    return format_percent(*row.time_ns->noise);
}

Cell predicted_cell(const RungRow& row) {
    if (!row.predicted_ns) return {nothing, Tint::dim};
    return format_time_ns(row.predicted_ns->value);
}

// Only where it was measured: a predicted one is a metric among others.
std::optional<Quantity> cold_time(const RungRow& row) {
    const std::optional<Quantity> cold = row.time_ns ? find_metric(row.rung->metrics, "apod__time_duration_cold.sum") : std::nullopt;
    return cold && cold->source == Source::measured ? cold : std::nullopt;
}

std::vector<Column> columns(const std::vector<RungRow>& rows) {
    const auto metric_of = [](auto compute) { return [compute](const RungRow& row) { return compute(row.rung->metrics); }; };
    std::vector<Column> all;
    all.push_back({{"rung"}, [](const RungRow& row) { return Cell(row.rung->name); }});
    all.push_back({{"status"}, [](const RungRow& row) { return Cell(std::string(status_text(row.status)), status_tint(row.status)); }});
    all.push_back(sourced_column(
        rows, "time", [](const RungRow& row) { return row.time_ns; }, [](double ns) { return format_time_ns(ns); }, false));
    // A measured time has its noise and its prediction beside it.
    if (std::any_of(rows.begin(), rows.end(), [](const RungRow& row) { return row.time_ns && row.time_ns->noise; }))
        all.push_back({{"noise", Align::right, "95 %"}, noise_cell});
    if (std::any_of(rows.begin(), rows.end(), [](const RungRow& row) { return row.predicted_ns.has_value(); }))
        all.push_back({{"model", Align::right, "predicted"}, predicted_cell});
    if (std::any_of(rows.begin(), rows.end(), [](const RungRow& row) { return cold_time(row).has_value(); }))
        all.push_back(sourced_column(
            rows, "cold", cold_time, [](double ns) { return format_time_ns(ns); }, false));
    all.push_back(ratio_column("speed-up", "first", &RungRow::speedup_over_first, factor));
    all.push_back(ratio_column("over", "previous", &RungRow::speedup_over_previous, factor));
    all.push_back(ratio_column("useful", "GB/s", &RungRow::effective_gbs, digits_text));
    all.push_back(ratio_column("of floor", "%", &RungRow::percent_of_floor, digits_text));
    all.push_back(sourced_column(rows, "ld s/req", metric_of(load_sectors_per_request), two_decimals, true));
    all.push_back(sourced_column(rows, "st s/req", metric_of(store_sectors_per_request), two_decimals, true));
    all.push_back(sourced_column(rows, "conflicts", metric_of(bank_conflicts), count_text, true));
    all.push_back(sourced_column(rows, "lanes", metric_of(lanes_active), one_decimal, true));
    all.push_back({{"limiter"}, [](const RungRow& row) { return Cell(row.time_ns ? row.rung->limiter : ""); }});
    all.push_back({{"what changed"}, [](const RungRow& row) { return Cell(row.rung->what); }});
    return all;
}

template<class Keep> TextTable table_of(const std::vector<Column>& all, const std::vector<RungRow>& rows, const Keep& keep) {
    std::vector<TextColumn> headers;
    for (const Column& column : all)
        if (keep(column)) headers.push_back(column.header);
    TextTable table(std::move(headers));
    for (const RungRow& row : rows) {
        std::vector<Cell> cells;
        for (const Column& column : all)
            if (keep(column)) cells.push_back(column.cell(row));
        table.add_row(std::move(cells));
    }
    return table;
}

std::string ladder_table(const std::vector<RungRow>& rows, const TextStyle& style) {
    constexpr std::size_t room_for_text = 24;
    const std::vector<Column> all = columns(rows);
    const TextTable whole = table_of(all, rows, [](const Column&) { return true; });
    if (style.width == 0 || whole.natural_width() <= style.width || whole.fixed_width() + room_for_text <= style.width)
        return whole.render(style);
    const TextTable times = table_of(all, rows, [](const Column& column) { return !column.counter; });
    const TextTable counters = table_of(all, rows, [](const Column& column) { return column.counter || column.header.title == "rung"; });
    return times.render(style) + "\n" + counters.render(style);
}

// Where the times come from: of a device that is no emulated one they are measured, unless its driver is.
std::string time_legend(const std::vector<RungRow>& rows) {
    for (const RungRow& row : rows)
        if (row.time_ns && row.time_ns->source == Source::measured)
            return "time: measured on the GPU, caches warm; cold: L2 flushed before. model: what the emulated GPU predicts, warm. ";
    return "time: predicted by the performance model, not measured. ";
}

std::string legend(const std::vector<RungRow>& rows, const TextStyle& style) {
    const bool counters = std::any_of(rows.begin(), rows.end(), [](const RungRow& row) { return !row.rung->metrics.empty(); });
    std::string text = time_legend(rows);
    text += "useful GB/s: the bytes that the problem must move / time. of floor: floor / time. ";
    if (counters)
        text += "ld, st s/req: 32-byte sectors of each global load and store request, conflicts: shared-memory bank conflicts, "
                "lanes: active lanes of 32 in each warp instruction; counted by the emulator. ";
    text += "limiter: the resource that sets the time.";
    return legend_text(text, style);
}

// Why a rung has no time, or only a sampled one; empty where all is well.
std::string trouble(const RungRow& row, const TextStyle& style) {
    const std::string head = fmt::format("{}: ", row.rung->name);
    switch (row.status) {
    case RungStatus::ok: return {};
    case RungStatus::wrong: {
        const std::string what = row.rung->mismatch ? mismatch_text(*row.rung->mismatch) : "differs from the golden result";
        return paragraph("WRONG ", "  ", head + what, style);
    }
    case RungStatus::sampled: {
        const auto sampled =
            std::find_if(row.rung->launches.begin(), row.rung->launches.end(), [](const LaunchRecord& l) { return l.sample.has_value(); });
        if (sampled == row.rung->launches.end()) return {};
        return paragraph("SAMPLED ", "  ",
                         fmt::format("{}{} of {} blocks were run and checked; counters and time are scaled up from them", head,
                                     format_count(sampled->sample->blocks_run), format_count(sampled->sample->blocks_total)),
                         style);
    }
    case RungStatus::skipped:
        return paragraph("SKIPPED ", "  ",
                         head + (row.rung->skipped_because.empty() ? "its condition does not hold" : row.rung->skipped_because), style);
    case RungStatus::fault: {
        std::string out;
        std::string text = head + to_text(*row.rung->error) + "\n";
        for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
            out += paragraph(out.empty() ? "FAULT " : "  ", "  ", text.substr(begin, end - begin), style);
        return out;
    }
    }
    return {};
}

std::string next_step(const std::vector<RungRow>& rows, const TextStyle& style) {
    const RungRow* best = best_row(rows);
    if (best == nullptr) return paragraph("", "", "No rung gave a right result, so none has a time.", style);
    std::string head =
        fmt::format("Best rung: {}, {} {}", best->rung->name, format_time_ns(best->time_ns->value), source_name(best->time_ns->source));
    if (best->percent_of_floor) head += fmt::format(", {} of the floor", format_percent(*best->percent_of_floor / 100));
    if (!best->rung->limiter.empty()) head += fmt::format(", limited by {}", best->rung->limiter);
    std::string out = paragraph("", "  ", head + ".", style);
    if (best->rung->findings.empty()) return out + paragraph("", "  ", "No problem was found in it.", style);
    out += explain::is_defect(best->rung->findings.front()) ? "Its worst remaining problem:\n" : "No problem was found in it:\n";
    return out + finding_text(best->rung->findings.front(), "  ", style);
}

std::string shares_table(const std::vector<RungRow>& rows, const TextStyle& style) {
    TextTable table({{"rung"}, {"kernel"}, {"time", Align::right}, {"share of the time that each resource alone would need"}});
    for (const RungRow& row : rows)
        for (const LaunchRecord& launch : row.rung->launches)
            if (row.time_ns)
                table.add_row({row.rung->name, launch.kernel, format_time_ns(launch.time_ns.value), shares_text(launch.shares)});
    return table.empty() ? std::string() : table.render(style) + "\n";
}

std::string hot_lines(const std::vector<RungRow>& rows, const ClimbTextOptions& options) {
    std::string out;
    const SourceText no_text = [](const std::string&, std::uint32_t) { return std::nullopt; };
    for (const RungRow& row : rows)
        for (const LaunchRecord& launch : row.rung->launches)
            out += fmt::format("{}: {}\n", row.rung->name, launch.kernel) +
                   line_table(launch, options.source ? options.source : no_text, options.style, LinesShown::hot) + "\n";
    return out;
}

} // namespace

std::string climb_text(const ladder::ClimbResult& climb, const ClimbTextOptions& options) {
    const TextStyle& style = options.style;
    const std::vector<RungRow> rows = rung_rows(climb);
    std::string title = climb.title.empty() ? climb.ladder : climb.ladder + ": " + climb.title;
    if (!climb.parameters.empty()) title += fmt::format(" ({})", parameters_text(climb));
    std::string out = paragraph("", "  ", title, style);
    out += paragraph("", "  ", device_line(climb.device, climb.gpu, climb.emulated), style);
    if (const std::string floor = floor_line(climb); !floor.empty()) out += paragraph("", "  ", floor, style);
    out += "\n" + ladder_table(rows, style) + "\n";
    std::string troubles;
    for (const RungRow& row : rows) troubles += trouble(row, style);
    if (!troubles.empty()) out += troubles + "\n";
    if (const std::string yardstick = yardstick_line(climb, rows); !yardstick.empty()) out += paragraph("", "  ", yardstick, style);
    if (const std::string pipelines = pipelines_text(rows, style); !pipelines.empty()) out += pipelines + "\n";
    out += next_step(rows, style) + "\n";
    if (const std::string said = estimates_text(climb, style); !said.empty()) out += said + "\n";
    if (options.verbose) out += shares_table(rows, style) + hot_lines(rows, options);
    return out + legend(rows, style);
}

} // namespace apod::report
