// Compiled PTX kept between runs. An entry is found by the contents of the source, the flags and the compiler, and holds only as long as
// the files that it includes are what they were. A cache that cannot be read or written costs time, never an error.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apod::ladder {

class CompileCache {
public:
    // An empty directory: nothing is kept.
    CompileCache(const std::filesystem::path& directory, const std::filesystem::path& nvcc, const std::filesystem::path& source,
                 std::string_view contents, const std::vector<std::string>& flags);

    [[nodiscard]] std::optional<std::string> find() const;
    void keep(std::string_view ptx, const std::vector<std::filesystem::path>& dependencies) const;

private:
    std::filesystem::path entry_;
};

// The files of a make rule ("out.ptx : a.cu \ b.h"), without the source itself.
[[nodiscard]] std::vector<std::filesystem::path> parse_dependencies(std::string_view rule, const std::filesystem::path& source);

} // namespace apod::ladder
