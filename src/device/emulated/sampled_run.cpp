#include "device/emulated/sampled_run.hpp"

#include <algorithm>

namespace apod::device {

namespace {

std::uint64_t warp_instructions(const emu::Execution& execution) {
    std::uint64_t sum = 0;
    for (const emu::OpCount& count : execution.counts) sum += count.warps;
    return sum;
}

void add(emu::Execution& to, const emu::Execution& part) {
    for (std::size_t op = 0; op < to.counts.size(); ++op) {
        to.counts[op].warps += part.counts[op].warps;
        to.counts[op].threads += part.counts[op].threads;
    }
    to.blocks_run += part.blocks_run;
    to.warps_run += part.warps_run;
    to.barriers += part.barriers;
}

} // namespace

Result<emu::Execution> run_within(const emu::Program& program, const emu::LaunchConfig& config, emu::DeviceMemory& memory,
                                  const emu::RunOptions& options, const emu::SinkFactory& sinks, std::uint64_t budget) {
    const std::uint64_t grid = config.grid.count();
    const std::uint64_t round = std::max(options.sm_count, 1u);
    if (budget == 0 || grid <= round) return emu::run(program, config, memory, options, sinks);
    emu::RunOptions first = options;
    first.max_blocks = round;
    Result<emu::Execution> execution = emu::run(program, config, memory, first, sinks);
    if (!execution) return execution;
    const std::uint64_t spent = std::max<std::uint64_t>(warp_instructions(*execution), 1);
    const double blocks_that_fit = static_cast<double>(budget) / static_cast<double>(spent) * static_cast<double>(round);
    const bool all = blocks_that_fit >= static_cast<double>(grid);
    const std::uint64_t goal = all ? grid : std::max(round, static_cast<std::uint64_t>(blocks_that_fit) / round * round);
    if (goal <= round) return execution;
    emu::RunOptions rest = options;
    rest.first_block = round;
    rest.max_blocks = goal - round;
    Result<emu::Execution> more = emu::run(program, config, memory, rest, sinks);
    if (!more) return more;
    add(*execution, *more);
    return execution;
}

} // namespace apod::device
