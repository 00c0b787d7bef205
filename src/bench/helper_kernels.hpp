// The kernels that timing needs beside the one that is timed, as PTX that every GPU since Turing runs.
#pragma once

#include <string_view>

namespace apod::bench {

// Entry `apod_stamp`(u64 stamps, u64 sequence): each block writes its SM's {sequence, clock64, globaltimer} to stamps[3 * smid].
// Entry `apod_empty`(): does nothing.
// Entry `apod_flush`(u64 data, u64 count, u64 never): reads `count` vectors of 16 bytes, so that whatever L2 held is replaced by clean
// lines.
[[nodiscard]] std::string_view helper_kernels();

inline constexpr std::string_view helper_kernel_names[] = {"apod_stamp", "apod_empty", "apod_flush"};

} // namespace apod::bench
