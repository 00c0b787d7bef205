// Nodes of graphs, one call a kind: made, asked for their parameters, changed; in a graph and in an executable one.
#include "runtime/cudart/graphs.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

// A symbol's bytes as one side of a copy.
Error symbol_address(Runtime& runtime, const void* symbol, std::size_t bytes, std::size_t offset, std::byte*& address) {
    const Variable* variable = runtime.find_variable(symbol);
    if (variable == nullptr) return Error::invalid_symbol;
    if (offset > variable->bytes || bytes > variable->bytes - offset) return Error::invalid_value;
    apod::emu::DeviceAddress base = 0;
    const Error error = runtime.variable_address(*variable, this_thread().device, base);
    address = reinterpret_cast<std::byte*>(base + offset);
    return error;
}

Error to_symbol(Runtime& runtime, const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind, CopyWork& work) {
    std::byte* address = nullptr;
    if (const Error error = symbol_address(runtime, symbol, bytes, offset, address); error != Error::success) return error;
    work = flat_copy(address, from, bytes, kind);
    return Error::success;
}

Error from_symbol(Runtime& runtime, void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind, CopyWork& work) {
    std::byte* address = nullptr;
    if (const Error error = symbol_address(runtime, symbol, bytes, offset, address); error != Error::success) return error;
    work = flat_copy(to, address, bytes, kind);
    return Error::success;
}

// `make(Runtime&, Item&)` fills in the work of that kind.
template<class Item, class Make> Error add(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, const Make& make) {
    return add_node(node, graph, after, count, [&](Runtime& runtime, NodeWork& work) {
        Item item;
        const Error error = make(runtime, item);
        work = std::move(item);
        return error;
    });
}

Error event_of(Event* held, Event** event) {
    if (event == nullptr) return Error::invalid_value;
    *event = held;
    return Error::success;
}

Error set_event(Runtime& runtime, Event*& held, Event* event) {
    if (!runtime.is_event(event)) return Error::invalid_resource_handle;
    held = event;
    return Error::success;
}

Error allocate(Runtime& runtime, AllocNodeParameters* parameters, AllocWork& work) {
    if (parameters == nullptr || parameters->bytes == 0) return Error::invalid_value;
    if (parameters->pool.location < 0 || parameters->pool.location >= runtime.device_count()) return Error::invalid_value;
    work.bytes = parameters->bytes;
    work.device = parameters->pool.location;
    const Error error = runtime.memory().allocate(MemoryKind::device, work.bytes, work.device, 0, work.address);
    if (error != Error::success) return error;
    runtime.graphs().memory.insert(work.address);
    parameters->address = reinterpret_cast<void*>(work.address);
    return error;
}

Error child(Runtime&, Graph* graph, ChildWork& work) {
    if (graph == nullptr) return Error::invalid_value;
    work.graph = graph->clone();
    return Error::success;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cudaGraphAddKernelNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, const KernelNodeParameters* p) {
    return add<KernelWork>(node, graph, after, count, [&](Runtime& runtime, KernelWork& work) { return kernel_work(runtime, p, work); });
}

Error cudaGraphKernelNodeGetParams(GraphNode* node, KernelNodeParameters* parameters) {
    return node_call<KernelWork>(node, [&](Runtime& runtime, KernelWork&) {
        return parameters == nullptr ? Error::invalid_value : kernel_parameters(runtime, *node, *parameters);
    });
}

Error cudaGraphKernelNodeSetParams(GraphNode* node, const KernelNodeParameters* p) {
    return node_call<KernelWork>(node, [&](Runtime& runtime, KernelWork& work) { return kernel_work(runtime, p, work); });
}

Error cudaGraphExecKernelNodeSetParams(GraphExec* exec, GraphNode* node, const KernelNodeParameters* p) {
    return exec_node_call<KernelWork>(exec, node, [&](Runtime& runtime, KernelWork& work) { return kernel_work(runtime, p, work); });
}

Error cudaGraphKernelNodeCopyAttributes(GraphNode* to, GraphNode* from) {
    return node_call<KernelWork>(to, [&](Runtime&, KernelWork& work) {
        const KernelWork* other = from != nullptr ? std::get_if<KernelWork>(&from->work) : nullptr;
        if (other == nullptr) return Error::invalid_value;
        work.cooperative = other->cooperative;
        work.cluster = other->cluster;
        return Error::success;
    });
}

Error cudaGraphAddMemcpyNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, const Copy3d* p) {
    return add<CopyWork>(node, graph, after, count, [&](Runtime&, CopyWork& work) { return copy_work(p, work); });
}

Error cudaGraphAddMemcpyNode1D(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, void* to, const void* from,
                               std::size_t bytes, int kind) {
    return add<CopyWork>(node, graph, after, count, [&](Runtime&, CopyWork& work) {
        work = flat_copy(to, from, bytes, kind);
        return to == nullptr || from == nullptr || kind < 0 || kind > 4 ? Error::invalid_value : Error::success;
    });
}

Error cudaGraphAddMemcpyNodeToSymbol(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, const void* symbol,
                                     const void* from, std::size_t bytes, std::size_t offset, int kind) {
    return add<CopyWork>(node, graph, after, count,
                         [&](Runtime& runtime, CopyWork& work) { return to_symbol(runtime, symbol, from, bytes, offset, kind, work); });
}

Error cudaGraphAddMemcpyNodeFromSymbol(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, void* to,
                                       const void* symbol, std::size_t bytes, std::size_t offset, int kind) {
    return add<CopyWork>(node, graph, after, count,
                         [&](Runtime& runtime, CopyWork& work) { return from_symbol(runtime, to, symbol, bytes, offset, kind, work); });
}

Error cudaGraphMemcpyNodeGetParams(GraphNode* node, Copy3d* parameters) {
    return node_call<CopyWork>(node, [&](Runtime&, CopyWork& work) {
        if (parameters == nullptr) return Error::invalid_value;
        *parameters = copy_parameters(work);
        return Error::success;
    });
}

Error cudaGraphMemcpyNodeSetParams(GraphNode* node, const Copy3d* p) {
    return node_call<CopyWork>(node, [&](Runtime&, CopyWork& work) { return copy_work(p, work); });
}

Error cudaGraphExecMemcpyNodeSetParams(GraphExec* exec, GraphNode* node, const Copy3d* p) {
    return exec_node_call<CopyWork>(exec, node, [&](Runtime&, CopyWork& work) { return copy_work(p, work); });
}

Error cudaGraphMemcpyNodeSetParams1D(GraphNode* node, void* to, const void* from, std::size_t bytes, int kind) {
    return node_call<CopyWork>(node, [&](Runtime&, CopyWork& work) {
        work = flat_copy(to, from, bytes, kind);
        return Error::success;
    });
}

Error cudaGraphExecMemcpyNodeSetParams1D(GraphExec* exec, GraphNode* node, void* to, const void* from, std::size_t bytes, int kind) {
    return exec_node_call<CopyWork>(exec, node, [&](Runtime&, CopyWork& work) {
        work = flat_copy(to, from, bytes, kind);
        return Error::success;
    });
}

Error cudaGraphMemcpyNodeSetParamsToSymbol(GraphNode* node, const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                                           int kind) {
    return node_call<CopyWork>(
        node, [&](Runtime& runtime, CopyWork& work) { return to_symbol(runtime, symbol, from, bytes, offset, kind, work); });
}

Error cudaGraphMemcpyNodeSetParamsFromSymbol(GraphNode* node, void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                             int kind) {
    return node_call<CopyWork>(
        node, [&](Runtime& runtime, CopyWork& work) { return from_symbol(runtime, to, symbol, bytes, offset, kind, work); });
}

Error cudaGraphExecMemcpyNodeSetParamsToSymbol(GraphExec* exec, GraphNode* node, const void* symbol, const void* from, std::size_t bytes,
                                               std::size_t offset, int kind) {
    return exec_node_call<CopyWork>(
        exec, node, [&](Runtime& runtime, CopyWork& work) { return to_symbol(runtime, symbol, from, bytes, offset, kind, work); });
}

Error cudaGraphExecMemcpyNodeSetParamsFromSymbol(GraphExec* exec, GraphNode* node, void* to, const void* symbol, std::size_t bytes,
                                                 std::size_t offset, int kind) {
    return exec_node_call<CopyWork>(
        exec, node, [&](Runtime& runtime, CopyWork& work) { return from_symbol(runtime, to, symbol, bytes, offset, kind, work); });
}

Error cudaGraphAddMemsetNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, const FillNodeParameters* p) {
    return add<FillWork>(node, graph, after, count, [&](Runtime&, FillWork& work) { return fill_work(p, work); });
}

Error cudaGraphMemsetNodeGetParams(GraphNode* node, FillNodeParameters* parameters) {
    return node_call<FillWork>(node, [&](Runtime&, FillWork& work) {
        if (parameters == nullptr) return Error::invalid_value;
        *parameters = fill_parameters(work);
        return Error::success;
    });
}

Error cudaGraphMemsetNodeSetParams(GraphNode* node, const FillNodeParameters* p) {
    return node_call<FillWork>(node, [&](Runtime&, FillWork& work) { return fill_work(p, work); });
}

Error cudaGraphExecMemsetNodeSetParams(GraphExec* exec, GraphNode* node, const FillNodeParameters* p) {
    return exec_node_call<FillWork>(exec, node, [&](Runtime&, FillWork& work) { return fill_work(p, work); });
}

Error cudaGraphAddHostNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, const HostNodeParameters* p) {
    return add<HostWork>(node, graph, after, count, [&](Runtime&, HostWork& work) { return host_work(p, work); });
}

Error cudaGraphHostNodeGetParams(GraphNode* node, HostNodeParameters* parameters) {
    return node_call<HostWork>(node, [&](Runtime&, HostWork& work) {
        if (parameters == nullptr) return Error::invalid_value;
        *parameters = {work.function, work.data};
        return Error::success;
    });
}

Error cudaGraphHostNodeSetParams(GraphNode* node, const HostNodeParameters* p) {
    return node_call<HostWork>(node, [&](Runtime&, HostWork& work) { return host_work(p, work); });
}

Error cudaGraphExecHostNodeSetParams(GraphExec* exec, GraphNode* node, const HostNodeParameters* p) {
    return exec_node_call<HostWork>(exec, node, [&](Runtime&, HostWork& work) { return host_work(p, work); });
}

Error cudaGraphAddChildGraphNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, Graph* inner) {
    return add<ChildWork>(node, graph, after, count, [&](Runtime& runtime, ChildWork& work) { return child(runtime, inner, work); });
}

Error cudaGraphChildGraphNodeGetGraph(GraphNode* node, Graph** graph) {
    return node_call<ChildWork>(node, [&](Runtime&, ChildWork& work) {
        *graph = work.graph.get();
        return Error::success;
    });
}

Error cudaGraphExecChildGraphNodeSetParams(GraphExec* exec, GraphNode* node, Graph* inner) {
    return exec_node_call<ChildWork>(exec, node, [&](Runtime& runtime, ChildWork& work) {
        const GraphNode* ours = nullptr;
        const GraphNode* theirs = nullptr;
        if (inner == nullptr || compare(*work.graph, *inner, ours, theirs) != GraphDifference::none) return Error::invalid_value;
        return child(runtime, inner, work);
    });
}

Error cudaGraphAddEmptyNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count) {
    return add<EmptyWork>(node, graph, after, count, [](Runtime&, EmptyWork&) { return Error::success; });
}

Error cudaGraphAddEventRecordNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, Event* event) {
    return add<RecordWork>(node, graph, after, count,
                           [&](Runtime& runtime, RecordWork& work) { return set_event(runtime, work.event, event); });
}

Error cudaGraphEventRecordNodeGetEvent(GraphNode* node, Event** event) {
    return node_call<RecordWork>(node, [&](Runtime&, RecordWork& work) { return event_of(work.event, event); });
}

Error cudaGraphEventRecordNodeSetEvent(GraphNode* node, Event* event) {
    return node_call<RecordWork>(node, [&](Runtime& runtime, RecordWork& work) { return set_event(runtime, work.event, event); });
}

Error cudaGraphExecEventRecordNodeSetEvent(GraphExec* exec, GraphNode* node, Event* event) {
    return exec_node_call<RecordWork>(exec, node,
                                      [&](Runtime& runtime, RecordWork& work) { return set_event(runtime, work.event, event); });
}

Error cudaGraphAddEventWaitNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, Event* event) {
    return add<WaitWork>(node, graph, after, count,
                         [&](Runtime& runtime, WaitWork& work) { return set_event(runtime, work.event, event); });
}

Error cudaGraphEventWaitNodeGetEvent(GraphNode* node, Event** event) {
    return node_call<WaitWork>(node, [&](Runtime&, WaitWork& work) { return event_of(work.event, event); });
}

Error cudaGraphEventWaitNodeSetEvent(GraphNode* node, Event* event) {
    return node_call<WaitWork>(node, [&](Runtime& runtime, WaitWork& work) { return set_event(runtime, work.event, event); });
}

Error cudaGraphExecEventWaitNodeSetEvent(GraphExec* exec, GraphNode* node, Event* event) {
    return exec_node_call<WaitWork>(exec, node, [&](Runtime& runtime, WaitWork& work) { return set_event(runtime, work.event, event); });
}

Error cudaGraphAddMemAllocNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, AllocNodeParameters* p) {
    return add<AllocWork>(node, graph, after, count, [&](Runtime& runtime, AllocWork& work) { return allocate(runtime, p, work); });
}

Error cudaGraphMemAllocNodeGetParams(GraphNode* node, AllocNodeParameters* parameters) {
    return node_call<AllocWork>(node, [&](Runtime&, AllocWork& work) {
        *parameters = {};
        parameters->pool.allocation_type = 1; // pinned to its device
        parameters->pool.location_type = 1;   // a device
        parameters->pool.location = work.device;
        parameters->bytes = work.bytes;
        parameters->address = reinterpret_cast<void*>(work.address);
        return Error::success;
    });
}

Error cudaGraphAddMemFreeNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, void* memory) {
    return add<FreeWork>(node, graph, after, count, [&](Runtime& runtime, FreeWork& work) {
        work.address = reinterpret_cast<std::uint64_t>(memory);
        return runtime.graphs().memory.contains(work.address) ? Error::success : Error::invalid_value;
    });
}

Error cudaGraphMemFreeNodeGetParams(GraphNode* node, void* memory) {
    return node_call<FreeWork>(node, [&](Runtime&, FreeWork& work) {
        *static_cast<std::uint64_t*>(memory) = work.address;
        return Error::success;
    });
}

} // extern "C"
#pragma GCC visibility pop

namespace apod::runtime::cudart {

Error add_any_node(GraphNode** node, Graph* graph, GraphNode* const* after, const EdgeData*, std::size_t count, NodeParameters* p) {
    if (p == nullptr) return remember(Error::invalid_value);
    switch (static_cast<NodeType>(p->type)) {
    case NodeType::kernel: return cudaGraphAddKernelNode(node, graph, after, count, &p->kernel);
    case NodeType::copy: return cudaGraphAddMemcpyNode(node, graph, after, count, &p->copy.copy);
    case NodeType::fill: return cudaGraphAddMemsetNode(node, graph, after, count, &p->fill);
    case NodeType::host: return cudaGraphAddHostNode(node, graph, after, count, &p->host);
    case NodeType::graph: return cudaGraphAddChildGraphNode(node, graph, after, count, static_cast<Graph*>(p->handle));
    case NodeType::empty: return cudaGraphAddEmptyNode(node, graph, after, count);
    case NodeType::wait: return cudaGraphAddEventWaitNode(node, graph, after, count, static_cast<Event*>(p->handle));
    case NodeType::record: return cudaGraphAddEventRecordNode(node, graph, after, count, static_cast<Event*>(p->handle));
    case NodeType::allocate: return cudaGraphAddMemAllocNode(node, graph, after, count, &p->allocation);
    case NodeType::free: return cudaGraphAddMemFreeNode(node, graph, after, count, p->handle);
    case NodeType::conditional:
        return add<ConditionalWork>(node, graph, after, count, [&](Runtime& runtime, ConditionalWork& work) {
            return conditional_work(runtime, &p->conditional, work);
        });
    }
    return remember(Error::not_supported);
}

} // namespace apod::runtime::cudart

#pragma GCC visibility push(default)
extern "C" {

Error cudaGraphNodeSetParams(GraphNode* node, NodeParameters* p) {
    if (node == nullptr || p == nullptr || p->type != static_cast<int>(type_of(*node))) return remember(Error::invalid_value);
    switch (type_of(*node)) {
    case NodeType::kernel: return cudaGraphKernelNodeSetParams(node, &p->kernel);
    case NodeType::copy: return cudaGraphMemcpyNodeSetParams(node, &p->copy.copy);
    case NodeType::fill: return cudaGraphMemsetNodeSetParams(node, &p->fill);
    case NodeType::host: return cudaGraphHostNodeSetParams(node, &p->host);
    case NodeType::wait: return cudaGraphEventWaitNodeSetEvent(node, static_cast<Event*>(p->handle));
    case NodeType::record: return cudaGraphEventRecordNodeSetEvent(node, static_cast<Event*>(p->handle));
    default: return remember(Error::not_supported);
    }
}

Error cudaGraphExecNodeSetParams(GraphExec* exec, GraphNode* node, NodeParameters* p) {
    if (node == nullptr || p == nullptr || p->type != static_cast<int>(type_of(*node))) return remember(Error::invalid_value);
    switch (type_of(*node)) {
    case NodeType::kernel: return cudaGraphExecKernelNodeSetParams(exec, node, &p->kernel);
    case NodeType::copy: return cudaGraphExecMemcpyNodeSetParams(exec, node, &p->copy.copy);
    case NodeType::fill: return cudaGraphExecMemsetNodeSetParams(exec, node, &p->fill);
    case NodeType::host: return cudaGraphExecHostNodeSetParams(exec, node, &p->host);
    case NodeType::graph: return cudaGraphExecChildGraphNodeSetParams(exec, node, static_cast<Graph*>(p->handle));
    case NodeType::wait: return cudaGraphExecEventWaitNodeSetEvent(exec, node, static_cast<Event*>(p->handle));
    case NodeType::record: return cudaGraphExecEventRecordNodeSetEvent(exec, node, static_cast<Event*>(p->handle));
    default: return remember(Error::not_supported);
    }
}

} // extern "C"
#pragma GCC visibility pop
