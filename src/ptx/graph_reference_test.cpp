// The passes over graphs against slow, obvious definitions, on seeded random graphs.
#include "ptx/graph_passes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace apod::ptx {
namespace {

struct Graph {
    std::vector<BasicBlock> blocks;
    std::vector<Ending> endings;
};

void connect(Graph& graph, std::uint32_t from, std::uint32_t to) {
    graph.blocks[from].successors.push_back(to);
    auto& predecessors = graph.blocks[to].predecessors;
    if (std::find(predecessors.begin(), predecessors.end(), from) == predecessors.end()) predecessors.push_back(from);
}

std::vector<bool> reachable(const Graph& graph, std::uint32_t from, std::uint32_t without) {
    std::vector<bool> seen(graph.blocks.size());
    std::vector<std::uint32_t> work;
    if (from != without) {
        seen[from] = true;
        work.push_back(from);
    }
    while (!work.empty()) {
        const std::uint32_t at = work.back();
        work.pop_back();
        for (const std::uint32_t to : graph.blocks[at].successors) {
            if (to == without || seen[to]) continue;
            seen[to] = true;
            work.push_back(to);
        }
    }
    return seen;
}

// Every block reachable from block 0, as control_flow makes them; any shape, irreducible loops and endless ones included.
Graph random_graph(std::mt19937& random, std::uint32_t size) {
    Graph graph;
    graph.blocks.resize(size);
    graph.endings.assign(size, Ending::stays);
    const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
    for (std::uint32_t b = 1; b < size; ++b) connect(graph, below(b), b);
    for (std::uint32_t i = below(size + 1); i > 0; --i) connect(graph, below(size), below(size));
    for (std::uint32_t b = 0; b < size; ++b) {
        if (graph.blocks[b].successors.empty() && below(4) == 0) connect(graph, b, below(b + 1)); // perhaps endless
        if (graph.blocks[b].successors.empty() || below(12) == 0) graph.endings[b] = Ending::returns;
    }
    return graph;
}

bool reaches_end(const Graph& graph, std::uint32_t from, std::uint32_t without) {
    const auto seen = reachable(graph, from, without);
    for (std::uint32_t b = 0; b < seen.size(); ++b)
        if (seen[b] && graph.endings[b] != Ending::stays) return true;
    return false;
}

// d post-dominates b when the end can be reached from b, but not without d; the immediate one is post-dominated by all the others.
std::uint32_t slow_post_dominator(const Graph& graph, std::uint32_t block) {
    if (!reaches_end(graph, block, none)) return none;
    std::vector<std::uint32_t> all;
    for (std::uint32_t d = 0; d < graph.blocks.size(); ++d)
        if (d != block && !reaches_end(graph, block, d)) all.push_back(d);
    for (const std::uint32_t d : all) {
        const bool nearest = std::all_of(all.begin(), all.end(), [&](std::uint32_t e) { return e == d || !reaches_end(graph, d, e); });
        if (nearest) return d;
    }
    return none;
}

TEST(GraphPasses, post_dominators_agree_with_their_definition_on_random_graphs) {
    for (std::uint32_t seed = 1; seed <= 400; ++seed) {
        std::mt19937 random{seed};
        const Graph graph = random_graph(random, 1 + seed % 24);
        const auto fast = immediate_post_dominators(graph.blocks, graph.endings);
        for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
            ASSERT_EQ(fast[b], slow_post_dominator(graph, b)) << "seed " << seed << " block " << b;
        }
    }
}

// In graphs where nobody leaves early but at the one end, lanes meet at the post-dominator.
TEST(GraphPasses, reconvergence_is_the_post_dominator_where_there_is_one_end) {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        std::mt19937 random{seed};
        Graph graph = random_graph(random, 3 + seed % 24);
        std::fill(graph.endings.begin(), graph.endings.end(), Ending::stays);
        const auto size = static_cast<std::uint32_t>(graph.blocks.size());
        for (std::uint32_t b = 0; b + 1 < size; ++b)
            if (graph.blocks[b].successors.empty()) connect(graph, b, size - 1);
        if (!graph.blocks[size - 1].successors.empty()) continue;
        graph.endings[size - 1] = Ending::returns;
        graph.blocks[size - 1].first = 10; // more than a bare return
        graph.blocks[size - 1].last = 12;
        const auto strict = immediate_post_dominators(graph.blocks, graph.endings);
        for (std::uint32_t b = 0; b < size; ++b) graph.blocks[b].post_dominator = strict[b];
        EXPECT_EQ(reconvergence_points(graph.blocks, graph.endings, true), strict) << "seed " << seed;
    }
}

// Where lanes meet, all lanes of the block that do not leave elsewhere pass.
TEST(GraphPasses, reconvergence_lies_on_every_path_to_some_end) {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        std::mt19937 random{seed};
        Graph graph = random_graph(random, 2 + seed % 20);
        const auto strict = immediate_post_dominators(graph.blocks, graph.endings);
        for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) graph.blocks[b].post_dominator = strict[b];
        const auto points = reconvergence_points(graph.blocks, graph.endings, true);
        for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
            if (points[b] == none) continue;
            EXPECT_TRUE(reachable(graph, b, none)[points[b]]) << "seed " << seed << " block " << b;
        }
    }
}

// A reducible graph: nested do-while loops and branches around blocks, built in text order.
void build(Graph& graph, std::mt19937& random, std::vector<std::uint32_t>& depths, std::uint32_t depth, int budget) {
    const auto add = [&] {
        const auto b = static_cast<std::uint32_t>(graph.blocks.size());
        graph.blocks.emplace_back();
        depths.push_back(depth);
        return b;
    };
    while (budget-- > 0) {
        const std::uint32_t first = add();
        if (first > 0) connect(graph, first - 1, first);
        if (random() % 3 != 0 || depth > 5) continue;
        const auto header = static_cast<std::uint32_t>(graph.blocks.size());
        ++depth;
        const std::uint32_t entry = add();
        connect(graph, entry - 1, entry);
        build(graph, random, depths, depth, static_cast<int>(random() % 4));
        const std::uint32_t latch = add();
        connect(graph, latch - 1, latch);
        connect(graph, latch, header);
        if (random() % 2 == 0) connect(graph, header, latch); // a continue
        --depth;
    }
}

TEST(GraphPasses, loop_depths_count_the_loops_of_structured_code) {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        std::mt19937 random{seed};
        Graph graph;
        std::vector<std::uint32_t> depths;
        build(graph, random, depths, 0, 6);
        EXPECT_EQ(loop_depths(graph.blocks), depths) << "seed " << seed;
    }
}

TEST(GraphPasses, a_block_is_in_a_loop_exactly_when_it_can_come_back_to_itself) {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        std::mt19937 random{seed};
        const Graph graph = random_graph(random, 1 + seed % 30);
        const auto depths = loop_depths(graph.blocks);
        for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
            bool comes_back = false;
            for (const std::uint32_t to : graph.blocks[b].successors) comes_back |= reachable(graph, to, none)[b];
            EXPECT_EQ(depths[b] > 0, comes_back) << "seed " << seed << " block " << b;
        }
    }
}

TEST(GraphPasses, a_hundred_thousand_blocks_are_no_trouble) {
    Graph graph;
    constexpr std::uint32_t size = 100000;
    graph.blocks.resize(size);
    graph.endings.assign(size, Ending::stays);
    for (std::uint32_t b = 0; b + 1 < size; ++b) {
        if (b % 3 == 0) connect(graph, b, size - 1);
        if (b % 7 == 6) connect(graph, b, b - 5);
        connect(graph, b, b + 1);
    }
    graph.endings[size - 1] = Ending::returns;
    EXPECT_EQ(immediate_post_dominators(graph.blocks, graph.endings)[size - 2], size - 1);
    EXPECT_EQ(loop_depths(graph.blocks)[1], 1u);
}

} // namespace
} // namespace apod::ptx
