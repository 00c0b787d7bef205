// The host's clock in laps: what passed since the last reading, so that laps add up to the whole.
#pragma once

#include <chrono>

namespace apod::transfer {

class HostClock {
public:
    double lap_ns() {
        const Clock::time_point now = Clock::now();
        const double lap = std::chrono::duration<double, std::nano>(now - last_).count();
        last_ = now;
        return lap;
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point last_ = Clock::now();
};

} // namespace apod::transfer
