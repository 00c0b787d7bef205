// The scalar video instructions as ptxas 13.0 expresses them for sm_90 (read in its machine code): one 32-bit word after the other, and
// without any of the emulator's code. Where the PTX manual says something else, an H200 gives what is here.
#pragma once

#include <cstdint>
#include <string>

namespace apod::reference {

enum class Part : std::uint8_t { whole, b0, b1, b2, b3, h0, h1 };

enum class Video : std::uint8_t { add, sub, absdiff, min, max, shl, shr, set, mad };
enum class VideoMode : std::uint8_t { none, clamp, wrap, eq, ne, lt, le, gt, ge }; // of shifts, of vset
enum class Second : std::uint8_t { none, add, min, max };

struct VideoForm {
    Video operation = Video::add;
    VideoMode mode = VideoMode::none;
    Second second = Second::none;
    Part a = Part::whole;
    Part b = Part::whole;
    Part d = Part::whole;
    bool signed_d = false;
    bool signed_a = false;
    bool signed_b = false;
    bool saturate = false;
    int shift = 0; // of vmad: 0, 7, 15
    bool minus_a = false;
    bool minus_b = false;
    bool minus_c = false;
    bool plus_one = false;
};

// Without operands: "vadd.s32.u32.u32.sat.max".
[[nodiscard]] std::string name_of(const VideoForm& form);
// With them, each a register's name: "vadd.s32.u32.u32.sat.max d, a.b0, b, c;".
[[nodiscard]] std::string text_of(const VideoForm& form, const std::string& d, const std::string& a, const std::string& b,
                                  const std::string& c);
[[nodiscard]] bool reads_c(const VideoForm& form);

[[nodiscard]] std::uint32_t result_of(const VideoForm& form, std::uint32_t a, std::uint32_t b, std::uint32_t c);

} // namespace apod::reference
