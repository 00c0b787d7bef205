// What is left in the temporary directory when a signal ends us: nothing.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>

namespace apod {

// For commands: from now on SIGINT, SIGTERM and SIGHUP remove what is remembered, and end the process as they did before. A signal that is
// ignored (nohup) stays ignored. Without this call directories are remembered in vain: a library has no business with its program's
// signals.
void remove_directories_when_interrupted();

// For commands whose work can be shown in part: the first of these signals, or the end of `timeout_s` (0: never), only sets
// stop_requested(). A second signal ends the process as above; what has not stopped some seconds after the time-out is ended with a line
// on standard error that has the text of what_runs().
void stop_gently_when_interrupted(double timeout_s);

// Whoever works for long looks at it now and then.
[[nodiscard]] const std::atomic<bool>& stop_requested();

// 124 after a time-out, as timeout(1) has it; 128 + n after signal n; 0 while nobody has asked to stop.
[[nodiscard]] int stop_exit_code();

// What is being done, for the line that says what was ended.
void what_runs(const std::string& what);

namespace detail {

// A directory that goes with all it holds when a signal comes; of more than a few at a time the later ones stay.
void remember_directory(const std::filesystem::path& path);
void forget_directory(const std::filesystem::path& path);

} // namespace detail
} // namespace apod
