#include "runtime/cuda/context.hpp"

#include "runtime/core/thread.hpp"

#include <algorithm>

namespace apod::runtime::cuda {
namespace {

std::vector<Context*>& stack() {
    thread_local std::vector<Context*> contexts; // the current one last
    return contexts;
}

} // namespace

Contexts& Contexts::instance() {
    static Contexts& contexts = *new Contexts;
    return contexts;
}

Context& Contexts::primary(Runtime& runtime, int device) {
    primaries_.resize(static_cast<std::size_t>(runtime.device_count()));
    Context*& context = primaries_[static_cast<std::size_t>(device)];
    if (context == nullptr) {
        context = create(device, 0);
        context->primary = true;
    }
    return *context;
}

Context* Contexts::create(int device, unsigned flags) {
    auto context = std::make_unique<Context>();
    Context* handle = context.get();
    handle->device = device;
    handle->flags = flags;
    handle->id = next_id_++;
    contexts_.emplace(handle, std::move(context));
    return handle;
}

void Contexts::unload(Runtime& runtime, Context& context) {
    for (Module* module : context.modules) runtime.remove_module(module);
    context.modules.clear();
    std::erase_if(of_stream, [&](const auto& entry) { return entry.second == &context; });
    runtime.device(context.device).fault = Error::success;
}

void Contexts::destroy(Runtime& runtime, Context* context) {
    unload(runtime, *context);
    std::vector<Context*>& current = stack();
    current.erase(std::remove(current.begin(), current.end(), context), current.end());
    contexts_.erase(context);
    follow();
}

void Contexts::reset(Runtime& runtime, Context& context) {
    unload(runtime, context);
    context.flags = 0;
    runtime.memory().free_all_of(context.device);
}

void Contexts::follow() {
    const std::vector<Context*>& current = stack();
    ThreadState& thread = thread_state();
    thread.runtime_used = false;
    thread.device = current.empty() || current.back() == nullptr ? 0 : current.back()->device;
}

Context* Contexts::current(Runtime& runtime) {
    std::vector<Context*>& current = stack();
    ThreadState& thread = thread_state();
    if (current.empty() && thread.runtime_used) current.push_back(&primary(runtime, thread.device));
    if (current.empty()) return nullptr;
    if (known(current.back()) && current.back()->device != thread.device) current.back() = &primary(runtime, thread.device);
    return current.back();
}

void Contexts::set_current(Context* context) {
    std::vector<Context*>& current = stack();
    if (!current.empty()) current.pop_back();
    if (context != nullptr) current.push_back(context);
    follow();
}

void Contexts::push(Runtime& runtime, Context* context) {
    (void)this->current(runtime); // what the runtime API made current stays below
    stack().push_back(context);
    follow();
}

Context* Contexts::pop(Runtime& runtime) {
    Context* context = current(runtime);
    if (context == nullptr) return nullptr;
    stack().pop_back();
    follow();
    return context;
}

} // namespace apod::runtime::cuda
