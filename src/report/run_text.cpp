#include "report/run_view.hpp"

#include "base/units.hpp"
#include "report/delimited.hpp"
#include "report/launch_text.hpp"
#include "report/names.hpp"
#include "report/text_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace apod::report {
namespace {

constexpr std::size_t launches_shown = 20;   // without verbose
constexpr std::size_t kernels_explained = 3; // at least, and all from this share of the kernels' time on
constexpr double share_explained = 0.05;

// "void tiled<32>(float*, int)" -> "tiled<32>": brackets match, the return type of templates goes.
std::string bare_name(const std::string& kernel) {
    std::size_t end = kernel.size();
    if (kernel.ends_with(')')) {
        int depth = 0;
        for (std::size_t at = kernel.size(); at-- > 0;) {
            if (kernel[at] == ')') ++depth;
            if (kernel[at] == '(' && --depth == 0) {
                end = at;
                break;
            }
        }
    }
    int depth = 0;
    for (std::size_t at = end; at-- > 0;) {
        if (kernel[at] == '>') ++depth;
        if (kernel[at] == '<') --depth;
        if (kernel[at] == ' ' && depth == 0) return kernel.substr(at + 1, end - at - 1);
    }
    return kernel.substr(0, end);
}

std::string dim_text(const Dim3& dim) {
    if (dim.y == 1 && dim.z == 1) return std::to_string(dim.x);
    if (dim.z == 1) return fmt::format("{}x{}", dim.x, dim.y);
    return fmt::format("{}x{}x{}", dim.x, dim.y, dim.z);
}

std::string share_text(double part, double whole) { return whole > 0 ? format_percent(part / whole) : nothing; }

// Where the device's time went: kernels and each kind of copy, which add up to the last line.
std::string stage_table(const RunRecord& record, const TextStyle& style) {
    TextTable table({{"time", Align::right, "predicted"},
                     {"share", Align::right},
                     {"times", Align::right},
                     {"bytes", Align::right},
                     {"rate", Align::right},
                     {"on the device"}});
    const double whole = record.kernel_ns() + record.copy_ns();
    const auto row = [&](const char* what, double time_ns, std::uint64_t count, const CopyTotal* copies) {
        const double bytes = copies == nullptr ? 0 : static_cast<double>(copies->bytes);
        table.add_row({format_time_ns(time_ns), share_text(time_ns, whole), format_count(count),
                       copies == nullptr ? std::string(nothing) : format_bytes(bytes),
                       copies == nullptr || time_ns <= 0 ? std::string(nothing) : format_rate(bytes / time_ns * 1e9), what});
    };
    const std::uint64_t launches = record.launch_count() - record.apods_own().count;
    std::uint64_t all = record.only_ran() ? 0 : launches;
    if (record.only_ran())
        table.add_row({nothing, nothing, format_count(launches), nothing, nothing, "kernels, which only ran"});
    else if (all != 0)
        row("kernels", record.kernel_ns(), all, nullptr);
    for (const auto& [direction, total] : record.copies) {
        all += total.count;
        row(direction == "fill" ? "fill" : ("copy " + direction).c_str(), total.time_ns, total.count, &total);
    }
    row(record.only_ran() ? "all but the kernels" : "all", whole, all, nullptr);
    return table.render(style);
}

// A ratio that may be far below 1: "0.0593 %".
std::string small_percent(double ratio) { return format_significant(100 * ratio, 3) + " %"; }

// `whole_ns`: of the device, copies included.
std::string kernel_table(const std::vector<KernelTotal>& totals, double kernels_ns, double whole_ns, const TextStyle& style) {
    TextTable table({{"time", Align::right, "predicted"},
                     {"share", Align::right, "of kernels"},
                     {"launches", Align::right},
                     {"average", Align::right, "predicted"},
                     {"of floor", Align::right},
                     {"at floor", Align::right, "all faster"},
                     {"limiter", Align::left, "longest launch"},
                     {"kernel"}});
    for (const KernelTotal& total : totals)
        table.add_row({format_time_ns(total.time_ns), share_text(total.time_ns, kernels_ns), format_count(total.launches),
                       format_time_ns(total.time_ns / static_cast<double>(total.launches)),
                       total.time_ns > 0 ? small_percent(total.floor_ns / total.time_ns) : std::string(nothing),
                       format_factor(whole_ns / std::max(whole_ns - total.time_ns + total.floor_ns, 1e-3)), total.costliest->limiter,
                       total.kernel});
    return table.render(style);
}

std::string dram_text(const MetricMap& metrics) {
    const auto read = find_metric(metrics, "dram__bytes_read.sum");
    const auto written = find_metric(metrics, "dram__bytes_write.sum");
    return read || written ? format_bytes((read ? read->value : 0) + (written ? written->value : 0), 3) : std::string(nothing);
}

// What a row shows of a launch beside its number and how often it ran.
std::vector<std::string> launch_cells(const LaunchRecord& launch) {
    const std::optional<Quantity> conflicts = bank_conflicts(launch.metrics);
    return {dim_text(launch.grid),
            dim_text(launch.block),
            format_time_ns(kernel_ns(launch)),
            launch.limiter,
            ratio_text(load_sectors_per_request(launch.metrics)),
            ratio_text(store_sectors_per_request(launch.metrics)),
            conflicts ? count_text(conflicts->value) : nothing,
            ratio_text(lanes_active(launch.metrics)),
            dram_text(launch.metrics),
            bare_name(launch.kernel)};
}

// Launches that would be told by the same words: kernels that swap their buffers differ by a byte in what the caches did.
struct LaunchLine {
    std::vector<std::string> cells;
    std::uint32_t first = 0;
    std::uint64_t count = 0;
};

std::vector<LaunchLine> launch_lines(const RunRecord& record, std::vector<std::string> (*cells_of)(const LaunchRecord&)) {
    std::vector<LaunchLine> lines;
    std::map<std::vector<std::string>, std::size_t> known;
    for (const CountedLaunch& launch : record.launches) {
        if (is_apods_own(launch.record)) continue;
        std::vector<std::string> cells = cells_of(launch.record);
        const auto [found, is_new] = known.try_emplace(cells, lines.size());
        if (is_new) lines.push_back({std::move(cells), launch.record.index, 0});
        lines[found->second].count += launch.count;
    }
    return lines;
}

std::string launch_table(const std::vector<LaunchLine>& lines, const TextStyle& style) {
    TextTable table({{"#", Align::right},
                     {"times", Align::right},
                     {"grid", Align::right},
                     {"block", Align::right},
                     {"time", Align::right, "predicted"},
                     {"limiter"},
                     {"ld sect", Align::right, "a request"},
                     {"st sect", Align::right, "a request"},
                     {"conflicts", Align::right},
                     {"lanes", Align::right, "of 32"},
                     {"DRAM", Align::right, "B"},
                     {"kernel"}});
    for (const LaunchLine& line : lines) {
        std::vector<Cell> cells = {std::to_string(line.first), line.count > 1 ? format_count(line.count) : std::string()};
        cells.insert(cells.end(), line.cells.begin(), line.cells.end());
        table.add_row(std::move(cells));
    }
    return table.render(style);
}

// Of a run in which nothing was counted.
std::string ran_table(const RunRecord& record, bool verbose, const TextStyle& style) {
    const std::vector<LaunchLine> lines = launch_lines(record, [](const LaunchRecord& launch) {
        return std::vector{dim_text(launch.grid), dim_text(launch.block), bare_name(launch.kernel)};
    });
    TextTable table({{"launches", Align::right}, {"grid", Align::right}, {"block", Align::right}, {"kernel"}});
    const std::size_t shown = verbose ? lines.size() : std::min(lines.size(), launches_shown);
    for (std::size_t i = 0; i < shown; ++i)
        table.add_row({format_count(lines[i].count), lines[i].cells[0], lines[i].cells[1], lines[i].cells[2]});
    const std::size_t more = lines.size() - shown;
    return table.render(style) +
           (more != 0 ? fmt::format("{} further kinds of launches: -v shows all\n", format_count(more)) : std::string());
}

std::vector<const CountedLaunch*> programs_own(const RunRecord& record) {
    std::vector<const CountedLaunch*> launches;
    for (const CountedLaunch& launch : record.launches)
        if (!is_apods_own(launch.record)) launches.push_back(&launch);
    return launches;
}

std::string apods_own_line(const RunRecord& record, const TextStyle& style) {
    const CountedTime own = record.apods_own();
    if (own.count == 0) return {};
    return paragraph("", "  ",
                     fmt::format("{} launches ({}) of apod's own kernels, with which it times, are in none of these figures",
                                 format_count(own.count), format_time_ns(own.time_ns)),
                     style);
}

// Headline, notes and help, each on its line.
std::string fault_text(const Diagnostic& fault, const TextStyle& style) {
    const std::string text = to_text(fault);
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::size_t first = std::min(text.find_first_not_of(' ', at), end);
        out += paragraph(at == 0 ? "fault: " : "  ", "    ", text.substr(first, end - first), style);
        at = end + 1;
    }
    return out;
}

// A line or two for each: what `apod check` says at length.
std::string failed_calls(const RunRecord& record, const TextStyle& style) {
    if (record.failed_calls.empty()) return {};
    std::string out = "\nCalls that failed (apod check shows more):\n";
    for (const CheckReport& call : record.failed_calls) {
        const std::string times = call.count > 1 ? fmt::format(" ({} times)", format_count(call.count)) : "";
        const std::string kernel = call.kernel.empty() ? "" : fmt::format("; the kernel {} did not run", call.kernel);
        const std::string place = call.host.empty() ? "" : ", in " + call.host.front();
        out += paragraph("  ", "    ", call.message + kernel + place + times, style);
    }
    return out;
}

std::string explained(const std::vector<KernelTotal>& totals, double kernels_ns, const RunTextOptions& options) {
    std::string out;
    std::size_t kernels_left = 0;
    std::size_t findings_left = 0;
    for (std::size_t i = 0; i < totals.size(); ++i) {
        const LaunchRecord& launch = *totals[i].costliest;
        if (!options.verbose && i >= kernels_explained && totals[i].time_ns < share_explained * kernels_ns) {
            kernels_left += launch.findings.empty() ? 0 : 1;
            findings_left += launch.findings.size();
            continue;
        }
        out += "\n" + tinted(fmt::format("{} (launch {})", totals[i].kernel, launch.index), Tint::strong, options.style.colour) + "\n" +
               launch_facts(launch, true, options.style);
        if (options.verbose) out += "\n" + line_table(launch, options.source, options.style, LinesShown::all) + "\n";
        for (const Finding& finding : launch.findings) out += finding_text(finding, "  ", options.style);
        if (launch.findings.empty()) out += "  No findings.\n";
    }
    if (findings_left == 0) return out;
    return out + fmt::format("\n{} findings of {} shorter kernels: -v shows them, --json has them\n", findings_left, kernels_left);
}

// None has any: the program was compiled without -lineinfo.
bool lacks_lines(const std::vector<const CountedLaunch*>& launches) {
    return std::all_of(launches.begin(), launches.end(), [](const CountedLaunch* launch) { return launch->record.lines.empty(); });
}

// The kernels, and each launch.
std::string launches_text(const RunRecord& record, const std::vector<KernelTotal>& totals, const RunTextOptions& options) {
    const std::vector<const CountedLaunch*> own = programs_own(record);
    if (own.empty()) return {};
    std::string out = "\n";
    if (record.only_ran()) {
        out += ran_table(record, options.verbose, options.style);
    } else {
        std::vector<LaunchLine> lines = launch_lines(record, launch_cells);
        const std::size_t all = lines.size();
        if (!options.verbose) lines.resize(std::min(all, launches_shown));
        out += kernel_table(totals, record.kernel_ns(), record.kernel_ns() + record.copy_ns(), options.style) + "\n" +
               launch_table(lines, options.style);
        if (lines.size() < all) out += fmt::format("{} further kinds of launches: -v shows all\n", format_count(all - lines.size()));
        if (lacks_lines(own)) out += "No source lines: the program was compiled without -lineinfo (nvcc)\n";
    }
    if (record.uncounted() == 0) return out;
    return out + fmt::format("{} of {} launches only ran (--counted): {}\n", format_count(record.uncounted()),
                             format_count(record.launch_count()),
                             record.only_ran() ? "nothing was counted and no time predicted"
                                               : "they are shown with the figures of an earlier one of their shape");
}

} // namespace

std::vector<KernelTotal> kernel_totals(const RunRecord& record) {
    std::map<std::string, KernelTotal> by_name;
    for (const auto& [launch, count, uncounted] : record.launches) {
        if (is_apods_own(launch) || uncounted == count) continue;
        KernelTotal& total = by_name[bare_name(launch.kernel)];
        total.kernel = bare_name(launch.kernel);
        total.launches += count;
        total.time_ns += kernel_ns(launch) * static_cast<double>(count);
        total.floor_ns += launch.floor_ns.value * static_cast<double>(count);
        if (total.costliest == nullptr || kernel_ns(launch) > kernel_ns(*total.costliest)) total.costliest = &launch;
    }
    std::vector<KernelTotal> totals;
    for (auto& [name, total] : by_name) totals.push_back(std::move(total));
    std::stable_sort(totals.begin(), totals.end(), [](const KernelTotal& a, const KernelTotal& b) { return a.time_ns > b.time_ns; });
    return totals;
}

std::string run_text(const RunView& run, const RunTextOptions& options) {
    const RunRecord& record = run.record;
    const TextStyle& style = options.style;
    std::string out = paragraph("", "  ", device_line(run.device, run.gpu, true), style);
    const std::string failed = failed_calls(record, style);
    if (record.launches.empty() && record.copies.empty())
        return out + (failed.empty() ? "The program used no device.\n" : "No kernel ran and nothing was copied.\n" + failed);
    out += "\n" + stage_table(record, style) + apods_own_line(record, style);
    const std::vector<KernelTotal> totals = kernel_totals(record);
    if (!record.launches.empty()) out += launches_text(record, totals, options);
    for (const Diagnostic& fault : record.faults) out += "\n" + fault_text(fault, style);
    out += failed;
    if (!record.findings.empty()) out += "\naround the kernels\n";
    for (const Finding& finding : record.findings) out += finding_text(finding, "  ", style);
    if (!totals.empty())
        out += "\n" + paragraph("", "",
                                "of floor: the shortest time that the bytes and operations of the launches allow / their time. at floor: "
                                "how many times faster all that the device does would be if this kernel took no longer than that "
                                "(Amdahl's law).",
                                style);
    return out + explained(totals, record.kernel_ns(), options);
}

std::string run_markdown(const RunView& run) {
    std::vector<std::vector<std::string>> rows;
    const double kernels = run.record.kernel_ns();
    for (const CountedLaunch* ran : run.record.only_ran() ? programs_own(run.record) : std::vector<const CountedLaunch*>())
        rows.push_back({bare_name(ran->record.kernel), format_count(ran->count), nothing, nothing, nothing, nothing});
    for (const KernelTotal& total : kernel_totals(run.record))
        rows.push_back({total.kernel, format_count(total.launches), format_time_ns(total.time_ns), share_text(total.time_ns, kernels),
                        small_percent(total.floor_ns / total.time_ns), total.costliest->limiter});
    return fmt::format("### {} on {}\n\n", markdown_text(run.record.program), markdown_text(run.device)) +
           markdown_table({"kernel", "launches", "time (predicted)", "share", "of floor", "limiter"},
                          {false, true, true, true, true, false}, rows);
}

} // namespace apod::report
