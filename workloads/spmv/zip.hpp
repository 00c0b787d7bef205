// Zip archives held in memory, as numpy.savez and scipy.sparse.save_npz write them: members stored or deflated, also with 64-bit sizes.
// The format is PKWARE's, "APPNOTE.TXT - .ZIP File Format Specification".
#pragma once

#include "base/result.hpp"

#include <map>
#include <string>
#include <string_view>

namespace apod::spmv {

// The members' contents by name, each checked against its CRC. Anything that is no such archive is bad_input naming `file`.
Result<std::map<std::string, std::string>> read_zip(std::string_view archive, const std::string& file);

} // namespace apod::spmv
