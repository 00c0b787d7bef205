// Random numbers for a ladder's data: the same on every machine and with every compiler, which the standard library's distributions are
// not. The generator is splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

namespace apod::ladder {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    // In [0, 1), a multiple of 2^-53.
    double next_unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    // Mean 0, standard deviation 1: Box and Muller's method, both results used.
    double next_normal() {
        if (spare_) {
            const double result = *spare_;
            spare_.reset();
            return result;
        }
        const double radius = std::sqrt(-2 * std::log(1 - next_unit()));
        const double angle = 6.283185307179586 * next_unit();
        spare_ = radius * std::sin(angle);
        return radius * std::cos(angle);
    }

private:
    std::uint64_t state_;
    std::optional<double> spare_;
};

} // namespace apod::ladder
