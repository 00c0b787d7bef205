#include "cli/progress.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>

#include <cstdio>

#include <unistd.h>

namespace apod::cli {

Progress::Progress(bool quiet) : on_(!quiet && ::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { clear(); }

void Progress::show(const std::string& what, std::size_t index, std::size_t count) {
    show(fmt::format("[{}/{}] {}", index + 1, count, what));
}

void Progress::show(const std::string& what) {
    if (!on_) return;
    fmt::print(stderr, "\r\x1b[K{}", printable(what));
    std::fflush(stderr);
    shown_ = true;
}

void Progress::clear() {
    if (!shown_) return;
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
    shown_ = false;
}

} // namespace apod::cli
