// From the addresses that the runtime wrote down to functions and lines of the program's host code.
#pragma once

#include "apod/check.hpp"

#include <string>
#include <vector>

namespace apod::cli {

// "/path/of/object+0x1234" becomes "function at file:line" where the object has line information and addr2line is installed, "function
// (object)" where it has symbols, "object+0x1234" otherwise. What stands between the program's own function and CUDA (the kernel's stub,
// cudart's templates) and what calls main() is left out. The innermost line of all is the place of the reports that have none.
void resolve_host_frames(std::vector<CheckReport>& reports);

} // namespace apod::cli
