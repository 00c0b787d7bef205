// The link to the host: page-locked memory, each direction alone and both at once.
#include "peaks/bench_kernel.hpp"

#include "base/units.hpp"

#include <fmt/format.h>

namespace apod::peaks {

namespace {

std::string formula_of(const device::DeviceFacts& facts) {
    if (facts.pcie_gbs() <= 0) return {};
    return fmt::format("PCIe {}.0 x{}", *facts.pcie_generation_max, *facts.pcie_width_max);
}

Figure figure(const char* id, std::string what, const Quantity& value, double bound, std::string formula) {
    return {
        id, "link", std::move(what), "GB/s", value, bound > 0 ? std::optional(bound) : std::nullopt, bound > 0 ? std::move(formula) : "",
        {}};
}

} // namespace

Result<void> measure_link(const Bench& bench, Peaks& peaks) {
    const std::uint64_t bytes = bench.options().link_bytes;
    const std::string size = format_bytes_binary(static_cast<double>(bytes), 3);
    Result<std::unique_ptr<device::HostMemory>> up = bench.async().allocate_host(device::HostMemoryKind::pinned, bytes);
    Result<std::unique_ptr<device::HostMemory>> down =
        up ? bench.async().allocate_host(device::HostMemoryKind::pinned, bytes) : Result<std::unique_ptr<device::HostMemory>>(up.error());
    if (!up || !down) {
        peaks.notes.push_back("the link is not measured: " + (up ? down : up).error().message);
        return {};
    }
    Result<Buffer> in = Buffer::make(bench.device(), bytes, "in");
    if (!in) return in.error();
    Result<Buffer> out = Buffer::make(bench.device(), bytes, "out");
    if (!out) return out.error();
    const double bound = bench.facts().pcie_gbs();
    const std::string formula = formula_of(bench.facts());
    const auto amount = static_cast<double>(bytes);

    std::string what = "host to device, pinned, " + size;
    const auto write = [&](device::Stream& stream) { return stream.write(in->address(), (*up)->bytes()); };
    const Result<bench::Measurement> written = bench.time(what, write);
    if (!written) return written.error();
    peaks.figures.push_back(figure("link.in", what, bench.per_time(amount, *written), bound, formula));

    what = "device to host, pinned, " + size;
    const auto read = [&](device::Stream& stream) { return stream.read((*down)->bytes(), out->address()); };
    const Result<bench::Measurement> got = bench.time(what, read);
    if (!got) return got.error();
    peaks.figures.push_back(figure("link.out", what, bench.per_time(amount, *got), bound, formula));

    Result<std::unique_ptr<device::Stream>> second = bench.async().make_stream();
    if (!second) return second.error();
    Result<std::unique_ptr<device::Event>> fork = bench.async().make_event();
    if (!fork) return fork.error();
    Result<std::unique_ptr<device::Event>> join = bench.async().make_event();
    if (!join) return join.error();
    const auto both = [&](device::Stream& stream) -> Result<void> {
        if (const Result<void> done = stream.record(**fork); !done) return done;
        if (const Result<void> done = (*second)->wait(**fork); !done) return done;
        if (const Result<void> done = read(**second); !done) return done;
        if (const Result<void> done = write(stream); !done) return done;
        if (const Result<void> done = (*second)->record(**join); !done) return done;
        return stream.wait(**join);
    };
    what = "both directions at once, pinned, 2 x " + size;
    const Result<bench::Measurement> together = bench.time(what, both);
    if (!together) return together.error();
    peaks.figures.push_back(figure("link.both", what, bench.per_time(2 * amount, *together), 2 * bound, "2 x " + formula));
    return {};
}

} // namespace apod::peaks
