// The options of calls that compile or link: what the emulator takes of them are the buffers for messages. Both APIs number them alike.
#pragma once

#include "base/diagnostic.hpp"

#include <cstddef>
#include <string>

namespace apod::runtime {

class JitLog {
public:
    // `options` and `values` are the call's two arrays: the option and its value, or a pointer to it.
    JitLog(unsigned count, const int* options, void** values);

    // Writes to the program's buffers and their sizes; without an error buffer the message goes to standard error.
    void error(const Diagnostic& diagnostic);
    void info(const std::string& text);

private:
    struct Buffer {
        char* text = nullptr;
        std::size_t room = 0;
        void** filled = nullptr; // where the program reads how much of it is used
        std::size_t used = 0;
    };
    static void append(Buffer& buffer, const std::string& text);

    Buffer error_;
    Buffer info_;
};

} // namespace apod::runtime
