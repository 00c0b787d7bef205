// Timing one's own code, on a GPU or as a whole program:
//
//     const apod::Timing t = apod::measure([&](void* stream) {
//         saxpy<<<blocks, threads, 0, static_cast<cudaStream_t>(stream)>>>(n, a, x, y);
//     });
//     std::puts(apod::to_text(t).c_str());
//
// The work is queued on the stream that is handed over and must not wait for it. What is taken care of: first calls and warming up are in
// no sample; the stream is held back until all of a sample is queued, so the host's pace is not in it; what events and launches cost is
// taken off; samples are taken until their noise is low or has settled; samples while heat or power held the clock down are dropped; an
// impossible result is refused; two versions are sampled in turns. How: docs/timing.md. Link with apod_measure. Needs CUDA's driver, loaded
// at run time.
#pragma once

#include "apod/record.hpp"

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace apod {

struct MeasureOptions {
    std::string name = "work";
    int device = 0;                // as cudaSetDevice counts; the work must use that device's primary context, as the runtime API does
    bool cold = false;             // L2 is flushed before each run; otherwise runs follow each other and find in L2 what fits
    double floor_ns = 0;           // the shortest time that physics allows; a faster result is an error. 0: not known
    double warm_up_s = 0.1;        // for so long,
    double shortest_s = 0.5;       // then at least so long and 10 samples, until the samples deviate by less than
    double deviation = 0.005;      // this (relative), or the noise has settled,
    double timeout_s = 15;         // but no longer than this
    double smallest_effect = 0.01; // of a comparison: a relative difference below this is no difference
};

struct TimingSample {
    double time_ns = 0;     // of one run
    std::uint32_t runs = 1; // that the sample has
    double clock_mhz = 0;   // of the SMs meanwhile; 0: not known
};

struct Timing {
    std::string name;
    Source source = Source::measured; // predicted where the driver is apod's own, over the emulator
    double median_ns = 0;             // of one run, over the samples
    double low_ns = 0;                // the median's interval
    double high_ns = 0;
    double confidence = 0; // of that interval, 0.95 where there are enough samples
    double minimum_ns = 0;
    double lower_quartile_ns = 0;
    double upper_quartile_ns = 0;
    double deviation = 0;    // standard deviation over mean
    double first_run_ns = 0; // the very first, by the host's clock: in no other figure
    double clock_mhz = 0;    // median; 0: not known
    std::vector<TimingSample> samples;
    std::uint64_t dropped = 0;      // throttled samples
    std::string stopped_by;         // low-noise, settled, timeout, samples
    std::string stop_reason;        // "relative deviation 0.21 %, under 0.50 %, after 520 ms"
    std::vector<std::string> notes; // what disturbed the measurement
};

struct Comparison {
    Timing base;
    Timing other;
    std::string verdict; // of `other`: FASTER, SLOWER, SAME or UNDECIDED
    double ratio = 0;    // other over base
    double ratio_low = 0;
    double ratio_high = 0; // 99 % interval
    std::string reason;
};

// No GPU, work that fails, a result that is not possible. what() says what and where to look.
class MeasureError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Queues one run on the stream: a CUstream, which is a cudaStream_t.
using GpuWork = std::function<void(void* stream)>;

Timing measure(const GpuWork& work, const MeasureOptions& options = {});
Comparison compare(const GpuWork& base, const GpuWork& other, const MeasureOptions& options = {});

// A whole program, from its start to its end; one that fails is an error. The first argument is looked up in PATH. `device` and `cold`
// do not apply.
Timing measure_program(const std::vector<std::string>& arguments, const MeasureOptions& options = {});
Comparison compare_programs(const std::vector<std::string>& base, const std::vector<std::string>& other,
                            const MeasureOptions& options = {});

// A line, and a line for each note: "work: 6.412 us +- 0.05 % (95 %, 812 samples, 1980 MHz; low-noise)".
std::string to_text(const Timing& timing);
std::string to_text(const Comparison& comparison);

} // namespace apod
