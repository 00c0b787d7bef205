#include "bench/stopping.hpp"

#include "base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

namespace apod::bench {
namespace {

std::string seconds(double value) { return format_time_ns(value * 1e9, 3); }

// Mean and deviation of a stream of numbers, without keeping it (Welford's).
class Running {
public:
    void add(double value) {
        ++count_;
        const double before = value - mean_;
        mean_ += before / static_cast<double>(count_);
        squares_ += before * (value - mean_);
    }
    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] double relative_deviation() const {
        return count_ < 2 || mean_ == 0 ? 0 : std::sqrt(squares_ / static_cast<double>(count_ - 1)) / mean_;
    }

private:
    std::size_t count_ = 0;
    double mean_ = 0;
    double squares_ = 0;
};

class LowNoise final : public StoppingRule {
public:
    explicit LowNoise(const StoppingOptions& options) : options_(options) {}
    [[nodiscard]] std::string_view name() const override { return "low-noise"; }

    void add(const Sample& sample, double elapsed_s) override {
        values_.add(sample.time_ns);
        elapsed_s_ = elapsed_s;
    }

    [[nodiscard]] std::string reason() const override {
        const double noise = values_.relative_deviation();
        if (values_.count() < std::max<std::size_t>(options_.fewest_samples, 2) || elapsed_s_ < options_.shortest_s) return {};
        if (noise >= options_.relative_deviation) return {};
        return fmt::format("relative deviation {}, under {}, after {}", format_percent(noise, 2),
                           format_percent(options_.relative_deviation, 2), seconds(elapsed_s_));
    }

private:
    StoppingOptions options_;
    Running values_;
    double elapsed_s_ = 0;
};

// Looks at the relative deviation each time the samples have grown by a tenth: looking at each sample would call any long run settled,
// because one sample more hardly moves the deviation of many.
class Settled final : public StoppingRule {
public:
    explicit Settled(const StoppingOptions& options) : options_(options) {}
    [[nodiscard]] std::string_view name() const override { return "settled"; }

    void add(const Sample& sample, double elapsed_s) override {
        values_.add(sample.time_ns);
        elapsed_s_ = elapsed_s;
        if (values_.count() < next_look_) return;
        next_look_ = values_.count() + std::max<std::size_t>(values_.count() / 10, 5);
        looks_.push_back(values_.relative_deviation());
        if (looks_.size() > looks_needed) looks_.pop_front();
    }

    [[nodiscard]] std::string reason() const override {
        if (elapsed_s_ < options_.shortest_s || looks_.size() < looks_needed) return {};
        const auto [low, high] = std::minmax_element(looks_.begin(), looks_.end());
        if (*high <= 0 || (*high - *low) / *high >= options_.settled_change) return {};
        return fmt::format("the noise has settled at {} after {} samples, {}", format_percent(*high, 2), values_.count(),
                           seconds(elapsed_s_));
    }

private:
    static constexpr std::size_t looks_needed = 5; // while the samples grow by half
    StoppingOptions options_;
    Running values_;
    std::deque<double> looks_;
    std::size_t next_look_ = 20;
    double elapsed_s_ = 0;
};

class Timeout final : public StoppingRule {
public:
    explicit Timeout(const StoppingOptions& options) : limit_s_(options.timeout_s) {}
    [[nodiscard]] std::string_view name() const override { return "timeout"; }
    void add(const Sample& sample, double elapsed_s) override {
        values_.add(sample.time_ns);
        elapsed_s_ = elapsed_s;
    }
    [[nodiscard]] std::string reason() const override {
        if (elapsed_s_ < limit_s_) return {};
        return fmt::format("{} have passed; the relative deviation is {}", seconds(elapsed_s_),
                           format_percent(values_.relative_deviation(), 2));
    }

private:
    double limit_s_;
    Running values_;
    double elapsed_s_ = 0;
};

class Samples final : public StoppingRule {
public:
    explicit Samples(const StoppingOptions& options) : most_(options.most_samples) {}
    [[nodiscard]] std::string_view name() const override { return "samples"; }
    void add(const Sample& sample, double) override { values_.add(sample.time_ns); }
    [[nodiscard]] std::string reason() const override {
        if (values_.count() < most_) return {};
        return fmt::format("{} samples were taken; the relative deviation is {}", values_.count(),
                           format_percent(values_.relative_deviation(), 2));
    }

private:
    std::size_t most_;
    Running values_;
};

} // namespace

std::unique_ptr<StoppingRule> low_noise_rule(const StoppingOptions& options) { return std::make_unique<LowNoise>(options); }
std::unique_ptr<StoppingRule> settled_rule(const StoppingOptions& options) { return std::make_unique<Settled>(options); }
std::unique_ptr<StoppingRule> timeout_rule(const StoppingOptions& options) { return std::make_unique<Timeout>(options); }
std::unique_ptr<StoppingRule> samples_rule(const StoppingOptions& options) { return std::make_unique<Samples>(options); }

std::vector<std::unique_ptr<StoppingRule>> usual_rules(const StoppingOptions& options) {
    std::vector<std::unique_ptr<StoppingRule>> rules;
    rules.push_back(low_noise_rule(options));
    rules.push_back(settled_rule(options));
    rules.push_back(timeout_rule(options));
    rules.push_back(samples_rule(options));
    return rules;
}

} // namespace apod::bench
