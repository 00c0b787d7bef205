// The way of one warp through the code, so that many warps together run every block as often as it is known to run.
#pragma once

#include "sass/flow.hpp"

#include <vector>

namespace apod::model {

// The shares [low, high) of the warps that went the same way.
struct Shares {
    double low = 0;
    double high = 1;
    [[nodiscard]] double width() const { return high - low; }
    [[nodiscard]] double place_of(double share) const { return width() > 0 ? (share - low) / width() : 0; }
};

// A warp whose lanes have parted: it goes the other way too before it goes on where both meet.
struct Parted {
    std::uint32_t join = 0;
    std::uint32_t other = 0;
};

struct WarpPath {
    double share = 0;                 // in [0, 1), evenly spread over the warps
    Shares along;                     // of all that have come here
    std::vector<Shares> entered;      // by loop: of all that entered it
    std::vector<float> credit;        // by block: of the branch at its end; negative before it was reached
    std::vector<float> parting;       // likewise: of going both ways
    std::vector<Parted> parted;       // the innermost last
    std::vector<std::uint32_t> round; // by loop: of this entry
    std::vector<std::uint32_t> rounds;
};

class PathFinder {
public:
    // `frequency`: executions of each block by an average warp.
    PathFinder(const std::vector<sass::Instruction>& code, const sass::CodeFlow& flow, const std::vector<double>& frequency);

    // A warp at the entry. Of those that come to a branch, the part with the smallest shares are those that go where only a part goes: the
    // same warps at each branch that all come to, and a part of that part at one further in.
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
    [[nodiscard]] static bool chance(float& credit, double probability, WarpPath& path);
    [[nodiscard]] double visits_a_round(std::uint32_t block) const;
    void come_to(std::uint32_t block, WarpPath& path) const;
    [[nodiscard]] double part_both_ways(std::uint32_t block, std::uint32_t first, std::uint32_t second) const;
    [[nodiscard]] bool parts(std::uint32_t block, std::uint32_t second, double probability, WarpPath& path) const;
    [[nodiscard]] std::uint32_t choose(std::uint32_t block, WarpPath& path) const;

    const std::vector<sass::Instruction>& code_;
    const sass::CodeFlow& flow_;
    const std::vector<double>& frequency_;
    std::vector<LoopFacts> loops_;
    std::vector<std::uint32_t> loop_of_header_; // by block
};

} // namespace apod::model
