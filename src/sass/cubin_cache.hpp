// Machine code of ptxas kept between runs, since a program's kernels are mostly those of its last run. An entry is found by the PTX, what
// ptxas was asked for, and ptxas itself. A cache that cannot be read or written costs time, never an error.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apod::sass {

class CubinCache {
public:
    // In the directory "ptxas" of this one.
    CubinCache(const std::filesystem::path& directory, const std::filesystem::path& ptxas, const std::vector<std::string>& command,
               std::string_view ptx);

    [[nodiscard]] std::optional<std::string> find() const;
    // The oldest entries go where there would be more than `most`.
    void keep(std::string_view cubin, std::size_t most = 2048) const;

private:
    std::filesystem::path entry_;
};

} // namespace apod::sass
