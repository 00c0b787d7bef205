#include "runtime/cuda/call.hpp"

#include "runtime/core/message.hpp"

#include <string>

namespace apod::runtime::cuda {

Error missing(const char* name) {
    say(std::string("note: the program calls ") + name + ", which the emulated CUDA driver does not have");
    return Error::not_supported;
}

} // namespace apod::runtime::cuda
