// The text that one kernel of a module needs.
#pragma once

#include <string>
#include <string_view>

namespace apod::ptx {

// A module's PTX without the other kernels; what is left stands in its own line, so whatever speaks of lines (ptxas) speaks of the
// module's. Where a module has a hundred kernels, ptxas takes most of its time to read them, whichever one it is asked for.
[[nodiscard]] std::string text_of_kernel(std::string_view text, std::string_view kernel);

} // namespace apod::ptx
