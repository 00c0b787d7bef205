// Work timed by the host's clock: calls that return when they are done.
#pragma once

#include "bench/target.hpp"

#include <functional>
#include <string>

namespace apod::bench {

class HostTarget final : public Target {
public:
    // `work` is one run. `before`, which may be empty, comes before each sample and is not timed.
    HostTarget(std::string name, std::function<Result<void>()> work, std::function<Result<void>()> before = {});

    [[nodiscard]] std::string name() const override { return name_; }
    Result<double> first_run() override;
    Result<Sample> sample(std::uint32_t runs) override;

private:
    std::string name_;
    std::function<Result<void>()> work_;
    std::function<Result<void>()> before_;
};

} // namespace apod::bench
