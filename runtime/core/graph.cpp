#include "runtime/core/graph.hpp"

#include <algorithm>

namespace apod::runtime {

GraphNode* Graph::add(NodeWork work, std::span<GraphNode* const> dependencies) {
    auto node = std::make_unique<GraphNode>();
    node->graph = this;
    node->work = std::move(work);
    for (GraphNode* dependency : dependencies)
        if (std::find(node->dependencies.begin(), node->dependencies.end(), dependency) == node->dependencies.end())
            node->dependencies.push_back(dependency);
    nodes_.push_back(std::move(node));
    return nodes_.back().get();
}

void Graph::remove(const GraphNode* node) {
    for (const std::unique_ptr<GraphNode>& other : nodes_) std::erase(other->dependencies, node);
    std::erase_if(nodes_, [node](const std::unique_ptr<GraphNode>& held) { return held.get() == node; });
}

bool Graph::owns(const GraphNode* node) const { return node != nullptr && node->graph == this; }

Error Graph::connect(GraphNode* from, GraphNode* to) {
    if (!owns(from) || !owns(to) || from == to) return Error::invalid_value;
    const bool there = std::find(to->dependencies.begin(), to->dependencies.end(), from) != to->dependencies.end();
    if (there) return Error::invalid_value;
    to->dependencies.push_back(from);
    return Error::success;
}

Error Graph::disconnect(GraphNode* from, GraphNode* to) {
    if (!owns(from) || !owns(to)) return Error::invalid_value;
    return std::erase(to->dependencies, from) != 0 ? Error::success : Error::invalid_value;
}

std::vector<GraphNode*> Graph::dependents(const GraphNode* node) const {
    std::vector<GraphNode*> found;
    for (const std::unique_ptr<GraphNode>& other : nodes_)
        if (std::find(other->dependencies.begin(), other->dependencies.end(), node) != other->dependencies.end())
            found.push_back(other.get());
    return found;
}

std::vector<std::pair<GraphNode*, GraphNode*>> Graph::edges() const {
    std::vector<std::pair<GraphNode*, GraphNode*>> all;
    for (const std::unique_ptr<GraphNode>& node : nodes_)
        for (GraphNode* dependency : node->dependencies) all.emplace_back(dependency, node.get());
    return all;
}

std::vector<GraphNode*> Graph::order() const {
    std::vector<GraphNode*> sorted;
    std::unordered_map<const GraphNode*, std::size_t> waiting;
    std::unordered_map<const GraphNode*, std::vector<GraphNode*>> followers;
    for (const std::unique_ptr<GraphNode>& node : nodes_) {
        waiting[node.get()] = node->dependencies.size();
        for (const GraphNode* dependency : node->dependencies) followers[dependency].push_back(node.get());
        if (node->dependencies.empty()) sorted.push_back(node.get());
    }
    for (std::size_t i = 0; i < sorted.size(); ++i)
        for (GraphNode* follower : followers[sorted[i]])
            if (--waiting[follower] == 0) sorted.push_back(follower);
    if (sorted.size() != nodes_.size()) sorted.clear();
    return sorted;
}

namespace {

// The same work on graphs of its own.
NodeWork with_own_graphs(const NodeWork& work) {
    if (const auto* child = std::get_if<ChildWork>(&work)) return ChildWork{std::shared_ptr<Graph>(child->graph->clone())};
    if (const auto* condition = std::get_if<ConditionalWork>(&work)) {
        ConditionalWork own{condition->handle, condition->kind, {}, {}};
        for (const auto& body : condition->bodies) own.handles.push_back(own.bodies.emplace_back(body->clone()).get());
        return own;
    }
    return work;
}

} // namespace

std::vector<Graph*> inner_graphs(const NodeWork& work) {
    if (const auto* child = std::get_if<ChildWork>(&work)) return {child->graph.get()};
    if (const auto* condition = std::get_if<ConditionalWork>(&work)) return condition->handles;
    return {};
}

std::unique_ptr<Graph> Graph::clone() const {
    auto copy = std::make_unique<Graph>();
    std::unordered_map<const GraphNode*, GraphNode*> copies;
    for (const std::unique_ptr<GraphNode>& node : nodes_) {
        GraphNode* made = copy->add(with_own_graphs(node->work), {});
        made->origin = node.get();
        made->enabled = node->enabled;
        copies[node.get()] = made;
    }
    for (const std::unique_ptr<GraphNode>& node : nodes_)
        for (const GraphNode* dependency : node->dependencies) copies[node.get()]->dependencies.push_back(copies[dependency]);
    return copy;
}

GraphNode* Graph::find_clone_of(const GraphNode* origin) const {
    for (const std::unique_ptr<GraphNode>& node : nodes_)
        if (node->origin == origin || node.get() == origin) return node.get();
    return nullptr;
}

GraphDifference compare(const Graph& ours, const Graph& theirs, const GraphNode*& our_node, const GraphNode*& their_node) {
    our_node = their_node = nullptr;
    if (ours.nodes().size() != theirs.nodes().size()) return GraphDifference::topology;
    std::unordered_map<const GraphNode*, const GraphNode*> counterpart;
    for (std::size_t i = 0; i < ours.nodes().size(); ++i) counterpart[theirs.nodes()[i].get()] = ours.nodes()[i].get();
    for (std::size_t i = 0; i < ours.nodes().size(); ++i) {
        our_node = ours.nodes()[i].get();
        their_node = theirs.nodes()[i].get();
        if (our_node->work.index() != their_node->work.index()) return GraphDifference::node_type;
        if (our_node->dependencies.size() != their_node->dependencies.size()) return GraphDifference::topology;
        for (const GraphNode* dependency : their_node->dependencies) {
            const auto& own = our_node->dependencies;
            if (std::find(own.begin(), own.end(), counterpart[dependency]) == own.end()) return GraphDifference::topology;
        }
        const std::vector<Graph*> inner = inner_graphs(our_node->work);
        const std::vector<Graph*> their_inner = inner_graphs(their_node->work);
        if (inner.size() != their_inner.size()) return GraphDifference::topology;
        for (std::size_t k = 0; k < inner.size(); ++k) {
            const GraphNode* node = nullptr;
            const GraphNode* their = nullptr;
            const GraphDifference inside = compare(*inner[k], *their_inner[k], node, their);
            if (inside != GraphDifference::none) return inside;
        }
    }
    our_node = their_node = nullptr;
    return GraphDifference::none;
}

Graph* GraphTable::adopt(std::unique_ptr<Graph> graph) {
    Graph* handle = graph.get();
    graphs_.emplace(handle, std::move(graph));
    return handle;
}

GraphExec* GraphTable::adopt(std::unique_ptr<GraphExec> exec) {
    GraphExec* handle = exec.get();
    execs_.emplace(handle, std::move(exec));
    return handle;
}

} // namespace apod::runtime
