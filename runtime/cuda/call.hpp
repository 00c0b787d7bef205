// How every call of the driver API enters: one thread at a time, after cuInit, mostly with a current context; no exception leaves.
#pragma once

#include "runtime/core/runtime.hpp"
#include "runtime/core/thread.hpp"
#include "runtime/cuda/context.hpp"
#include "runtime/cuda/errors.hpp"
#include "runtime/cuda/types.hpp"

#include <new>

namespace apod::runtime::cuda {

// Says once on standard error that the program needs a call that is not there; gives not_supported.
Error missing(const char* name);

// Writes down that the call under way gives the error, and gives it back.
Error refuse(Error error);

// 0 means the thread's own default stream in the entries that programs compiled for per-thread default streams call.
inline Stream* per_thread(Stream* stream) {
    constexpr std::uintptr_t handle = 2;
    return stream == nullptr ? reinterpret_cast<Stream*>(handle) : stream;
}

// Runs `body(Runtime&) -> Error` with no need of a context.
template<class Body> Error global_call(const Body& body) noexcept {
    try {
        Runtime& runtime = Runtime::instance();
        const std::lock_guard lock(runtime.mutex);
        bool& initialised = Contexts::instance().initialised;
        initialised = initialised || thread_state().runtime_used;
        begin_call();
        if (!initialised) return refuse(not_initialised);
        if (runtime.start_error() != Error::success) return runtime.start_error();
        return refuse(driver_error(body(runtime)));
    } catch (const std::bad_alloc&) {
        return refuse(Error::memory_allocation);
    } catch (...) {
        return refuse(Error::unknown);
    }
}

// Runs `body(Runtime&, Context&) -> Error` in the current context. A kernel's fault is given by every call that follows it.
template<class Body> Error call(const Body& body) noexcept {
    return global_call([&](Runtime& runtime) {
        Contexts& contexts = Contexts::instance();
        Context* context = contexts.current(runtime);
        if (context == nullptr) return invalid_context;
        if (!contexts.known(context)) return context_is_destroyed;
        if (const Error fault = runtime.device(context->device).fault; fault != Error::success) return fault;
        return body(runtime, *context);
    });
}

// The same for a call that takes a stream: `body(Runtime&, Stream&) -> Error`.
template<class Body> Error stream_call(Stream* handle, const Body& body) noexcept {
    return call([&](Runtime& runtime, Context&) {
        Stream* stream = runtime.find_stream(handle);
        return stream == nullptr ? Error::invalid_resource_handle : body(runtime, *stream);
    });
}

// Runs `body(Runtime&) -> Error` when the number is a device's.
template<class Body> Error device_call(int device, const Body& body) noexcept {
    return global_call([&](Runtime& runtime) {
        if (device < 0 || device >= runtime.device_count()) return Error::invalid_device;
        return body(runtime);
    });
}

} // namespace apod::runtime::cuda
