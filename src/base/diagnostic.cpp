#include "base/diagnostic.hpp"

#include <fmt/format.h>

#include <utility>

namespace apod {

int exit_code(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::check_failed: return 1;
    case ErrorKind::usage: return 2;
    case ErrorKind::bad_input: return 3;
    case ErrorKind::unavailable: return 4;
    case ErrorKind::internal: return 70;
    }
    return 70;
}

std::string to_text(const Diagnostic& diagnostic) {
    std::string text;
    const SourcePosition& where = diagnostic.where;
    if (!where.file.empty()) {
        text += where.file;
        if (where.line != 0) text += fmt::format(":{}", where.line);
        if (where.line != 0 && where.column != 0) text += fmt::format(":{}", where.column);
        text += ": ";
    }
    text += diagnostic.message;
    for (const std::string& note : diagnostic.notes) text += "\n  " + note;
    if (!diagnostic.hint.empty()) text += "\n  help: " + diagnostic.hint;
    return text;
}

Diagnostic bad_input(SourcePosition where, std::string message, std::string hint) {
    return {ErrorKind::bad_input, std::move(where), std::move(message), std::move(hint), {}};
}

Diagnostic usage_error(std::string message, std::string hint) { return {ErrorKind::usage, {}, std::move(message), std::move(hint), {}}; }

Diagnostic unavailable(std::string message, std::string hint) {
    return {ErrorKind::unavailable, {}, std::move(message), std::move(hint), {}};
}

Diagnostic check_failed(std::string message, std::string hint) {
    return {ErrorKind::check_failed, {}, std::move(message), std::move(hint), {}};
}

Diagnostic internal_error(std::string message) {
    return {ErrorKind::internal, {}, std::move(message), "this is a fault of apod; please report it with the command that caused it", {}};
}

} // namespace apod
