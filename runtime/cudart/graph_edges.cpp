// Graphs as such: made, copied, destroyed; their nodes and edges. Calls whose form differs between CUDA 12 and 13 are in twelve and
// thirteen.
#include "runtime/cudart/graphs.hpp"

#include "runtime/core/user_object.hpp"

#include <algorithm>
#include <cstdio>

namespace apod::runtime::cudart {

void hand_out(const std::vector<GraphNode*>& nodes, GraphNode** room, std::size_t* count) {
    if (room != nullptr)
        for (std::size_t i = 0; i < *count; ++i) room[i] = i < nodes.size() ? nodes[i] : nullptr;
    *count = room != nullptr ? std::min(*count, nodes.size()) : nodes.size();
}

namespace {

// Edges of other kinds belong to launches that a kernel triggers, which are not there.
bool is_plain(const EdgeData* data, std::size_t count) {
    for (std::size_t i = 0; data != nullptr && i < count; ++i)
        if (data[i].from_port != 0 || data[i].to_port != 0 || data[i].type != 0) return false;
    return true;
}

void hand_out_plain(EdgeData* data, std::size_t count) {
    if (data != nullptr) std::fill_n(data, count, EdgeData{});
}

template<class Change>
Error change_edges(Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* data, std::size_t count,
                   const Change& change) {
    return graph_call(graph, [&](Runtime&, Graph& held) {
        if (count != 0 && (from == nullptr || to == nullptr)) return Error::invalid_value;
        if (!is_plain(data, count)) return Error::not_supported;
        for (std::size_t i = 0; i < count; ++i)
            if (const Error error = change(held, from[i], to[i]); error != Error::success) return error;
        return Error::success;
    });
}

} // namespace

Error get_edges(Graph* graph, GraphNode** from, GraphNode** to, EdgeData* data, std::size_t* count) {
    return graph_call(graph, [&](Runtime&, Graph& held) {
        if (count == nullptr || (from == nullptr) != (to == nullptr)) return Error::invalid_value;
        std::vector<GraphNode*> begins;
        std::vector<GraphNode*> ends;
        for (const auto& [begin, end] : held.edges()) {
            begins.push_back(begin);
            ends.push_back(end);
        }
        std::size_t room = *count;
        hand_out(begins, from, &room);
        hand_out(ends, to, count);
        if (from != nullptr) hand_out_plain(data, *count);
        return Error::success;
    });
}

Error get_dependencies(GraphNode* node, GraphNode** dependencies, EdgeData* data, std::size_t* count) {
    return call([&](Runtime&) {
        if (node == nullptr || count == nullptr) return Error::invalid_value;
        hand_out(node->dependencies, dependencies, count);
        if (dependencies != nullptr) hand_out_plain(data, *count);
        return Error::success;
    });
}

Error get_dependents(GraphNode* node, GraphNode** dependents, EdgeData* data, std::size_t* count) {
    return call([&](Runtime&) {
        if (node == nullptr || count == nullptr) return Error::invalid_value;
        hand_out(node->graph->dependents(node), dependents, count);
        if (dependents != nullptr) hand_out_plain(data, *count);
        return Error::success;
    });
}

Error add_dependencies(Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* data, std::size_t count) {
    return change_edges(graph, from, to, data, count, [](Graph& held, GraphNode* a, GraphNode* b) { return held.connect(a, b); });
}

Error remove_dependencies(Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* data, std::size_t count) {
    return change_edges(graph, from, to, data, count, [](Graph& held, GraphNode* a, GraphNode* b) { return held.disconnect(a, b); });
}

} // namespace apod::runtime::cudart

using namespace apod::runtime;
using namespace apod::runtime::cudart;

namespace {

const char* type_name(const GraphNode& node) {
    switch (type_of(node)) {
    case NodeType::kernel: return std::get<KernelWork>(node.work).kernel->name.c_str();
    case NodeType::copy: return "memcpy";
    case NodeType::fill: return "memset";
    case NodeType::host: return "host";
    case NodeType::graph: return "graph";
    case NodeType::empty: return "empty";
    case NodeType::wait: return "event wait";
    case NodeType::record: return "event record";
    case NodeType::allocate: return "allocate";
    case NodeType::free: return "free";
    case NodeType::conditional: return "conditional";
    }
    return "";
}

Error write_dot(const Graph& graph, const char* path) {
    std::FILE* file = std::fopen(path, "w");
    if (file == nullptr) return Error::operating_system;
    std::fprintf(file, "digraph graph_1 {\n");
    const auto number = [&](const GraphNode* node) {
        const auto& nodes = graph.nodes();
        return std::find_if(nodes.begin(), nodes.end(), [node](const auto& held) { return held.get() == node; }) - nodes.begin();
    };
    for (const auto& node : graph.nodes()) std::fprintf(file, "  node_%td [label=\"%s\"];\n", number(node.get()), type_name(*node));
    for (const auto& [from, to] : graph.edges()) std::fprintf(file, "  node_%td -> node_%td;\n", number(from), number(to));
    std::fprintf(file, "}\n");
    std::fclose(file);
    return Error::success;
}

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Error cudaGraphCreate(Graph** graph, unsigned flags) {
    if (graph == nullptr || flags != 0) return remember(Error::invalid_value);
    return call([&](Runtime& runtime) {
        *graph = runtime.graphs().adopt(std::make_unique<Graph>());
        return Error::success;
    });
}

Error cudaGraphDestroy(Graph* graph) {
    return call([&](Runtime& runtime) {
        if (!runtime.graphs().has(graph)) return Error::invalid_value;
        for (const auto& [object, count] : graph->retained) object->release(count);
        runtime.graphs().drop(graph);
        return Error::success;
    });
}

Error cudaGraphClone(Graph** clone, Graph* graph) {
    if (clone == nullptr) return remember(Error::invalid_value);
    return graph_call(graph, [&](Runtime& runtime, Graph& held) {
        *clone = runtime.graphs().adopt(held.clone());
        return Error::success;
    });
}

Error cudaGraphNodeFindInClone(GraphNode** node, GraphNode* original, Graph* clone) {
    return graph_call(clone, [&](Runtime&, Graph& held) {
        *node = original != nullptr ? held.find_clone_of(original) : nullptr;
        return *node != nullptr ? Error::success : Error::invalid_value;
    });
}

Error cudaGraphNodeGetType(GraphNode* node, int* type) {
    return call([&](Runtime&) {
        if (node == nullptr || type == nullptr) return Error::invalid_value;
        *type = static_cast<int>(type_of(*node));
        return Error::success;
    });
}

Error cudaGraphGetNodes(Graph* graph, GraphNode** nodes, std::size_t* count) {
    return graph_call(graph, [&](Runtime&, Graph& held) {
        if (count == nullptr) return Error::invalid_value;
        std::vector<GraphNode*> all;
        for (const auto& node : held.nodes()) all.push_back(node.get());
        hand_out(all, nodes, count);
        return Error::success;
    });
}

Error cudaGraphGetRootNodes(Graph* graph, GraphNode** nodes, std::size_t* count) {
    return graph_call(graph, [&](Runtime&, Graph& held) {
        if (count == nullptr) return Error::invalid_value;
        std::vector<GraphNode*> roots;
        for (const auto& node : held.nodes())
            if (node->dependencies.empty()) roots.push_back(node.get());
        hand_out(roots, nodes, count);
        return Error::success;
    });
}

Error cudaGraphDestroyNode(GraphNode* node) {
    return call([&](Runtime&) {
        if (node == nullptr) return Error::invalid_value;
        node->graph->remove(node);
        return Error::success;
    });
}

Error cudaGraphDebugDotPrint(Graph* graph, const char* path, unsigned) {
    return graph_call(graph, [&](Runtime&, Graph& held) { return path != nullptr ? write_dot(held, path) : Error::invalid_value; });
}

// Objects of the program whose lifetime follows that of graphs.
Error cudaUserObjectCreate(UserObject** object, void* data, void (*destroy)(void*), unsigned count, unsigned flags) {
    constexpr unsigned no_destructor_sync = 1; // must be given
    if (object == nullptr || destroy == nullptr || count == 0 || flags != no_destructor_sync) return remember(Error::invalid_value);
    *object = new UserObject(data, destroy, count);
    return remember(Error::success);
}

Error cudaUserObjectRetain(UserObject* object, unsigned count) {
    return call([&](Runtime&) {
        if (object == nullptr || count == 0) return Error::invalid_value;
        object->retain(count);
        return Error::success;
    });
}

Error cudaUserObjectRelease(UserObject* object, unsigned count) {
    return call([&](Runtime&) { return object != nullptr && object->release(count) ? Error::success : Error::invalid_value; });
}

Error cudaGraphRetainUserObject(Graph* graph, UserObject* object, unsigned count, unsigned flags) {
    constexpr unsigned move = 1; // the caller's references become the graph's
    return graph_call(graph, [&](Runtime&, Graph& held) {
        if (object == nullptr || count == 0 || flags > move) return Error::invalid_value;
        if (flags != move) object->retain(count);
        held.retained.emplace_back(object, count);
        return Error::success;
    });
}

Error cudaGraphReleaseUserObject(Graph* graph, UserObject* object, unsigned count) {
    return graph_call(graph, [&](Runtime&, Graph& held) {
        for (auto it = held.retained.begin(); it != held.retained.end(); ++it) {
            if (it->first != object || it->second < count) continue;
            it->second -= count;
            if (it->second == 0) held.retained.erase(it);
            return object->release(count) ? Error::success : Error::invalid_value;
        }
        return Error::invalid_value;
    });
}

} // extern "C"
#pragma GCC visibility pop
