// The way of one warp through the code, so that many warps together run every block as often as it is known to run.
#pragma once

#include "sass/flow.hpp"

#include <vector>

namespace apod::model {

struct WarpPath {
    double share = 0;                 // in [0, 1), evenly spread over the warps
    std::vector<float> credit;        // by block: of the branch at its end
    std::vector<std::uint32_t> round; // by loop: of this entry
    std::vector<std::uint32_t> rounds;
};

class PathFinder {
public:
    // `frequency`: executions of each block by an average warp.
    PathFinder(const std::vector<sass::Instruction>& code, const sass::CodeFlow& flow, const std::vector<double>& frequency);

    // A warp at the entry. The part of the warps with the smallest shares are those that enter what only a part of them enters.
    void begin(WarpPath& path, double share) const;

    // Where the warp goes after the block; nowhere: it ends.
    [[nodiscard]] std::uint32_t next(std::uint32_t block, WarpPath& path) const;

private:
    struct LoopFacts {
        double rounds = 1;                  // of one entry
        std::uint32_t exit = sass::nowhere; // the block at whose end it is left
    };

    [[nodiscard]] bool contains(std::uint32_t loop, std::uint32_t block) const;
    [[nodiscard]] LoopFacts facts_of(std::uint32_t loop) const;
    [[nodiscard]] bool chance(std::uint32_t block, double probability, WarpPath& path) const;
    [[nodiscard]] std::uint32_t choose(std::uint32_t block, WarpPath& path) const;

    const std::vector<sass::Instruction>& code_;
    const sass::CodeFlow& flow_;
    const std::vector<double>& frequency_;
    std::vector<LoopFacts> loops_;
    std::vector<std::uint32_t> loop_of_header_; // by block
};

} // namespace apod::model
