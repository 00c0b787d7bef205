#include "ptx/dominators.hpp"
#include "ptx/graph_passes.hpp"

namespace apod::ptx {

std::vector<std::uint32_t> immediate_post_dominators(const std::vector<BasicBlock>& blocks, const std::vector<Ending>& endings) {
    std::vector<std::uint32_t> ends;
    for (std::uint32_t b = 0; b < blocks.size(); ++b)
        if (endings[b] != Ending::stays) ends.push_back(b);
    DominatorTree tree{blocks, DominatorTree::Direction::backward};
    tree.add(ends);
    std::vector<std::uint32_t> result(blocks.size());
    for (std::uint32_t b = 0; b < blocks.size(); ++b) result[b] = tree.parent(b);
    return result;
}

} // namespace apod::ptx
