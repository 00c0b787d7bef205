#include "cli/run_program.hpp"

#include "cli/orphan_watch.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include <spawn.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace apod::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* library = "libcudart.so.13";
constexpr const char* preloaded = "libapod_preload.so";        // for programs with a CUDA runtime of their own; not on every machine
constexpr std::string_view sanitizer = APOD_SANITIZER_RUNTIME; // of a build that is for testing; empty otherwise

// What the program sees: our variables in place of those of the same name.
std::vector<std::string> child_environment(const std::vector<std::string>& ours) {
    std::vector<std::string> all = ours;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const std::string name = text.substr(0, text.find('=') + 1);
        bool replaced = false;
        for (const std::string& own : ours) replaced = replaced || own.starts_with(name);
        if (!replaced) all.push_back(text);
    }
    return all;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
    result.push_back(nullptr);
    return result;
}

std::string library_path(const fs::path& directory) {
    const char* before = std::getenv("LD_LIBRARY_PATH");
    return directory.string() + (before != nullptr && *before != '\0' ? ":" + std::string(before) : std::string());
}

// Ours first: it must come before whatever else the program has put before its libraries.
std::string preload_list(const fs::path& directory) {
    std::error_code failed;
    const char* before = std::getenv("LD_PRELOAD");
    std::string list = before != nullptr ? before : "";
    if (fs::exists(directory / preloaded, failed)) list = (directory / preloaded).string() + (list.empty() ? "" : ":" + list);
    if (!sanitizer.empty()) list = std::string(sanitizer) + (list.empty() ? "" : ":" + list);
    return list;
}

// What the program leaves allocated is its own affair, and so is how it crashes.
std::string sanitizer_options(const char* variable) {
    const char* before = std::getenv(variable);
    return std::string(variable) + "=" + (before != nullptr ? std::string(before) + ":" : std::string()) +
           "detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0";
}

volatile std::sig_atomic_t child_to_signal = 0;
volatile std::sig_atomic_t alarms = 0;

void pass_on(int signal) {
    if (child_to_signal > 0) ::kill(child_to_signal, signal);
}

// The first alarm asks the program to end, the next ones end it.
void on_alarm(int) {
    alarms = alarms + 1;
    pass_on(alarms == 1 ? SIGTERM : SIGKILL);
}

void set_timer(double seconds) {
    constexpr std::time_t grace_s = 2;
    const auto whole = static_cast<std::time_t>(seconds);
    itimerval timer = {};
    timer.it_value.tv_sec = whole;
    timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - static_cast<double>(whole)) * 1e6);
    timer.it_interval.tv_sec = seconds > 0 ? grace_s : 0;
    ::setitimer(ITIMER_REAL, &timer, nullptr);
}

// While the program runs, the signals of the terminal are its own, and a termination request goes to it.
class SignalsForChild {
public:
    SignalsForChild() {
        struct sigaction ignore = {};
        ignore.sa_handler = SIG_IGN;
        struct sigaction forward = {};
        forward.sa_handler = pass_on;
        ::sigaction(SIGINT, &ignore, &interrupt_);
        ::sigaction(SIGQUIT, &ignore, &quit_);
        ::sigaction(SIGTERM, &forward, &terminate_);
        ::sigaction(SIGHUP, &forward, &hang_up_);
        if (hang_up_.sa_handler == SIG_IGN) ::sigaction(SIGHUP, &hang_up_, nullptr); // nohup
        struct sigaction alarm = {};
        alarm.sa_handler = on_alarm;
        ::sigaction(SIGALRM, &alarm, &alarm_);
    }
    ~SignalsForChild() {
        set_timer(0);
        ::sigaction(SIGALRM, &alarm_, nullptr);
        ::sigaction(SIGINT, &interrupt_, nullptr);
        ::sigaction(SIGQUIT, &quit_, nullptr);
        ::sigaction(SIGTERM, &terminate_, nullptr);
        ::sigaction(SIGHUP, &hang_up_, nullptr);
    }
    SignalsForChild(const SignalsForChild&) = delete;
    SignalsForChild& operator=(const SignalsForChild&) = delete;

private:
    struct sigaction interrupt_ = {};
    struct sigaction quit_ = {};
    struct sigaction terminate_ = {};
    struct sigaction hang_up_ = {};
    struct sigaction alarm_ = {};
};

// The program gets the signals as a shell would have given them.
void set_default_signals(posix_spawnattr_t& attributes) {
    sigset_t defaults;
    sigemptyset(&defaults);
    for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGPIPE}) sigaddset(&defaults, signal);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
}

int start(const ProgramRun& run, const std::vector<std::string>& environment, pid_t& child) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (run.output_to_stderr) posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    set_default_signals(attributes);
    const std::vector<char*> argv = pointers(run.arguments);
    const std::vector<char*> variables = pointers(environment);
    const int error = ::posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), variables.data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

std::string what_to_do(const fs::path& program, int error) {
    constexpr std::string_view sources[] = {".cu", ".cpp", ".cc", ".c", ".ptx"};
    const std::string name = program.string();
    std::error_code failed;
    if (std::find(std::begin(sources), std::end(sources), program.extension().string()) != std::end(sources) && fs::exists(program, failed))
        return "this is a source: compile it, e.g. nvcc -lineinfo -o " + program.stem().string() + " " + name + ", and run ./" +
               program.stem().string();
    if (error == ENOENT && !program.has_parent_path() && fs::exists(program, failed))
        return "did you mean ./" + name + "? A name without a directory is looked for in PATH only";
    return "check its path and that it is executable";
}

} // namespace

Result<fs::path> runtime_directory() {
    std::error_code failed;
    const fs::path command = fs::read_symlink("/proc/self/exe", failed).parent_path();
    for (const fs::path& candidate : {command / "runtime", command.parent_path() / "lib" / "apod"})
        if (fs::exists(candidate / library, failed)) return candidate;
    return unavailable(std::string("apod's CUDA runtime, ") + library + ", is neither beside the command nor in ../lib/apod",
                       "build it: make run");
}

Result<ProgramEnd> run_program(const ProgramRun& run) {
    const Result<fs::path> directory = runtime_directory();
    if (!directory) return directory.error();
    std::vector<std::string> ours = {"LD_LIBRARY_PATH=" + library_path(*directory),
                                     "LD_PRELOAD=" + preload_list(*directory),
                                     "APOD_DEVICE=" + run.device,
                                     "APOD_DEVICES=" + std::to_string(run.devices),
                                     "APOD_THREADS=" + std::to_string(run.threads),
                                     "APOD_RUN_RECORD=" + run.record.string(),
                                     "APOD_TEMP_DIR=" + run.record.string(),
                                     std::string("APOD_CHECK=") + (run.check ? "1" : "0"),
                                     "APOD_FRESH_MEMORY=" + run.fresh_memory,
                                     "APOD_COUNTED=" + (run.counted ? std::to_string(*run.counted) : std::string())};
    if (!sanitizer.empty())
        for (const char* variable : {"ASAN_OPTIONS", "TSAN_OPTIONS"}) ours.push_back(sanitizer_options(variable));
    const std::vector<std::string> environment = child_environment(ours);
    const OrphanWatch watch(run.record);
    const SignalsForChild signals;
    pid_t child = 0;
    if (const int error = start(run, environment, child); error != 0)
        return bad_input({run.arguments[0], 0, 0}, "cannot start the program: " + std::generic_category().message(error),
                         what_to_do(run.arguments[0], error));
    child_to_signal = child;
    alarms = 0;
    set_timer(run.timeout_s);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    child_to_signal = 0;
    ProgramEnd end;
    end.timed_out = alarms > 0;
    end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    constexpr int timeout_code = 124;
    end.exit_code = end.timed_out ? timeout_code : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return end;
}

} // namespace apod::cli
