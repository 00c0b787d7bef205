// What the runtime has to say to the person who runs the program: on standard error, each text once.
#pragma once

#include "base/diagnostic.hpp"

#include <string>

namespace apod::runtime {

void say(const std::string& text); // "apod: text"; a text that was said before is not said again
void say(const Diagnostic& diagnostic);

} // namespace apod::runtime
