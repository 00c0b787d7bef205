// Constants of the time model that the descriptions of GPUs do not have: of an H200, measured there or chosen so that kernels measured
// there come out right. Other GPUs borrow them.
#pragma once

namespace apod::model::fitted {

// Core clocks. Measured 1 December 2026 (bench/device/pipes.cu): until the first instructions of a kernel that is new to the SM, 496 to 622
// for 3 to 64 KiB of code, and for each 128 B of them.
inline constexpr double code_cold_clk = 500;
inline constexpr double code_line_clk = 5;

// The first access to a place with caches and translations empty, over one that only misses L2: 690 against 580 clocks (2000 dependent
// loads of new lines took 702 us under ncu: chase of bench/device/model_kernels.cu, 1 December 2026).
inline constexpr double cold_dram_latency = 1.19;

// From a block's end to its successor's start, and between the warps of a block: chosen for the transpose kernels.
inline constexpr double block_start_clk = 200;
inline constexpr double warp_start_clk = 6;

// A round of the loop by which shared memory adds floats: 85 to 121 clocks (bench/device/atomics.cu, and a block's sum by atomicAdd).
inline constexpr double swap_round_clk = 90;

} // namespace apod::model::fitted
