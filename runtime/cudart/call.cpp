#include "runtime/cudart/call.hpp"

#include "runtime/core/message.hpp"

#include <string>

namespace apod::runtime::cudart {

Thread& this_thread() {
    thread_local Thread thread;
    return thread;
}

Error missing(const char* name) {
    say(std::string("note: the program calls ") + name + ", which the emulated CUDA runtime does not have yet");
    return remember(Error::not_supported);
}

Error remember(Error error) {
    if (error != Error::success && error != Error::not_ready) this_thread().last = error;
    return error;
}

} // namespace apod::runtime::cudart
