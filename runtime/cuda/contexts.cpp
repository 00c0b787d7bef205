// Contexts as programs make, retain and choose them.
#include "runtime/cuda/call.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

constexpr unsigned all_flags = 0xff;
constexpr int least_priority = 0;
constexpr int greatest_priority = -5;

// Runs the body when the handle is a context.
template<class Body> Error with_context(Context* context, const Body& body) {
    return global_call(
        [&](Runtime& runtime) { return Contexts::instance().known(context) ? body(runtime, Contexts::instance()) : invalid_context; });
}

Error create(Context** context, unsigned flags, int device) {
    if (context == nullptr || (flags & ~all_flags) != 0) return refuse(Error::invalid_value);
    return device_call(device, [&](Runtime& runtime) {
        *context = Contexts::instance().create(device, flags);
        Contexts::instance().push(runtime, *context);
        return Error::success;
    });
}

void wait_for_all(Runtime& runtime, int device) {
    Timeline& timeline = runtime.device(device).timeline;
    timeline.host_waits_for(timeline.all_ready_ns());
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuCtxCreate_v2(Context** context, unsigned flags, int device) { return create(context, flags, device); }

Error cuCtxCreate_v3(Context** context, void*, int affinities, unsigned flags, int device) {
    return affinities == 0 ? create(context, flags, device) : refuse(Error::not_supported);
}

Error cuCtxCreate_v4(Context** context, const ContextParameters* parameters, unsigned flags, int device) {
    if (parameters != nullptr && (parameters->affinity_count != 0 || parameters->graphics != nullptr)) return refuse(Error::not_supported);
    return create(context, flags, device);
}

Error cuCtxDestroy_v2(Context* context) {
    return with_context(context, [&](Runtime& runtime, Contexts& contexts) {
        if (context->primary) return invalid_context;
        wait_for_all(runtime, context->device);
        contexts.destroy(runtime, context);
        return Error::success;
    });
}

Error cuCtxDetach(Context* context) { return cuCtxDestroy_v2(context); }

Error cuCtxAttach(Context** context, unsigned) {
    if (context == nullptr) return refuse(Error::invalid_value);
    return call([&](Runtime&, Context& current) {
        *context = &current;
        return Error::success;
    });
}

Error cuCtxPushCurrent_v2(Context* context) {
    return with_context(context, [&](Runtime& runtime, Contexts& contexts) {
        contexts.push(runtime, context);
        return Error::success;
    });
}

Error cuCtxPopCurrent_v2(Context** context) {
    return global_call([&](Runtime& runtime) {
        Context* popped = Contexts::instance().pop(runtime);
        if (popped == nullptr) return invalid_context;
        if (context != nullptr) *context = popped;
        return Error::success;
    });
}

Error cuCtxSetCurrent(Context* context) {
    return global_call([&](Runtime&) {
        Contexts& contexts = Contexts::instance();
        if (context != nullptr && !contexts.known(context)) return invalid_context;
        contexts.set_current(context);
        return Error::success;
    });
}

Error cuCtxGetCurrent(Context** context) {
    if (context == nullptr) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) {
        *context = Contexts::instance().current(runtime);
        return Error::success;
    });
}

Error cuCtxGetDevice(int* device) {
    if (device == nullptr) return refuse(Error::invalid_value);
    return call([&](Runtime&, Context& context) {
        *device = context.device;
        return Error::success;
    });
}

Error cuCtxGetDevice_v2(int* device, Context* context) {
    if (context == nullptr) return cuCtxGetDevice(device);
    if (device == nullptr) return refuse(Error::invalid_value);
    return with_context(context, [&](Runtime&, Contexts&) {
        *device = context->device;
        return Error::success;
    });
}

Error cuCtxGetFlags(unsigned* flags) {
    if (flags == nullptr) return refuse(Error::invalid_value);
    return call([&](Runtime&, Context& context) {
        *flags = context.flags;
        return Error::success;
    });
}

Error cuCtxSetFlags(unsigned flags) {
    if ((flags & ~all_flags) != 0) return refuse(Error::invalid_value);
    return call([&](Runtime&, Context& context) {
        context.flags = flags;
        return Error::success;
    });
}

Error cuCtxGetId(Context* context, unsigned long long* id) {
    if (id == nullptr) return refuse(Error::invalid_value);
    return global_call([&](Runtime& runtime) {
        Contexts& contexts = Contexts::instance();
        Context* asked = context != nullptr ? context : contexts.current(runtime);
        if (!contexts.known(asked)) return invalid_context;
        *id = asked->id;
        return Error::success;
    });
}

Error cuCtxGetApiVersion(Context* context, unsigned* version) {
    if (version == nullptr) return refuse(Error::invalid_value);
    constexpr unsigned api_version = 3020; // what NVIDIA's driver answers for every context
    *version = api_version;
    if (context == nullptr) return call([](Runtime&, Context&) { return Error::success; });
    return with_context(context, [](Runtime&, Contexts&) { return Error::success; });
}

Error cuCtxSynchronize() {
    return call([](Runtime& runtime, Context& context) {
        wait_for_all(runtime, context.device);
        return Error::success;
    });
}

Error cuCtxSynchronize_v2(Context* context) {
    if (context == nullptr) return cuCtxSynchronize();
    return with_context(context, [&](Runtime& runtime, Contexts&) {
        wait_for_all(runtime, context->device);
        return runtime.device(context->device).fault;
    });
}

Error cuCtxSetLimit(int limit, std::size_t value) {
    return call([&](Runtime& runtime, Context& context) {
        Device& device = runtime.device(context.device);
        if (!device.limit(limit)) return Error::unsupported_limit;
        device.limits[limit] = value;
        return Error::success;
    });
}

Error cuCtxGetLimit(std::size_t* value, int limit) {
    if (value == nullptr) return refuse(Error::invalid_value);
    return call([&](Runtime& runtime, Context& context) {
        const std::optional<std::uint64_t> held = runtime.device(context.device).limit(limit);
        if (!held) return Error::unsupported_limit;
        *value = *held;
        return Error::success;
    });
}

Error cuCtxGetCacheConfig(int* config) {
    if (config == nullptr) return refuse(Error::invalid_value);
    return call([&](Runtime&, Context& context) {
        *config = context.cache_config;
        return Error::success;
    });
}

Error cuCtxSetCacheConfig(int config) {
    if (config < 0 || config > 3) return refuse(Error::invalid_value);
    return call([&](Runtime&, Context& context) {
        context.cache_config = config;
        return Error::success;
    });
}

Error cuCtxGetSharedMemConfig(int* config) {
    if (config == nullptr) return refuse(Error::invalid_value);
    return call([&](Runtime&, Context& context) {
        *config = context.shared_config;
        return Error::success;
    });
}

// Banks are four bytes wide whatever is asked for.
Error cuCtxSetSharedMemConfig(int config) {
    if (config < 0 || config > 2) return refuse(Error::invalid_value);
    return call([](Runtime&, Context&) { return Error::success; });
}

Error cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    return call([&](Runtime&, Context&) {
        if (least != nullptr) *least = least_priority;
        if (greatest != nullptr) *greatest = greatest_priority;
        return Error::success;
    });
}

Error cuCtxResetPersistingL2Cache() {
    return call([](Runtime&, Context&) { return Error::success; });
}

Error cuCtxEnablePeerAccess(Context* peer, unsigned flags) {
    if (flags != 0) return refuse(Error::invalid_value);
    return call([&](Runtime& runtime, Context& context) {
        if (!Contexts::instance().known(peer)) return invalid_context;
        if (peer->device == context.device) return peer == &context ? invalid_context : Error::success;
        const bool fresh = runtime.device(context.device).peers.insert(peer->device).second;
        return fresh ? Error::success : Error::peer_access_already_enabled;
    });
}

Error cuCtxDisablePeerAccess(Context* peer) {
    return call([&](Runtime& runtime, Context& context) {
        if (!Contexts::instance().known(peer)) return invalid_context;
        return runtime.device(context.device).peers.erase(peer->device) != 0 ? Error::success : Error::peer_access_not_enabled;
    });
}

Error cuDevicePrimaryCtxRetain(Context** context, int device) {
    if (context == nullptr) return refuse(Error::invalid_value);
    return device_call(device, [&](Runtime& runtime) {
        *context = &Contexts::instance().primary(runtime, device);
        ++(*context)->retained;
        return Error::success;
    });
}

Error cuDevicePrimaryCtxRelease_v2(int device) {
    return device_call(device, [&](Runtime& runtime) {
        Context& context = Contexts::instance().primary(runtime, device);
        if (context.retained == 0) return invalid_context;
        --context.retained; // the runtime API may still use it, so nothing is given back before a reset
        return Error::success;
    });
}

Error cuDevicePrimaryCtxReset_v2(int device) {
    return device_call(device, [&](Runtime& runtime) {
        Contexts::instance().reset(runtime, Contexts::instance().primary(runtime, device));
        return Error::success;
    });
}

Error cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) {
    if ((flags & ~all_flags) != 0) return refuse(Error::invalid_value);
    return device_call(device, [&](Runtime& runtime) {
        Contexts::instance().primary(runtime, device).flags = flags;
        return Error::success;
    });
}

Error cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
    return device_call(device, [&](Runtime& runtime) {
        Contexts& contexts = Contexts::instance();
        const Context& context = contexts.primary(runtime, device);
        if (flags != nullptr) *flags = context.flags;
        if (active != nullptr) *active = context.retained > 0 || contexts.current(runtime) == &context ? 1 : 0;
        return Error::success;
    });
}

// The first interface had these under the names without a version; they take the same arguments.
Error cuCtxDestroy(Context* context) { return cuCtxDestroy_v2(context); }
Error cuCtxPushCurrent(Context* context) { return cuCtxPushCurrent_v2(context); }
Error cuCtxPopCurrent(Context** context) { return cuCtxPopCurrent_v2(context); }
Error cuCtxCreate(Context** context, unsigned flags, int device) { return create(context, flags, device); }
Error cuDevicePrimaryCtxRelease(int device) { return cuDevicePrimaryCtxRelease_v2(device); }
Error cuDevicePrimaryCtxReset(int device) { return cuDevicePrimaryCtxReset_v2(device); }
Error cuDevicePrimaryCtxSetFlags(int device, unsigned flags) { return cuDevicePrimaryCtxSetFlags_v2(device, flags); }

} // extern "C"
#pragma GCC visibility pop
