#include "runtime/core/condition.hpp"

#include "runtime/core/runtime.hpp"

namespace apod::runtime {

Error create_condition(Runtime& runtime, int device, unsigned initial, unsigned flags, std::uint64_t& handle) {
    constexpr unsigned assign_default = 1; // cudaGraphCondAssignDefault
    if (flags > assign_default) return Error::invalid_value;
    std::uint64_t address = 0;
    const Error error = runtime.memory().allocate(MemoryKind::device, sizeof initial, device, 0, address);
    if (error != Error::success) return error;
    GraphTable::Condition& condition = runtime.graphs().conditions[address];
    condition = {};
    if (flags == assign_default) condition.initial = initial;
    handle = address;
    return error;
}

Error conditional_work(Runtime& runtime, std::uint64_t handle, int kind, unsigned size, ConditionalWork& work) {
    const auto condition = runtime.graphs().conditions.find(handle);
    if (condition == runtime.graphs().conditions.end() || condition->second.taken) return Error::invalid_value;
    constexpr unsigned most[] = {2, 1, 1u << 16}; // an if with its else, a loop, a switch
    if (kind < 0 || kind > 2 || size == 0 || size > most[kind]) return Error::invalid_value;
    condition->second.taken = true;
    work.handle = handle;
    work.kind = static_cast<ConditionKind>(kind);
    for (unsigned i = 0; i < size; ++i) work.handles.push_back(work.bodies.emplace_back(std::make_shared<Graph>()).get());
    return Error::success;
}

} // namespace apod::runtime
