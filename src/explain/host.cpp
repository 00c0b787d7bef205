#include "explain/host.hpp"

#include "arch/link.hpp"
#include "base/units.hpp"
#include "explain/gain.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace apod::explain {

namespace {

constexpr double worth = 0.05;          // of the device's time: less is not told
constexpr double many = 10;             // copies
constexpr double small_bytes = 1 << 16; // a copy of less costs about as much as one of nothing
constexpr double many_launches = 50;

double device_ns(const HostWork& work) {
    double sum = work.kernel_ns;
    for (const HostCopies& copies : work.copies) sum += copies.time_ns;
    return sum;
}

void small_copies(const HostWork& work, const HostCopies& copies, double link_gbs, std::vector<Finding>& findings) {
    const double count = static_cast<double>(copies.count);
    const double bytes = static_cast<double>(copies.bytes);
    if (!copies.crosses || count < many || bytes / count >= small_bytes) return;
    const double one_ns = copies.time_ns / count + (link_gbs > 0 ? bytes / (link_gbs * reached_of_link) : 0);
    const double gain = copies.time_ns - one_ns;
    if (gain < worth * device_ns(work)) return;
    Finding finding;
    finding.rule = "small-copies";
    finding.title = fmt::format("Many small copies {}", copies.direction);
    finding.evidence = fmt::format("{:.0f} copies of {} on average take {}, {:.0f} % of the device's time", count,
                                   format_bytes(bytes / count), format_time_ns(copies.time_ns), 100 * copies.time_ns / device_ns(work));
    finding.gain_ns = gain;
    finding.advice = "Gather what belongs together on its side and copy it once: a copy costs microseconds before its first byte. What "
                     "the host does not need at once can stay on the device.";
    findings.push_back(std::move(finding));
}

void pageable_copies(const HostWork& work, const HostCopies& copies, double link_gbs, std::vector<Finding>& findings) {
    const double bytes = static_cast<double>(copies.pageable_bytes);
    if (!copies.crosses || link_gbs <= 0 || copies.count < 2) return; // to lock memory for one copy costs as much as that
    if (bytes / std::max<double>(1, static_cast<double>(copies.count)) < small_bytes) return;
    const double gain = copies.pageable_ns - bytes / (link_gbs * reached_of_link);
    if (gain < worth * device_ns(work)) return;
    Finding finding;
    finding.rule = "pageable-copies";
    finding.title = fmt::format("Copies {} use pageable memory", copies.direction);
    finding.evidence = fmt::format("{} at {:.1f} GB/s, where page-locked memory reaches some {:.1f}", format_bytes(bytes),
                                   bytes / copies.pageable_ns, link_gbs * reached_of_link);
    finding.gain_ns = gain;
    finding.advice = "Keep the data in page-locked memory (cudaHostAlloc), or lock what is there (cudaHostRegister) where it is copied "
                     "often enough to pay for that; then copies can also run beside kernels (cudaMemcpyAsync).";
    findings.push_back(std::move(finding));
}

// While a kernel is shorter than its launch takes on the host, the device waits for the next one.
void short_kernels(const HostWork& work, const arch::Gpu& gpu, std::vector<Finding>& findings) {
    const double launches = static_cast<double>(work.launches);
    if (launches < many_launches || gpu.launch.stream_ns <= 0) return;
    const double each_ns = work.kernel_ns / launches;
    const double gain = launches * (gpu.launch.stream_ns - std::max(each_ns, gpu.launch.graph_ns));
    if (gain < worth * device_ns(work)) return;
    Finding finding;
    finding.rule = "short-kernels";
    finding.title = "Kernels are shorter than their launches";
    finding.evidence =
        fmt::format("{:.0f} launches of {} on average; the host needs {} for each, and longer where it synchronises after it", launches,
                    format_time_ns(each_ns), format_time_ns(gpu.launch.stream_ns));
    finding.gain_ns = gain;
    finding.advice =
        "Record the launches in a CUDA graph, fuse neighbours into one kernel, or give each more work; synchronise once behind "
        "all of them and not after each.";
    findings.push_back(std::move(finding));
}

} // namespace

std::vector<Finding> explain_host(const HostWork& work, const arch::Gpu& gpu) {
    std::vector<Finding> findings;
    for (const HostCopies& copies : work.copies) {
        small_copies(work, copies, arch::pcie_gbs(gpu), findings);
        pageable_copies(work, copies, arch::pcie_gbs(gpu), findings);
    }
    short_kernels(work, gpu, findings);
    largest_first(findings);
    return findings;
}

} // namespace apod::explain
