// The slow, obvious way to compute what access.hpp computes fast; tests compare the two.
#pragma once

#include "model/counters/access.hpp"

namespace apod::model::reference {

[[nodiscard]] GlobalShape global_shape(const emu::MemoryEvent& event);
[[nodiscard]] SharedShape shared_shape(const emu::MemoryEvent& event);
[[nodiscard]] AtomicShape atomic_shape(const emu::MemoryEvent& event);
[[nodiscard]] std::uint32_t local_sectors(const emu::MemoryEvent& event);

} // namespace apod::model::reference
