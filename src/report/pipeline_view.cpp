#include "report/pipeline_view.hpp"

#include "base/units.hpp"
#include "report/delimited.hpp"
#include "report/text_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace apod::report {
namespace {

std::string_view host_word(HostKind kind) {
    switch (kind) {
    case HostKind::pageable: return "pageable";
    case HostKind::pinned: return "pinned";
    case HostKind::mapped: return "mapped";
    }
    return "pageable";
}

std::string part_text(const std::optional<Quantity>& part) { return part ? format_time_ns(part->value) : nothing; }

const std::vector<std::string> header = {"rung",    "host memory", "chunks",    "streams", "copy in",
                                         "kernels", "copy out",    "both ways", "time",    "of bound"};

std::vector<std::string> cells(const RungRow& row, const std::optional<double>& bound_ns) {
    const PipelineRecord& pipeline = *row.rung->pipeline;
    const PipelineShape& shape = pipeline.shape;
    return {row.rung->name,
            std::string(host_word(shape.host)),
            std::to_string(shape.chunks),
            shape.by_stage ? "by stage" : std::to_string(shape.streams),
            part_text(pipeline.copy_in_ns),
            part_text(pipeline.kernel_ns),
            part_text(pipeline.copy_out_ns),
            part_text(pipeline.both_ways_ns),
            format_time_ns(pipeline.time_ns.value),
            bound_ns ? format_percent(*bound_ns / pipeline.time_ns.value) : nothing};
}

std::vector<std::vector<std::string>> table_of(const std::vector<RungRow>& rows) {
    const std::optional<double> bound_ns = copies_bound_ns(rows);
    std::vector<std::vector<std::string>> table;
    for (const RungRow& row : rows)
        if (row.time_ns && row.rung->pipeline) table.push_back(cells(row, bound_ns));
    return table;
}

std::optional<double> both_ways_ns(const std::vector<RungRow>& rows) {
    std::optional<double> least;
    for (const RungRow& row : rows) {
        if (!row.time_ns || !row.rung->pipeline || !row.rung->pipeline->both_ways_ns) continue;
        const double time = row.rung->pipeline->both_ways_ns->value;
        if (!least || time < *least) least = time;
    }
    return least;
}

// "Copies of 268.4 MB in and 268.4 MB out: at least 4.850 ms measured (the longer of the two alone); the link's floor is 4.260 ms."
std::string bound_line(const std::vector<RungRow>& rows) {
    for (const RungRow& row : rows) {
        if (!row.time_ns || !row.rung->pipeline) continue;
        const PipelineShape& shape = row.rung->pipeline->shape;
        std::string line = fmt::format("{} in and {} out", format_bytes(static_cast<double>(shape.bytes_in)),
                                       format_bytes(static_cast<double>(shape.bytes_out)));
        if (const std::optional<double> bound = copies_bound_ns(rows))
            line += ": copies alone take " + format_time_ns(*bound) + " at least";
        if (const std::optional<double> both = both_ways_ns(rows)) line += ", both ways at once " + format_time_ns(*both);
        if (row.floor_ns) line += fmt::format(", the link {} (theoretical)", format_time_ns(row.floor_ns->value));
        return line + ".";
    }
    return {};
}

} // namespace

std::optional<double> copies_bound_ns(const std::vector<RungRow>& rows) {
    std::optional<double> bound;
    for (const RungRow& row : rows) {
        if (!row.time_ns || !row.rung->pipeline) continue;
        const PipelineRecord& pipeline = *row.rung->pipeline;
        if (!pipeline.copy_in_ns || !pipeline.copy_out_ns) continue;
        const double longer = std::max(pipeline.copy_in_ns->value, pipeline.copy_out_ns->value);
        if (!bound || longer < *bound) bound = longer;
    }
    return bound;
}

std::string pipelines_text(const std::vector<RungRow>& rows, const TextStyle& style) {
    const std::vector<std::vector<std::string>> lines = table_of(rows);
    if (lines.empty()) return {};
    std::vector<TextColumn> columns;
    for (std::size_t i = 0; i < header.size(); ++i) columns.push_back({header[i], i < 2 ? Align::left : Align::right});
    TextTable table(std::move(columns));
    for (const std::vector<std::string>& line : lines) table.add_row({line.begin(), line.end()});
    return paragraph("", "  ", bound_line(rows), style) + "\n" + table.render(style) + "\n" +
           legend_text(
               "copy in, kernels, copy out: each alone; both ways: the two copies at once, neither waiting for the other; time: of the "
               "whole. of bound: the longer copy alone, where that is least / time.",
               style);
}

std::string pipelines_markdown(const std::vector<RungRow>& rows) {
    const std::vector<std::vector<std::string>> lines = table_of(rows);
    if (lines.empty()) return {};
    return markdown_text(bound_line(rows)) + "\n\n" +
           markdown_table(header, {false, false, true, true, true, true, true, true, true, true}, lines);
}

Json pipeline_json(const PipelineRecord& pipeline, std::optional<double> bound_ns) {
    Json json;
    json["host"] = host_word(pipeline.shape.host);
    json["chunks"] = pipeline.shape.chunks;
    json["streams"] = pipeline.shape.streams;
    if (pipeline.shape.by_stage) json["by_stage"] = true;
    json["bytes_in"] = pipeline.shape.bytes_in;
    json["bytes_out"] = pipeline.shape.bytes_out;
    for (const auto& [name, part] : {std::pair{"copy_in_ns", &pipeline.copy_in_ns},
                                     {"kernel_ns", &pipeline.kernel_ns},
                                     {"copy_out_ns", &pipeline.copy_out_ns},
                                     {"both_ways_ns", &pipeline.both_ways_ns}})
        if (*part) json[name] = to_json(**part);
    if (bound_ns) json["of_bound"] = number(*bound_ns / pipeline.time_ns.value);
    return json;
}

} // namespace apod::report
