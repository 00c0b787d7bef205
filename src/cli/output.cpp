#include "cli/output.hpp"

#include "base/file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

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

std::array<Target, 4> targets(const OutputOptions& options, const Forms* forms) {
    return {{{"--json", &options.json, forms == nullptr ? nullptr : &forms->json},
             {"--csv", &options.csv, forms == nullptr ? nullptr : &forms->csv},
             {"--markdown", &options.markdown, forms == nullptr ? nullptr : &forms->markdown},
             {"--svg", &options.svg, forms == nullptr ? nullptr : &forms->svg}}};
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
    if (::access(path.c_str(), F_OK) == 0 && ::access(path.c_str(), W_OK) != 0) return cannot_write(path, errno);
    return {};
}

// Under whatever name: what is there is compared as a file, what is not yet there by its place.
bool same_file(const std::string& a, const std::string& b) {
    std::error_code failed;
    if (fs::equivalent(a, b, failed)) return true;
    // Absolute first: of a relative name that begins with nothing that is there, no place would be made.
    const fs::path place = fs::weakly_canonical(fs::absolute(a, failed), failed);
    return !failed && place == fs::weakly_canonical(fs::absolute(b, failed), failed) && !failed;
}

Result<void> spares_what_is_read(const Target& target, const std::vector<std::string>& reads) {
    std::error_code failed;
    for (const std::string& read : reads)
        if (fs::is_regular_file(read, failed) && same_file(read, *target.path))
            return usage_error(fmt::format("{} would overwrite {}, which the command itself needs", target.option, *target.path),
                               "give the result another name");
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

Result<void> check_outputs(const OutputOptions& options, const std::vector<std::string>& reads) {
    std::string to_stdout;
    std::vector<Target> files;
    for (const Target& target : targets(options, nullptr)) {
        if (target.path->empty()) continue;
        if (*target.path != "-") {
            for (const Target& other : files)
                if (!is_special(*target.path) && same_file(*other.path, *target.path))
                    return usage_error(fmt::format("{} and {} both write {}", other.option, target.option, *target.path),
                                       "give each its own file");
            files.push_back(target);
            if (const Result<void> spared = spares_what_is_read(target, reads); !spared) return spared;
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
    Result<void> result;
    const auto keep_first = [&result](Result<void> written) {
        if (result && !written) result = std::move(written);
    };
    for (const Target& target : targets(options, &forms)) {
        if (target.path->empty()) continue;
        if (*target.path == "-")
            shown = target.form;
        else
            keep_first(write_target(*target.path, (*target.form)()));
    }
    keep_first(write_stdout((*shown)()));
    return result;
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
