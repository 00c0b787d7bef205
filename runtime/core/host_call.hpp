// Which call of the API the program is in, and from where in the program.
#pragma once

#include <string>
#include <vector>

namespace apod::runtime {

struct HostCall {
    std::string name;                // "cudaMemcpy"; empty where the program is in none
    std::vector<std::string> frames; // the program's functions, innermost first: "/path/of/object+0x1234", as addr2line takes it
};

// Of the calling thread, from inside a call. Unwinds the stack, some microseconds: for what goes wrong.
[[nodiscard]] HostCall host_call();

} // namespace apod::runtime
