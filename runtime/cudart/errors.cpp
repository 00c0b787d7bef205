// Errors: the last one of the thread, names and texts.
#include "runtime/cudart/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

#pragma GCC visibility push(default)
extern "C" {

// A kernel's fault is sticky: it stays until the process ends (or cudaDeviceReset).
Error cudaGetLastError() {
    Thread& thread = this_thread();
    const Error last = thread.last;
    thread.last = Error::success;
    return last;
}

Error cudaPeekAtLastError() { return this_thread().last; }

const char* cudaGetErrorName(Error error) { return error_name(error); }
const char* cudaGetErrorString(Error error) { return error_text(error); }

} // extern "C"
#pragma GCC visibility pop
