#include "runtime/cuda/call.hpp"

#include "runtime/core/message.hpp"
#include "runtime/core/runtime.hpp"
#include "runtime/cuda/errors.hpp"

#include <string>

namespace apod::runtime::cuda {

Error refuse(Error error) {
    if (error != Error::success) Runtime::instance().failed(error, driver_error_name(error), driver_error_text(error));
    return error;
}

Error missing(const char* name) {
    say(std::string("note: the program calls ") + name + ", which the emulated CUDA driver does not have");
    return Error::not_supported;
}

} // namespace apod::runtime::cuda
