// printf as the CUDA programming guide describes it ("Formatted Output"): the conversions of C without %n, at most 32 arguments.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace apod::emu {

struct PrintArguments {
    // Reads `bytes` at `offset` of the packed arguments, which lie at their natural alignment; false: that memory cannot be read.
    std::function<bool(std::uint64_t offset, std::uint32_t bytes, void* to)> read;
    // The text at a generic address, up to its terminating zero; false as above.
    std::function<bool(std::uint64_t address, std::string& text)> text;
};

// Appends to `out` and returns the number of arguments used; -1: an argument could not be read, and what came before it is in `out`.
int format_print(std::string& out, std::string_view format, const PrintArguments& arguments);

} // namespace apod::emu
