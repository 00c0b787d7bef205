// The scalar video instructions, as the PTX ISA writes them down ("Scalar Video Instructions").
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/scalar_video_spec.hpp"

namespace apod::emu::APOD_LANES {

namespace {

using Wide = __int128;

unsigned part_bits(VideoPart part) { return part == VideoPart::whole ? 32 : part >= VideoPart::h0 ? 16 : 8; }
unsigned part_shift(VideoPart part) {
    if (part == VideoPart::whole) return 0;
    return part >= VideoPart::h0 ? 16 * (static_cast<unsigned>(part) - static_cast<unsigned>(VideoPart::h0))
                                 : 8 * (static_cast<unsigned>(part) - static_cast<unsigned>(VideoPart::b0));
}

std::int64_t select(std::uint32_t value, VideoPart part, bool is_signed) {
    const unsigned bits = part_bits(part);
    const std::uint32_t raw = value >> part_shift(part) << (32 - bits);
    return is_signed ? static_cast<std::int32_t>(raw) >> (32 - bits) : static_cast<std::int64_t>(raw >> (32 - bits));
}

Wide clamped(Wide v, unsigned bits, bool is_signed) {
    const Wide high = (Wide{1} << (is_signed ? bits - 1 : bits)) - 1;
    const Wide low = is_signed ? -high - 1 : 0;
    return v < low ? low : v > high ? high : v;
}

bool compare(std::int64_t a, std::int64_t b, unsigned comparison) {
    switch (comparison) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return a < b;
    case 3: return a <= b;
    case 4: return a > b;
    default: return a >= b;
    }
}

Wide shifted(const ScalarVideoSpec& spec, std::int64_t a, std::int64_t b) {
    const unsigned by = spec.wrap ? static_cast<unsigned>(b & 31) : static_cast<unsigned>(b > 32 ? 32 : b);
    return spec.operation == ScalarVideo::shl ? Wide{a} * (Wide{1} << by) : Wide{a} >> by;
}

Wide first(const ScalarVideoSpec& spec, std::int64_t a, std::int64_t b) {
    switch (spec.operation) {
    case ScalarVideo::add: return a + b;
    case ScalarVideo::sub: return a - b;
    case ScalarVideo::abs_difference: return a < b ? b - a : a - b;
    case ScalarVideo::min: return a < b ? a : b;
    case ScalarVideo::max: return a < b ? b : a;
    case ScalarVideo::shl:
    case ScalarVideo::shr: return shifted(spec, a, b);
    case ScalarVideo::set: return compare(a, b, spec.comparison) ? 1 : 0;
    case ScalarVideo::mad: break;
    }
    return 0;
}

// The second operation sees 32 bits of the first one's result, by the result's sign.
std::uint32_t second(const ScalarVideoSpec& spec, std::uint32_t t, std::uint32_t c) {
    const bool less = spec.signed_d ? static_cast<std::int32_t>(t) < static_cast<std::int32_t>(c) : t < c;
    switch (spec.second) {
    case VideoSecond::none: return t;
    case VideoSecond::add: return t + c;
    case VideoSecond::min: return less ? t : c;
    case VideoSecond::max: return less ? c : t;
    }
    return t;
}

std::uint32_t multiply_add(const ScalarVideoSpec& spec, std::int64_t a, std::int64_t b, std::uint32_t c) {
    const bool is_signed = spec.signed_a || spec.signed_b || spec.negated_product || spec.negated_c;
    Wide t = Wide{a} * b;
    Wide lowest = 0;
    if (spec.plus_one) {
        lowest = 1;
    } else if (spec.negated_product) {
        t = ~t;
        lowest = 1;
    } else if (spec.negated_c) {
        c = ~c;
        lowest = 1;
    }
    t += (is_signed ? Wide{static_cast<std::int32_t>(c)} : Wide{c}) + lowest;
    t >>= spec.shift;
    if (spec.saturate) t = clamped(t, 32, is_signed);
    return static_cast<std::uint32_t>(t);
}

std::uint32_t video_lane(const ScalarVideoSpec& spec, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::int64_t of_a = select(a, spec.a, spec.signed_a);
    const std::int64_t of_b = select(b, spec.b, spec.signed_b);
    if (spec.operation == ScalarVideo::mad) return multiply_add(spec, of_a, of_b, c);
    Wide t = first(spec, of_a, of_b);
    if (spec.saturate) t = clamped(t, part_bits(spec.d), spec.signed_d);
    const auto result = static_cast<std::uint32_t>(t);
    if (spec.d == VideoPart::whole) return second(spec, result, c);
    const std::uint32_t mask = ((1u << part_bits(spec.d)) - 1) << part_shift(spec.d);
    return (result << part_shift(spec.d) & mask) | (c & ~mask);
}

void scalar_video(WarpContext& warp, const Op& op, std::uint32_t mask) {
    const ScalarVideoSpec spec = ScalarVideoSpec::unpacked(op.imm);
    auto* d = slot<std::uint32_t>(warp, op.dst);
    const auto* a = slot<std::uint32_t>(warp, op.a);
    const auto* b = slot<std::uint32_t>(warp, op.b);
    const auto* c = slot<std::uint32_t>(warp, op.c);
    for (unsigned l = 0; l < lanes; ++l) {
        const std::uint32_t value = video_lane(spec, a[l], b[l], c[l]);
        d[l] = lane_of(mask, l) ? value : d[l];
    }
}

} // namespace

void add_scalar_video_forms(FormTable& table) {
    using ptx::Type;
    table.add({"scalar_video", scalar_video, scalar_video, Type::b32, Type::b32, Type::b32, Type::b32, OpClass::int_add});
}

} // namespace apod::emu::APOD_LANES
