#include "runtime/core/thread.hpp"

namespace apod::runtime {

ThreadState& thread_state() {
    thread_local ThreadState state;
    return state;
}

} // namespace apod::runtime
