#include "base/units.hpp"
#include "base/utf8.hpp"
#include "report/check_view.hpp"
#include "report/text_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace apod::report {
namespace {

std::string index_text(const CheckIndex& index) { return fmt::format("({}, {}, {})", index.x, index.y, index.z); }

std::string line_text(const std::string& file, std::uint32_t line) { return fmt::format("{}:{}", short_path(file), line); }

// The line itself, as it is in the file.
std::string excerpt(const std::string& file, std::uint32_t line, const SourceText& source, const TextStyle& style) {
    const std::optional<std::string> text = source ? source(file, line) : std::nullopt;
    if (!text) return {};
    const std::size_t first = text->find_first_not_of(" \t");
    if (first == std::string::npos) return {};
    return tinted(fmt::format("      {:>5} | {}", line, printable(text->substr(first))), Tint::dim, style.colour) + "\n";
}

// "function at file:line" or "file:line" -> the place.
std::pair<std::string, std::uint32_t> place_of(const std::string& call) {
    const std::size_t at = call.rfind(" at ");
    const std::string place = at == std::string::npos ? call : call.substr(at + 4);
    const std::size_t colon = place.rfind(':');
    if (colon == std::string::npos) return {place, 0};
    return {place.substr(0, colon), static_cast<std::uint32_t>(std::strtoul(place.c_str() + colon + 1, nullptr, 10))};
}

std::string side_text(const std::string& label, const CheckAccess& access, bool device, const SourceText& source, const TextStyle& style) {
    std::string where = access.what;
    if (!access.place.file.empty())
        where += (where.empty() ? "" : " ") + fmt::format("in {}", line_text(access.place.file, access.place.line));
    if (device) where += fmt::format(" by thread {} of block {}", index_text(access.thread), index_text(access.block));
    std::string out = paragraph("  " + label, "      ", where, style);
    out += excerpt(access.place.file, access.place.line, source, style);
    for (const std::string& call : access.place.inlined_at) {
        out += paragraph("    inlined: ", "      ", call, style);
        const auto [file, line] = place_of(call);
        out += excerpt(file, line, source, style);
    }
    return out;
}

std::string object_text(const CheckReport& report) {
    const CheckObject& object = *report.object;
    const std::string name = object.name.empty() ? "" : fmt::format(" '{}'", object.name);
    return fmt::format("address {:#x}: offset {} of {} memory{}, {}", report.address, object.offset, object.space, name,
                       format_bytes(static_cast<double>(object.bytes)));
}

// "allocation 2: cudaMalloc, called by main at app.cu:12", with the line.
std::string giver_text(const CheckObject& object, const SourceText& source, const TextStyle& style) {
    if (object.given_by.empty()) return {};
    std::string text = fmt::format("allocation {}: {}", object.number, object.given_by);
    if (object.given_at.empty()) return paragraph("  ", "    ", text, style);
    const std::string& call = object.given_at.front();
    const auto [file, line] = place_of(call);
    if (line == 0) return paragraph("  ", "    ", fmt::format("{}, called by {}", text, call), style);
    return paragraph("  ", "    ", fmt::format("{} in {}", text, line_text(file, line)), style) + excerpt(file, line, source, style);
}

std::string report_text(const CheckReport& report, const SourceText& source, const TextStyle& style) {
    const std::string times = report.count > 1 ? fmt::format(" ({} times)", format_count(report.count)) : "";
    const std::string kernel = report.kernel.empty() ? "" : fmt::format(" in {}", report.kernel);
    std::string out = tinted(fmt::format("{}{}{}", check_kind_name(report.kind), kernel, times), Tint::bad, style.colour) + "\n";
    out += paragraph("  ", "    ", report.message, style);
    const bool device = !report.kernel.empty() && report.kind != CheckKind::failed_call;
    const bool has_side = device || (!report.access.what.empty() && !report.access.place.file.empty());
    if (has_side) out += side_text("", report.access, device, source, style);
    for (const std::string& call : report.host) {
        out += paragraph("  called by ", "      ", call, style);
        const auto [file, line] = place_of(call);
        const bool shown = has_side && file == report.access.place.file && line == report.access.place.line;
        if (line != 0 && !shown) out += excerpt(file, line, source, style);
    }
    if (report.other) out += side_text("and ", *report.other, true, source, style);
    if (report.object && report.kind != CheckKind::leak) {
        out += paragraph("  ", "    ", object_text(report), style);
        out += giver_text(*report.object, source, style);
    }
    for (const std::string& note : report.notes) out += paragraph("  ", "    ", note, style);
    if (!report.advice.empty()) out += paragraph("  try: ", "       ", report.advice, style);
    return out;
}

// Places in PTX: the program has no line information. (A ladder's own .ptx is a source.)
bool lacks_lines(const std::vector<CheckReport>& reports) {
    return std::any_of(reports.begin(), reports.end(),
                       [](const CheckReport& report) { return report.access.place.file.starts_with("PTX of "); });
}

} // namespace

std::string check_text(const CheckView& view, const SourceText& source, const TextStyle& style) {
    std::string out;
    for (const CheckReport& report : view.reports) out += report_text(report, source, style) + "\n";
    if (lacks_lines(view.reports)) out += "Lines are those of the PTX: compile with -lineinfo to have those of the source.\n\n";
    for (const Diagnostic& error : view.errors) out += to_text(error) + "\n\n";
    const std::size_t count = view.reports.size();
    const std::string found = count == 0 ? "no mistakes found" : count == 1 ? "1 mistake found" : fmt::format("{} mistakes found", count);
    const std::string stopped =
        view.stopped.empty() ? "" : fmt::format("\nIt was stopped {}.\nWhat it had not done until then is not checked.", view.stopped);
    return out + fmt::format("{}: {}{}, on {}{}\n", view.subject, found, view.stopped.empty() ? "" : " until it was stopped", view.device,
                             stopped);
}

} // namespace apod::report
