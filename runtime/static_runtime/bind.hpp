// The first call of a redirected entry: loads our runtime, finds the function, and lets the entry's slot lead there from then on.
#pragma once

#include <cstdint>
#include <string_view>

namespace apod::runtime::static_runtime {

struct Binding {
    std::string_view name;
    const char* library = nullptr; // libcudart.so.13, beside this library
    std::uint64_t* slot = nullptr;
};

// Gives the binding's number. One thread at a time; any number of threads may be in calls meanwhile.
std::uint32_t add_binding(const Binding& binding);

// Where a stub goes with the number of its binding on the stack. It keeps the arguments of the call and ends in the function.
std::uint64_t binder_address();

// The folder of this library, with a slash at its end.
const char* own_directory();

// "apod: error: ..." on standard error, and the end of the process with that exit code.
[[noreturn]] void give_up(std::string_view what, int exit_code);

} // namespace apod::runtime::static_runtime
