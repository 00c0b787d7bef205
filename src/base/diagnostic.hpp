// What went wrong, where, and what to do about it. User input never asserts: whatever reads it returns a Result that carries one of these.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace apod {

// The kind decides the exit code of the command (see exit_code).
enum class ErrorKind : std::uint8_t {
    check_failed, // a check, verification or gate failed: 1
    usage,        // the command line is wrong: 2
    bad_input,    // a file or its contents is wrong: 3
    unavailable,  // device, counters or a needed tool are missing: 4
    internal      // our own fault: 70
};

// Line and column count from 1; 0 means unknown.
struct SourcePosition {
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

struct Diagnostic {
    ErrorKind kind = ErrorKind::internal;
    SourcePosition where;
    std::string message;            // what is wrong, one sentence without a final full stop
    std::string hint;               // what to do; may be empty
    std::vector<std::string> notes; // further evidence, a line each
};

[[nodiscard]] int exit_code(ErrorKind kind);

// "file:line:column: message", then a line for each note and one for the hint.
[[nodiscard]] std::string to_text(const Diagnostic& diagnostic);

// Shorthands for the common kinds.
[[nodiscard]] Diagnostic bad_input(SourcePosition where, std::string message, std::string hint = {});
[[nodiscard]] Diagnostic usage_error(std::string message, std::string hint = {});
[[nodiscard]] Diagnostic unavailable(std::string message, std::string hint = {});
[[nodiscard]] Diagnostic check_failed(std::string message, std::string hint = {});
[[nodiscard]] Diagnostic internal_error(std::string message);

} // namespace apod
