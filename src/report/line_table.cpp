#include "report/line_table.hpp"

#include "report/line_row.hpp"
#include "report/text_parts.hpp"

#include <fmt/format.h>

#include <set>

namespace apod::report {
namespace {

std::string quantity_count(const std::optional<Quantity>& quantity) {
    return quantity ? count_text(quantity->value) : std::string(nothing);
}

bool is_hot(const LineRow& row) {
    return row.load_sectors || row.store_sectors || row.bank_conflicts || row.instruction_fraction.value_or(0) >= 0.1;
}

} // namespace

std::string line_table(const LaunchRecord& launch, const SourceText& source, const TextStyle& style, LinesShown shown) {
    std::set<std::string> files;
    for (const LineRecord& line : launch.lines) files.insert(line.file);
    if (files.empty()) return "  No source lines: the PTX has no line information (compile with nvcc -lineinfo).\n";
    std::string out;
    for (const std::string& file : files) {
        TextTable table({{"line", Align::right},
                         {"instructions", Align::right, "% of launch"},
                         {"lanes", Align::right, "of 32"},
                         {"ld sect/req", Align::right},
                         {"load sectors", Align::right},
                         {"st sect/req", Align::right},
                         {"store sectors", Align::right},
                         {"conflicts", Align::right},
                         {short_path(file)}});
        for (const LineRow& row : line_rows(launch)) {
            if (row.line->file != file || (shown == LinesShown::hot && !is_hot(row))) continue;
            std::string text = source(file, row.line->line).value_or("");
            if (!row.line->inlined_at.empty()) text += fmt::format("  (inlined at {})", short_path(row.line->inlined_at));
            table.add_row({std::to_string(row.line->line),
                           row.instruction_fraction ? fmt::format("{:.1f}", 100 * *row.instruction_fraction) : nothing,
                           row.lanes_active ? fmt::format("{:.1f}", row.lanes_active->value) : nothing,
                           ratio_text(row.load_sectors_per_request), quantity_count(row.load_sectors),
                           ratio_text(row.store_sectors_per_request), quantity_count(row.store_sectors), quantity_count(row.bank_conflicts),
                           text});
        }
        if (table.empty()) continue;
        if (!out.empty()) out += "\n";
        out += table.render(style);
    }
    return out;
}

} // namespace apod::report
