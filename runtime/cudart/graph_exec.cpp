// Executable graphs: instantiated, updated, launched.
#include "runtime/cudart/graphs.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

// cudaGraphInstantiateResult and cudaGraphExecUpdateResult
constexpr int instantiated = 0;
constexpr int instantiation_invalid_structure = 2;
constexpr int last_memory_attribute = 3; // of cudaGraphMemAttributeType
constexpr int updated = 0;
constexpr int update_topology_changed = 2;
constexpr int update_type_changed = 3;

Error instantiate(Runtime& runtime, GraphExec** exec, const Graph& graph, unsigned long long flags) {
    auto made = std::make_unique<GraphExec>();
    made->graph = graph.clone();
    made->order = made->graph->order();
    made->flags = flags;
    if (made->order.size() != graph.nodes().size()) return Error::invalid_value; // a circle
    *exec = runtime.graphs().adopt(std::move(made));
    return Error::success;
}

template<class Body> Error exec_call(GraphExec* exec, const Body& body) {
    return call([&](Runtime& runtime) { return runtime.graphs().has(exec) ? body(runtime) : Error::invalid_value; });
}

void take_parameters(Graph& ours, const Graph& theirs) {
    for (std::size_t i = 0; i < ours.nodes().size(); ++i) {
        NodeWork& work = ours.nodes()[i]->work;
        const NodeWork& other = theirs.nodes()[i]->work;
        const std::vector<Graph*> inner = inner_graphs(work);
        const std::vector<Graph*> their_inner = inner_graphs(other);
        for (std::size_t k = 0; k < inner.size(); ++k) take_parameters(*inner[k], *their_inner[k]);
        if (auto* condition = std::get_if<ConditionalWork>(&work)) condition->handle = std::get<ConditionalWork>(other).handle;
        if (inner.empty()) work = other;
    }
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cudaGraphInstantiate(GraphExec** exec, Graph* graph, unsigned long long flags) {
    if (exec == nullptr) return remember(Error::invalid_value);
    return graph_call(graph, [&](Runtime& runtime, Graph& held) { return instantiate(runtime, exec, held, flags); });
}

Error cudaGraphInstantiateWithFlags(GraphExec** exec, Graph* graph, unsigned long long flags) {
    return cudaGraphInstantiate(exec, graph, flags);
}

Error cudaGraphInstantiateWithParams(GraphExec** exec, Graph* graph, GraphInstantiation* parameters) {
    if (exec == nullptr || parameters == nullptr) return remember(Error::invalid_value);
    parameters->error_node = nullptr;
    const Error error = cudaGraphInstantiate(exec, graph, parameters->flags);
    parameters->result = error == Error::success ? instantiated : instantiation_invalid_structure;
    return error;
}

Error cudaGraphExecGetFlags(GraphExec* exec, unsigned long long* flags) {
    return exec_call(exec, [&](Runtime&) {
        *flags = exec->flags;
        return Error::success;
    });
}

Error cudaGraphExecUpdate(GraphExec* exec, Graph* graph, GraphUpdateResult* result) {
    return exec_call(exec, [&](Runtime&) {
        if (graph == nullptr || result == nullptr) return Error::invalid_value;
        const GraphNode* ours = nullptr;
        const GraphNode* theirs = nullptr;
        const GraphDifference difference = compare(*exec->graph, *graph, ours, theirs);
        *result = {updated, const_cast<GraphNode*>(theirs), nullptr};
        if (difference == GraphDifference::none) {
            take_parameters(*exec->graph, *graph);
            return Error::success;
        }
        result->result = difference == GraphDifference::topology ? update_topology_changed : update_type_changed;
        if (difference == GraphDifference::topology) result->error_node = nullptr;
        return Error::graph_exec_update_failure;
    });
}

Error cudaGraphNodeSetEnabled(GraphExec* exec, GraphNode* origin, unsigned enabled) {
    return exec_call(exec, [&](Runtime&) {
        GraphNode* node = origin != nullptr ? node_in(*exec->graph, origin) : nullptr;
        if (node == nullptr) return Error::invalid_value;
        const NodeType type = type_of(*node);
        if (type != NodeType::kernel && type != NodeType::copy && type != NodeType::fill) return Error::invalid_value;
        node->enabled = enabled != 0;
        return Error::success;
    });
}

Error cudaGraphNodeGetEnabled(GraphExec* exec, GraphNode* origin, unsigned* enabled) {
    return exec_call(exec, [&](Runtime&) {
        const GraphNode* node = origin != nullptr ? node_in(*exec->graph, origin) : nullptr;
        if (node == nullptr) return Error::invalid_value;
        *enabled = node->enabled ? 1 : 0;
        return Error::success;
    });
}

Error cudaGraphUpload(GraphExec* exec, Stream* handle) {
    return stream_call(handle,
                       [&](Runtime& runtime, Stream&) { return runtime.graphs().has(exec) ? Error::success : Error::invalid_value; });
}

Error cudaGraphLaunch(GraphExec* exec, Stream* handle) {
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        return runtime.graphs().has(exec) ? runtime.launch(*exec, stream) : Error::invalid_value;
    });
}

Error cudaGraphExecDestroy(GraphExec* exec) {
    return exec_call(exec, [&](Runtime& runtime) {
        runtime.graphs().drop(exec);
        return Error::success;
    });
}

// How much memory allocation nodes hold; its high mark is the same, since nothing is given back.
Error cudaDeviceGetGraphMemAttribute(int device, int attribute, void* value) {
    return call([&](Runtime& runtime) {
        if (device < 0 || device >= runtime.device_count()) return Error::invalid_device;
        if (attribute < 0 || attribute > last_memory_attribute || value == nullptr) return Error::invalid_value;
        std::uint64_t bytes = 0;
        for (const std::uint64_t address : runtime.graphs().memory)
            if (const auto held = runtime.memory().find(address); held && held->device == device) bytes += held->bytes;
        *static_cast<std::uint64_t*>(value) = bytes;
        return Error::success;
    });
}

Error cudaDeviceSetGraphMemAttribute(int device, int attribute, const void*) {
    return call([&](Runtime& runtime) {
        if (device < 0 || device >= runtime.device_count()) return Error::invalid_device;
        const bool high_mark = attribute == 1 || attribute == last_memory_attribute; // the others cannot be reset
        return high_mark ? Error::success : Error::invalid_value;
    });
}

Error cudaDeviceGraphMemTrim(int device) {
    return call([&](Runtime& runtime) { return device >= 0 && device < runtime.device_count() ? Error::success : Error::invalid_device; });
}

} // extern "C"
#pragma GCC visibility pop
