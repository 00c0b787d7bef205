// Graphs of work: built node by node or captured from streams, then made executable and launched as a whole. A graph and an executable
// graph are independent of each other once the latter is made.
#pragma once

#include "runtime/core/error.hpp"
#include "runtime/core/work.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace apod::runtime {

class Graph;

struct EmptyWork {};

struct ChildWork {
    std::shared_ptr<Graph> graph; // the node's own copy
};

// Runs one of its graphs, or none, or one again and again, as a value in device memory says. Kernels set the value; its address is the
// handle that programs hold (cudaGraphConditionalHandle).
enum class ConditionKind : std::uint8_t { if_else = 0, while_loop = 1, switch_case = 2 };
struct ConditionalWork {
    std::uint64_t handle = 0;
    ConditionKind kind = ConditionKind::if_else;
    std::vector<std::shared_ptr<Graph>> bodies; // the node's own
    std::vector<Graph*> handles;                // the same, as CUDA hands them out: an array that lives as long as the node
};

// The memory is there from the node's making on, at the same address in every launch.
struct AllocWork {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    int device = 0;
};

using NodeWork = std::variant<EmptyWork, KernelWork, CopyWork, FillWork, HostWork, RecordWork, WaitWork, ChildWork, AllocWork, FreeWork,
                              ConditionalWork>;

struct GraphNode {
    Graph* graph = nullptr;
    NodeWork work;
    std::vector<GraphNode*> dependencies;
    const GraphNode* origin = nullptr; // the node that this one was cloned from
    bool enabled = true;
    std::vector<void*> arguments; // of a kernel, pointing into its packed parameters; for whoever asks for them
};

class Graph {
public:
    GraphNode* add(NodeWork work, std::span<GraphNode* const> dependencies);
    void remove(const GraphNode* node);
    // invalid_value where the edge is there already, or is not, or a node is another graph's.
    Error connect(GraphNode* from, GraphNode* to);
    Error disconnect(GraphNode* from, GraphNode* to);

    [[nodiscard]] const std::vector<std::unique_ptr<GraphNode>>& nodes() const { return nodes_; }
    [[nodiscard]] bool owns(const GraphNode* node) const;
    [[nodiscard]] std::vector<GraphNode*> dependents(const GraphNode* node) const;
    [[nodiscard]] std::vector<std::pair<GraphNode*, GraphNode*>> edges() const;
    // Each node behind all that it depends on, otherwise in the order of their making; empty where there is a circle (or no node).
    [[nodiscard]] std::vector<GraphNode*> order() const;

    // Nodes know their origin in this graph.
    [[nodiscard]] std::unique_ptr<Graph> clone() const;
    [[nodiscard]] GraphNode* find_clone_of(const GraphNode* origin) const;

    // Objects of the program that are released with the graph.
    std::vector<std::pair<struct UserObject*, unsigned>> retained;

private:
    std::vector<std::unique_ptr<GraphNode>> nodes_;
};

// Ready to be launched; made from a graph, whose nodes it can be addressed by.
struct GraphExec {
    std::unique_ptr<Graph> graph;
    std::vector<GraphNode*> order;
    unsigned long long flags = 0;
};

// Whether both graphs have the same nodes, of the same types, with the same edges, in the same order of their making; `ours` and `theirs`
// are the first nodes that differ. Child graphs are compared too.
enum class GraphDifference : std::uint8_t { none, topology, node_type };
[[nodiscard]] GraphDifference compare(const Graph& ours, const Graph& theirs, const GraphNode*& our_node, const GraphNode*& their_node);

// The graphs inside a node: of a child graph one, of a condition its bodies.
[[nodiscard]] std::vector<Graph*> inner_graphs(const NodeWork& work);

// What the program holds. Handles of nodes are not looked up: nobody passes one that has gone.
class GraphTable {
public:
    Graph* adopt(std::unique_ptr<Graph> graph);
    GraphExec* adopt(std::unique_ptr<GraphExec> exec);
    [[nodiscard]] bool has(const Graph* graph) const { return graphs_.contains(graph); }
    [[nodiscard]] bool has(const GraphExec* exec) const { return execs_.contains(exec); }
    void drop(const Graph* graph) { graphs_.erase(graph); }
    void drop(const GraphExec* exec) { execs_.erase(exec); }
    // By handle. What a launch begins with, where the program said so, and whether a node has it: a handle is one node's.
    struct Condition {
        std::optional<std::uint32_t> initial;
        bool taken = false;
    };
    std::unordered_map<std::uint64_t, Condition> conditions;
    // Memory that a graph's allocation nodes made: freed with the process, since graphs and their launches share it.
    std::unordered_set<std::uint64_t> memory;

private:
    std::unordered_map<const Graph*, std::unique_ptr<Graph>> graphs_;
    std::unordered_map<const GraphExec*, std::unique_ptr<GraphExec>> execs_;
};

} // namespace apod::runtime
