// Streams. Work runs when it is issued, so waiting moves the emulated clock only.
#include "runtime/cuda/call.hpp"

#include <algorithm>

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

constexpr unsigned flag_non_blocking = 1;
constexpr int least_priority = 0;
constexpr int greatest_priority = -5;

// Gives a member of the stream.
template<class T, class Get> Error get(Stream* handle, T* value, const Get& of) {
    if (value == nullptr) return Error::invalid_value;
    return stream_call(handle, [&](Runtime&, Stream& stream) {
        *value = of(stream);
        return Error::success;
    });
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuStreamCreateWithPriority(Stream** stream, unsigned flags, int priority) {
    if (stream == nullptr || flags > flag_non_blocking) return refuse(Error::invalid_value);
    return call([&](Runtime& runtime, Context& context) {
        const StreamKind kind = flags == flag_non_blocking ? StreamKind::non_blocking : StreamKind::blocking;
        *stream = runtime.create_stream(context.device, kind, flags, std::clamp(priority, greatest_priority, least_priority));
        Contexts::instance().of_stream[*stream] = &context;
        return Error::success;
    });
}

Error cuStreamCreate(Stream** stream, unsigned flags) { return cuStreamCreateWithPriority(stream, flags, 0); }

Error cuStreamDestroy_v2(Stream* stream) {
    return call([&](Runtime& runtime, Context&) {
        if (!runtime.is_stream(stream)) return invalid_handle;
        Contexts::instance().of_stream.erase(stream);
        runtime.destroy_stream(stream);
        return Error::success;
    });
}

Error cuStreamDestroy(Stream* stream) { return cuStreamDestroy_v2(stream); }

Error cuStreamSynchronize(Stream* handle) {
    return stream_call(handle, [](Runtime& runtime, Stream& stream) {
        if (const Error error = runtime.captures().wait_for(stream); error != Error::success) return error;
        Timeline& timeline = runtime.device(stream.device).timeline;
        timeline.host_waits_for(timeline.ready_ns(stream));
        return Error::success;
    });
}

Error cuStreamQuery(Stream* handle) {
    return stream_call(handle, [](Runtime& runtime, Stream& stream) { return runtime.captures().wait_for(stream); });
}

Error cuStreamWaitEvent(Stream* handle, Event* event, unsigned flags) {
    if (flags > 1) return refuse(Error::invalid_value);
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        return runtime.is_event(event) ? runtime.submit(stream, WaitWork{event, flags == 1}) : invalid_handle;
    });
}

Error cuStreamAddCallback(Stream* handle, void (*function)(Stream*, Error, void*), void* data, unsigned flags) {
    if (function == nullptr || flags != 0) return refuse(Error::invalid_value);
    return stream_call(handle, [&](Runtime&, Stream&) {
        function(handle, Error::success, data);
        return Error::success;
    });
}

Error cuStreamGetFlags(Stream* handle, unsigned* flags) {
    return get(handle, flags, [](const Stream& stream) { return stream.flags; });
}
Error cuStreamGetPriority(Stream* handle, int* priority) {
    return get(handle, priority, [](const Stream& stream) { return stream.priority; });
}
Error cuStreamGetId(Stream* handle, unsigned long long* id) {
    return get(handle, id, [](const Stream& stream) { return stream.id; });
}
Error cuStreamGetDevice(Stream* handle, int* device) {
    return get(handle, device, [](const Stream& stream) { return stream.device; });
}

Error cuStreamGetCtx(Stream* handle, Context** context) {
    if (context == nullptr) return refuse(Error::invalid_value);
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        Contexts& contexts = Contexts::instance();
        const auto found = contexts.of_stream.find(&stream);
        *context = found != contexts.of_stream.end()                 ? found->second
                   : handle == nullptr || !runtime.is_stream(handle) ? contexts.current(runtime)
                                                                     : &contexts.primary(runtime, stream.device);
        return Error::success;
    });
}

Error cuStreamGetCtx_v2(Stream* handle, Context** context, void** green) {
    if (green != nullptr) *green = nullptr;
    return cuStreamGetCtx(handle, context);
}

Error cuStreamAttachMemAsync(Stream* handle, Address, std::size_t, unsigned) {
    return stream_call(handle, [](Runtime&, Stream&) { return Error::success; });
}

// Hints about caches and scheduling: there is nothing that they change.
Error cuStreamSetAttribute(Stream* handle, int, const void*) {
    return stream_call(handle, [](Runtime&, Stream&) { return Error::success; });
}
Error cuStreamCopyAttributes(Stream* to, Stream* from) {
    const Error error = cuStreamQuery(to);
    return error != Error::success ? error : cuStreamQuery(from);
}

Error cuStreamSynchronize_ptsz(Stream* stream) { return cuStreamSynchronize(per_thread(stream)); }
Error cuStreamQuery_ptsz(Stream* stream) { return cuStreamQuery(per_thread(stream)); }
Error cuStreamWaitEvent_ptsz(Stream* stream, Event* event, unsigned flags) { return cuStreamWaitEvent(per_thread(stream), event, flags); }
Error cuStreamAddCallback_ptsz(Stream* stream, void (*function)(Stream*, Error, void*), void* data, unsigned flags) {
    return cuStreamAddCallback(per_thread(stream), function, data, flags);
}
Error cuStreamGetFlags_ptsz(Stream* stream, unsigned* flags) { return cuStreamGetFlags(per_thread(stream), flags); }
Error cuStreamGetPriority_ptsz(Stream* stream, int* priority) { return cuStreamGetPriority(per_thread(stream), priority); }
Error cuStreamGetId_ptsz(Stream* stream, unsigned long long* id) { return cuStreamGetId(per_thread(stream), id); }
Error cuStreamGetDevice_ptsz(Stream* stream, int* device) { return cuStreamGetDevice(per_thread(stream), device); }
Error cuStreamGetCtx_ptsz(Stream* stream, Context** context) { return cuStreamGetCtx(per_thread(stream), context); }
Error cuStreamGetCtx_v2_ptsz(Stream* stream, Context** context, void** green) {
    return cuStreamGetCtx_v2(per_thread(stream), context, green);
}
Error cuStreamAttachMemAsync_ptsz(Stream* stream, Address address, std::size_t bytes, unsigned flags) {
    return cuStreamAttachMemAsync(per_thread(stream), address, bytes, flags);
}
Error cuStreamSetAttribute_ptsz(Stream* stream, int attribute, const void* value) {
    return cuStreamSetAttribute(per_thread(stream), attribute, value);
}
Error cuStreamCopyAttributes_ptsz(Stream* to, Stream* from) { return cuStreamCopyAttributes(per_thread(to), per_thread(from)); }

} // extern "C"
#pragma GCC visibility pop
