// A whole program's repeated runs: from its start to its end, by the host's clock.
#pragma once

#include "bench/target.hpp"

#include <string>
#include <vector>

namespace apod::bench {

class ProgramTarget final : public Target {
public:
    // The program and its arguments; its output is thrown away.
    explicit ProgramTarget(std::vector<std::string> arguments);

    [[nodiscard]] std::string name() const override;
    Result<double> first_run() override;
    // A program that fails is check_failed, with the end of what it wrote.
    Result<Sample> sample(std::uint32_t runs) override;

private:
    std::vector<std::string> arguments_;
};

} // namespace apod::bench
