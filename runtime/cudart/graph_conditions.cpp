// Conditional nodes: graphs inside a graph, which run as a value says that kernels set.
#include "runtime/cudart/graphs.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace apod::runtime::cudart {

Error conditional_work(Runtime& runtime, ConditionalNodeParameters* parameters, ConditionalWork& work) {
    const auto condition = runtime.graphs().conditions.find(parameters->handle);
    if (condition == runtime.graphs().conditions.end() || condition->second.taken) return Error::invalid_value;
    const unsigned most[] = {2, 1, 1u << 16}; // an if with its else, a loop, a switch
    if (parameters->kind < 0 || parameters->kind > 2 || parameters->size == 0 || parameters->size > most[parameters->kind])
        return Error::invalid_value;
    condition->second.taken = true;
    work.handle = parameters->handle;
    work.kind = static_cast<ConditionKind>(parameters->kind);
    for (unsigned i = 0; i < parameters->size; ++i) work.handles.push_back(work.bodies.emplace_back(std::make_shared<Graph>()).get());
    parameters->bodies = work.handles.data();
    return Error::success;
}

} // namespace apod::runtime::cudart

#pragma GCC visibility push(default)
extern "C" {

// The condition's value lives in device memory of its own until the process ends.
Error cudaGraphConditionalHandleCreate(unsigned long long* handle, Graph* graph, unsigned initial, unsigned flags) {
    constexpr unsigned assign_default = 1; // cudaGraphCondAssignDefault
    if (handle == nullptr || flags > assign_default) return remember(Error::invalid_value);
    return graph_call(graph, [&](Runtime& runtime, Graph&) {
        std::uint64_t address = 0;
        const Error error = runtime.memory().allocate(MemoryKind::device, sizeof initial, this_thread().device, 0, address);
        if (error != Error::success) return error;
        if (flags == assign_default)
            runtime.graphs().conditions[address].initial = initial;
        else
            runtime.graphs().conditions[address] = {};
        *handle = address;
        return error;
    });
}

} // extern "C"
#pragma GCC visibility pop
