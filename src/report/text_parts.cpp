#include "report/text_parts.hpp"

#include "arch/memory_bound.hpp"
#include "base/units.hpp"
#include "base/utf8.hpp"
#include "report/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apod::report {

Tint status_tint(RungStatus status) {
    switch (status) {
    case RungStatus::ok: return Tint::good;
    case RungStatus::sampled: return Tint::warning;
    case RungStatus::skipped: return Tint::dim;
    case RungStatus::wrong:
    case RungStatus::fault: return Tint::bad;
    }
    return Tint::none;
}

std::string device_line(const std::string& id, const arch::Gpu& gpu, bool emulated) {
    return fmt::format("{}: {}{}, {} SMs at {:.0f} MHz, {} {} theoretical peak", id, gpu.name, emulated ? " (emulated)" : "", gpu.sm_count,
                       gpu.boost_mhz, format_rate(gpu.memory.peak_gbs * 1e9), gpu.memory.type);
}

std::string parameters_text(const ladder::ClimbResult& climb) {
    std::string text;
    for (const auto& [name, value] : climb.parameters) {
        if (!text.empty()) text += ", ";
        const auto choice = climb.choices.find(name);
        text += choice != climb.choices.end() ? fmt::format("{} = {}", name, choice->second) : fmt::format("{} = {}", name, value);
    }
    return text;
}

namespace {

// "134.2 MB / 4814 GB/s"; of less than all, what L2 keeps between repetitions is named.
std::string bytes_term(const ladder::ClimbResult& climb) {
    const double bytes = static_cast<double>(climb.useful_bytes);
    const arch::MemoryBound bound = arch::memory_bound(climb.gpu, bytes, static_cast<double>(climb.distinct_bytes));
    const std::string rate = format_rate(bound.gbs * 1e9);
    if (bound.of_l2) return fmt::format("{} / {} of L2", format_bytes(bytes), rate);
    if (bound.bytes == bytes) return fmt::format("{} / {}", format_bytes(bytes), rate);
    return fmt::format("{} of {} that L2 cannot keep / {}", format_bytes(bound.bytes), format_bytes(bytes), rate);
}

} // namespace

std::string floor_line(const ladder::ClimbResult& climb) {
    const auto with_floor = std::find_if(climb.rungs.begin(), climb.rungs.end(), [](const auto& rung) { return rung.floor_ns.value > 0; });
    if (with_floor == climb.rungs.end()) return {};
    std::vector<std::string> terms;
    if (climb.useful_bytes != 0) terms.push_back(bytes_term(climb));
    if (climb.operations > 0) {
        const std::string unit = climb.operation_type.empty() ? "operation" : climb.operation_type;
        const double gflops = climb.operation_type == "fp64" ? climb.gpu.fp64_gflops() : climb.gpu.fp32_gflops();
        const bool floating = climb.operation_type == "fp32" || climb.operation_type == "fp64";
        terms.push_back(fmt::format("{} {} operations", format_count_short(climb.operations), unit) +
                        (floating ? " / " + format_operation_rate(gflops * 1e9) : std::string()));
    }
    std::string formula;
    if (terms.size() == 1) formula = terms.front() + " = ";
    if (terms.size() == 2) formula = fmt::format("max({}, {}) = ", terms[0], terms[1]);
    return fmt::format("floor: {}{} ({})", formula, format_time_ns(with_floor->floor_ns.value), source_name(with_floor->floor_ns.source));
}

std::string yardstick_line(const ladder::ClimbResult& climb, const std::vector<RungRow>& rows) {
    const std::optional<RungRow> row = yardstick_row(climb);
    if (!row) return {};
    std::string text =
        fmt::format("Yardstick {}: {} {}", row->rung->name, format_time_ns(row->time_ns->value), source_name(row->time_ns->source));
    if (row->effective_gbs) text += fmt::format(", {} useful", format_rate(*row->effective_gbs * 1e9));
    if (const RungRow* best = best_row(rows))
        text += fmt::format("; the best rung takes {} its time", format_factor(best->time_ns->value / row->time_ns->value));
    return text + ".";
}

std::string mismatch_text(const ladder::Mismatch& mismatch) {
    std::string place = mismatch.buffer;
    for (const std::uint64_t coordinate : mismatch.coordinates) place += fmt::format("[{}]", coordinate);
    if (mismatch.coordinates.size() != 1) place += fmt::format(" (element {})", mismatch.index);
    return fmt::format("{} is {}, expected {}; {} of {} elements differ", place, mismatch.actual, mismatch.expected,
                       format_count(mismatch.differing), format_count(mismatch.compared));
}

std::string shares_text(const std::vector<LimiterShare>& shares) {
    std::string text;
    for (const LimiterShare& share : shares) {
        if (share.fraction < 0.01) continue;
        if (!text.empty()) text += ", ";
        text += fmt::format("{} {:.0f}%", share.name, 100 * share.fraction); // no space: it must not break there
    }
    return text;
}

std::string digits_text(double value) {
    if (value > 0 && value < 0.001) return "<0.001";
    return format_significant(value, value >= 1000 ? 4 : 3);
}

std::string legend_text(const std::string& text, const TextStyle& style) {
    std::string out;
    for (const std::string& line : wrap(text, style.width == 0 ? prose_width : std::max<std::size_t>(style.width, 20)))
        out += tinted(line, Tint::dim, style.colour) + "\n";
    return out;
}

std::string count_text(double count) {
    if (!std::isfinite(count)) return nothing;
    if (count >= 1e12) return format_count_short(count, 4);
    if (count == std::trunc(count)) return format_count(static_cast<std::int64_t>(count));
    return format_significant(count, 4);
}

std::string ratio_text(const std::optional<Quantity>& quantity) {
    return quantity && std::isfinite(quantity->value) ? fmt::format("{:.2f}", quantity->value) : nothing;
}

std::string paragraph(const std::string& first, const std::string& rest, const std::string& text, const TextStyle& style) {
    const std::size_t indent = std::max(display_width(first), display_width(rest));
    const std::size_t width = style.width == 0 ? prose_width : style.width;
    const std::size_t room = std::max<std::size_t>(width > indent ? width - indent : 0, 20);
    std::string out;
    for (const std::string& line : wrap(printable(text), room, LongWords::keep)) out += (out.empty() ? first : rest) + line + "\n";
    return out;
}

std::string finding_text(const Finding& finding, const std::string& indent, const TextStyle& style) {
    std::string title = finding.title;
    if (finding.gain_ns) title += fmt::format(" (repairing it may save about {}, predicted)", format_time_ns(*finding.gain_ns, 3));
    const std::string inner = indent + "  ";
    std::string out = paragraph(indent, inner, title, style);
    if (!finding.evidence.empty()) out += paragraph(inner, inner, finding.evidence, style);
    if (!finding.file.empty())
        out += paragraph(inner + "at ", inner + "   ", fmt::format("{}:{}", short_path(finding.file), finding.line), style);
    if (!finding.advice.empty()) out += paragraph(inner + "try: ", inner + "     ", finding.advice, style);
    return out;
}

std::string short_path(const std::string& path) {
    const std::size_t workloads = path.rfind("workloads/");
    if (workloads != std::string::npos) return path.substr(workloads);
    const std::size_t last = path.rfind('/');
    if (last == std::string::npos || last == 0) return path;
    const std::size_t parent = path.rfind('/', last - 1);
    return parent == std::string::npos ? path : path.substr(parent + 1);
}

} // namespace apod::report
