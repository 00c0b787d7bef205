// What apod finds in this library and not in NVIDIA's when it loads libcuda.so.1 itself.
#include "runtime/cuda/call.hpp"

#include <algorithm>

using namespace apod::runtime;
using namespace apod::runtime::cuda;

#pragma GCC visibility push(default)
extern "C" {

// A time from here is a prediction.
int cuApodIsEmulated() { return 1; }

// What the stream gets from now on begins at least so many nanoseconds after now, on the emulated clock: apod's timing holds a GPU's stream
// back by a kernel that waits, so that the host's pace is in no sample.
Error cuApodHold(Stream* handle, double for_ns) {
    return stream_call(handle, [for_ns](Runtime& runtime, Stream& stream) {
        runtime.device(stream.device).timeline.hold(stream, std::max(for_ns, 0.0));
        return Error::success;
    });
}

} // extern "C"
#pragma GCC visibility pop
