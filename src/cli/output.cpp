#include "cli/output.hpp"

#include "base/file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace apod::cli {
namespace {

namespace fs = std::filesystem;

struct Target {
    const char* option;
    const std::string* path;
    const std::function<std::string()>* form; // may be null where only the path matters
};

std::array<Target, 3> targets(const OutputOptions& options, const Forms* forms) {
    return {{{"--json", &options.json, forms == nullptr ? nullptr : &forms->json},
             {"--csv", &options.csv, forms == nullptr ? nullptr : &forms->csv},
             {"--markdown", &options.markdown, forms == nullptr ? nullptr : &forms->markdown}}};
}

// 0, or the errno of the write that failed.
int write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

Diagnostic cannot_write(const std::string& path, int error) {
    return bad_input({path, 0, 0}, "cannot write the file: " + std::generic_category().message(error),
                     "check that the directory exists, is writable and has space left");
}

// Devices and pipes (/dev/stderr, a FIFO) are written to; renaming a file over them would destroy them.
bool is_special(const fs::path& path) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

Result<void> write_special(const std::string& path, std::string_view text) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return cannot_write(path, errno);
    const int error = write_all(descriptor, text);
    ::close(descriptor);
    if (error != 0 && error != EPIPE) return cannot_write(path, error);
    return {};
}

Result<void> write_target(const std::string& path, std::string_view text) {
    if (is_special(path)) return write_special(path, text);
    std::error_code failed;
    // Through a symbolic link the file behind it is written, as a shell's redirection does.
    const fs::path target = fs::is_symlink(path, failed) ? fs::weakly_canonical(path, failed) : fs::path(path);
    return write_file(failed ? fs::path(path) : target, text);
}

Result<void> check_target(const std::string& path) {
    std::error_code ignored;
    if (is_special(path)) return {};
    if (fs::is_directory(path, ignored)) return cannot_write(path, EISDIR);
    const fs::path folder = fs::absolute(path, ignored).parent_path();
    if (!fs::exists(folder, ignored)) return cannot_write(path, ENOENT); // a name that is mistyped makes no directory
    if (!fs::is_directory(folder, ignored)) return cannot_write(path, ENOTDIR);
    if (::access(folder.c_str(), W_OK) != 0) return cannot_write(path, errno);
    return {};
}

} // namespace

void prepare_streams() {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
        if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
        // The lowest free number is this one: those below it are open by now.
        if (::open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY) < 0) return;
    }
    std::signal(SIGPIPE, SIG_IGN);
}

Result<void> check_outputs(const OutputOptions& options) {
    std::string to_stdout;
    std::map<std::string, std::string> files; // and the options that write them
    for (const Target& target : targets(options, nullptr)) {
        if (target.path->empty()) continue;
        if (*target.path != "-") {
            const auto [other, first] = files.emplace(*target.path, target.option);
            if (!first)
                return usage_error(fmt::format("{} and {} both write {}", other->second, target.option, *target.path),
                                   "give each its own file");
            if (const Result<void> writable = check_target(*target.path); !writable) return writable;
            continue;
        }
        if (!to_stdout.empty())
            return usage_error(fmt::format("{} and {} both go to standard output", to_stdout, target.option), "give one of them a file");
        to_stdout = target.option;
    }
    return {};
}

Result<void> write_outputs(const OutputOptions& options, const Forms& forms) {
    const std::function<std::string()>* shown = &forms.text;
    for (const Target& target : targets(options, &forms)) {
        if (target.path->empty()) continue;
        if (*target.path == "-") {
            shown = target.form;
        } else if (const Result<void> written = write_target(*target.path, (*target.form)()); !written) {
            return written;
        }
    }
    return write_stdout((*shown)());
}

Result<void> write_stdout(std::string_view text) {
    const int error = write_all(STDOUT_FILENO, text);
    if (error == 0 || error == EPIPE) return {};
    return unavailable("cannot write standard output: " + std::generic_category().message(error), "check that its target has space left");
}

void note(std::string_view text) { (void)write_all(STDERR_FILENO, fmt::format("apod: note: {}\n", text)); }

int report_error(const Diagnostic& diagnostic) {
    (void)write_all(STDERR_FILENO, fmt::format("apod: error: {}\n", to_text(diagnostic)));
    return exit_code(diagnostic.kind);
}

} // namespace apod::cli
