// What the packed and the scalar video instructions share.
#pragma once

#include <cstdint>

namespace apod::emu::APOD_LANES {

// vset: the comparisons as VideoSpec and ScalarVideoSpec number them, eq ne lt le gt ge.
inline bool video_compare(std::int64_t a, std::int64_t b, unsigned comparison) {
    switch (comparison) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return a < b;
    case 3: return a <= b;
    case 4: return a > b;
    default: return a >= b;
    }
}

} // namespace apod::emu::APOD_LANES
