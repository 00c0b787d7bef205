// Several PTX modules as one: what a device linker does for nvcc -rdc=true and for the driver's cuLink calls.
#pragma once

#include "ptx/module.hpp"

#include <string>
#include <vector>

namespace apod::ptx {

// One PTX text; `file` names it in messages.
struct LinkUnit {
    std::string text;
    std::string file;
};

// Parses the units and joins them. A declaration (.extern, or a function without a body) means the one definition of its name; .visible is
// preferred to .weak and that to .common, of which the first, and for .common the largest, is taken; names without a linkage directive stay
// private to their unit and are renamed where two units use the same. Kernels are always visible. What no unit defines stays a declaration:
// whoever needs it says so. Errors (bad_input) name both places: two definitions, declarations that do not fit the definition, a variable
// that is a function elsewhere, units of different address sizes.
//
// Line numbers of the result count over all units; Module::position leads back to the unit and its own line.
Result<std::shared_ptr<const Module>> link(std::vector<LinkUnit> units);

} // namespace apod::ptx
