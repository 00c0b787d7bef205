// What is known of a pipeline: data that are copied to the device, worked on and copied back, in chunks over one stream or several. Nothing
// here computes.
#pragma once

#include "apod/record.hpp"

#include <cstdint>
#include <optional>

namespace apod {

// The host's memory at both ends.
enum class HostKind : std::uint8_t {
    pageable, // as malloc gives it: the driver copies through a buffer of its own
    pinned,   // page-locked: the copy engines reach it
    mapped    // page-locked, and used by the kernels themselves: nothing is copied
};

struct PipelineShape {
    HostKind host = HostKind::pageable;
    std::uint32_t chunks = 1;
    std::uint32_t streams = 1; // which take the chunks in turn,
    bool by_stage = false;     // or one each for copies in, kernels and copies out: then `streams` is 3
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;

    friend bool operator==(const PipelineShape&, const PipelineShape&) = default;
};

struct PipelineRecord {
    PipelineShape shape;
    Quantity time_ns; // until the last byte is back
    // Each alone, over all data and with nothing beside it. Of mapped memory there is no copy.
    std::optional<Quantity> copy_in_ns;
    std::optional<Quantity> kernel_ns;
    std::optional<Quantity> copy_out_ns;
    // Copy in and copy out at once, neither waiting for the other: no pipeline of copies is faster. Only where chunks overlap.
    std::optional<Quantity> both_ways_ns;

    [[nodiscard]] bool overlaps() const { return shape.host == HostKind::pinned && shape.streams > 1 && shape.chunks > 1; }
};

} // namespace apod
