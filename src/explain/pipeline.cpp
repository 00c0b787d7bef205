#include "explain/pipeline.hpp"

#include "arch/link.hpp"
#include "explain/gain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apod::explain {

namespace {

constexpr double worth = 0.02;                                            // of the time: less is not told
constexpr double chunk_ns = arch::copy_in_gap_ns + arch::copy_out_gap_ns; // what each chunk costs beside its bytes

double value(const std::optional<Quantity>& quantity) { return quantity ? quantity->value : 0; }

struct Parts {
    double in_ns;
    double kernel_ns;
    double out_ns;
    [[nodiscard]] double sum() const { return in_ns + kernel_ns + out_ns; }
    [[nodiscard]] double longest() const { return std::max({in_ns, kernel_ns, out_ns}); }
};

// With everything overlapped: the slowest part, the others' share of the first and last chunk, and what chunks cost.
double overlapped_ns(const PipelineRecord& pipeline, const Parts& parts, double chunks) {
    const bool both_ways = parts.in_ns > 0 && parts.out_ns > 0 && std::max(parts.in_ns, parts.out_ns) >= parts.kernel_ns;
    double slowest = parts.longest();
    if (both_ways) slowest = pipeline.both_ways_ns ? pipeline.both_ways_ns->value : slowest * reached_of_link / arch::copies_both_ways;
    return slowest + (parts.sum() - parts.longest()) / chunks + chunk_ns * chunks;
}

// Where one more chunk costs what it saves.
double best_chunks(const Parts& parts) { return std::max(std::round(std::sqrt((parts.sum() - parts.longest()) / chunk_ns)), 1.0); }

// With the best number of chunks, a stream a stage.
double gain_of_best_chunks(const PipelineRecord& pipeline, const Parts& parts) {
    return pipeline.time_ns.value - overlapped_ns(pipeline, parts, best_chunks(parts));
}

void pageable_copies(const PipelineRecord& pipeline, const Parts& parts, double link_gbs, std::vector<Finding>& findings) {
    if (pipeline.shape.host != HostKind::pageable || link_gbs <= 0) return;
    const double bytes = static_cast<double>(pipeline.shape.bytes_in + pipeline.shape.bytes_out);
    const double pinned_ns = bytes / (link_gbs * reached_of_link);
    const double gain = parts.in_ns + parts.out_ns - pinned_ns;
    if (gain < worth * pipeline.time_ns.value) return;
    Finding finding;
    finding.rule = "pageable-copies";
    finding.title = "Copies from and to pageable memory";
    finding.evidence = fmt::format("{:.1f} GB/s, where page-locked memory reaches some {:.1f}", bytes / (parts.in_ns + parts.out_ns),
                                   link_gbs * reached_of_link);
    finding.gain_ns = gain;
    finding.advice =
        "Keep the data in page-locked memory (cudaHostAlloc), or lock what is there (cudaHostRegister) where it is copied often "
        "enough to pay for that.";
    findings.push_back(std::move(finding));
}

void copies_in_a_row(const PipelineRecord& pipeline, const Parts& parts, std::vector<Finding>& findings) {
    if (pipeline.shape.host != HostKind::pinned || pipeline.overlaps()) return;
    const double gain = gain_of_best_chunks(pipeline, parts);
    if (gain < worth * pipeline.time_ns.value) return;
    Finding finding;
    finding.rule = "copies-in-a-row";
    finding.title = "Copies and kernels wait for each other";
    finding.evidence = fmt::format("{:.2f} ms in, {:.2f} ms of kernels and {:.2f} ms out, one after another", parts.in_ns / 1e6,
                                   parts.kernel_ns / 1e6, parts.out_ns / 1e6);
    finding.gain_ns = gain;
    finding.advice =
        fmt::format("Cut the data into some {:.0f} chunks, with a stream each for copies in, kernels and copies out, ordered by events: "
                    "while a kernel works on one chunk, the next comes in and the one before goes out.",
                    best_chunks(parts));
    findings.push_back(std::move(finding));
}

void coarse_chunks(const PipelineRecord& pipeline, const Parts& parts, std::vector<Finding>& findings) {
    const PipelineShape& shape = pipeline.shape;
    const double best = best_chunks(parts);
    if (!pipeline.overlaps() || best < 2 * shape.chunks) return;
    const double gain = gain_of_best_chunks(pipeline, parts);
    if (gain < worth * pipeline.time_ns.value) return;
    Finding finding;
    finding.rule = "coarse-chunks";
    finding.title = "The first chunk comes in and the last goes out alone";
    finding.evidence =
        fmt::format("{:.0f} us of {:.2f} ms, with chunks of {:.1f} MB", (parts.sum() - parts.longest()) / shape.chunks / 1000,
                    pipeline.time_ns.value / 1e6, static_cast<double>(shape.bytes_in) / shape.chunks / 1e6);
    finding.gain_ns = gain;
    finding.advice =
        fmt::format("Cut the data into some {:.0f} equal chunks: where they grow, the way out waits for each larger one.", best);
    findings.push_back(std::move(finding));
}

void fine_chunks(const PipelineRecord& pipeline, const Parts& parts, std::vector<Finding>& findings) {
    const PipelineShape& shape = pipeline.shape;
    const double best = best_chunks(parts);
    if (!pipeline.overlaps() || shape.chunks < 2 * best) return;
    const double gain = gain_of_best_chunks(pipeline, parts);
    if (gain < worth * pipeline.time_ns.value) return;
    Finding finding;
    finding.rule = "fine-chunks";
    finding.title = "Each of many chunks costs more than it saves";
    finding.evidence = fmt::format("{} chunks of {:.1f} MB, and some {:.1f} us of both ways from one to the next", shape.chunks,
                                   static_cast<double>(shape.bytes_in) / shape.chunks / 1e6, chunk_ns / 1000);
    finding.gain_ns = gain;
    finding.advice = fmt::format("Cut the data into some {:.0f} chunks.", best);
    findings.push_back(std::move(finding));
}

} // namespace

std::vector<Finding> explain_pipeline(const PipelineRecord& pipeline, const arch::Gpu& gpu) {
    std::vector<Finding> findings;
    const Parts parts = {value(pipeline.copy_in_ns), value(pipeline.kernel_ns), value(pipeline.copy_out_ns)};
    pageable_copies(pipeline, parts, arch::pcie_gbs(gpu), findings);
    copies_in_a_row(pipeline, parts, findings);
    coarse_chunks(pipeline, parts, findings);
    fine_chunks(pipeline, parts, findings);
    largest_first(findings);
    return findings;
}

} // namespace apod::explain
