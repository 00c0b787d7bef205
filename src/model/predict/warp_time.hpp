// What one average warp of the launch does, from the emulator's counts: the time it would need alone, and what it asks of its SM's units.
#pragma once

#include "model/facts.hpp"
#include "model/predict/op_cost.hpp"

#include <array>
#include <vector>

namespace apod::model {

struct WarpWork {
    double latency_clk = 0; // alone on the SM, barriers included
    double memory_clk = 0;  // the part of it that waits for memory (loads)
    double slots = 0;       // warp instructions issued
    double lsu_clk = 0;
    double port_clk = 0;
    std::array<double, pipe_count> pipe_clk{};
    double shared_lsu_clk = 0; // of lsu_clk
    double rounds = 1;         // times that a warp waits for memory one after the other, as loops make it
    bool barrier_in_loop = false;
    double static_slots = 0; // instructions of all blocks that ran, each once: what must come into the instruction cache
};

// An integer division or remainder whose divisor the instruction holds: ptxas multiplies instead.
[[nodiscard]] bool divides_by_constant(const ptx::Instruction& instruction);

// Clocks that an average warp alone waits for what each op answers (op_costs.hpp).
[[nodiscard]] std::vector<double> waits_by_op(const LaunchFacts& facts, bool hot);

[[nodiscard]] WarpWork warp_work(const LaunchFacts& facts, bool hot, double dram_latency);

} // namespace apod::model
