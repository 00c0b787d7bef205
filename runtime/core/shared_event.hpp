// Events that several processes share (cudaIpcGetEventHandle, cuIpcGetEventHandle).
//
// Work runs when it is issued, so by the time that another process has learnt of a record, the work before it is over: an event has nothing
// to carry from process to process, and its name says no more than that it is one.
#pragma once

#include "runtime/core/runtime.hpp"

#include <cstdint>

namespace apod::runtime {

// What lies in a cudaIpcEventHandle_t.
struct EventName {
    std::uint64_t mark = 0;
    std::uint64_t unused[7] = {};
};
static_assert(sizeof(EventName) == 64);

// invalid_resource_handle for what is no event, or one that was not made to be shared.
Error name_event(Runtime& runtime, const Event* event, EventName& name);
// invalid_value for what is no name.
Error open_event(Runtime& runtime, const EventName& name, Event*& event);

} // namespace apod::runtime
