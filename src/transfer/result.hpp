// What `apod transfer` finds out. Sizes are bytes, times nanoseconds, rates 1e9 bytes a second (which is bytes a nanosecond).
#pragma once

#include "apod/record.hpp"
#include "bench/statistics.hpp"
#include "device/facts.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apod::transfer {

enum class HostKind : std::uint8_t { pageable, pinned, write_combined, mapped, managed, none };
enum class Direction : std::uint8_t { to_device, to_host, within_device, both_ways, between_devices };

[[nodiscard]] std::string_view to_text(HostKind kind);       // "write-combined"
[[nodiscard]] std::string_view to_text(Direction direction); // "host to device"

// One size of one kind of copy. Both ways at once counts the bytes of both.
struct CopyPoint {
    std::uint64_t bytes = 0;
    std::optional<bench::Summary> event_ns; // between events on the stream, held back; none for what makes the host wait anyway
    bench::Summary host_ns;                 // from the call until the host knows that it is done
    [[nodiscard]] double best_ns() const { return event_ns ? event_ns->median : host_ns.median; }
    [[nodiscard]] double gbs() const { return best_ns() > 0 ? static_cast<double>(bytes) / best_ns() : 0; }
    [[nodiscard]] double host_gbs() const { return host_ns.median > 0 ? static_cast<double>(bytes) / host_ns.median : 0; }
};

struct CopyCurve {
    HostKind kind = HostKind::pageable;
    Direction direction = Direction::to_device;
    std::vector<CopyPoint> points; // by size, ascending
    std::string problem;           // why it is not there, or stops early; empty: complete
};

// What a curve comes down to.
struct CurveFacts {
    double latency_ns = 0;          // of the smallest copy
    double peak_gbs = 0;            // the best rate,
    std::uint64_t peak_bytes = 0;   // and its size
    std::uint64_t enough_bytes = 0; // the smallest size that reaches 90 % of the best rate
};

[[nodiscard]] CurveFacts facts_of(const CopyCurve& curve);
// The time at a size between the points, by a straight line; nothing outside of them.
[[nodiscard]] std::optional<double> host_time_at(const CopyCurve& curve, std::uint64_t bytes);

// Copy in, kernel, copy out in chunks over several streams, pinned.
struct PipelinePoint {
    std::uint32_t streams = 1;
    std::uint32_t chunks = 1;
    double time_ns = 0;
};

struct Pipeline {
    std::uint64_t bytes = 0; // in, and the same out
    double in_ns = 0;        // each by itself,
    double kernel_ns = 0;
    double out_ns = 0;
    std::vector<PipelinePoint> points;
    [[nodiscard]] double in_a_row_ns() const { return in_ns + kernel_ns + out_ns; }
};

// What page-locked memory costs before the first byte is copied.
struct PinningPoint {
    std::uint64_t bytes = 0;
    double plain_ns = 0; // pageable memory allocated and touched, for comparison
    double allocate_ns = 0;
    double free_ns = 0;
    double pin_ns = 0; // pages that are there already
    double unpin_ns = 0;
    std::optional<double> copies_to_pay; // host-to-device copies of this size after which pinning has paid for itself; none: never
};

// A stage of the simplest program. `event_ns` is what the GPU did of it, `host_ns` what the host saw.
struct Stage {
    std::string name;
    std::optional<double> event_ns;
    double host_ns = 0;
    [[nodiscard]] double wait_ns() const { return event_ns ? host_ns - *event_ns : 0; } // beyond what the GPU did
};

// The simplest program at one size: one multiplication an element, pageable memory, one call after another. The stages and `other` add up
// to the elapsed time, which is read from a clock of its own.
struct Breakdown {
    std::uint64_t bytes = 0; // of the input, and of the output
    std::vector<Stage> stages;
    double elapsed_ns = 0;
    double unobserved_ns = 0; // the same program without events and laps: the median of as many runs
    [[nodiscard]] double stages_ns() const;
    [[nodiscard]] double other_ns() const { return elapsed_ns - stages_ns(); }
    [[nodiscard]] double waits_ns() const;
};

// Once a process.
struct StartUp {
    double open_ns = 0;       // driver, context
    double load_ns = 0;       // the module, its machine code made from PTX
    double first_call_ns = 0; // the first launch until it is done
    double next_call_ns = 0;  // the second
};

// The same work on the host and on the GPU.
struct VersusPoint {
    std::uint64_t bytes = 0;           // of the input, and of the output
    std::optional<double> one_core_ns; // nothing: it would take too long
    std::optional<double> all_cores_ns;
    double kernel_ns = 0;              // launch and wait, data already there
    std::optional<double> pageable_ns; // with copies in and out; nothing where they were not measured
    std::optional<double> pinned_ns;
};

// The size from which on one side wins at every larger size that was measured.
struct Crossing {
    std::optional<double> bytes; // between two sizes by a straight line in log-log; none: never within what was measured
    bool always = false;         // from the smallest size on
};

struct Versus {
    std::uint32_t multiplications = 1; // an element
    std::vector<VersusPoint> points;
    Crossing kernel_over_one, kernel_over_all, pageable_over_one, pageable_over_all, pinned_over_one, pinned_over_all;
};

struct Host {
    unsigned cores = 0;     // that this process may use
    std::vector<int> nodes; // NUMA nodes of those cores
    double memcpy_gbs = 0;  // one core, large blocks
    std::uint64_t memcpy_bytes = 0;
};

struct Findings {
    std::string device_id;
    device::DeviceFacts facts;
    Source source = Source::measured; // of everything that the GPU did
    Host host;
    StartUp start_up;
    std::vector<CopyCurve> curves;
    std::optional<Pipeline> pipeline;
    std::vector<PinningPoint> pinning;
    std::vector<Breakdown> breakdowns;
    std::vector<Versus> versus;
    std::vector<std::string> why; // why the numbers are what they are
};

} // namespace apod::transfer
