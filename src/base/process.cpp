#include "base/process.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char** environ;

namespace apod {

namespace {

// Reads until every writer has closed its end.
std::string drain(int fd) {
    std::string output;
    char buffer[16384];
    for (;;) {
        const ssize_t got = ::read(fd, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return output;
        output.append(buffer, static_cast<std::size_t>(got));
    }
}

int wait_for(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// Starts the program with its output in `write_end`; returns the system's error number.
int start(const std::vector<std::string>& arguments, int write_end, pid_t& child) {
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, write_end, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, write_end, STDERR_FILENO);
    const int error = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

} // namespace

Result<ProcessResult> run_process(const std::vector<std::string>& arguments) {
    if (arguments.empty()) return internal_error("run_process was given no program");
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        return unavailable(fmt::format("cannot run {}: {}", arguments[0], std::generic_category().message(errno)));
    }
    pid_t child = 0;
    const int error = start(arguments, ends[1], child);
    ::close(ends[1]);
    ProcessResult result;
    if (error == 0) {
        result.output = drain(ends[0]);
        result.exit_status = wait_for(child);
    }
    ::close(ends[0]);
    if (error == 0) return result;
    return unavailable(fmt::format("cannot run {}: {}", arguments[0], std::generic_category().message(error)));
}

} // namespace apod
