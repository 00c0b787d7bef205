// CUDA arrays as sides of a copy.
#pragma once

#include "runtime/core/work.hpp"
#include "runtime/cudart/types.hpp"

namespace apod::runtime::cudart {

// cudaMemcpy3D with an array on either side: extents in texels, positions in texels on the array's side.
[[nodiscard]] Error box_of_arrays(const Copy3d& parameters, CopyWork& work);

} // namespace apod::runtime::cudart
