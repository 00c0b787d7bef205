// What a scalar video instruction does, packed into Op::imm. Private to src/emu.
// The reader is always inlined: code that several instruction sets share must not be emitted by one of them.
#pragma once

#include <cstdint>

namespace apod::emu {

enum class ScalarVideo : std::uint8_t { add, sub, abs_difference, min, max, shl, shr, mad, set };
enum class VideoPart : std::uint8_t { whole, b0, b1, b2, b3, h0, h1 };
enum class VideoSecond : std::uint8_t { none, add, min, max };

struct ScalarVideoSpec {
    ScalarVideo operation = ScalarVideo::add;
    VideoPart a = VideoPart::whole;
    VideoPart b = VideoPart::whole;
    VideoPart d = VideoPart::whole; // where the result goes in c
    VideoSecond second = VideoSecond::none;
    std::uint8_t comparison = 0; // eq ne lt le gt ge
    std::uint8_t shift = 0;      // of vmad: 0, 7, 15
    bool signed_d = false;
    bool signed_a = false;
    bool signed_b = false;
    bool saturate = false;
    bool wrap = false;            // of shifts
    bool plus_one = false;        // of vmad
    bool negated_product = false; // of vmad: -a or -b
    bool negated_c = false;

    [[nodiscard]] constexpr std::int64_t packed() const {
        std::int64_t bits = static_cast<std::int64_t>(operation) | static_cast<std::int64_t>(a) << 4 | static_cast<std::int64_t>(b) << 8 |
                            static_cast<std::int64_t>(d) << 12 | static_cast<std::int64_t>(second) << 16 | std::int64_t{comparison} << 20 |
                            std::int64_t{shift} << 24;
        const bool flags[] = {signed_d, signed_a, signed_b, saturate, wrap, plus_one, negated_product, negated_c};
        std::int64_t bit = std::int64_t{1} << 28;
        for (const bool flag : flags) {
            if (flag) bits |= bit;
            bit <<= 1;
        }
        return bits;
    }
    [[nodiscard, gnu::always_inline]] static constexpr ScalarVideoSpec unpacked(std::int64_t bits) {
        const auto flag = [bits](int n) { return ((bits >> (28 + n)) & 1) != 0; };
        return {static_cast<ScalarVideo>(bits & 15),
                static_cast<VideoPart>(bits >> 4 & 15),
                static_cast<VideoPart>(bits >> 8 & 15),
                static_cast<VideoPart>(bits >> 12 & 15),
                static_cast<VideoSecond>(bits >> 16 & 15),
                static_cast<std::uint8_t>(bits >> 20 & 15),
                static_cast<std::uint8_t>(bits >> 24 & 15),
                flag(0),
                flag(1),
                flag(2),
                flag(3),
                flag(4),
                flag(5),
                flag(6),
                flag(7)};
    }
};

} // namespace apod::emu
