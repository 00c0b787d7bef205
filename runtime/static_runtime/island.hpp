// Memory near an object's code that its redirected entries jump to: a stub and a slot for each. Slots are bound at the first call, so that
// a process that never calls CUDA does not load our runtime.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace apod::runtime::static_runtime {

class Island {
public:
    // `low` and `high` are the first and last address that will jump here. Where no memory within their reach is free it lies anywhere.
    // `names` outlives the process's calls. `library` is the file of the runtime that has the functions.
    static Result<Island> make(std::uint64_t low, std::uint64_t high, std::span<const std::string_view> names, const char* library);

    [[nodiscard]] std::uint64_t stub(std::size_t index) const;

private:
    explicit Island(std::uint64_t base) : base_(base) {}
    std::uint64_t base_;
};

// Memory for `bytes` that near jumps from [low, high] reach; elsewhere when there is none, nullptr when there is no memory.
[[nodiscard]] std::byte* memory_near(std::uint64_t low, std::uint64_t high, std::size_t bytes);

} // namespace apod::runtime::static_runtime
