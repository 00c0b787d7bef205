// What the graph calls share: making nodes, finding them, and turning CUDA's parameters into work and back.
#pragma once

#include "runtime/core/graph.hpp"
#include "runtime/cudart/call.hpp"
#include "runtime/cudart/types.hpp"

#include <cstddef>
#include <variant>

namespace apod::runtime::cudart {

// cudaGraphNodeType
enum class NodeType : int {
    kernel = 0,
    copy = 1,
    fill = 2,
    host = 3,
    graph = 4,
    empty = 5,
    wait = 6,
    record = 7,
    allocate = 10,
    free = 11,
    conditional = 13
};
[[nodiscard]] NodeType type_of(const GraphNode& node);

// CUDA's parameters as work; the device is the current one.
Error kernel_work(Runtime& runtime, const KernelNodeParameters* parameters, KernelWork& work);
Error fill_work(const FillNodeParameters* parameters, FillWork& work);
Error host_work(const HostNodeParameters* parameters, HostWork& work);
Error copy_work(const Copy3d* parameters, CopyWork& work);
CopyWork flat_copy(void* to, const void* from, std::size_t bytes, int kind);
// And back, as far as a program may ask for them.
Error kernel_parameters(Runtime& runtime, GraphNode& node, KernelNodeParameters& parameters);
[[nodiscard]] FillNodeParameters fill_parameters(const FillWork& work);
[[nodiscard]] Copy3d copy_parameters(const CopyWork& work);

// Makes the node's graphs and writes their handles into the parameters.
Error conditional_work(Runtime& runtime, ConditionalNodeParameters* parameters, ConditionalWork& work);

// Runs `body(Runtime&, Graph&)` for a graph that the program holds, a child graph of a node included.
template<class Body> Error graph_call(Graph* graph, const Body& body) {
    return call([&](Runtime& runtime) { return graph == nullptr ? Error::invalid_value : body(runtime, *graph); });
}

// Adds a node once `make(Runtime&, NodeWork&) -> Error` has made its work.
template<class Make> Error add_node(GraphNode** node, Graph* graph, GraphNode* const* dependencies, std::size_t count, const Make& make) {
    return graph_call(graph, [&](Runtime& runtime, Graph& held) {
        if (node == nullptr || (count != 0 && dependencies == nullptr)) return Error::invalid_value;
        for (std::size_t i = 0; i < count; ++i)
            if (!held.owns(dependencies[i])) return Error::invalid_value;
        NodeWork work;
        if (const Error error = make(runtime, work); error != Error::success) return error;
        *node = held.add(std::move(work), {dependencies, count});
        return Error::success;
    });
}

// Runs `body(Runtime&, Item&)` on a node's work when it is of that kind.
template<class Item, class Body> Error node_call(GraphNode* node, const Body& body) {
    return call([&](Runtime& runtime) {
        Item* item = node != nullptr ? std::get_if<Item>(&node->work) : nullptr;
        return item == nullptr ? Error::invalid_value : body(runtime, *item);
    });
}

// The node of an executable graph that was made from this one, in its child graphs too; nullptr where there is none.
[[nodiscard]] GraphNode* node_in(const Graph& graph, const GraphNode* origin);

// The same as node_call, on the executable graph's node.
template<class Item, class Body> Error exec_node_call(GraphExec* exec, GraphNode* origin, const Body& body) {
    return call([&](Runtime& runtime) {
        if (!runtime.graphs().has(exec) || origin == nullptr) return Error::invalid_value;
        GraphNode* node = node_in(*exec->graph, origin);
        Item* item = node != nullptr ? std::get_if<Item>(&node->work) : nullptr;
        return item == nullptr ? Error::invalid_value : body(runtime, *item);
    });
}

// Node lists as CUDA hands them out: the number alone where there is no room given; else as many as fit, the rest nullptr.
void hand_out(const std::vector<GraphNode*>& nodes, GraphNode** room, std::size_t* count);

// These differ between CUDA 12 and 13 in their edge data alone, which must be plain (all zero).
Error get_edges(Graph* graph, GraphNode** from, GraphNode** to, EdgeData* data, std::size_t* count);
Error get_dependencies(GraphNode* node, GraphNode** dependencies, EdgeData* data, std::size_t* count);
Error get_dependents(GraphNode* node, GraphNode** dependents, EdgeData* data, std::size_t* count);
Error add_dependencies(Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* data, std::size_t count);
Error remove_dependencies(Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* data, std::size_t count);
Error add_any_node(GraphNode** node, Graph* graph, GraphNode* const* dependencies, const EdgeData* data, std::size_t count,
                   NodeParameters* parameters);
Error capture_info(Stream* stream, int* status, unsigned long long* id, Graph** graph, GraphNode* const** dependencies,
                   const EdgeData** data, std::size_t* count);
Error update_capture(Stream* stream, GraphNode* const* dependencies, const EdgeData* data, std::size_t count, unsigned flags);

} // namespace apod::runtime::cudart
