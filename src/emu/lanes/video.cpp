// The packed video instructions on two halves or four bytes.
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/video_functions.hpp"
#include "emu/video_spec.hpp"

namespace apod::emu::APOD_LANES {

namespace {

// Element `which` of {b, a}.
std::int32_t element(std::uint64_t both, const VideoSpec& spec, unsigned which, bool is_signed) {
    const unsigned bits = 32u / spec.elements;
    const auto raw = static_cast<std::uint32_t>(both >> (bits * which)) << (32 - bits);
    return is_signed ? static_cast<std::int32_t>(raw) >> (32 - bits) : static_cast<std::int32_t>(raw >> (32 - bits));
}

std::int32_t apply(const VideoSpec& spec, std::int32_t a, std::int32_t b) {
    switch (spec.operation) {
    case VideoOperation::add: return a + b;
    case VideoOperation::sub: return a - b;
    case VideoOperation::average: return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case VideoOperation::abs_difference: return a < b ? b - a : a - b;
    case VideoOperation::min: return a < b ? a : b;
    case VideoOperation::max: return a < b ? b : a;
    case VideoOperation::set: return video_compare(a, b, spec.comparison) ? 1 : 0;
    }
    return 0;
}

std::int32_t clamp(const VideoSpec& spec, std::int32_t v) {
    const unsigned bits = 32u / spec.elements;
    const std::int32_t high = static_cast<std::int32_t>((1u << (spec.signed_result ? bits - 1 : bits)) - 1);
    const std::int32_t low = spec.signed_result ? -high - 1 : 0;
    return v < low ? low : v > high ? high : v;
}

std::uint32_t video_lane(const VideoSpec& spec, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint64_t both = static_cast<std::uint64_t>(b) << 32 | a;
    const unsigned bits = 32u / spec.elements;
    const std::uint32_t ones = (1u << bits) - 1;
    std::uint32_t sum = c;
    std::uint32_t merged = 0;
    for (unsigned i = 0; i < spec.elements; ++i) {
        const std::int32_t of_a = element(both, spec, (spec.select_a >> (4 * i)) & 0xf, spec.signed_a);
        const std::int32_t of_b = element(both, spec, (spec.select_b >> (4 * i)) & 0xf, spec.signed_b);
        std::int32_t t = apply(spec, of_a, of_b);
        if (spec.saturate) t = clamp(spec, t);
        const bool chosen = ((spec.mask >> i) & 1u) != 0;
        sum += chosen ? static_cast<std::uint32_t>(t) : 0;
        merged |= ((chosen ? static_cast<std::uint32_t>(t) : c >> (bits * i)) & ones) << (bits * i);
    }
    return spec.accumulate ? sum : merged;
}

void video(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const VideoSpec spec = VideoSpec::unpacked(op.imm);
    auto* d = slot<std::uint32_t>(warp, op.dst);
    const auto* a = slot<std::uint32_t>(warp, op.a);
    const auto* b = slot<std::uint32_t>(warp, op.b);
    const auto* c = slot<std::uint32_t>(warp, op.c);
    for (unsigned l = 0; l < lanes; ++l) {
        const std::uint32_t value = video_lane(spec, a[l], b[l], c[l]);
        d[l] = blend(mask, l, value, d[l]);
    }
}

} // namespace

void add_video_forms(FormTable& table) {
    using ptx::Type;
    table.add({"video", video, video, Type::b32, Type::b32, Type::b32, Type::b32, OpClass::int_add});
}

} // namespace apod::emu::APOD_LANES
