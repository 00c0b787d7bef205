// The launches that the emulator's speed is measured on: kernel, shape, and arguments in emulated device memory.
#pragma once

#include "emu/launch.hpp"

#include <memory>
#include <string>
#include <vector>

namespace apod::bench {

class KernelCase {
public:
    std::string name;
    Dim3 grid;
    Dim3 block;

    template<class T> void argument(T value) {
        while (parameters_.size() % sizeof(T) != 0) parameters_.push_back(std::byte{0});
        const auto* bytes = reinterpret_cast<const std::byte*>(&value);
        parameters_.insert(parameters_.end(), bytes, bytes + sizeof(T));
    }
    [[nodiscard]] emu::LaunchConfig launch() const { return {grid, block, 0, parameters_}; }

private:
    std::vector<std::byte> parameters_;
};

// All cases, their data allocated and filled (seeded) in `memory`.
[[nodiscard]] std::vector<KernelCase> kernel_cases(emu::DeviceMemory& memory);

} // namespace apod::bench
