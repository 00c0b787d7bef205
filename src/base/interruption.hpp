// What is left in the temporary directory when a signal ends us: nothing.
#pragma once

#include <filesystem>

namespace apod {

// For commands: from now on SIGINT, SIGTERM and SIGHUP remove what is remembered, and end the process as they did before. A signal that is
// ignored (nohup) stays ignored. Without this call directories are remembered in vain: a library has no business with its program's
// signals.
void remove_directories_when_interrupted();

namespace detail {

// A directory that goes with all it holds when a signal comes; of more than a few at a time the later ones stay.
void remember_directory(const std::filesystem::path& path);
void forget_directory(const std::filesystem::path& path);

} // namespace detail
} // namespace apod
