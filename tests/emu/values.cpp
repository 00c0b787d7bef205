// Operand values: the edges of each format, then random ones.
#include "tests/emu/form_runner.hpp"

#include <initializer_list>
#include <random>

namespace apod::emu::testing {

namespace {

using List = std::vector<std::uint64_t>;

List integer_edges(unsigned bits) {
    const std::uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
    List list{0, 1, 2, 3, 5, 7, 10, 100};
    for (unsigned k = 3; k < bits; k += k + 1 < bits - 2 ? (bits > 16 ? 5 : 3) : 1) {
        list.push_back(1ull << k);
        list.push_back((1ull << k) - 1);
        list.push_back(0 - (1ull << k));
        list.push_back(0 - (1ull << k) - 1);
    }
    for (const std::uint64_t pattern : {0x5555555555555555ull, 0xaaaaaaaaaaaaaaaaull, 0x0123456789abcdefull, 0xfedcba9876543210ull, ~0ull,
                                        ~0ull >> 1, 0x8080808080808080ull, 0x7f7f7f7f7f7f7f7full, 0x00ff00ff00ff00ffull})
        list.push_back(pattern);
    for (std::uint64_t& v : list) v &= mask;
    return list;
}

List small_edges() {
    List list;
    for (std::uint64_t v = 0; v < 70; ++v) list.push_back(v);
    for (const std::uint64_t v : {95ull, 96ull, 127ull, 128ull, 129ull, 255ull, 256ull, 257ull, 0x7fffffffull, 0x80000000ull, 0xffffffffull,
                                  0xfffffffeull, 0xffffffdfull, 0x3210ull, 0x7654ull, 0xfedcull, 0xba98ull, 0x0404ull})
        list.push_back(v);
    return list;
}

struct Layout {
    unsigned exponent_bits;
    unsigned fraction_bits;
};

// Both signs of: zero, subnormals, the ends of the range, powers of two with their neighbours, halves, infinity, NaNs.
List float_edges(Layout layout) {
    const std::uint64_t one_fraction = 1ull << layout.fraction_bits;
    const std::uint64_t fraction = one_fraction - 1;
    const std::uint64_t top = (1ull << layout.exponent_bits) - 1;
    const std::uint64_t bias = top >> 1;
    List list{0, 1, 2, 3, one_fraction / 2, one_fraction / 2 + 1, fraction - 1, fraction, one_fraction, one_fraction + 1};
    for (const int power : {-150, -149, -127, -126, -25, -24, -15, -14, -10, -2, -1, 0,  1,  2,  4,   7,   8,
                            10,   11,   15,   16,   22,  23,  24,  31,  32,  52, 53, 62, 63, 64, 126, 127, 128}) {
        const std::int64_t field = static_cast<std::int64_t>(bias) + power;
        if (field < 1 || field >= static_cast<std::int64_t>(top)) continue;
        const std::uint64_t base = static_cast<std::uint64_t>(field) << layout.fraction_bits;
        for (const std::uint64_t v : {base, base + 1, base - 1, base + one_fraction / 2, base + one_fraction / 4 * 3}) list.push_back(v);
    }
    list.push_back((top << layout.fraction_bits) - 1);
    list.push_back(top << layout.fraction_bits);                      // infinity
    list.push_back((top << layout.fraction_bits) | one_fraction / 2); // quiet
    list.push_back((top << layout.fraction_bits) | 1);                // signalling
    list.push_back((top << layout.fraction_bits) | fraction);
    const std::size_t count = list.size();
    for (std::size_t i = 0; i < count; ++i) list.push_back(list[i] | (1ull << (layout.exponent_bits + layout.fraction_bits)));
    return list;
}

// Doubles on and beside the midpoints between floats of lower precision.
void add_double_midpoints(List& list) {
    for (const std::uint64_t high : {0x3ff0000010000000ull, 0x3ff0000030000000ull, 0x47efffffe0000000ull, 0x47effffff0000000ull,
                                     0x36a0000000000000ull, 0x3690000000000000ull, 0x380fffffffffffffull, 0x380fffffe0000000ull,
                                     0x40effe0000000000ull, 0x40efffc000000000ull, 0x3f0fffc000000000ull, 0x43e0000000000000ull,
                                     0x43dfffffffffffffull, 0x41dfffffffc00000ull, 0x41e0000000100000ull, 0x405fe00000000000ull}) {
        for (const std::uint64_t v : {high - 1, high, high + 1}) {
            list.push_back(v);
            list.push_back(v | (1ull << 63));
        }
    }
}

std::uint64_t random_float(std::mt19937_64& random, Layout layout) {
    const std::uint64_t bits = random();
    const unsigned width = 1 + layout.exponent_bits + layout.fraction_bits;
    const std::uint64_t any = width == 64 ? bits : bits & ((1ull << width) - 1);
    if ((random() & 1) != 0) return any;
    // Near one, so that sums and products meet.
    const std::uint64_t top = (1ull << layout.exponent_bits) - 1;
    const std::uint64_t field = (top >> 1) - 4 + random() % 9;
    return (any & ~(top << layout.fraction_bits)) | field << layout.fraction_bits;
}

List pairs_of(const List& single, unsigned bits) {
    List list;
    for (std::size_t i = 0; i < single.size(); ++i) list.push_back(single[i] | single[(i * 7 + 3) % single.size()] << bits);
    return list;
}

Layout layout_of(Kind kind) {
    switch (kind) {
    case Kind::h16:
    case Kind::h16x2: return {5, 10};
    case Kind::b16:
    case Kind::b16x2: return {8, 7};
    case Kind::f64: return {11, 52};
    case Kind::e4m3x2: return {4, 3};
    case Kind::e5m2x2: return {5, 2};
    default: return {8, 23};
    }
}

bool is_pair(Kind kind) {
    return kind == Kind::h16x2 || kind == Kind::b16x2 || kind == Kind::e4m3x2 || kind == Kind::e5m2x2 || kind == Kind::f32x2;
}

List edges_of(Kind kind) {
    switch (kind) {
    case Kind::i8: return integer_edges(8);
    case Kind::i16: return integer_edges(16);
    case Kind::i32: return integer_edges(32);
    case Kind::i64: return integer_edges(64);
    case Kind::small: return small_edges();
    case Kind::pred: return {0, 1};
    default: break;
    }
    List list = float_edges(layout_of(kind));
    if (kind == Kind::f64) add_double_midpoints(list);
    return is_pair(kind) ? pairs_of(list, bits_of(kind) / 2) : list;
}

std::uint64_t random_value(std::mt19937_64& random, Kind kind) {
    switch (kind) {
    case Kind::i8:
    case Kind::i16:
    case Kind::i32:
    case Kind::i64: {
        const std::uint64_t v = random() >> (random() % 64);
        return (random() & 1) != 0 ? v : 0 - v;
    }
    case Kind::small: return random() % 80;
    case Kind::pred: return random() & 1;
    default: break;
    }
    if (is_pair(kind)) return random_float(random, layout_of(kind)) | random_float(random, layout_of(kind)) << (bits_of(kind) / 2);
    return random_float(random, layout_of(kind));
}

} // namespace

unsigned bits_of(Kind kind) {
    switch (kind) {
    case Kind::i8: return 8;
    case Kind::i16:
    case Kind::h16:
    case Kind::b16:
    case Kind::e4m3x2:
    case Kind::e5m2x2: return 16;
    case Kind::i64:
    case Kind::f32x2:
    case Kind::f64: return 64;
    default: return 32;
    }
}

std::vector<std::uint64_t> values_of(Kind kind, std::size_t count, std::uint32_t seed) {
    List list = edges_of(kind);
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < count; ++i) list.push_back(random_value(random, kind));
    const std::uint64_t mask = bits_of(kind) == 64 ? ~0ull : (1ull << bits_of(kind)) - 1;
    for (std::uint64_t& v : list) v &= mask;
    return list;
}

} // namespace apod::emu::testing
