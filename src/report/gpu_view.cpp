#include "report/gpu_view.hpp"

#include "base/units.hpp"
#include "report/delimited.hpp"
#include "report/names.hpp"
#include "report/text_parts.hpp"

#include <fmt/format.h>

#include <utility>

namespace apod::report {
namespace {

using Line = std::pair<std::string, std::string>; // what, value

std::string yes_no(const std::optional<bool>& value, const char* yes = "on", const char* no = "off") {
    return !value ? "not told" : *value ? yes : no;
}

std::string kib(std::uint64_t bytes) { return format_bytes_binary(static_cast<double>(bytes), 4); }

std::string cuda_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

std::string link_text(const device::DeviceFacts& f) {
    if (!f.pcie_generation_max || !f.pcie_width_max) return "not told";
    std::string text = fmt::format("PCIe {}.0 x{} at most", *f.pcie_generation_max, *f.pcie_width_max);
    if (f.pcie_gbs() > 0) text += fmt::format(" ({:.1f} GB/s a direction)", f.pcie_gbs());
    if (f.pcie_generation && f.pcie_width) text += fmt::format(", now {}.0 x{}", *f.pcie_generation, *f.pcie_width);
    if (f.numa_node && *f.numa_node >= 0) text += fmt::format("; host memory node {}", *f.numa_node);
    return text;
}

std::string modes_text(const device::DeviceFacts& f) {
    std::string text =
        fmt::format("ECC {}, MIG {}, persistence {}, compute mode {}", yes_no(f.ecc), yes_no(f.mig), yes_no(f.persistence), f.compute_mode);
    if (f.power_limit_w) text += fmt::format(", power limit {:.0f} W", *f.power_limit_w);
    return text;
}

std::string counters_text(const device::DeviceFacts& f) {
    std::string text = yes_no(f.counters.allowed, "allowed", "refused");
    if (!f.counters.allowed) text = "not known";
    text += ": " + f.counters.why;
    if (!f.counters.how.empty()) text += "; " + f.counters.how;
    return text;
}

std::string rates_text(const arch::Gpu& gpu) {
    const double clocks = gpu.sm_count * gpu.clock_ghz(); // 1e9 SM clocks a second
    std::string text = fmt::format("FP32 {} x {:.0f} x 2 x {:.0f} MHz = {}, FP64 {}", gpu.sm_count, gpu.throughput.fp32, gpu.boost_mhz,
                                   format_operation_rate(gpu.fp32_gflops() * 1e9), format_operation_rate(gpu.fp64_gflops() * 1e9));
    if (const double tensor = 2 * gpu.throughput.tensor_half; tensor > 0)
        text += fmt::format(", FP16 tensor (dense) {} x {:.0f} x {:.0f} MHz = {}", gpu.sm_count, tensor, gpu.boost_mhz,
                            format_operation_rate(tensor * clocks * 1e9));
    return text;
}

std::string driver_text(const device::DeviceFacts& f) {
    if (f.emulated) return "apod's own libcuda over the emulator: nothing here is measured";
    return fmt::format("{}, CUDA {}", f.driver_version.empty() ? "version not told" : f.driver_version, cuda_text(f.cuda_version));
}

std::vector<Line> lines_of(const PresentGpu& present) {
    const device::DeviceFacts& f = present.facts;
    const arch::Gpu& gpu = present.gpu;
    std::vector<Line> lines;
    lines.emplace_back("compute",
                       fmt::format("capability {}.{}, {} SMs, up to {:.0f} MHz", f.cc.major, f.cc.minor, f.sm_count, f.boost_mhz));
    lines.emplace_back("memory", fmt::format("{} {}, {:.0f} MHz, {} bit", kib(f.memory_bytes), f.known_as.empty() ? "" : gpu.memory.type,
                                             f.memory_mhz, f.bus_bits));
    lines.emplace_back("bandwidth",
                       fmt::format("2 x {:.0f} MHz x {} bit / 8 = {:.0f} GB/s (theoretical)", f.memory_mhz, f.bus_bits, f.peak_gbs()));
    lines.emplace_back("rates", rates_text(gpu) + " (theoretical)");
    lines.emplace_back("L2", fmt::format("{}, up to {} of it kept by access policies", kib(f.l2_bytes), kib(f.persisting_l2_bytes)));
    lines.emplace_back("shared", fmt::format("{} a block, {} opted in to, {} an SM", kib(f.shared_per_block_bytes),
                                             kib(f.shared_per_block_optin_bytes), kib(f.shared_per_sm_bytes)));
    lines.emplace_back("registers",
                       fmt::format("{} a block, {} an SM", format_count(f.registers_per_block), format_count(f.registers_per_sm)));
    lines.emplace_back("threads", fmt::format("{} a block, {} an SM; {} blocks an SM", f.max_threads_per_block, f.max_threads_per_sm,
                                              f.max_blocks_per_sm));
    lines.emplace_back("link", link_text(f));
    lines.emplace_back("modes", modes_text(f));
    lines.emplace_back("driver", driver_text(f));
    lines.emplace_back("counters", counters_text(f));
    lines.emplace_back("identity", fmt::format("{}, {}", f.uuid, f.bus_id));
    return lines;
}

std::string title_of(const PresentGpu& present) {
    std::string title = fmt::format("{}: {}", present.facts.id, present.facts.name);
    if (present.facts.emulated) return title + " (an emulated driver)";
    if (present.facts.known_as.empty()) return title + " (no description of it; " + present.gpu.note + ")";
    return title + fmt::format(" (described as {})", present.facts.known_as);
}

std::string value_text(const peaks::Figure& figure) { return digits_text(figure.value.value); }
std::string noise_text(const peaks::Figure& figure) {
    return figure.value.noise ? fmt::format("{:.2f} %", 100 * *figure.value.noise) : nothing;
}
std::string share_text(const peaks::Figure& figure) { return figure.share() ? format_percent(*figure.share()) : nothing; }
std::string bound_text(const peaks::Figure& figure) {
    return figure.theoretical ? fmt::format("{} = {}", figure.formula, digits_text(*figure.theoretical)) : std::string();
}
// The bound's formula, or what else is to be said.
std::string remark(const peaks::Figure& figure) {
    const std::string bound = bound_text(figure);
    return bound.empty() || figure.note.empty() ? bound + figure.note : bound + "; " + figure.note;
}

std::string measured_heading(const peaks::Peaks& peaks) {
    std::string text = fmt::format("measured {}, driver {}", peaks.measured_at, peaks.driver.empty() ? "not told" : peaks.driver);
    if (peaks.clock_mhz > 0) text += fmt::format(", SM clock {:.0f} MHz", peaks.clock_mhz);
    return text;
}

TextTable figures_table(const peaks::Peaks& peaks) {
    TextTable table(
        {{"figure"},
         {"value", Align::right, std::string(source_name(peaks.figures.empty() ? Source::measured : peaks.figures.front().value.source))},
         {"unit"},
         {"noise", Align::right, "95 %"},
         {"of bound", Align::right},
         {"bound, remark"}});
    for (const peaks::Figure& figure : peaks.figures)
        table.add_row({figure.what, value_text(figure), figure.unit, noise_text(figure), share_text(figure), remark(figure)});
    return table;
}

} // namespace

std::string present_text(const std::vector<PresentGpu>& gpus, const TextStyle& style) {
    std::string out;
    for (const PresentGpu& present : gpus) {
        out += tinted(title_of(present), Tint::strong, style.colour) + "\n";
        for (const auto& [what, value] : lines_of(present))
            out += paragraph(fmt::format("  {:<10}", what), std::string(12, ' '), value, style);
        if (present.peaks) {
            out += "\n" + paragraph("", "  ", measured_heading(*present.peaks), style) + figures_table(*present.peaks).render(style);
            for (const std::string& note : present.peaks->notes) out += paragraph("", "  ", note, style);
        }
        out += "\n";
    }
    return out;
}

std::string present_markdown(const std::vector<PresentGpu>& gpus) {
    std::string out;
    for (const PresentGpu& present : gpus) {
        out += "### " + title_of(present) + "\n\n";
        std::vector<std::vector<std::string>> rows;
        for (const auto& [what, value] : lines_of(present)) rows.push_back({what, value});
        out += markdown_table({"", ""}, {false, false}, rows) + "\n";
        if (!present.peaks) continue;
        rows.clear();
        for (const peaks::Figure& figure : present.peaks->figures)
            rows.push_back({figure.what, value_text(figure), figure.unit, noise_text(figure), share_text(figure), remark(figure)});
        out += measured_heading(*present.peaks) + "\n\n";
        out += markdown_table({"figure", "value", "unit", "noise", "of bound", "bound, remark"}, {false, true, false, true, true, false},
                              rows) +
               "\n";
    }
    return out;
}

std::string peaks_csv(const std::vector<PresentGpu>& gpus) {
    std::string out = csv_row({"device", "name", "driver", "measured_at", "figure", "what", "unit", "value", "source", "noise",
                               "theoretical", "formula", "note"});
    for (const PresentGpu& present : gpus) {
        if (!present.peaks) continue;
        const peaks::Peaks& peaks = *present.peaks;
        for (const peaks::Figure& figure : peaks.figures) {
            out += csv_row({peaks.device, peaks.name, peaks.driver, peaks.measured_at, figure.id, figure.what, figure.unit,
                            plain_number(figure.value.value), std::string(source_name(figure.value.source)),
                            figure.value.noise ? plain_number(*figure.value.noise) : "",
                            figure.theoretical ? plain_number(*figure.theoretical) : "", figure.formula, figure.note});
        }
    }
    return out;
}

} // namespace apod::report
