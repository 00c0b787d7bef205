// Samples as GPUs give them, made up for tests: seeded, with drift, outliers, two modes, and a clock. Header for tests alone.
#pragma once

#include "bench/target.hpp"

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace apod::bench::testing {

struct Shape {
    double base_ns = 10000;
    double noise = 0.002;     // of each sample, relative, normal
    double drift = 0;         // relative, over the first second of fake time
    double outliers = 0;      // share of samples that take 1.3 to 3 times as long
    double second_mode = 0;   // share of samples that are slower by `mode_distance`
    double mode_distance = 0; // relative
    double clock_mhz = 1980;
    double sway = 0; // the clock swings by this, relative, with the period of 0.2 s; time goes with its inverse
};

// The time that all targets of a test live in.
struct FakeTime {
    double now_s = 0;
};

class FakeTarget final : public Target {
public:
    FakeTarget(std::string name, Shape shape, std::uint64_t seed, FakeTime& time) :
        name_(std::move(name)), shape_(shape), random_(seed), time_(time) {}

    [[nodiscard]] std::string name() const override { return name_; }
    Result<double> first_run() override { return 50e6; }

    Result<Sample> sample(std::uint32_t runs) override {
        Sample sample;
        sample.runs = runs;
        const double swing = 1 + shape_.sway * std::sin(time_.now_s / 0.2 * 6.283185307);
        sample.clock_mhz = shape_.clock_mhz * swing;
        double time = shape_.base_ns / swing * (1 + shape_.drift * std::min(time_.now_s, 1.0));
        time *= 1 + shape_.noise * normal_(random_);
        if (uniform_(random_) < shape_.outliers) time *= 1.3 + 1.7 * uniform_(random_);
        if (uniform_(random_) < shape_.second_mode) time *= 1 + shape_.mode_distance;
        sample.time_ns = time;
        time_.now_s += time * runs * 1e-9 + 40e-6; // and what the host needs for it
        ++samples_;
        return sample;
    }

    [[nodiscard]] std::size_t samples() const { return samples_; }

private:
    std::string name_;
    Shape shape_;
    std::mt19937_64 random_;
    std::normal_distribution<double> normal_;
    std::uniform_real_distribution<double> uniform_;
    FakeTime& time_;
    std::size_t samples_ = 0;
};

} // namespace apod::bench::testing
