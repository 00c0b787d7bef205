#include "runtime/core/message.hpp"

#include <mutex>
#include <set>

#include <unistd.h>

namespace apod::runtime {

void say(const std::string& text) {
    static std::mutex mutex;
    static auto& said = *new std::set<std::string>; // outlives every static object of the program
    {
        const std::lock_guard lock(mutex);
        if (!said.insert(text).second) return;
    }
    const std::string line = "apod: " + text + "\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

void say(const Diagnostic& diagnostic) { say("error: " + to_text(diagnostic)); }

} // namespace apod::runtime
