// Graphs: made node by node, made executable, launched.
#include "runtime/core/condition.hpp"
#include "runtime/cuda/arguments.hpp"
#include "runtime/cuda/call.hpp"
#include "runtime/cuda/copies.hpp"

#include <algorithm>

using namespace apod::runtime;
using namespace apod::runtime::cuda;

namespace {

template<class Body> Error graph_call(Graph* graph, const Body& body) {
    return call(
        [&](Runtime& runtime, Context& context) { return graph == nullptr ? Error::invalid_value : body(runtime, context, *graph); });
}

template<class Body> Error exec_call(GraphExec* exec, const Body& body) {
    return call([&](Runtime& runtime, Context&) { return runtime.graphs().has(exec) ? body(runtime) : Error::invalid_value; });
}

// Adds a node once `make(Runtime&, Context&, Item&) -> Error` has made its work.
template<class Item, class Make> Error add(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, const Make& make) {
    return graph_call(graph, [&](Runtime& runtime, Context& context, Graph& held) {
        if (node == nullptr || (count != 0 && after == nullptr)) return Error::invalid_value;
        for (std::size_t i = 0; i < count; ++i)
            if (!held.owns(after[i])) return Error::invalid_value;
        Item item;
        if (const Error error = make(runtime, context, item); error != Error::success) return error;
        *node = held.add(std::move(item), {after, count});
        return Error::success;
    });
}

Error kernel_work(Runtime& runtime, int device, const KernelNodeParameters* parameters, KernelWork& work) {
    if (parameters == nullptr) return Error::invalid_value;
    work.kernel = runtime.find_kernel(parameters->function != nullptr ? parameters->function : parameters->kernel);
    if (work.kernel == nullptr) return invalid_handle;
    work.grid = {parameters->grid[0], parameters->grid[1], parameters->grid[2]};
    work.block = {parameters->block[0], parameters->block[1], parameters->block[2]};
    work.dynamic_shared_bytes = parameters->dynamic_shared_bytes;
    if (work.grid.count() == 0 || work.block.count() == 0) return Error::invalid_value;
    std::shared_ptr<const apod::emu::Program> program;
    if (const Error error = runtime.program(*work.kernel, device, program); error != Error::success) return error;
    return pack_arguments(*program, parameters->arguments, parameters->extra, work.parameters);
}

Error fill_work(const FillNodeParameters* parameters, FillWork& work) {
    if (parameters == nullptr || parameters->to == 0) return Error::invalid_value;
    const unsigned element = parameters->element_bytes;
    if (element != 1 && element != 2 && element != 4) return Error::invalid_value;
    work.to = reinterpret_cast<void*>(parameters->to);
    work.value = parameters->value;
    work.element_bytes = element;
    work.width = parameters->width * element;
    work.height = parameters->height;
    work.pitch = parameters->height > 1 ? parameters->pitch : 0;
    return Error::success;
}

// The number alone where there is no room given; else as many as fit, the rest nullptr.
void hand_out(const std::vector<GraphNode*>& nodes, GraphNode** room, std::size_t* count) {
    if (room != nullptr)
        for (std::size_t i = 0; i < *count; ++i) room[i] = i < nodes.size() ? nodes[i] : nullptr;
    *count = room != nullptr ? std::min(*count, nodes.size()) : nodes.size();
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cuGraphCreate(Graph** graph, unsigned flags) {
    if (graph == nullptr || flags != 0) return refuse(Error::invalid_value);
    return call([&](Runtime& runtime, Context&) {
        *graph = runtime.graphs().adopt(std::make_unique<Graph>());
        return Error::success;
    });
}

Error cuGraphDestroy(Graph* graph) {
    return call([&](Runtime& runtime, Context&) {
        if (!runtime.graphs().has(graph)) return Error::invalid_value;
        runtime.graphs().drop(graph);
        return Error::success;
    });
}

Error cuGraphAddKernelNode_v2(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, const KernelNodeParameters* p) {
    return add<KernelWork>(node, graph, after, count, [&](Runtime& runtime, Context& context, KernelWork& work) {
        return kernel_work(runtime, context.device, p, work);
    });
}

Error cuGraphAddMemcpyNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, const Copy3d* p, Context*) {
    return add<CopyWork>(node, graph, after, count,
                         [&](Runtime&, Context&, CopyWork& work) { return p == nullptr ? Error::invalid_value : box_copy(*p, work); });
}

Error cuGraphAddMemsetNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, const FillNodeParameters* p,
                           Context*) {
    return add<FillWork>(node, graph, after, count, [&](Runtime&, Context&, FillWork& work) { return fill_work(p, work); });
}

Error cuGraphAddHostNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, const HostNodeParameters* p) {
    return add<HostWork>(node, graph, after, count, [&](Runtime&, Context&, HostWork& work) {
        if (p == nullptr || p->function == nullptr) return Error::invalid_value;
        work = {p->function, p->data};
        return Error::success;
    });
}

Error cuGraphAddEmptyNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count) {
    return add<EmptyWork>(node, graph, after, count, [](Runtime&, Context&, EmptyWork&) { return Error::success; });
}

Error cuGraphAddChildGraphNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, Graph* child) {
    return add<ChildWork>(node, graph, after, count, [&](Runtime&, Context&, ChildWork& work) {
        if (child == nullptr) return Error::invalid_value;
        work.graph = child->clone();
        return Error::success;
    });
}

Error cuGraphChildGraphNodeGetGraph(GraphNode* node, Graph** graph) {
    return call([&](Runtime&, Context&) {
        const auto* work = node != nullptr ? std::get_if<ChildWork>(&node->work) : nullptr;
        if (work == nullptr || graph == nullptr) return Error::invalid_value;
        *graph = work->graph.get();
        return Error::success;
    });
}

Error cuGraphAddEventRecordNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, Event* event) {
    return add<RecordWork>(node, graph, after, count, [&](Runtime& runtime, Context&, RecordWork& work) {
        work.event = event;
        return runtime.is_event(event) ? Error::success : invalid_handle;
    });
}

Error cuGraphAddEventWaitNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, Event* event) {
    return add<WaitWork>(node, graph, after, count, [&](Runtime& runtime, Context&, WaitWork& work) {
        work.event = event;
        return runtime.is_event(event) ? Error::success : invalid_handle;
    });
}

Error cuGraphAddMemAllocNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, AllocNodeParameters* p) {
    return add<AllocWork>(node, graph, after, count, [&](Runtime& runtime, Context&, AllocWork& work) {
        if (p == nullptr || p->bytes == 0 || p->pool.location.id < 0 || p->pool.location.id >= runtime.device_count())
            return Error::invalid_value;
        work.bytes = p->bytes;
        work.device = p->pool.location.id;
        const Error error = runtime.memory().allocate(MemoryKind::device, work.bytes, work.device, 0, work.address);
        if (error != Error::success) return error;
        runtime.graphs().memory.insert(work.address);
        p->address = work.address;
        return error;
    });
}

Error cuGraphAddMemFreeNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, Address address) {
    return add<FreeWork>(node, graph, after, count, [&](Runtime& runtime, Context&, FreeWork& work) {
        work.address = address;
        return runtime.graphs().memory.contains(address) ? Error::success : Error::invalid_value;
    });
}

Error cuGraphConditionalHandleCreate(unsigned long long* handle, Graph* graph, Context*, unsigned initial, unsigned flags) {
    if (handle == nullptr) return refuse(Error::invalid_value);
    return graph_call(graph, [&](Runtime& runtime, Context& context, Graph&) {
        std::uint64_t made = 0;
        const Error error = create_condition(runtime, context.device, initial, flags, made);
        if (error == Error::success) *handle = made;
        return error;
    });
}

// Numbers of CUgraphNodeType.
Error cuGraphAddNode_v2(GraphNode** node, Graph* graph, GraphNode* const* after, const void*, std::size_t count, NodeParameters* p) {
    if (p == nullptr) return refuse(Error::invalid_value);
    switch (p->type) {
    case 0: return cuGraphAddKernelNode_v2(node, graph, after, count, &p->kernel);
    case 1: return cuGraphAddMemcpyNode(node, graph, after, count, &p->copy.copy, nullptr);
    case 2: return cuGraphAddMemsetNode(node, graph, after, count, &p->fill.fill, nullptr);
    case 3: return cuGraphAddHostNode(node, graph, after, count, &p->host);
    case 4: return cuGraphAddChildGraphNode(node, graph, after, count, static_cast<Graph*>(p->handle));
    case 5: return cuGraphAddEmptyNode(node, graph, after, count);
    case 6: return cuGraphAddEventWaitNode(node, graph, after, count, static_cast<Event*>(p->handle));
    case 7: return cuGraphAddEventRecordNode(node, graph, after, count, static_cast<Event*>(p->handle));
    case 10: return cuGraphAddMemAllocNode(node, graph, after, count, &p->allocation);
    case 11: return cuGraphAddMemFreeNode(node, graph, after, count, p->address);
    case 13:
        return add<ConditionalWork>(node, graph, after, count, [&](Runtime& runtime, Context&, ConditionalWork& work) {
            ConditionalNodeParameters& condition = p->conditional;
            const Error error = conditional_work(runtime, condition.handle, condition.kind, condition.size, work);
            if (error == Error::success) condition.bodies = work.handles.data();
            return error;
        });
    default: return Error::not_supported;
    }
}
Error cuGraphAddNode(GraphNode** node, Graph* graph, GraphNode* const* after, std::size_t count, NodeParameters* p) {
    return cuGraphAddNode_v2(node, graph, after, nullptr, count, p);
}

Error cuGraphAddDependencies_v2(Graph* graph, GraphNode* const* from, GraphNode* const* to, const void*, std::size_t count) {
    return graph_call(graph, [&](Runtime&, Context&, Graph& held) {
        if (count != 0 && (from == nullptr || to == nullptr)) return Error::invalid_value;
        for (std::size_t i = 0; i < count; ++i)
            if (const Error error = held.connect(from[i], to[i]); error != Error::success) return error;
        return Error::success;
    });
}
Error cuGraphAddDependencies(Graph* graph, GraphNode* const* from, GraphNode* const* to, std::size_t count) {
    return cuGraphAddDependencies_v2(graph, from, to, nullptr, count);
}

Error cuGraphGetNodes(Graph* graph, GraphNode** nodes, std::size_t* count) {
    return graph_call(graph, [&](Runtime&, Context&, Graph& held) {
        if (count == nullptr) return Error::invalid_value;
        std::vector<GraphNode*> all;
        for (const auto& node : held.nodes()) all.push_back(node.get());
        hand_out(all, nodes, count);
        return Error::success;
    });
}

Error cuGraphNodeGetType(const GraphNode* node, int* type) {
    if (node == nullptr || type == nullptr) return refuse(Error::invalid_value);
    // In the order of NodeWork's alternatives: empty, kernel, copy, fill, host, record, wait, child, allocation, free, conditional.
    constexpr int types[] = {5, 0, 1, 2, 3, 7, 6, 4, 10, 11, 13};
    static_assert(std::size(types) == std::variant_size_v<NodeWork>);
    *type = types[node->work.index()];
    return Error::success;
}

Error cuGraphInstantiateWithFlags(GraphExec** exec, Graph* graph, unsigned long long flags) {
    if (exec == nullptr) return refuse(Error::invalid_value);
    return graph_call(graph, [&](Runtime& runtime, Context&, Graph& held) {
        auto made = std::make_unique<GraphExec>();
        made->graph = held.clone();
        made->order = made->graph->order();
        made->flags = flags;
        if (made->order.size() != held.nodes().size()) return Error::invalid_value; // a circle
        *exec = runtime.graphs().adopt(std::move(made));
        return Error::success;
    });
}

Error cuGraphInstantiate_v2(GraphExec** exec, Graph* graph, GraphNode** error_node, char*, std::size_t) {
    if (error_node != nullptr) *error_node = nullptr;
    return cuGraphInstantiateWithFlags(exec, graph, 0);
}

Error cuGraphLaunch(GraphExec* exec, Stream* handle) {
    return stream_call(handle, [&](Runtime& runtime, Stream& stream) {
        return runtime.graphs().has(exec) ? runtime.launch(*exec, stream) : Error::invalid_value;
    });
}
Error cuGraphLaunch_ptsz(GraphExec* exec, Stream* stream) { return cuGraphLaunch(exec, per_thread(stream)); }

Error cuGraphUpload(GraphExec* exec, Stream*) {
    return exec_call(exec, [](Runtime&) { return Error::success; });
}

Error cuGraphExecDestroy(GraphExec* exec) {
    return exec_call(exec, [&](Runtime& runtime) {
        runtime.graphs().drop(exec);
        return Error::success;
    });
}

} // extern "C"
#pragma GCC visibility pop
