#include "runtime/core/thread.hpp"

namespace apod::runtime {

ThreadState& thread_state() {
    thread_local ThreadState state;
    return state;
}

void begin_call() {
    ThreadState& thread = thread_state();
    thread.why.clear();
    thread.kernel.clear();
    thread.reported = false;
}

} // namespace apod::runtime
