// The whole command line: parses, runs one command, returns its exit code. Never throws.
#pragma once

namespace apod::cli {

int run(int argc, const char* const* argv);

} // namespace apod::cli
