// Runs the built command in a shell, in an empty directory of its own.
#pragma once

#include "base/file.hpp"

#include <string>

namespace apod::golden {

struct Outcome {
    int exit_code = -1; // 128 + the signal that ended it
    std::string out;
    std::string err;
};

class Command {
public:
    Command();

    // `arguments` is shell text behind the command, e.g. "climb transpose | head -1"; `before` stands in front of it, e.g. "COLUMNS=80".
    // With a pipe the exit code is that of the last command; ${PIPESTATUS[0]} is available.
    [[nodiscard]] Outcome apod(const std::string& arguments, const std::string& before = {}) const;
    [[nodiscard]] std::string path(const std::string& file) const; // in the directory
    [[nodiscard]] std::string read(const std::string& file) const; // "" where there is none
    void write(const std::string& file, const std::string& contents) const;

private:
    TempDirectory directory_;
};

// Compares with tests/golden/cli/<name>; APOD_UPDATE_GOLDEN=1 rewrites that file instead.
void expect_golden(const std::string& name, const std::string& actual);

} // namespace apod::golden
