// The scalar video instructions (PTX ISA, "Scalar Video Instructions"), with the bits that a GPU gives.
//
// sm_90 has no such instructions: ptxas puts a sequence of integer instructions in their place, and in four places that sequence does
// something else than the manual says. Programs see what runs, so here it is done as ptxas 13.0 does it (seen in its machine code, held
// against an H200's answers to every form: tests/replay/h200/instructions.csv). Each place says "manual:" and "machine code:". Its numbers
// are 64 bits wide.
#include "emu/lanes/integer_functions.hpp"
#include "emu/lanes/lanes.hpp"
#include "emu/lanes/video_functions.hpp"
#include "emu/scalar_video_spec.hpp"

#include <cstdint>

namespace apod::emu::APOD_LANES {

namespace {

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

std::int64_t low_signed(std::int64_t t) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(t)); }
std::int64_t shifted_left(std::int64_t t, unsigned by) { return static_cast<std::int64_t>(static_cast<std::uint64_t>(t) << by); }

std::int64_t clamped_to_32(std::int64_t t, bool is_signed) {
    const std::int64_t low = is_signed ? std::int64_t{INT32_MIN} : 0;
    const std::int64_t high = is_signed ? std::int64_t{INT32_MAX} : std::int64_t{UINT32_MAX};
    return t < low ? low : t > high ? high : t;
}

bool is_shift(const ScalarVideoSpec& spec) { return spec.operation == ScalarVideo::shl || spec.operation == ScalarVideo::shr; }

std::int64_t shifted(const ScalarVideoSpec& spec, std::int64_t a, std::int64_t b) {
    const unsigned by = spec.wrap ? static_cast<unsigned>(b & 31) : static_cast<unsigned>(b > 32 ? 32 : b);
    return spec.operation == ScalarVideo::shl ? shifted_left(a, by) : a >> by;
}

std::int64_t first(const ScalarVideoSpec& spec, std::int64_t a, std::int64_t b) {
    switch (spec.operation) {
    case ScalarVideo::add: return a + b;
    case ScalarVideo::sub: return a - b;
    case ScalarVideo::abs_difference: return a < b ? b - a : a - b;
    case ScalarVideo::min: return a < b ? a : b;
    case ScalarVideo::max: return a < b ? b : a;
    case ScalarVideo::shl:
    case ScalarVideo::shr: return shifted(spec, a, b);
    case ScalarVideo::set: return video_compare(a, b, spec.comparison) ? 1 : 0;
    case ScalarVideo::mad: break;
    }
    return 0;
}

// manual: clamps to the range of the destination's part, by its sign.
// machine code: of a shift, keeps 34 bits and clamps them to 32, whatever the part; of the others
//   - into a part, takes what has anything in the upper word (every negative number too) for the largest, and the low word as unsigned;
//   - into an unsigned word, makes negative numbers zero and lets those beyond 2^32 wrap.
std::int64_t saturated(const ScalarVideoSpec& spec, std::int64_t t) {
    if (is_shift(spec)) return clamped_to_32(shifted_left(t, 30) >> 30, spec.signed_d);
    if (spec.d == VideoPart::whole) return spec.signed_d ? clamped_to_32(t, true) : t < 0 ? 0 : t;
    const std::int64_t most = (std::int64_t{1} << (part_bits(spec.d) - (spec.signed_d ? 1 : 0))) - 1;
    return t >= 0 && t < most ? t : most;
}

// Of a sum and a difference the upper word is never made, and the clamp of a shift ends with one word; it is extended by its sign, also
// where it is unsigned. The other operations clamp both words.
bool has_one_word(const ScalarVideoSpec& spec) {
    return spec.operation == ScalarVideo::add || spec.operation == ScalarVideo::sub || (spec.saturate && is_shift(spec));
}

// manual: compares 32 bits of the first result with c, by the result's sign.
// machine code: compares 64 bits, those of the first result as they are unless it has_one_word(); c is extended by the result's sign (that
// of vset: by a's).
std::uint32_t second(const ScalarVideoSpec& spec, std::int64_t t, std::uint32_t c) {
    if (spec.second == VideoSecond::none) return static_cast<std::uint32_t>(t);
    if (spec.second == VideoSecond::add) return static_cast<std::uint32_t>(t) + c;
    if (has_one_word(spec)) t = low_signed(t);
    const bool is_signed = spec.operation == ScalarVideo::set ? spec.signed_a : spec.signed_d;
    const bool less = is_signed ? t < low_signed(c) : static_cast<std::uint64_t>(t) < c;
    return less == (spec.second == VideoSecond::min) ? static_cast<std::uint32_t>(t) : c;
}

// manual: the low bits of the result go to the selected part, the rest is c's.
// machine code: the same, except that .h1 takes the upper half of the result.
std::uint32_t merged(VideoPart part, std::uint32_t t, std::uint32_t c) {
    const std::uint32_t mask = ((1u << part_bits(part)) - 1) << part_shift(part);
    return ((part == VideoPart::h1 ? t : t << part_shift(part)) & mask) | (c & ~mask);
}

// manual: operands and c are numbers of their own sign; the sum is shifted and clamped by its sign.
// machine code: a whole 32-bit operand and c are signed numbers whatever their types say; an unsigned sum is shifted as 64 unsigned bits,
// and clamped as a signed number.
std::uint32_t multiply_add(const ScalarVideoSpec& spec, std::int64_t a, std::int64_t b, std::uint32_t c) {
    const bool is_signed = spec.signed_a || spec.signed_b || spec.negated_product || spec.negated_c;
    const std::int64_t product = low_signed(a) * low_signed(b);
    std::int64_t t = spec.negated_product ? -product : product;
    t += spec.negated_c ? low_signed(~c) + 1 : low_signed(c);
    if (spec.plus_one) ++t;
    t = is_signed ? t >> spec.shift : static_cast<std::int64_t>(static_cast<std::uint64_t>(t) >> spec.shift);
    return static_cast<std::uint32_t>(spec.saturate ? clamped_to_32(t, is_signed) : t);
}

std::uint32_t video_lane(const ScalarVideoSpec& spec, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::int64_t of_a = select(a, spec.a, spec.signed_a);
    const std::int64_t of_b = select(b, spec.b, spec.signed_b);
    if (spec.operation == ScalarVideo::mad) return multiply_add(spec, of_a, of_b, c);
    std::int64_t t = first(spec, of_a, of_b);
    if (spec.saturate) t = saturated(spec, t);
    return spec.d == VideoPart::whole ? second(spec, t, c) : merged(spec.d, static_cast<std::uint32_t>(t), c);
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
