// Replays the logged global accesses through one L1 a SM and one L2, in an order that does not depend on how the emulator was scheduled.
//
// Order: blocks run in waves of sm_count * blocks_per_sm, and within a wave every block makes one access in turn. L1: sectored, loads
// allocate, stores write through without allocating, atomics bypass. L2: write-back, a store allocates without fetching (byte masks).
// Both start empty, as Nsight Compute's default cache control leaves them.
//
// Local memory: a line belongs to the place where its block runs, so that blocks that follow each other there find their predecessors'
// lines; L1 keeps what is stored, too.
//
// L2's partitions: every line has its home in one of them. Who reads it from the other brings a copy there, until it is written or leaves.
//
// Warps of a wave do the same at about the same time. So who finds a line that another warp asked for with the same one of its requests,
// or at most `pending_requests` earlier or later, waits for the data as that one does: OpCache says how many requests wait for L2 and for
// DRAM.
#pragma once

#include "model/counters/access_log.hpp"

#include <cstdint>
#include <vector>

namespace apod::model {

struct HierarchyShape {
    std::uint32_t sm_count = 1;
    std::uint32_t blocks_per_sm = 1; // resident together
    std::uint64_t l1_bytes = 0;      // per SM; 0: loads go straight to L2
    std::uint64_t l2_bytes = 0;      // usable for distinct data
    std::uint32_t fetch_bytes = 32;  // DRAM granule: 32 or 64
    std::uint32_t pending_requests = 0;
    std::uint32_t partitions = 1; // of L2
};

// Sector counts, already multiplied by the sampling rate.
struct OpCache {
    double load_sectors = 0; // after removing duplicates within a request
    double l1_hits = 0;
    double l2_hits = 0;  // of the loads that missed L1, and of atomics
    double l2_reads = 0; // loads that missed L1, and atomics
    // Of loads, lines and whole requests: all, those that wait for L2 or DRAM, those that wait for DRAM. Not scaled; requests are left out
    // where only a sample of the lines is known.
    double lines = 0;
    double l2_lines = 0;
    double dram_lines = 0;
    double requests = 0;
    double l2_requests = 0;
    double dram_requests = 0;
};

// Relative half widths of the 95 % intervals of what was scaled up from a sample of lines, from how its parts differ (sampling.hpp); 0 when
// all lines were logged.
struct CacheErrors {
    double l1_hits = 0;
    double l2_reads = 0;
    double l2_writes = 0;
    double dram_reads = 0;
    double dram_writes = 0;
};

struct CacheResult {
    std::vector<OpCache> ops;
    double l2_read_sectors = 0;
    double l2_copied_sectors = 0; // read from the other partition for the first time, and kept there
    double l2_merged_sectors = 0; // read by several SMs with the same one of their requests
    double l2_write_sectors = 0;
    double l2_write_lines = 0; // store packets: a request sends one for every line it touches
    double l2_read_lines = 0;  // likewise for loads that miss L1
    double dram_read_bytes = 0;
    double dram_written_back_bytes = 0; // evicted while the launch ran
    double dram_dirty_bytes = 0;        // still dirty in L2 at its end
    double footprint_read_bytes = 0;    // distinct sectors loaded, and stored
    double footprint_write_bytes = 0;
    double footprint_bytes = 0; // either
    CacheErrors errors;
};

[[nodiscard]] CacheResult simulate(const MergedLog& log, std::size_t ops, const HierarchyShape& shape);

} // namespace apod::model
