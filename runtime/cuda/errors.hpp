// The driver API's error codes: most are the runtime API's numbers.
#pragma once

#include "runtime/core/error.hpp"

namespace apod::runtime::cuda {

// Those that only the driver API gives.
inline constexpr Error not_initialised{3};
inline constexpr Error invalid_image{200};
inline constexpr Error invalid_context{201};
inline constexpr Error primary_context_active{708};
inline constexpr Error context_is_destroyed{709};
inline constexpr Error invalid_handle{400};
inline constexpr Error not_found{500};
inline constexpr Error file_not_found{301};

// What the runtime API numbers otherwise, as the driver API numbers it.
[[nodiscard]] Error driver_error(Error error);

// "CUDA_ERROR_INVALID_VALUE" and "invalid argument"; both are "unrecognized error code" for a number that CUDA does not have.
[[nodiscard]] const char* driver_error_name(Error error);
[[nodiscard]] const char* driver_error_text(Error error);

} // namespace apod::runtime::cuda
