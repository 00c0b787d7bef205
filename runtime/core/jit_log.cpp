#include "runtime/core/jit_log.hpp"

#include "runtime/core/message.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace apod::runtime {
namespace {

enum Option : int { wall_time = 2, info_buffer = 3, info_bytes = 4, error_buffer = 5, error_bytes = 6 };

std::size_t number(const void* value) { return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(value)); }

} // namespace

JitLog::JitLog(unsigned count, const int* options, void** values) {
    for (unsigned i = 0; i < count && options != nullptr && values != nullptr; ++i) {
        switch (options[i]) {
        case wall_time: values[i] = nullptr; break; // a float of 0 ms
        case info_buffer: info_.text = static_cast<char*>(values[i]); break;
        case error_buffer: error_.text = static_cast<char*>(values[i]); break;
        case info_bytes: info_.room = number(values[i]), info_.filled = &values[i]; break;
        case error_bytes: error_.room = number(values[i]), error_.filled = &values[i]; break;
        default: break; // how to optimise: nothing to do for an emulator
        }
    }
    for (Buffer* buffer : {&error_, &info_}) append(*buffer, {});
}

void JitLog::append(Buffer& buffer, const std::string& text) {
    if (buffer.text != nullptr && buffer.room > 0) {
        const std::size_t bytes = std::min(text.size(), buffer.room - 1 - buffer.used);
        std::memcpy(buffer.text + buffer.used, text.data(), bytes);
        buffer.used += bytes;
        buffer.text[buffer.used] = '\0';
    }
    if (buffer.filled != nullptr) *buffer.filled = reinterpret_cast<void*>(buffer.used);
}

void JitLog::error(const Diagnostic& diagnostic) {
    if (error_.text == nullptr || error_.room == 0) return say(diagnostic);
    append(error_, "error: " + to_text(diagnostic) + "\n");
}

void JitLog::info(const std::string& text) { append(info_, text + "\n"); }

} // namespace apod::runtime
