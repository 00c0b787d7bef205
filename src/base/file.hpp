// Files as whole pieces of text or bytes: read, written so that a reader never sees half of one, temporary directories, the cache
// directory. Errors name the path and what the system said.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace apod {

// Of what apod itself writes as JSON and reads again; what is larger is not that.
inline constexpr std::uint64_t largest_recording_bytes = std::uint64_t{256} << 20;

// The whole contents, bytes as they are. A directory, an unreadable file or one of more than `max_bytes` is bad_input.
Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t max_bytes = std::uint64_t{16} << 30);

// Writes beside the target and renames, so that the target holds either its old or its new contents. Missing parent directories are made;
// a target that was there keeps its permissions, and one that may not be written stays as it is.
Result<void> write_file(const std::filesystem::path& path, std::string_view contents);

// A directory of its own below the system's temporary directory ($APOD_TEMP_DIR, where set: apod run sets it, and removes what a program
// that was killed has left there); removed with all it holds when the object goes, and when a command is interrupted
// (base/interruption.hpp).
class TempDirectory {
public:
    static Result<TempDirectory> make(std::string_view prefix = "apod");
    TempDirectory(TempDirectory&& other) noexcept;
    TempDirectory& operator=(TempDirectory&& other) noexcept;
    TempDirectory(const TempDirectory&) = delete;
    TempDirectory& operator=(const TempDirectory&) = delete;
    ~TempDirectory();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    explicit TempDirectory(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_; // empty when moved from
};

// Where apod may keep what can be made again: $APOD_CACHE_DIR, $XDG_CACHE_HOME/apod, $HOME/.cache/apod, else below the temporary
// directory. Not created here.
[[nodiscard]] std::filesystem::path cache_directory();

// The first executable file of that name in PATH; an absolute path or one with a slash is tried as it is. Empty when there is none.
[[nodiscard]] std::filesystem::path find_executable(std::string_view name);

} // namespace apod
