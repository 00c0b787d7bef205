#include "runtime/core/shared_event.hpp"

namespace apod::runtime {
namespace {

constexpr unsigned interprocess = 4;                            // cudaEventInterprocess
constexpr unsigned untimed = 2;                                 // cudaEventDisableTiming
constexpr std::uint64_t event_mark = 0x31'74'6e'65'76'65'70'61; // "apevent1"

} // namespace

Error name_event(Runtime& runtime, const Event* event, EventName& name) {
    if (!runtime.is_event(event) || (event->flags & (interprocess | untimed)) != (interprocess | untimed))
        return Error::invalid_resource_handle;
    name = {event_mark, {}};
    return Error::success;
}

Error open_event(Runtime& runtime, const EventName& name, Event*& event) {
    if (name.mark != event_mark) return Error::invalid_value;
    event = runtime.create_event(interprocess | untimed);
    return Error::success;
}

} // namespace apod::runtime
