#include "base/file.hpp"

#include "base/interruption.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace apod {

namespace fs = std::filesystem;

namespace {

class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const { return fd_; }
    // Closes now, so that a late write error is seen.
    [[nodiscard]] bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

private:
    int fd_;
};

constexpr const char* largest_hint = "is it the right file?";

std::string system_says(int error) { return std::generic_category().message(error); }

Diagnostic read_error(const fs::path& path, int error) {
    if (path.empty()) return bad_input({}, "a file is needed here, and its name is empty", "name one, e.g. my/file");
    std::string hint = error == ENOENT ? "check the path; it is taken relative to the current directory unless it starts with /" : "";
    return bad_input({path.string(), 0, 0}, fmt::format("cannot read the file: {}", system_says(error)), std::move(hint));
}

Diagnostic write_error(const fs::path& path, const std::string& why) {
    return bad_input({path.string(), 0, 0}, fmt::format("cannot write the file: {}", why),
                     "check that the directory exists, is writable and has space left");
}

bool write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

Result<std::string> read_all(int fd, const fs::path& path, std::uint64_t expected, std::uint64_t max_bytes) {
    std::string contents;
    // A pipe or a file of /proc has no size to tell: the loop grows as it must.
    contents.resize(expected + 1);
    std::size_t used = 0;
    for (;;) {
        if (used == contents.size()) contents.resize(contents.size() * 2);
        const ssize_t got = ::read(fd, contents.data() + used, contents.size() - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return read_error(path, errno);
        if (got == 0) break;
        used += static_cast<std::size_t>(got);
        if (used > max_bytes)
            return bad_input({path.string(), 0, 0}, fmt::format("the file is larger than {} bytes", max_bytes), largest_hint);
    }
    contents.resize(used);
    return contents;
}

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

bool is_executable_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

} // namespace

Result<std::string> read_file(const fs::path& path, std::uint64_t max_bytes) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) return read_error(path, errno);
    struct stat info = {};
    if (::fstat(file.get(), &info) != 0) return read_error(path, errno);
    if (S_ISDIR(info.st_mode)) return read_error(path, EISDIR);
    const std::uint64_t size = S_ISREG(info.st_mode) ? static_cast<std::uint64_t>(info.st_size) : 0;
    if (size > max_bytes) {
        return bad_input({path.string(), 0, 0},
                         fmt::format("the file has {} bytes, more than the {} that are allowed here", size, max_bytes), largest_hint);
    }
    return read_all(file.get(), path, size, max_bytes);
}

Result<void> write_file(const fs::path& path, std::string_view contents) {
    std::error_code failed;
    if (path.has_parent_path()) {
        fs::create_directories(path.parent_path(), failed);
        if (failed) return write_error(path, failed.message());
    }
    // To rename needs no permission of the file that is replaced; whoever took it away meant it.
    struct stat before = {};
    const bool there = ::stat(path.c_str(), &before) == 0;
    if (there && ::access(path.c_str(), W_OK) != 0) return write_error(path, system_says(errno));
    constexpr std::size_t longest_name = 240; // of the 255 bytes that file systems allow
    std::string temporary = (path.parent_path() / (path.filename().string().substr(0, longest_name) + ".XXXXXX")).string();
    Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
    if (file.get() < 0) return write_error(path, system_says(errno));
    // mkostemp makes it private; a new file gets what the user's umask gives to others, one that was there keeps what it had.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    const mode_t mode = there ? before.st_mode & 07777 : 0666 & ~mask;
    bool fine = ::fchmod(file.get(), mode) == 0 && write_all(file.get(), contents);
    int error = fine ? 0 : errno;
    if (!file.close() && fine) fine = false, error = errno;
    if (fine && std::rename(temporary.c_str(), path.c_str()) != 0) fine = false, error = errno;
    if (fine) return {};
    ::unlink(temporary.c_str());
    return write_error(path, system_says(error));
}

Result<TempDirectory> TempDirectory::make(std::string_view prefix) {
    std::error_code failed;
    fs::path base = environment("APOD_TEMP_DIR");
    if (base.empty()) base = fs::temp_directory_path(failed);
    if (failed) base = "/tmp";
    std::string name = (base / fmt::format("{}-XXXXXX", prefix)).string();
    if (::mkdtemp(name.data()) == nullptr) {
        return unavailable(fmt::format("cannot make a temporary directory below {}: {}", base.string(), system_says(errno)),
                           "set TMPDIR to a writable directory with space left");
    }
    detail::remember_directory(name);
    return TempDirectory(fs::path(name));
}

TempDirectory::TempDirectory(TempDirectory&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TempDirectory& TempDirectory::operator=(TempDirectory&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
}

TempDirectory::~TempDirectory() {
    std::error_code ignored;
    if (path_.empty()) return;
    fs::remove_all(path_, ignored);
    detail::forget_directory(path_);
}

fs::path cache_directory() {
    if (const std::string own = environment("APOD_CACHE_DIR"); !own.empty()) return own;
    if (const std::string xdg = environment("XDG_CACHE_HOME"); !xdg.empty()) return fs::path(xdg) / "apod";
    if (const std::string home = environment("HOME"); !home.empty()) return fs::path(home) / ".cache" / "apod";
    std::error_code failed;
    const fs::path base = fs::temp_directory_path(failed);
    return (failed ? fs::path("/tmp") : base) / fmt::format("apod-cache-{}", ::getuid());
}

fs::path find_executable(std::string_view name) {
    if (name.empty()) return {};
    if (name.find('/') != std::string_view::npos) return is_executable_file(name) ? fs::path(name) : fs::path();
    const std::string path = environment("PATH");
    std::size_t start = 0;
    while (start <= path.size()) {
        const std::size_t end = std::min(path.find(':', start), path.size());
        fs::path candidate = fs::path(path.substr(start, end - start)) / name;
        if (end > start && is_executable_file(candidate)) return candidate;
        start = end + 1;
    }
    return {};
}

} // namespace apod
