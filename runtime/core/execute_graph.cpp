// Launching a graph: its nodes one after another, each in emulated time as early as what it depends on allows.
#include "runtime/core/runtime.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace apod::runtime {

Error Runtime::launch(GraphExec& exec, Stream& stream) {
    if (captures_.any())
        if (const std::optional<Error> taken = captures_.take(stream, *exec.graph)) return *taken;
    begin_conditions(*exec.graph);
    return run_nodes(exec.order, stream, device(stream.device).timeline.begin_graph(stream));
}

namespace {

std::uint32_t value_of(const ConditionalWork& condition) {
    std::uint32_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(condition.handle), sizeof value);
    return value;
}

// The body that a value chooses; nullptr: none.
const Graph* chosen(const ConditionalWork& condition, std::uint32_t value) {
    std::size_t body = value;
    if (condition.kind != ConditionKind::switch_case) body = value != 0 ? 0 : condition.kind == ConditionKind::if_else ? 1 : SIZE_MAX;
    return body < condition.bodies.size() ? condition.bodies[body].get() : nullptr;
}

} // namespace

void Runtime::begin_conditions(const Graph& graph) {
    for (const std::unique_ptr<GraphNode>& node : graph.nodes()) {
        if (const auto* condition = std::get_if<ConditionalWork>(&node->work))
            if (const auto initial = graphs_.conditions[condition->handle].initial)
                std::memcpy(reinterpret_cast<void*>(condition->handle), &*initial, sizeof *initial);
        for (const Graph* inner : inner_graphs(node->work)) begin_conditions(*inner);
    }
}

Error Runtime::run_condition(const ConditionalWork& condition, Stream& branch) {
    while (const Graph* body = chosen(condition, value_of(condition))) {
        if (const Error error = run_nodes(body->order(), branch, branch.ready_ns); error != Error::success) return error;
        if (condition.kind != ConditionKind::while_loop || device(branch.device).fault != Error::success) break;
    }
    return Error::success;
}

Error Runtime::run_nodes(const std::vector<GraphNode*>& order, Stream& stream, double begin_ns) {
    std::unordered_map<const GraphNode*, double> ends;
    double last = begin_ns;
    for (GraphNode* node : order) {
        Stream branch = stream; // its own clock; everything else is the stream's
        branch.kind = StreamKind::non_blocking;
        branch.in_graph = true;
        branch.capture = nullptr;
        branch.ready_ns = begin_ns;
        for (const GraphNode* dependency : node->dependencies) branch.ready_ns = std::max(branch.ready_ns, ends[dependency]);
        if (node->enabled)
            if (const Error error = run_node(*node, branch); error != Error::success) return error;
        ends[node] = branch.ready_ns;
        last = std::max(last, branch.ready_ns);
        if (device(stream.device).fault != Error::success) break;
    }
    stream.ready_ns = std::max(stream.ready_ns, last);
    return Error::success;
}

Error Runtime::run_node(GraphNode& node, Stream& branch) {
    const auto run = [&](const auto& work) -> Error {
        using Item = std::decay_t<decltype(work)>;
        if constexpr (std::is_same_v<Item, ChildWork>) {
            return run_nodes(work.graph->order(), branch, branch.ready_ns);
        } else if constexpr (std::is_same_v<Item, ConditionalWork>) {
            return run_condition(work, branch);
        } else if constexpr (std::is_same_v<Item, EmptyWork> || std::is_same_v<Item, AllocWork>) {
            return Error::success;
        } else {
            return execute(branch, work);
        }
    };
    return std::visit(run, node.work);
}

} // namespace apod::runtime
