#include "base/interruption.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include <sys/time.h>
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

void remove_directories() {
    for (Slot& slot : slots)
        if (slot.state == State::remembered && slot.owner == ::getpid()) remove_with_all_it_holds(slot.path.data());
}

void on_signal(int signal) {
    remove_directories();
    ::raise(signal); // the handler is gone by now (SA_RESETHAND): this ends us when we return
}

constexpr int timeout_code = 124;
std::atomic<bool> stop{false};
volatile std::sig_atomic_t stop_code = 0;
std::array<char, 256> activity = {}; // read by a signal handler: always ends with a 0, at worst in the middle of a change

void handle(int signal, void (*handler)(int), int flags) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    ::sigaction(signal, &action, nullptr);
}

// The signals that ask a command to end, but for those that are ignored (nohup).
void handle_endings(void (*handler)(int), int flags) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before = {};
        if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) handle(signal, handler, flags);
    }
}

void on_first_signal(int signal) {
    stop_code = 128 + signal;
    stop = true;
    handle_endings(on_signal, SA_RESETHAND);
}

void tell(const char* text) { [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text)); }

// What does not look at stop_requested() (a kernel on a GPU, a compiler) has some seconds to come to its end.
void on_alarm(int) {
    if (!stop) {
        stop_code = timeout_code;
        stop = true;
        return;
    }
    tell("apod: error: what was running did not stop in time and was ended: ");
    tell(activity.data());
    tell("\n");
    remove_directories();
    ::_exit(stop_code);
}

} // namespace

void stop_gently_when_interrupted(double timeout_s) {
    handle_endings(on_first_signal, SA_RESTART);
    if (timeout_s <= 0) return;
    handle(SIGALRM, on_alarm, SA_RESTART);
    constexpr std::time_t grace_s = 5;
    const auto whole = static_cast<std::time_t>(timeout_s);
    itimerval timer = {};
    timer.it_value.tv_sec = whole;
    timer.it_value.tv_usec = static_cast<suseconds_t>((timeout_s - static_cast<double>(whole)) * 1e6);
    timer.it_interval.tv_sec = grace_s;
    ::setitimer(ITIMER_REAL, &timer, nullptr);
}

const std::atomic<bool>& stop_requested() { return stop; }

int stop_exit_code() { return stop_code; }

void what_runs(const std::string& what) {
    const std::size_t length = std::min(what.size(), activity.size() - 1);
    std::memcpy(activity.data(), what.data(), length);
    activity[length] = '\0';
}

void remove_directories_when_interrupted() { handle_endings(on_signal, SA_RESETHAND); }

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
