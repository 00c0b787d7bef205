#include "transfer/versus.hpp"

#include "base/units.hpp"
#include "transfer/crossing.hpp"
#include "transfer/host_version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

namespace apod::transfer {
namespace {

constexpr std::uint64_t smallest_size = 4096;

const CopyCurve* find(const std::vector<CopyCurve>& curves, HostKind kind, Direction direction) {
    const auto found = std::find_if(curves.begin(), curves.end(),
                                    [&](const CopyCurve& curve) { return curve.kind == kind && curve.direction == direction; });
    return found == curves.end() ? nullptr : &*found;
}

// In and out; nothing where a curve does not reach that size.
std::optional<double> copies_ns(const std::vector<CopyCurve>& curves, HostKind kind, std::uint64_t bytes) {
    double sum = 0;
    for (const Direction direction : {Direction::to_device, Direction::to_host}) {
        const CopyCurve* curve = find(curves, kind, direction);
        const std::optional<double> time = curve == nullptr ? std::nullopt : host_time_at(*curve, bytes);
        if (!time) return std::nullopt;
        sum += *time;
    }
    return sum;
}

class VersusMeter {
public:
    VersusMeter(const Session& session, const std::vector<CopyCurve>& copies, unsigned cores) :
        session_(session), copies_(copies), pool_(cores) {}

    Result<void> prepare(std::uint64_t largest) {
        in_.assign(largest / sizeof(float), 1.0F);
        out_.assign(largest / sizeof(float), 0.0F);
        for (std::optional<DeviceMemory>* memory : {&x_, &y_}) {
            Result<DeviceMemory> made = DeviceMemory::allocate(session_.device(), largest, "versus");
            if (!made) return made.error();
            memory->emplace(*std::move(made));
        }
        if (const Result<void> written = session_.device().write(x_->address(), std::as_bytes(std::span(in_))); !written) return written;
        Result<std::unique_ptr<device::Stream>> stream = session_.async().make_stream();
        if (!stream) return stream.error();
        stream_ = *std::move(stream);
        return {};
    }

    Result<VersusPoint> measure(std::uint64_t bytes, std::uint32_t multiplications, const VersusPoint& smaller) {
        VersusPoint point;
        point.bytes = bytes;
        const std::size_t count = bytes / sizeof(float);
        const Result<bench::Summary> kernel = session_.by_host("kernel", [&]() -> Result<void> {
            const Result<void> queued = session_.scale(*stream_, y_->address(), x_->address(), count, multiplications);
            return queued ? stream_->synchronize() : queued;
        });
        if (!kernel) return kernel.error();
        point.kernel_ns = kernel->median;
        if (const auto copies = copies_ns(copies_, HostKind::pageable, bytes)) point.pageable_ns = point.kernel_ns + *copies;
        if (const auto copies = copies_ns(copies_, HostKind::pinned, bytes)) point.pinned_ns = point.kernel_ns + *copies;
        const std::span<float> out = std::span(out_).first(count);
        const std::span<const float> in = std::span<const float>(in_).first(count);
        const auto grown = static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(smaller.bytes, 1));
        point.one_core_ns =
            host("one core", smaller.bytes, smaller.one_core_ns, grown, [&] { scale_on_one_core(out, in, scale_factor, multiplications); });
        point.all_cores_ns = host("all cores", smaller.bytes, smaller.all_cores_ns, grown,
                                  [&] { scale_on_all_cores(out, in, scale_factor, multiplications, pool_); });
        return point;
    }

private:
    // Nothing where it would take longer than the limit, by what the smaller size took.
    std::optional<double> host(const char* name, std::uint64_t smaller_bytes, std::optional<double> smaller_ns, double grown,
                               const std::function<void()>& work) {
        if (smaller_bytes != 0 && (!smaller_ns || *smaller_ns * grown > session_.options().host_limit_s * 1e9)) return std::nullopt;
        const Result<bench::Summary> took = session_.by_host(name, [&]() -> Result<void> {
            work();
            return {};
        });
        if (!took) return std::nullopt;
        return took->median;
    }

    const Session& session_;
    const std::vector<CopyCurve>& copies_;
    HostPool pool_;
    std::vector<float> in_;
    std::vector<float> out_;
    std::optional<DeviceMemory> x_;
    std::optional<DeviceMemory> y_;
    std::unique_ptr<device::Stream> stream_;
};

} // namespace

Result<std::vector<Versus>> measure_versus(const Session& session, const std::vector<CopyCurve>& copies, unsigned cores) {
    const Options& options = session.options();
    VersusMeter meter(session, copies, cores);
    if (const Result<void> prepared = meter.prepare(options.largest); !prepared) return prepared.error();
    std::vector<Versus> all;
    for (const std::uint32_t multiplications : options.multiplications) {
        Versus versus;
        versus.multiplications = multiplications;
        VersusPoint smaller;
        for (const std::uint64_t bytes : sizes_of(std::min(smallest_size, options.largest), options.largest, options.step)) {
            session.progress(
                fmt::format("host against GPU, {} multiplications, {}", multiplications, format_bytes_binary(static_cast<double>(bytes))));
            Result<VersusPoint> point = meter.measure(bytes, multiplications, smaller);
            if (!point) return point.error();
            smaller = *point;
            versus.points.push_back(*std::move(point));
        }
        find_crossings(versus);
        all.push_back(std::move(versus));
    }
    return all;
}

} // namespace apod::transfer
