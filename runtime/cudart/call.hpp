// How every API call enters: one thread at a time, with the calling thread's own state, no exception leaves, errors are remembered.
#pragma once

#include "runtime/core/runtime.hpp"
#include "runtime/core/thread.hpp"
#include "runtime/cudart/types.hpp"

#include <new>
#include <vector>

namespace apod::runtime::cudart {

struct LaunchShape {
    Dim grid;
    Dim block;
    std::size_t dynamic_shared_bytes;
    Stream* stream;
};

// What CUDA keeps for each host thread.
struct Thread {
    Error last = Error::success; // for cudaGetLastError
    int& device = thread_state().device;
    std::vector<LaunchShape> shapes; // <<<...>>> pushed and not yet popped
    bool own_default_stream = false; // the call under way is a _ptsz or _ptds one: stream 0 is the thread's own
};

[[nodiscard]] Thread& this_thread();

// Says once on standard error that the program needs a call that is not there yet; gives not_supported.
Error missing(const char* name);

// Remembers an error for cudaGetLastError, writes down that the call under way gives it, and gives it back.
Error remember(Error error);

// Runs `body(Runtime&) -> Error` as an API call on the current device.
template<class Body> Error call(const Body& body) noexcept {
    try {
        Runtime& runtime = Runtime::instance();
        const std::lock_guard lock(runtime.mutex);
        thread_state().runtime_used = true;
        begin_call();
        if (runtime.start_error() != Error::success) return remember(runtime.start_error());
        if (const Error fault = runtime.device(this_thread().device).fault; fault != Error::success) return remember(fault);
        return remember(body(runtime));
    } catch (const std::bad_alloc&) {
        return remember(Error::memory_allocation);
    } catch (...) {
        return remember(Error::unknown);
    }
}

// Stream 0 as the call under way means it.
[[nodiscard]] Stream* named_stream(Stream* handle);

// The same for a call that takes a stream: `body(Runtime&, Stream&) -> Error`.
template<class Body> Error stream_call(Stream* handle, const Body& body) noexcept {
    handle = named_stream(handle);
    return call([&](Runtime& runtime) {
        Stream* stream = runtime.find_stream(handle);
        return stream == nullptr ? Error::invalid_resource_handle : body(runtime, *stream);
    });
}

// A kernel's fault shows at the next call that waits for the device.
inline Error wait_result(Runtime& runtime, int device) { return runtime.device(device).fault; }

} // namespace apod::runtime::cudart
