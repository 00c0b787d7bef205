// Events, whose times are those of the emulated clock.
#include "runtime/cuda/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

constexpr unsigned all_flags = 7; // blocking, no timing, interprocess

template<class Body> Error event_call(Event* event, const Body& body) {
    return call([&](Runtime& runtime, Context& context) { return runtime.is_event(event) ? body(runtime, context) : invalid_handle; });
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuEventCreate(Event** event, unsigned flags) {
    if (event == nullptr || flags > all_flags) return refuse(Error::invalid_value);
    return call([&](Runtime& runtime, Context&) {
        *event = runtime.create_event(flags);
        return Error::success;
    });
}

Error cuEventDestroy_v2(Event* event) {
    return event_call(event, [&](Runtime& runtime, Context&) {
        runtime.destroy_event(event);
        return Error::success;
    });
}

Error cuEventDestroy(Event* event) { return cuEventDestroy_v2(event); }

Error cuEventRecord(Event* event, Stream* handle) {
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        return runtime.is_event(event) ? runtime.submit(stream, RecordWork{event}) : invalid_handle;
    });
}

Error cuEventRecordWithFlags(Event* event, Stream* stream, unsigned flags) {
    return flags > 1 ? refuse(Error::invalid_value) : cuEventRecord(event, stream);
}

Error cuEventQuery(Event* event) {
    return event_call(event, [](Runtime&, Context&) { return Error::success; });
}

Error cuEventSynchronize(Event* event) {
    return event_call(event, [&](Runtime& runtime, Context& context) {
        runtime.device(context.device).timeline.host_waits_for(event->time_ns);
        return Error::success;
    });
}

Error cuEventElapsedTime_v2(float* milliseconds, Event* start, Event* end) {
    if (milliseconds == nullptr) return refuse(Error::invalid_value);
    return call([&](Runtime& runtime, Context&) {
        if (!runtime.is_event(start) || !runtime.is_event(end)) return invalid_handle;
        if (!start->recorded || !end->recorded || !start->timed() || !end->timed()) return invalid_handle;
        *milliseconds = static_cast<float>((end->time_ns - start->time_ns) / 1e6);
        return Error::success;
    });
}

Error cuEventElapsedTime(float* milliseconds, Event* start, Event* end) { return cuEventElapsedTime_v2(milliseconds, start, end); }

Error cuEventRecord_ptsz(Event* event, Stream* stream) { return cuEventRecord(event, per_thread(stream)); }
Error cuEventRecordWithFlags_ptsz(Event* event, Stream* stream, unsigned flags) {
    return cuEventRecordWithFlags(event, per_thread(stream), flags);
}

} // extern "C"
#pragma GCC visibility pop
