// Streams and events. Work runs when it is issued, so waiting moves the emulated clock only.
#include "runtime/cudart/call.hpp"

#include <algorithm>

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

constexpr unsigned flag_non_blocking = 1;
constexpr unsigned flag_external = 1; // of records and waits: a node of its own in a capture
constexpr int least_priority = 0;
constexpr int greatest_priority = -5;

Error create_stream(Stream** handle, unsigned flags, int priority) {
    if (handle == nullptr || flags > flag_non_blocking) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        const StreamKind kind = flags == flag_non_blocking ? StreamKind::non_blocking : StreamKind::blocking;
        *handle = runtime.create_stream(this_thread().device, kind, flags, std::clamp(priority, greatest_priority, least_priority));
        return Error::success;
    });
}

template<class Body> Error event_call(Event* event, const Body& body) {
    return call([&](Runtime& runtime) { return runtime.is_event(event) ? body(runtime) : Error::invalid_resource_handle; });
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cudaStreamCreate(Stream** stream) { return create_stream(stream, 0, 0); }
Error cudaStreamCreateWithFlags(Stream** stream, unsigned flags) { return create_stream(stream, flags, 0); }
Error cudaStreamCreateWithPriority(Stream** stream, unsigned flags, int priority) { return create_stream(stream, flags, priority); }

Error cudaStreamDestroy(Stream* handle) {
    return call([&](Runtime& runtime) {
        if (!runtime.is_stream(handle)) return Error::invalid_resource_handle;
        runtime.destroy_stream(handle);
        return Error::success;
    });
}

Error cudaStreamSynchronize(Stream* handle) {
    return stream_call(handle, [](Runtime& runtime, Stream& stream) {
        if (const Error error = runtime.captures().wait_for(stream); error != Error::success) return error;
        Timeline& timeline = runtime.device(stream.device).timeline;
        timeline.host_waits_for(timeline.ready_ns(stream));
        return Error::success;
    });
}

Error cudaStreamQuery(Stream* handle) {
    return stream_call(handle, [](Runtime& runtime, Stream& stream) { return runtime.captures().wait_for(stream); });
}

Error cudaStreamWaitEvent(Stream* handle, Event* event, unsigned flags) {
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        return runtime.is_event(event) ? runtime.submit(stream, WaitWork{event, flags == flag_external}) : Error::invalid_resource_handle;
    });
}

Error cudaStreamGetFlags(Stream* handle, unsigned* flags) {
    return stream_call(handle, [&](Runtime&, Stream& stream) {
        *flags = stream.flags;
        return Error::success;
    });
}

Error cudaStreamGetPriority(Stream* handle, int* priority) {
    return stream_call(handle, [&](Runtime&, Stream& stream) {
        *priority = stream.priority;
        return Error::success;
    });
}

Error cudaStreamGetId(Stream* handle, unsigned long long* id) {
    return stream_call(handle, [&](Runtime&, Stream& stream) {
        *id = stream.id;
        return Error::success;
    });
}

Error cudaStreamGetDevice(Stream* handle, int* device) {
    return stream_call(handle, [&](Runtime&, Stream& stream) {
        *device = stream.device;
        return Error::success;
    });
}

Error cudaStreamAttachMemAsync(Stream* handle, void*, std::size_t, unsigned) {
    return stream_call(handle, [](Runtime&, Stream&) { return Error::success; });
}

Error cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (least != nullptr) *least = least_priority;
    if (greatest != nullptr) *greatest = greatest_priority;
    return Error::success;
}

Error cudaEventCreateWithFlags(Event** event, unsigned flags) {
    if (event == nullptr || flags > 7) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        *event = runtime.create_event(flags);
        return Error::success;
    });
}

Error cudaEventCreate(Event** event) { return cudaEventCreateWithFlags(event, 0); }

Error cudaEventDestroy(Event* event) {
    return event_call(event, [&](Runtime& runtime) {
        runtime.destroy_event(event);
        return Error::success;
    });
}

Error cudaEventRecordWithFlags(Event* event, Stream* handle, unsigned flags) {
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        return runtime.is_event(event) ? runtime.submit(stream, RecordWork{event, flags == flag_external}) : Error::invalid_resource_handle;
    });
}

Error cudaEventRecord(Event* event, Stream* handle) { return cudaEventRecordWithFlags(event, handle, 0); }

Error cudaEventSynchronize(Event* event) {
    return event_call(event, [&](Runtime& runtime) {
        if (const Error error = runtime.captures().wait_for(*event); error != Error::success) return error;
        runtime.device(this_thread().device).timeline.host_waits_for(event->time_ns);
        return Error::success;
    });
}

Error cudaEventQuery(Event* event) {
    return event_call(event, [&](Runtime& runtime) { return runtime.captures().wait_for(*event); });
}

Error cudaEventElapsedTime(float* milliseconds, Event* start, Event* end) {
    if (milliseconds == nullptr) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        if (!runtime.is_event(start) || !runtime.is_event(end)) return Error::invalid_resource_handle;
        if (!start->recorded || !end->recorded || !start->timed() || !end->timed()) return Error::invalid_resource_handle;
        *milliseconds = static_cast<float>((end->time_ns - start->time_ns) / 1e6);
        return Error::success;
    });
}

} // extern "C"
#pragma GCC visibility pop
