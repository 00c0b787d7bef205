// Conditional nodes: graphs inside a graph, which run as a value says that kernels set.
#include "runtime/core/condition.hpp"
#include "runtime/cudart/graphs.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace apod::runtime::cudart {

Error conditional_work(Runtime& runtime, ConditionalNodeParameters* parameters, ConditionalWork& work) {
    const Error error = runtime::conditional_work(runtime, parameters->handle, parameters->kind, parameters->size, work);
    if (error == Error::success) parameters->bodies = work.handles.data();
    return error;
}

} // namespace apod::runtime::cudart

#pragma GCC visibility push(default)
extern "C" {

Error cudaGraphConditionalHandleCreate(unsigned long long* handle, Graph* graph, unsigned initial, unsigned flags) {
    if (handle == nullptr) return remember(Error::invalid_value);
    return graph_call(graph, [&](Runtime& runtime, Graph&) {
        std::uint64_t made = 0;
        const Error error = create_condition(runtime, this_thread().device, initial, flags, made);
        if (error == Error::success) *handle = made;
        return error;
    });
}

} // extern "C"
#pragma GCC visibility pop
