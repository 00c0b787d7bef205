// What is known of one launch, however it was learnt: the vocabulary that devices produce and that findings and views consume.
// Names and sources are docs/ARCHITECTURE.md's "words". Nothing here computes; this header depends on the standard library only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace apod {

// Where a number comes from. Every number that apod shows carries one.
enum class Source : std::uint8_t {
    measured,   // read from hardware: a counter or a timer
    counted,    // counted by the emulator, exactly (or over a sample, then LaunchRecord::sample says so)
    predicted,  // computed by the performance model
    theoretical // follows from the device description or the problem alone (peaks, floors, occupancy limits)
};

// A number with its source and, where it was measured or scaled up from a sample, its noise.
struct Quantity {
    double value = 0;
    Source source = Source::counted;
    std::optional<double> noise; // relative half width of the 95 % interval, 0.01 = 1 %

    friend bool operator==(const Quantity&, const Quantity&) = default;
};

struct Dim3 {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;

    [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
    friend bool operator==(const Dim3&, const Dim3&) = default;
};

// Metric identifiers are Nsight Compute's; see docs/metrics.md for each with its short label.
using MetricMap = std::map<std::string, Quantity>;

// The metrics that one source line caused. An inlined line is reported at its own place; `inlined_at` is its call site.
struct LineRecord {
    std::string file;
    std::uint32_t line = 0;
    std::string inlined_at; // "file:line", empty when not inlined
    MetricMap metrics;
};

// One resource's share of the predicted or measured time ("speed of light" bars). `fraction` is time_ns / launch time.
struct LimiterShare {
    std::string name; // issue, fma, alu, fp64, xu, lsu, l2, dram, latency, atomics, launch, ...
    double time_ns = 0;
    double fraction = 0;
};

// What is wrong, where, the evidence, what repairing it may save and what to try.
struct Finding {
    std::string rule;     // stable identifier, e.g. "uncoalesced-store"
    std::string title;    // one line
    std::string evidence; // the figures that show it, with units
    std::string file;     // empty when it concerns the whole launch
    std::uint32_t line = 0;
    std::optional<double> gain_ns; // estimated time saved; estimates overlap and must not be added up
    std::string advice;            // what to try next
};

// Only part of the grid was emulated and the counters were scaled up from it.
struct SampleNote {
    std::uint64_t blocks_run = 0;
    std::uint64_t blocks_total = 0;
};

struct OccupancyRecord {
    std::uint32_t blocks_per_sm = 0;
    std::uint32_t warps_per_sm = 0;
    std::uint32_t max_warps_per_sm = 0;
    std::string limiter; // warps, blocks, registers, shared, barriers
};

// A rate that the GPU cannot exceed: a roof of its rooflines (docs/roofline.md).
struct Ceiling {
    std::string name; // dram, l2, l1, shared; fp32, fp64, ...; issue
    std::string kind; // bandwidth (GB/s), transactions (1e9 sectors or wavefronts a second), compute (1e9 operations a second), issue
                      // (GIPS), wall (an intensity)
    double value = 0;
    std::string unit;
    std::string source;     // of the numbers of the description that it follows from
    std::string confidence; // the weakest of their marks: M, V, P, R, ?
};

// What a launch does of one kind of work for each byte or transaction of one level of memory, how fast, and which roof is above it.
struct RooflinePoint {
    std::string work;                // fp32, fp64, fp16, int32, tensor_...; instructions; memory instructions: global, shared
    std::string level;               // dram, l2, l1, shared
    double amount = 0;               // operations or warp instructions
    double traffic = 0;              // bytes; sectors or wavefronts of the instruction roofline
    double intensity = 0;            // amount / traffic
    double performance = 0;          // amount / time, 1e9 a second
    double roof = 0;                 // the lower of what the units can do and what the level can feed at this intensity
    std::string ceiling;             // the name of the one that is lower
    double fraction = 0;             // performance / roof
    Source source = Source::counted; // the weakest of its parts
};

// What the same launch would take on another GPU, or shaped otherwise: predicted from the counts of the launch that ran.
struct Estimate {
    std::string what; // "emu:a100", "bandwidth=2x"
    Quantity time_ns;
    std::optional<double> error; // likely, of time_ns: 0.25 = 25 %
    std::string limiter;
    OccupancyRecord occupancy;
    std::vector<Ceiling> ceilings; // of the GPU as it was asked for
    std::vector<RooflinePoint> roofline;
    std::string why_not; // why there is no time: what the GPU or the kernel does not allow; empty where there is one
};

struct LaunchRecord {
    std::uint32_t index = 0; // order of the launch in its program or rung, from 0
    std::string kernel;      // demangled where possible
    std::string mangled;
    Dim3 grid;
    Dim3 block;
    std::uint64_t static_shared_bytes = 0;
    std::uint64_t dynamic_shared_bytes = 0;
    Quantity registers_per_thread; // source says whether ptxas told it or it was estimated
    OccupancyRecord occupancy;
    Quantity time_ns;
    std::optional<double> time_error; // likely, of a predicted time: 0.25 = 25 % (docs/model.md)
    Quantity floor_ns;                // shortest time that physics allows this launch
    std::string limiter;
    std::vector<LimiterShare> shares; // largest first
    MetricMap metrics;
    std::vector<LineRecord> lines; // in source order
    std::optional<SampleNote> sample;
    std::vector<Finding> findings;
    std::vector<RooflinePoint> roofline; // model/roofline.hpp
    std::vector<Estimate> estimates;     // in the order in which they were asked for
};

} // namespace apod
