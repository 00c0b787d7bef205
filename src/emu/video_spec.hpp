// What a packed video instruction does, packed into Op::imm. Private to src/emu.
// The reader is always inlined: code that several instruction sets share must not be emitted by one of them.
#pragma once

#include <cstdint>

namespace apod::emu {

enum class VideoOperation : std::uint8_t { add, sub, average, abs_difference, min, max, set };

struct VideoSpec {
    VideoOperation operation = VideoOperation::add;
    std::uint8_t elements = 4;   // 2 halves or 4 bytes
    std::uint8_t comparison = 0; // eq ne lt le gt ge
    std::uint8_t mask = 0;       // elements of the result that are written, or added up
    std::uint16_t select_a = 0;  // four bits an element: which element of {b, a} it is
    std::uint16_t select_b = 0;
    bool signed_a = false;
    bool signed_b = false;
    bool signed_result = false;
    bool saturate = false;
    bool accumulate = false; // d = c + the sum of the elements

    [[nodiscard]] constexpr std::int64_t packed() const {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(operation) | std::uint64_t{elements} << 4 |
                                         std::uint64_t{comparison} << 8 | std::uint64_t{mask} << 12 | std::uint64_t{select_a} << 16 |
                                         std::uint64_t{select_b} << 32 | std::uint64_t{signed_a} << 48 | std::uint64_t{signed_b} << 49 |
                                         std::uint64_t{signed_result} << 50 | std::uint64_t{saturate} << 51 |
                                         std::uint64_t{accumulate} << 52);
    }
    [[nodiscard, gnu::always_inline]] static constexpr VideoSpec unpacked(std::int64_t packed) {
        const auto bits = static_cast<std::uint64_t>(packed);
        VideoSpec spec;
        spec.operation = static_cast<VideoOperation>(bits & 0xf);
        spec.elements = static_cast<std::uint8_t>((bits >> 4) & 0xf);
        spec.comparison = static_cast<std::uint8_t>((bits >> 8) & 0xf);
        spec.mask = static_cast<std::uint8_t>((bits >> 12) & 0xf);
        spec.select_a = static_cast<std::uint16_t>(bits >> 16);
        spec.select_b = static_cast<std::uint16_t>(bits >> 32);
        spec.signed_a = ((bits >> 48) & 1) != 0;
        spec.signed_b = ((bits >> 49) & 1) != 0;
        spec.signed_result = ((bits >> 50) & 1) != 0;
        spec.saturate = ((bits >> 51) & 1) != 0;
        spec.accumulate = ((bits >> 52) & 1) != 0;
        return spec;
    }
};

} // namespace apod::emu
