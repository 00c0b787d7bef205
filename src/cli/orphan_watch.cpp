#include "cli/orphan_watch.hpp"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace apod::cli {
namespace {

namespace fs = std::filesystem;

bool has_variable(const fs::path& process, const std::string& variable) {
    std::ifstream file(process / "environ", std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    const std::string entry = variable + '\0';
    for (std::size_t at = all.find(entry); at != std::string::npos; at = all.find(entry, at + 1))
        if (at == 0 || all[at - 1] == '\0') return true;
    return false;
}

// How many there were.
int end_processes(const std::string& variable) {
    int ended = 0;
    std::error_code failed;
    for (fs::directory_iterator entry("/proc", failed), end; !failed && entry != end; entry.increment(failed)) {
        const std::string name = entry->path().filename().string();
        pid_t process = 0;
        const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), process);
        if (error != std::errc() || rest != name.data() + name.size() || process == ::getpid()) continue;
        if (has_variable(entry->path(), variable) && ::kill(process, SIGKILL) == 0) ++ended;
    }
    return ended;
}

// Without files of ours, whose other ends might wait for their last user.
void leave_files(int kept) {
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, standard);
    for (const auto& [first, last] : {std::pair{STDERR_FILENO + 1, kept - 1}, std::pair{kept + 1, ~0}})
        if (static_cast<unsigned>(first) <= static_cast<unsigned>(last))
            ::close_range(static_cast<unsigned>(first), static_cast<unsigned>(last), 0);
}

// A process that is killed while it starts another leaves that to the next round.
[[noreturn]] void watch(int word, const fs::path& record) {
    constexpr int rounds = 50;
    constexpr auto between = std::chrono::milliseconds(20);
    ::setsid(); // the terminal's signals are not for us
    leave_files(word);
    char said = 0;
    ssize_t got = 0;
    while ((got = ::read(word, &said, 1)) < 0 && errno == EINTR) {
    }
    if (got == 0) {
        for (int round = 0; round < rounds && end_processes("APOD_RUN_RECORD=" + record.string()) != 0; ++round)
            std::this_thread::sleep_for(between);
        std::error_code ignored;
        fs::remove_all(record, ignored);
    }
    ::_exit(0);
}

} // namespace

OrphanWatch::OrphanWatch(const fs::path& record) {
    int ends[2] = {};
    if (::pipe2(ends, O_CLOEXEC) != 0) return; // then the program outlives us, as it would have without
    watcher_ = ::fork();
    if (watcher_ == 0) {
        ::close(ends[1]);
        watch(ends[0], record);
    }
    ::close(ends[0]);
    word_ = ends[1];
}

OrphanWatch::~OrphanWatch() {
    if (word_ < 0) return;
    const char well = 1;
    (void)!::write(word_, &well, 1);
    ::close(word_);
    while (watcher_ > 0 && ::waitpid(watcher_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

} // namespace apod::cli
