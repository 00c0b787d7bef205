// Graph calls as programs built with CUDA 13 make them: edges bring data.
#include "runtime/cudart/graphs.hpp"

using namespace apod::runtime;
using namespace apod::runtime::cudart;

#pragma GCC visibility push(default)
extern "C" {

Error cudaGraphGetEdges(Graph* graph, GraphNode** from, GraphNode** to, EdgeData* data, std::size_t* count) {
    return get_edges(graph, from, to, data, count);
}

Error cudaGraphNodeGetDependencies(GraphNode* node, GraphNode** dependencies, EdgeData* data, std::size_t* count) {
    return get_dependencies(node, dependencies, data, count);
}

Error cudaGraphNodeGetDependentNodes(GraphNode* node, GraphNode** dependents, EdgeData* data, std::size_t* count) {
    return get_dependents(node, dependents, data, count);
}

Error cudaGraphAddDependencies(Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* data, std::size_t count) {
    return add_dependencies(graph, from, to, data, count);
}

Error cudaGraphRemoveDependencies(Graph* graph, GraphNode* const* from, GraphNode* const* to, const EdgeData* data, std::size_t count) {
    return remove_dependencies(graph, from, to, data, count);
}

Error cudaGraphAddNode(GraphNode** node, Graph* graph, GraphNode* const* after, const EdgeData* data, std::size_t count,
                       NodeParameters* p) {
    return add_any_node(node, graph, after, data, count, p);
}

Error cudaStreamGetCaptureInfo(Stream* stream, int* status, unsigned long long* id, Graph** graph, GraphNode* const** dependencies,
                               const EdgeData** data, std::size_t* count) {
    return capture_info(stream, status, id, graph, dependencies, data, count);
}

Error cudaStreamUpdateCaptureDependencies(Stream* stream, GraphNode* const* dependencies, const EdgeData* data, std::size_t count,
                                          unsigned flags) {
    return update_capture(stream, dependencies, data, count, flags);
}

} // extern "C"
#pragma GCC visibility pop
