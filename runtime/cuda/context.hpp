// Contexts: an emulated device has as many as the program makes, and they share the device's memory and its clock.
#pragma once

#include "runtime/core/runtime.hpp"

#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

namespace apod::runtime::cuda {

struct Context {
    int device = 0;
    bool primary = false;
    unsigned flags = 0;
    std::uint64_t id = 0;
    unsigned retained = 0; // of a primary context: retains without release
    int cache_config = 0;
    int shared_config = 1; // four-byte banks
    std::set<Module*> modules;
};

// All contexts of the program, and each thread's stack of current ones. One thread at a time is inside (Runtime::mutex).
class Contexts {
public:
    static Contexts& instance(); // never destroyed, as the Runtime
    bool initialised = false;    // cuInit was called

    Context& primary(Runtime& runtime, int device);
    Context* create(int device, unsigned flags);
    // Takes it off this thread's stack. The device forgets a kernel's fault with the context in which it happened.
    void destroy(Runtime& runtime, Context* context);
    // Unloads what was loaded in a primary context and frees the device's memory.
    void reset(Runtime& runtime, Context& context);
    [[nodiscard]] bool known(const Context* context) const { return contexts_.contains(context); }

    // The calling thread's. Using the runtime API makes the primary context of its device current where there is none; cudaSetDevice
    // replaces a context of another device.
    [[nodiscard]] Context* current(Runtime& runtime);
    void set_current(Context* context); // nullptr: none
    void push(Runtime& runtime, Context* context);
    Context* pop(Runtime& runtime);

    std::unordered_map<const Stream*, Context*> of_stream; // streams that the driver API made

private:
    void unload(Runtime& runtime, Context& context);
    static void follow();

    std::unordered_map<const Context*, std::unique_ptr<Context>> contexts_;
    std::vector<Context*> primaries_; // by device
    std::uint64_t next_id_ = 1;
};

} // namespace apod::runtime::cuda
