#include "runtime/core/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace apod::runtime {
namespace {

FillWork fill(std::uint32_t value) {
    FillWork work;
    work.value = value;
    return work;
}

std::uint32_t value_of(const GraphNode& node) { return std::get<FillWork>(node.work).value; }

std::ptrdiff_t place(const std::vector<GraphNode*>& order, const GraphNode* node) {
    return std::find(order.begin(), order.end(), node) - order.begin();
}

// first -> left, right -> last
struct Diamond {
    Graph graph;
    GraphNode* first = graph.add(fill(1), {});
    GraphNode* left = graph.add(fill(2), {&first, 1});
    GraphNode* right = graph.add(fill(3), {&first, 1});
    std::array<GraphNode*, 2> both = {left, right};
    GraphNode* last = graph.add(fill(4), both);
};

} // namespace

TEST(Graph, EachNodeComesBehindWhatItDependsOn) {
    const Diamond d;
    const std::vector<GraphNode*> order = d.graph.order();
    ASSERT_EQ(order.size(), 4u);
    EXPECT_LT(place(order, d.first), place(order, d.left));
    EXPECT_LT(place(order, d.left), place(order, d.last));
    EXPECT_LT(place(order, d.right), place(order, d.last));
    EXPECT_EQ(d.graph.edges().size(), 4u);
    EXPECT_EQ(d.graph.dependents(d.first).size(), 2u);
}

TEST(Graph, ACircleHasNoOrder) {
    Diamond d;
    EXPECT_EQ(d.graph.connect(d.last, d.first), Error::success);
    EXPECT_TRUE(d.graph.order().empty());
    EXPECT_EQ(d.graph.disconnect(d.last, d.first), Error::success);
    EXPECT_EQ(d.graph.order().size(), 4u);
}

TEST(Graph, EdgesThatAreThereOrForeignAreRefused) {
    Diamond d;
    Graph other;
    GraphNode* foreign = other.add(fill(9), {});
    EXPECT_EQ(d.graph.connect(d.first, d.left), Error::invalid_value);
    EXPECT_EQ(d.graph.connect(d.first, foreign), Error::invalid_value);
    EXPECT_EQ(d.graph.connect(d.first, d.first), Error::invalid_value);
    EXPECT_EQ(d.graph.disconnect(d.left, d.right), Error::invalid_value);
}

TEST(Graph, ACloneIsIndependentAndKnowsWhereItCameFrom) {
    Diamond d;
    const std::unique_ptr<Graph> clone = d.graph.clone();
    GraphNode* left = clone->find_clone_of(d.left);
    ASSERT_NE(left, nullptr);
    EXPECT_NE(left, d.left);
    std::get<FillWork>(left->work).value = 7;
    EXPECT_EQ(value_of(*d.left), 2u);
    d.graph.remove(d.last);
    EXPECT_EQ(clone->nodes().size(), 4u);
    EXPECT_EQ(clone->order().size(), 4u);
    EXPECT_EQ(left->dependencies[0], clone->find_clone_of(d.first));
}

TEST(Graph, ComparingFindsAnotherStructureAndAnotherType) {
    Diamond d;
    const GraphNode* ours = nullptr;
    const GraphNode* theirs = nullptr;
    const std::unique_ptr<Graph> same = d.graph.clone();
    EXPECT_EQ(compare(d.graph, *same, ours, theirs), GraphDifference::none);
    same->find_clone_of(d.right)->work = EmptyWork{};
    EXPECT_EQ(compare(d.graph, *same, ours, theirs), GraphDifference::node_type);
    EXPECT_EQ(ours, d.right);
    const std::unique_ptr<Graph> fewer = d.graph.clone();
    EXPECT_EQ(fewer->disconnect(fewer->find_clone_of(d.left), fewer->find_clone_of(d.last)), Error::success);
    EXPECT_EQ(compare(d.graph, *fewer, ours, theirs), GraphDifference::topology);
}

} // namespace apod::runtime
