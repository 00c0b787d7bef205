#include "base/interruption.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace apod {
namespace {

enum class State : unsigned char { free, changing, remembered };

// A signal handler may read no more than this: no allocation, no lock.
struct Slot {
    std::atomic<State> state = State::free;
    std::array<char, 1024> path = {};
    pid_t owner = 0; // a process that was forked from the one whose directory it is has no say in it
};
std::array<Slot, 16> slots;

void remove_with_all_it_holds(const char* path) {
    const pid_t child = ::_Fork(); // fork() would take locks that the interrupted thread may hold
    if (child == 0) {
        ::execl("/bin/rm", "rm", "-rf", "--", path, nullptr);
        ::_exit(127);
    }
    while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void on_signal(int signal) {
    for (Slot& slot : slots)
        if (slot.state == State::remembered && slot.owner == ::getpid()) remove_with_all_it_holds(slot.path.data());
    ::raise(signal); // the handler is gone by now (SA_RESETHAND): this ends us when we return
}

} // namespace

void remove_directories_when_interrupted() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before = {};
        if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
        struct sigaction action = {};
        action.sa_handler = on_signal;
        action.sa_flags = SA_RESETHAND;
        ::sigaction(signal, &action, nullptr);
    }
}

namespace detail {

void remember_directory(const std::filesystem::path& path) {
    const std::string text = path.string();
    for (Slot& slot : slots) {
        State expected = State::free;
        if (text.size() >= slot.path.size() || !slot.state.compare_exchange_strong(expected, State::changing)) continue;
        std::memcpy(slot.path.data(), text.c_str(), text.size() + 1);
        slot.owner = ::getpid();
        slot.state = State::remembered;
        return;
    }
}

void forget_directory(const std::filesystem::path& path) {
    for (Slot& slot : slots)
        if (slot.state == State::remembered && path == slot.path.data()) slot.state = State::free;
}

} // namespace detail
} // namespace apod
